/** The waiting lists of a venue as its staff see and order them. */
import { inContestedTransaction, inSnapshot, type Tx } from '../../db/database.ts';
import { type Actor, operatorCaller } from '../../http/auth/actor.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import { nowOf } from '../../kernel/clock.ts';
import { isUuid, parseProductId, partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { invalid, Problem, problem } from '../../kernel/problem.ts';
import { assertUnchanged } from '../audit/service.ts';
import { aboutVenue, getVenueRef, type Request } from '../venues/service.ts';
import { type Context, holderOf, notWaiting } from './context.ts';
import { addEntry, removeEntry } from './joining.ts';
import { keepPlace, NoLongerWaiting, questionOf } from './offering.ts';
import type { EntryQuery, HouseEntryBody, ManagedEntry, OfferBody, OrderBody } from './schema.ts';
import { type EntryRecord, saveOrder } from './store.ts';
import { takeOffer } from './taking.ts';
import { auditView, managedView } from './view.ts';

export interface ManagedWaitlist {
  list(venueId: VenueId, query: EntryQuery): Promise<PageOf<ManagedEntry>>;
  get(venueId: VenueId, id: string): Promise<ManagedEntry>;
  add(
    actor: Actor,
    venueId: VenueId,
    asked: { body: HouseEntryBody; idempotencyKey: string | undefined },
  ): Promise<ManagedEntry>;
  /** Puts a waiting entry before another one of its day, or last. */
  order(by: Request, venueId: VenueId, id: string, body: OrderBody): Promise<ManagedEntry>;
  /** Keeps a place for this party now, even if others are before it on the list. */
  offer(by: Request, venueId: VenueId, id: string, body: OfferBody): Promise<ManagedEntry>;
  /** Books what is kept for the party, which has said yes on the telephone. */
  book(by: Request, venueId: VenueId, id: string): Promise<ManagedEntry>;
  remove(by: Request, venueId: VenueId, id: string): Promise<void>;
}

const KIND = 'waitlist entry';

export function createManagedWaitlist(context: Context): ManagedWaitlist {
  const { sql, clock, store, auditLog, bookings, idempotency } = context;

  async function getEntry(
    tx: Tx,
    venueId: VenueId,
    id: string,
    read: 'find' | 'lock' = 'find',
  ): Promise<EntryRecord> {
    const entry = isUuid(id) ? await store[read](tx, id, nowOf(clock)) : undefined;
    if (entry?.venueId !== venueId)
      throw problem('WAIT-N-001', { detail: `The venue has no entry ${id} on its waiting list.` });
    return entry;
  }

  const get = async (venueId: VenueId, id: string) => managedView(await getEntry(sql, venueId, id));

  /** The audit log keeps no guest, so the version that the caller has read is compared here. */
  function assertRead(entry: EntryRecord, ifMatch: string | undefined): void {
    assertUnchanged(managedView(entry), ifMatch);
  }

  const recording =
    (actor: Actor, action: string, before: EntryRecord | null) => (tx: Tx, after: EntryRecord | null) => {
      const entry = after ?? before;
      if (!entry) throw new Error(`${action} is about no entry.`);
      return auditLog.record(tx, {
        actor,
        action: `waitlist.${action}`,
        ...aboutVenue(entry.venueId, KIND, entry.id),
        ...(before && { before: auditView(before) }),
        ...(after && { after: auditView(after) }),
      });
    };

  return {
    get,

    list: (venueId, query) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        const { date, status } = query;
        const window = { ...windowOf(query), now: nowOf(clock) };
        const { entries, total } = await store.list(tx, { venueId, date, status }, window);
        return pageOf(entries.map(managedView), total, query);
      }),

    async add(actor, venueId, { body: { productKey, ...body }, idempotencyKey: key }) {
      await getVenueRef(sql, venueId);
      const caller = operatorCaller(actor, partsOfVenueId(venueId).operatorId);
      const content = { waitlist: venueId, productKey, body };
      return idempotency.once<ManagedEntry>({ clientId: actor.id, key, content }, async (keep) => {
        const productId = parseProductId(`${venueId}|${productKey}`);
        const record = recording(actor, 'add', null);
        const entry = await addEntry(context, caller, {
          productId,
          body,
          async written(tx, made) {
            await keep(tx, managedView(made));
            await record(tx, made);
          },
        });
        return managedView(entry);
      });
    },

    order: ({ actor, ifMatch }, venueId, id, { before }) =>
      inContestedTransaction(sql, async (tx) => {
        const entry = await getEntry(tx, venueId, id, 'lock');
        assertRead(entry, ifMatch);
        if (entry.status !== 'waiting') throw notWaiting(entry);
        const waiting = await store.listWaiting(tx, entry, nowOf(clock));
        const others = waiting.map((each) => each.id).filter((each) => each !== entry.id);
        const at = before === null ? others.length : others.indexOf(before.toLowerCase());
        if (at < 0 && before?.toLowerCase() !== entry.id)
          throw invalid('before', 'must be an entry that waits on the same day at this venue');
        if (at >= 0) await saveOrder(tx, others.toSpliced(at, 0, entry.id));
        const after = await getEntry(tx, venueId, id);
        await recording(actor, 'order', entry)(tx, after);
        return managedView(after);
      }),

    async offer({ actor, ifMatch }, venueId, id, body) {
      const entry = await getEntry(sql, venueId, id);
      assertRead(entry, ifMatch);
      if (entry.status !== 'waiting') throw notWaiting(entry);
      const question = questionOf(entry);
      const time = body?.time ?? null;
      const wanted = time === null ? question : { ...question, from: time, to: time };
      const [start] = await bookings.listFreeStarts(holderOf(entry), wanted);
      if (!start)
        throw problem('AVAIL-N-005', {
          detail: 'No start that the party would take is free at this moment.',
        });
      try {
        await keepPlace(context, entry, start, recording(actor, 'offer', entry));
      } catch (error) {
        throw error instanceof NoLongerWaiting
          ? notWaiting(await getEntry(sql, venueId, id))
          : sayingWhose(error);
      }
      return get(venueId, id);
    },

    async book({ actor, ifMatch }, venueId, id) {
      const entry = await getEntry(sql, venueId, id);
      assertRead(entry, ifMatch);
      await takeOffer(context, entry, actor).catch((error) => {
        throw sayingWhose(error);
      });
      return get(venueId, id);
    },

    async remove({ actor, ifMatch }, venueId, id) {
      const entry = await getEntry(sql, venueId, id);
      assertRead(entry, ifMatch);
      await removeEntry(context, entry.id, (tx, before) => recording(actor, 'remove', before)(tx, null));
    },
  };
}

/** Staff have no mandate: it is that of the client whose entry it is. */
function sayingWhose(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'MANDT-N-001') return error;
  const detail = `The client whose entry it is would be told: ${error.message}`;
  return problem(error.code, { ...error.options, detail });
}
