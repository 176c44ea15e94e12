/** Questions and answers that operators keep for the sites on which their venues are sold. */
import { inContestedTransaction, inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import { type Actor, clientActor } from '../../http/actor.ts';
import type { Caller } from '../../http/caller.ts';
import { parseVenueId, type VenueId } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import type { Trail } from '../audit/service.ts';
import { aboutVenue, getFrame, getLockedFrame } from '../venues/manage-frame.ts';
import type { Venues } from '../venues/service.ts';
import { bounded, changedBy, charactersIn, MAX_BULK_CHARACTERS, patched } from './changes.ts';
import type { BulkItem, BulkResult, FaqsPatch, SiteFaqs } from './schema.ts';
import { deleteFaqs, findFaqs, lockVenues, saveFaqs } from './store.ts';

export interface Faqs {
  /** For whoever may know of the venue. */
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
  trail: Trail;
}

const aboutFaqs = (id: VenueId) => aboutVenue(id, 'faqs', id);

export function createFaqs({ sql, venues, trail }: FaqsDeps): Faqs {
  const findOr = async (tx: Tx, id: VenueId) => (await findFaqs(tx, id)) ?? [];

  function changing<T>(caller: Caller, ids: readonly VenueId[], work: (tx: Tx) => Promise<T>): Promise<T> {
    return inContestedTransaction(sql, async (tx) => {
      for (const id of ids) await venues.assertOperated(tx, caller, id);
      const isComplete = (await lockVenues(tx, ids)) === ids.length;
      if (!isComplete) throw problem('VENUE-N-001', { detail: 'A venue has been removed at this moment.' });
      return work(tx);
    });
  }

  /** What clients write stands in the trail of the operator, like what is written under `/manage`. */
  async function change(
    tx: Tx,
    caller: Caller,
    id: VenueId,
    next: (faqs: SiteFaqs) => SiteFaqs,
  ): Promise<SiteFaqs> {
    const before = await findOr(tx, id);
    const after = next(before);
    await saveFaqs(tx, id, after);
    await trail.record(tx, {
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
        await trail.record(tx, { ...aboutFaqs(id), actor, action: 'faqs.remove', before });
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
        await getFrame(tx, id);
        return findOr(tx, id);
      }),

    write: (actor, id, faqs, ifMatch) =>
      trail.change({
        ...aboutFaqs(id),
        actor,
        action: 'faqs.change',
        ifMatch,
        async find(tx) {
          await getLockedFrame(tx, id);
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
