/** One venue of a catalogue: compared with ours, written where the run may, and noted, all in one transaction. */
import { createHash } from 'node:crypto';
import { inContestedTransaction, type Sql, type Tx } from '../../db/database.ts';
import { partsOfVenueId, type VenueId, venueIdOf } from '../../kernel/ids.ts';
import { codeOf, Problem, problem } from '../../kernel/problem.ts';
import type { Registry } from '../../tms/registry.ts';
import type { AuditLog } from '../audit/service.ts';
import { aboutVenue, lockRef } from '../venues/service.ts';
import { assertPossible, findOurs, writePlan, writeProducts } from './apply.ts';
import { type CheckedVenue, checkVenue, sentenceOf, type VenueFault } from './check.ts';
import { type Found, planGone, planVenue, type VenuePlan } from './difference.ts';
import * as store from './store.ts';

export interface VenueWorkDeps {
  sql: Sql;
  registry: Registry;
  auditLog: Pick<AuditLog, 'record'>;
}

/** Another node has taken the run over. */
export class LostRun extends Error {}

export interface VenueWork {
  /** A venue as it came in a page; false: the run has had it before. */
  take(run: store.ClaimedRun, sent: unknown): Promise<boolean>;
  /** A venue of ours that was in no page. */
  takeGone(run: store.ClaimedRun, venueId: VenueId): Promise<void>;
  /** A transaction in which the run stays ours. */
  inRun<Result>(run: store.ClaimedRun, work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

export function createVenueWork({ sql, registry, auditLog }: VenueWorkDeps): VenueWork {
  const inRun: VenueWork['inRun'] = (run, work) =>
    inContestedTransaction(sql, async (tx) => {
      if (!(await store.holdRun(tx, run))) throw new LostRun();
      return work(tx);
    });

  function takeFault(run: store.ClaimedRun, fault: VenueFault): Promise<boolean> {
    const { resourceId, name, sentence } = fault;
    const about = { kind: 'failed', subject: 'venue', resourceId, productKey: null, name } as const;
    const difference = { ...about, changes: [], note: sentence, isApplied: false };
    return inRun(run, async (tx) => {
      const digest = digestOf(sentence);
      if (resourceId !== null && !(await store.insertVenue(tx, run.id, resourceId, digest))) return false;
      await store.noteFindings(tx, run.id, [difference], { unchanged: 0, isVenueRead: true });
      return true;
    });
  }

  function takeVenue(run: store.ClaimedRun, theirs: CheckedVenue): Promise<boolean> {
    const { resourceId } = theirs;
    const id = venueIdOf({ operatorId: run.operatorId, tms: run.tms, resourceId });
    const digest = digestOf(JSON.stringify(theirs));
    return inRun(run, async (tx) => {
      if (!(await store.insertVenue(tx, run.id, resourceId, digest))) return false;
      const isWriting = await mayWrite(tx, run, resourceId, digest);
      const ours = await (isWriting ? lockOurs(tx, id) : findOurs(tx, id));
      const plan = planVenue(ours, theirs);
      await assertPossible(tx, ours, plan);
      const isAdding = run.kind === 'apply';
      if (isWriting) await writePlan(tx, id, ours, plan, { registry, isAdding });
      const isApplied = ({ kind }: Found) => isWriting && kind !== 'failed' && (isAdding || kind !== 'added');
      const found = foundIn(plan);
      const differences = found.map((each) => ({
        ...each,
        isApplied: isApplied(each),
        note: each.note ?? (run.kind === 'apply' && !isWriting ? NOT_AS_REVIEWED : null),
      }));
      await record(tx, run, id, differences);
      const unchanged = 1 + plan.products.length + plan.failed.length - found.length;
      await store.noteFindings(tx, run.id, differences, { unchanged, isVenueRead: true });
      return true;
    });
  }

  /** What is applied is what was reviewed, even if the system has changed since. */
  async function mayWrite(
    tx: Tx,
    run: store.ClaimedRun,
    resourceId: string,
    digest: Buffer | null,
  ): Promise<boolean> {
    if (run.kind === 'nightly') return true;
    if (run.kind === 'review' || run.reviewedRunId === null) return false;
    const reviewed = await store.findDigest(tx, run.reviewedRunId, resourceId);
    if (reviewed === undefined || reviewed === null || digest === null) return reviewed === digest;
    return reviewed.equals(digest);
  }

  /** One entry for a venue, of what was changed of it and its products. */
  async function record(
    tx: Tx,
    run: store.ClaimedRun,
    id: VenueId,
    differences: readonly store.NewDifference[],
  ): Promise<void> {
    const applied = differences.filter(({ isApplied }) => isApplied);
    if (applied.length === 0) return;
    const isNew = applied.some(({ kind, subject }) => kind === 'added' && subject === 'venue');
    await auditLog.record(tx, {
      actor: { ...run.actor, isPlatform: false, roles: new Map() },
      action: 'catalogue.apply',
      ...aboutVenue(id, 'venue', id),
      before: isNew ? null : audited(applied, 'before'),
      after: audited(applied, 'after'),
    });
  }

  return {
    inRun,

    async take(run, sent) {
      const checked = checkVenue(sent);
      if ('fault' in checked) return takeFault(run, checked.fault);
      const { venue } = checked;
      try {
        return await takeVenue(run, venue);
      } catch (error) {
        const { resourceId, name } = venue;
        return takeFault(run, { resourceId, name, sentence: sentenceOf(storable(error)) });
      }
    },

    takeGone: (run, id) =>
      inRun(run, async (tx) => {
        const { resourceId } = partsOfVenueId(id);
        if (!(await store.insertVenue(tx, run.id, resourceId, null))) return;
        const isWriting = await mayWrite(tx, run, resourceId, null);
        const ours = await (isWriting ? lockOurs(tx, id) : findOurs(tx, id));
        const plan = ours && planGone(ours);
        if (!plan) return;
        if (isWriting) await writeProducts(tx, id, plan.products, false);
        const found = [plan.found, ...plan.products.flatMap((product) => product.found ?? [])];
        const differences = found.map((each) => ({
          ...each,
          isApplied: isWriting,
          note: run.kind === 'apply' && !isWriting ? NOT_AS_REVIEWED : each.note,
        }));
        await record(tx, run, id, differences);
        await store.noteFindings(tx, run.id, differences, { unchanged: 0, isVenueRead: false });
      }),
  };
}

const NOT_AS_REVIEWED =
  'It has changed at the system since the review, and was left as it is. Review it again.';

const digestOf = (text: string) => createHash('sha256').update(text).digest();

async function lockOurs(tx: Tx, id: VenueId) {
  return (await lockRef(tx, id)) && findOurs(tx, id);
}

const foundIn = ({ found, products, failed }: VenuePlan): Found[] => [
  ...(found ? [found] : []),
  ...products.flatMap((product) => product.found ?? []),
  ...failed,
];

/** Values that the database does not take are a fault of the venue; anything else that goes wrong is ours. */
function storable(error: unknown): unknown {
  const isOfData = /^2[23]/.test(codeOf(error) ?? '');
  if (error instanceof Problem || !isOfData) return error;
  return problem('VALID-N-001', { detail: 'It has values that cannot be stored.', cause: error });
}

function audited(differences: readonly store.NewDifference[], side: 'before' | 'after') {
  const fields = ({ changes }: store.NewDifference) =>
    Object.fromEntries(changes.map((change) => [change.field, change[side]]));
  const venue = differences.find(({ subject }) => subject === 'venue');
  const products = differences.filter(({ subject }) => subject === 'product');
  return {
    ...(venue && fields(venue)),
    products: Object.fromEntries(products.map((each) => [each.productKey, fields(each)])),
  };
}
