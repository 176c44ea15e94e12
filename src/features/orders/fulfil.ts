/** Books the items of an order that still wait, each on its own or all together. */
import { inTransaction, type Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { venueOfProduct } from '../../kernel/ids.ts';
import { constraintOf, Problem } from '../../kernel/problem.ts';
import { mapConcurrently } from '../../kernel/request-scope.ts';
import { type Booking, type BookingBody, type NamedBooking, Refused } from '../bookings/service.ts';
import { type OrdersContext, othersAtWork } from './claim.ts';
import type { ItemRecord, KeptProblem, Lease, OrderRecord, TrailStep, Wanted } from './record.ts';
import { kept } from './result.ts';
import { markBooked } from './store.ts';

/** Each takes a connection of the pool, which other requests share. */
const VENUES_AT_A_TIME = 4;

interface Waiting extends ItemRecord {
  wanted: Wanted;
}

interface Work {
  caller: Caller;
  order: OrderRecord;
  lease: Lease;
}

export async function fulfil(context: OrdersContext, work: Work): Promise<void> {
  try {
    await bookWaiting(context, work);
  } catch (error) {
    // The booking with the planned id exists: the request that took the order over has made it.
    throw constraintOf(error) === 'booking_pkey' ? othersAtWork() : error;
  }
}

async function bookWaiting(context: OrdersContext, work: Work): Promise<void> {
  const items = await context.store.listItems(context.sql, work.order.id);
  const waiting = items.filter((item): item is Waiting => item.status === 'waiting' && item.wanted !== null);
  if (waiting.length === 0) return;
  if (work.order.isAtomic) return bookTogether(context, work, waiting);
  // In order: of two items for the same last table the first gets it.
  const byVenue = [...Map.groupBy(waiting, ({ productId }) => venueOfProduct(productId)).values()];
  await mapConcurrently(byVenue, VENUES_AT_A_TIME, async (sameVenue) => {
    for (const item of sameVenue) await bookItem(context, work, item);
  });
}

/** A booking of a held place has the id of its hold. */
const idOf = ({ bookingId, wanted }: Waiting) => wanted.body.holdId?.toLowerCase() ?? bookingId;

const bookingOf = ({ order }: Work, item: Waiting, type: BookingBody['type']): NamedBooking => ({
  id: idOf(item),
  productId: item.productId,
  body: { ...item.wanted.body, type },
  source: order.source,
});

async function bookItem(context: OrdersContext, work: Work, item: Waiting): Promise<void> {
  const { type, body } = item.wanted;
  const place = (asked: BookingBody['type'], needsToken = false) =>
    context.bookings.place(work.caller, { ...bookingOf(work, item, asked), needsToken }, (tx, booking) =>
      saveBooked(tx, work, item, booking, null),
    );
  const ask = (needsToken: boolean) => place('request', needsToken);
  try {
    await (type === null ? place('book').catch(askingInstead(body, ask)) : place(type));
  } catch (error) {
    await saveFailed(context.sql, context, work, item, keptProblem(error), null);
  }
}

/**
 * Where an immediate booking is impossible, an enquiry may be. It is confirmed by itself, so a token that is not
 * for the booking may be for the enquiry.
 */
const askingInstead =
  (
    { confirmationToken = null }: Pick<BookingBody, 'confirmationToken'>,
    ask: (needsToken: boolean) => Promise<Booking>,
  ) =>
  async (error: unknown) => {
    if (error instanceof Problem && error.code === 'AVAIL-N-005') return ask(false);
    if (!isUnconfirmed(error) || confirmationToken === null) throw error;
    return ask(true).catch((second) => {
      throw isUnconfirmed(second) ? error : second;
    });
  };

const isUnconfirmed = (error: unknown) => error instanceof Problem && error.code === 'MANDT-N-002';

async function bookTogether(context: OrdersContext, work: Work, items: readonly Waiting[]): Promise<void> {
  // An atomic order books at once unless the item says otherwise.
  const bookings = items.map((item) => bookingOf(work, item, item.wanted.type ?? 'book'));
  try {
    await context.bookings.placeAtomically(work.caller, bookings, async (tx, made) => {
      for (const [index, item] of items.entries()) {
        const booking = made[index];
        if (booking) await saveBooked(tx, work, item, booking, trailOf(booking));
      }
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await saveRefused(context, work, items, error);
  }
}

/** In one transaction: a request that takes over a half-refused order could book the other half. */
function saveRefused(
  context: OrdersContext,
  work: Work,
  items: readonly Waiting[],
  { problems, heldIds }: Refused,
): Promise<void> {
  const others = anotherFailed(items.filter((item) => problems.has(idOf(item))));
  return inTransaction(context.sql, async (tx) => {
    for (const item of items) {
      const own = problems.get(idOf(item));
      const wasHeld = heldIds.includes(idOf(item));
      const trail: TrailStep[] = own ? ['refused'] : wasHeld ? ['held', 'released'] : ['skipped'];
      await saveFailed(tx, context, work, item, own ? keptProblem(own) : others, trail);
    }
  });
}

/** An enquiry holds nothing. */
const trailOf = ({ status }: Booking): TrailStep[] =>
  status === 'pending' ? ['confirmed'] : ['held', 'confirmed'];

const anotherFailed = (culprits: readonly Waiting[]): KeptProblem => ({
  code: 'ORDER-N-010',
  options: {
    detail: `The order is all or nothing, and this failed: items.${culprits.map(({ position }) => position).join(', items.')}.`,
  },
});

/** In the transaction that writes the booking: there is none without its item, and no item without it. */
async function saveBooked(
  tx: Tx,
  { lease }: Work,
  { position }: Waiting,
  { id }: Booking,
  trail: TrailStep[] | null,
): Promise<void> {
  if (!(await markBooked(tx, lease, position, id, trail))) throw othersAtWork();
}

async function saveFailed(
  tx: Tx,
  { store }: OrdersContext,
  { lease }: Work,
  { position }: ItemRecord,
  failure: KeptProblem,
  trail: TrailStep[] | null,
): Promise<void> {
  if (!(await store.markFailed(tx, lease, position, failure, trail))) throw othersAtWork();
}

/**
 * The order is not continued: items that still wait have failed, unless the earlier request is just done with them.
 */
export async function giveUp(tx: Tx, { store }: OrdersContext, lease: Lease): Promise<void> {
  for (const { status, position } of await store.listItems(tx, lease.orderId))
    if (status === 'waiting') await store.markFailed(tx, lease, position, CUT_OFF, null);
}

/** An unexpected error, or one that says that another request is at work, decides nothing: it is rethrown. */
function keptProblem(error: unknown): KeptProblem {
  if (!(error instanceof Problem) || error.code.startsWith('HTTP-')) throw error;
  return kept(error);
}

/** Not applied, and never will be: what a system may still do about it the resolver of bookings undoes. */
const CUT_OFF: KeptProblem = {
  code: 'BOOK-R-002',
  options: { detail: 'The order was cut off before it came to this item.' },
};
