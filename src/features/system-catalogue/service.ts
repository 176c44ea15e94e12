/**
 * The catalogue that an operator has at a remote system: read in pages in the background, shown as differences, and
 * applied once they are reviewed. What was applied once is followed every night.
 */
import type { Registry as MetricsRegistry } from 'prom-client';
import { inContestedTransaction, inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { databaseGauge } from '../../http/observability/metrics.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../http/validation/paging.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Worker } from '../../jobs/work-loop.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import type { ProductFacts } from '../../tms/contract.ts';
import { getSystems, notFound } from '../venues/service.ts';
import { listFacts } from './facts-store.ts';
import type { AccountPath, CatalogueRun, Difference, DifferenceQuery, RunBody } from './schema.ts';
import * as store from './store.ts';
import { type CatalogueWorkerDeps, createCatalogueWorker } from './worker.ts';

export interface SystemCatalogue extends Worker {
  start(): { stop(): Promise<void> };
  /** A dry run, or one that applies what a dry run has found. */
  begin(actor: Actor, path: AccountPath, isDryRun: boolean, body: RunBody): Promise<CatalogueRun>;
  list(path: AccountPath, query: PageQuery): Promise<PageOf<CatalogueRun>>;
  get(path: AccountPath, runId: string): Promise<CatalogueRun>;
  listDifferences(path: AccountPath, runId: string, query: DifferenceQuery): Promise<PageOf<Difference>>;
  /** Starts the nightly runs whose time has come; says of how many accounts. */
  beginNightly(): Promise<number>;
  /** Runs under way, and accounts whose last run failed. */
  count(): Promise<{ running: number; failed: number }>;
}

export interface SystemCatalogueDeps extends CatalogueWorkerDeps {
  sql: Sql;
  clock: Clock;
}

const MOST_KEPT = 20;
const REVIEW_HOURS = 24;

/** Nightly runs begin over four hours, each account in its own five minutes. */
const NIGHT_BEGINS_HOUR = 1;
const SLOT_MINUTES = 5;
const SLOTS = 48;

const NIGHTLY: store.RecordedActor = {
  kind: 'client',
  id: 'system-catalogue.nightly',
  name: 'Nightly catalogue',
};

export function createSystemCatalogue(deps: SystemCatalogueDeps): SystemCatalogue {
  const { sql, clock, registry, auditLog } = deps;

  async function assertUsed(tx: Tx, { operatorId, tms }: AccountPath): Promise<void> {
    const systems = await getSystems(tx, operatorId);
    if (!systems.includes(tms)) throw notFound(`Operator ${operatorId} does not use ${tms}.`);
  }

  function assertReadable(tms: string): void {
    const connector = registry.get(tms);
    if (connector?.flavour === 'remote' && connector.catalogue) return;
    throw problem('OPRTR-N-006', { detail: `No catalogue can be read from ${tms}.` });
  }

  async function getRun(tx: Tx, path: AccountPath, runId: string): Promise<CatalogueRun> {
    const run = await store.findRun(tx, path, runId);
    if (!run) throw notFound(`There is no run ${runId} of this catalogue.`);
    return run;
  }

  async function assertReviewed(tx: Tx, path: AccountPath, runId: string | undefined): Promise<void> {
    const refusal = (detail: string) => problem('OPRTR-N-010', { detail });
    if (runId === undefined) throw refusal('Send reviewedRunId, the id of the dry run that was reviewed.');
    const run = await store.findRun(tx, path, runId);
    if (!run || run.kind === 'apply') throw refusal(`${runId} is no dry run of this catalogue.`);
    if (run.state !== 'done')
      throw refusal(`The run ${runId} ${run.state === 'failed' ? 'has failed' : 'has not ended yet'}.`);
    const age = nowOf(clock).since(Temporal.Instant.from(run.createdAt));
    if (age.total('hours') > REVIEW_HOURS)
      throw refusal(`The run ${runId} is older than ${REVIEW_HOURS} hours.`);
  }

  return {
    ...createCatalogueWorker(deps),

    begin: (actor, path, isDryRun, { reviewedRunId }) =>
      inContestedTransaction(sql, async (tx) => {
        await assertUsed(tx, path);
        assertReadable(path.tms);
        if (!isDryRun) await assertReviewed(tx, path, reviewedRunId);
        else if (reviewedRunId !== undefined) throw invalid('reviewedRunId', 'is not for a dry run');
        const run: store.NewRun = {
          ...path,
          id: newId(clock),
          kind: isDryRun ? 'review' : 'apply',
          reviewedRunId: reviewedRunId ?? null,
          actor: { kind: actor.kind, id: actor.id, name: actor.name },
        };
        if (!(await store.insertRun(tx, run, nowOf(clock))))
          throw problem('OPRTR-N-011', { detail: `The catalogue of ${path.tms} is being read already.` });
        await store.deleteOldRuns(tx, path, MOST_KEPT);
        const { operatorId, tms } = path;
        const after = { runId: run.id, kind: run.kind, reviewedRunId: run.reviewedRunId };
        const about = { operatorId, subject: `system ${operatorId} ${tms}` };
        await auditLog.record(tx, { actor, action: 'catalogue.read', ...about, after });
        return getRun(tx, path, run.id);
      }),

    list: (path, query) =>
      inSnapshot(sql, async (tx) => {
        await assertUsed(tx, path);
        const { runs, total } = await store.listRuns(tx, path, windowOf(query));
        return pageOf(runs, total, query);
      }),

    get: (path, runId) =>
      inSnapshot(sql, async (tx) => {
        await assertUsed(tx, path);
        return getRun(tx, path, runId);
      }),

    listDifferences: (path, runId, query) =>
      inSnapshot(sql, async (tx) => {
        await assertUsed(tx, path);
        await getRun(tx, path, runId);
        const { differences, total } = await store.listDifferences(tx, runId, query.kind, windowOf(query));
        return pageOf(differences, total, query);
      }),

    async beginNightly() {
      const now = nowOf(clock);
      const night = now.toZonedDateTimeISO('UTC').startOfDay().add({ hours: NIGHT_BEGINS_HOUR });
      const minutes = now.since(night.toInstant()).total('minutes');
      if (minutes < 0) return 0;
      const due = { since: night.toInstant(), slot: Math.floor(minutes / SLOT_MINUTES), slots: SLOTS };
      const accounts = await store.listNightly(sql, due);
      for (const account of accounts) {
        const run = { ...account, id: newId(clock), reviewedRunId: null, actor: NIGHTLY };
        await store.insertRun(sql, { ...run, kind: 'nightly' }, now);
        await store.deleteOldRuns(sql, account, MOST_KEPT);
      }
      return accounts.length;
    },

    count: () => store.countRuns(sql),
  };
}

/** What the catalogues of systems say of the products of these venues. */
export async function describeProducts(tx: Tx, venueIds: readonly VenueId[]): Promise<SaidOfProduct[]> {
  const facts = await listFacts(tx, venueIds);
  return facts.map(({ productId, pricePence, minGuests, maxGuests }) => ({
    productId,
    pricePence,
    minQuantity: minGuests,
    maxQuantity: maxGuests,
  }));
}

export type SaidOfProduct = Pick<ProductFacts, 'productId' | 'pricePence'> & {
  [Member in 'minQuantity' | 'maxQuantity']: number | null;
};

export function systemCatalogueJobs(catalogue: SystemCatalogue): JobDefinition[] {
  return [
    {
      name: 'system-catalogue.nightly',
      schedule: `*/${SLOT_MINUTES} ${NIGHT_BEGINS_HOUR}-4 * * *`,
      handle: async () => void (await catalogue.beginNightly()),
    },
    {
      // New runs are worked on at once; this finds what a node that died has left.
      name: 'system-catalogue.work-due',
      schedule: '* * * * *',
      handle: async (signal) => void (await catalogue.workDue(signal)),
    },
  ];
}

export function systemCatalogueMetrics(registry: MetricsRegistry, catalogue: SystemCatalogue): void {
  databaseGauge(registry, {
    name: 'catalogue_runs_running',
    help: 'Catalogues of systems that are being read, of all nodes.',
    read: async () => (await catalogue.count()).running,
  });
  databaseGauge(registry, {
    name: 'catalogue_accounts_failed',
    help: 'Accounts at systems whose catalogue could not be read the last time.',
    read: async () => (await catalogue.count()).failed,
  });
}
