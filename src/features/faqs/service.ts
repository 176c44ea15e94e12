/** Questions and answers that operators keep for the sites on which their venues are sold. */
import { inContestedTransaction, inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import { type Actor, clientActor } from '../../http/auth/actor.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { checkerOf } from '../../http/validation/validation.ts';
import { parseVenueId, type VenueId } from '../../kernel/ids.ts';
import { applyPatch } from '../../kernel/patch.ts';
import { invalid, Problem, problem } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import { aboutVenue, getVenueRef, lockVenueRef, type Venues } from '../venues/service.ts';
import { type BulkItem, type BulkResult, type FaqsPatch, SiteFaqs } from './schema.ts';
import { deleteFaqs, findFaqs, lockVenues, saveFaqs } from './store.ts';

export interface Faqs {
  /** For callers that may see the venue. */
  get(caller: Caller, id: VenueId): Promise<SiteFaqs>;

  /** For clients of the operator, and of the platform. */
  replace(caller: Caller, id: VenueId, faqs: SiteFaqs): Promise<SiteFaqs>;
  patch(caller: Caller, id: VenueId, patch: FaqsPatch): Promise<SiteFaqs>;
  remove(caller: Caller, id: VenueId): Promise<void>;
  /** All of them or none. */
  changeMany(caller: Caller, items: readonly BulkItem[]): Promise<BulkResult>;

  /** Under `/manage`, for people too. */
  read(id: VenueId): Promise<SiteFaqs>;
  write(actor: Actor, id: VenueId, faqs: SiteFaqs, ifMatch: string | undefined): Promise<SiteFaqs>;
}

export interface FaqsDeps {
  sql: Sql;
  venues: Pick<Venues, 'assertVisible' | 'assertOperated'>;
  auditLog: AuditLog;
}

const aboutFaqs = (id: VenueId) => aboutVenue(id, 'faqs', id);

export function createFaqs({ sql, venues, auditLog }: FaqsDeps): Faqs {
  const findOr = async (tx: Tx, id: VenueId) => (await findFaqs(tx, id)) ?? [];

  function changing<T>(caller: Caller, ids: readonly VenueId[], work: (tx: Tx) => Promise<T>): Promise<T> {
    return inContestedTransaction(sql, async (tx) => {
      for (const id of ids) await venues.assertOperated(tx, caller, id);
      const isComplete = (await lockVenues(tx, ids)) === ids.length;
      if (!isComplete) throw problem('VENUE-N-001', { detail: 'A venue has been removed at this moment.' });
      return work(tx);
    });
  }

  /** Changes by clients are in the operator's audit log, like changes under `/manage`. */
  async function change(
    tx: Tx,
    caller: Caller,
    id: VenueId,
    next: (faqs: SiteFaqs) => SiteFaqs,
  ): Promise<SiteFaqs> {
    const before = await findOr(tx, id);
    const after = next(before);
    await saveFaqs(tx, id, after);
    await auditLog.record(tx, {
      ...aboutFaqs(id),
      actor: clientActor(caller),
      action: 'faqs.change',
      before,
      after,
    });
    return after;
  }

  const changeOne = (caller: Caller, id: VenueId, next: (faqs: SiteFaqs) => SiteFaqs) =>
    changing(caller, [id], (tx) => change(tx, caller, id, next));

  return {
    async get(caller, id) {
      await venues.assertVisible(sql, caller, id);
      return findOr(sql, id);
    },

    replace: (caller, id, faqs) => changeOne(caller, id, () => bounded(faqs)),
    patch: (caller, id, patch) => changeOne(caller, id, (faqs) => patched(faqs, patch)),

    remove: (caller, id) =>
      changing(caller, [id], async (tx) => {
        const before = await findFaqs(tx, id);
        if (before === undefined) return;
        await deleteFaqs(tx, id);
        const actor = clientActor(caller);
        await auditLog.record(tx, { ...aboutFaqs(id), actor, action: 'faqs.remove', before });
      }),

    changeMany(caller, items) {
      const ids = venuesOf(items);
      return changing(caller, ids, async (tx) => {
        const done: BulkResult['items'] = [];
        let characters = 0;
        for (const [index, item] of items.entries()) {
          const id = ids[index] as VenueId;
          const faqs = await change(tx, caller, id, (before) => changedBy(item, index, before));
          characters += charactersIn(faqs);
          if (characters > MAX_BULK_CHARACTERS) throw tooMuch();
          done.push({ venueCompositeId: id, faqs });
        }
        return { items: done };
      });
    },

    read: (id) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, id);
        return findOr(tx, id);
      }),

    write: (actor, id, faqs, ifMatch) =>
      auditLog.change({
        ...aboutFaqs(id),
        actor,
        action: 'faqs.change',
        ifMatch,
        async find(tx) {
          await lockVenueRef(tx, id);
          return findOr(tx, id);
        },
        write: (tx) => saveFaqs(tx, id, bounded(faqs)),
      }),
  };
}

function venuesOf(items: readonly BulkItem[]): VenueId[] {
  const ids: VenueId[] = [];
  const seen = new Set<VenueId>();
  for (const [index, { venueCompositeId }] of items.entries()) {
    const field = `items.${index}.venueCompositeId`;
    const id = parseVenueId(venueCompositeId, field);
    if (seen.has(id)) throw invalid(field, 'is there already; a venue can be changed once in a call');
    seen.add(id);
    ids.push(id);
  }
  return ids;
}

const tooMuch = () =>
  invalid(
    'items',
    `make more than ${MAX_BULK_CHARACTERS.toLocaleString('en')} characters altogether; send them in several calls`,
  );

/** Far more than a reader needs; the limits of single texts alone would allow ten million. */
const MAX_CHARACTERS = 2_000_000;
/** Of all the venues of one call: what it makes is held in memory, and answered. */
const MAX_BULK_CHARACTERS = 8_000_000;

const checkFaqs = checkerOf(SiteFaqs);

function charactersIn(faqs: SiteFaqs): number {
  return faqs.reduce((sum, { question, answer }) => sum + question.length + answer.length, 0);
}

/** The same list, unless there is too much of it. */
export function bounded(faqs: SiteFaqs): SiteFaqs {
  if (charactersIn(faqs) <= MAX_CHARACTERS) return faqs;
  throw invalid('body', `has more than ${MAX_CHARACTERS.toLocaleString('en')} characters altogether`);
}

function patched(faqs: SiteFaqs, patch: FaqsPatch): SiteFaqs {
  return bounded(checkFaqs(applyPatch(faqs, patch)));
}

/** What an item of a bulk call makes of the FAQs of its venue; refusals name the item. */
function changedBy(item: BulkItem, index: number, faqs: SiteFaqs): SiteFaqs {
  try {
    return item.mode === 'replace' ? bounded(item.faqs) : patched(faqs, item.patch);
  } catch (refusal) {
    if (!(refusal instanceof Problem)) throw refusal;
    const field = `items.${index}.${item.mode === 'replace' ? 'faqs' : 'patch'}`;
    throw problem(refusal.code, {
      detail: `${field}: ${refusal.message}`,
      errors: Object.fromEntries(
        Object.entries(refusal.options.errors ?? {}).map(([path, messages]) => [
          path === 'body' ? field : `${field}.${path}`,
          messages,
        ]),
      ),
    });
  }
}

export { SiteFaqs } from './schema.ts';
