/** Changing and cancelling bookings of an order: what is wrong in itself is refused whole, the rest is each its own. */
import type { Caller } from '../../http/auth/caller.ts';
import { asProblem } from '../../http/problems/framework-errors.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import { invalid, type Problem, problem } from '../../kernel/problem.ts';
import { mapConcurrently } from '../../kernel/request-scope.ts';
import {
  assertReadable,
  type Booking,
  type BookingDocument,
  type BookingRecord,
} from '../bookings/service.ts';
import type { OrderCancellationBody, OrderChangeBody, OrderItemChange, PreorderChanges } from './body.ts';
import type { OrdersContext } from './claim.ts';
import { naming } from './items.ts';
import { bookedOutcome, type ItemOutcome, kept, type OrderOutcome } from './result.ts';

const VENUES_AT_A_TIME = 4;

interface Changes {
  before: OrderOutcome;
  changes: OrderChangeBody;
  isTicket: (productId: ProductId) => boolean;
}

export async function changeBookings(
  context: OrdersContext,
  caller: Caller,
  { before, changes, isTicket }: Changes,
): Promise<ItemOutcome[]> {
  const named = bookingsNamed(
    before,
    changes.items.map(({ bookingId }) => bookingId),
    (index) => `items.${index}.bookingId`,
  );
  const planned = changes.items.map((change, index) => {
    const { booking, bookingId } = named[index] as Named;
    naming(`items.${index}`, () => assertPossible(change, booking));
    return { booking, bookingId, change };
  });
  return eachAlone(context, planned, (booking, { change }) =>
    context.bookings.amend(caller, booking.id, (standing, current) =>
      changedDocument(standing, current, {
        change,
        isTicket: isTicket(parseProductId(booking.compositeId)),
      }),
    ),
  );
}

export async function cancelBookings(
  context: OrdersContext,
  caller: Caller,
  { before, wanted }: { before: OrderOutcome; wanted: OrderCancellationBody },
): Promise<ItemOutcome[]> {
  const { sql, bookings } = context;
  const ids = wanted.bookingIds ?? [];
  const named =
    ids.length > 0
      ? bookingsNamed(before, ids, (index) => `bookingIds.${index}`)
      : before.items.flatMap(({ booking }) => (booking ? [{ booking, bookingId: booking.id }] : []));
  return eachAlone(context, named, async (booking) => {
    await bookings.cancel(caller, booking.id);
    const [cancelled = booking] = await bookings.listByIds(sql, caller, [booking.id]);
    return cancelled;
  });
}

/** A booking as the request names it. */
interface Named {
  bookingId: string;
  /** Undefined: the order has no booking with this id; another order may. */
  booking: Booking | undefined;
}

/** Each is named once. */
function bookingsNamed(
  { items }: OrderOutcome,
  ids: readonly string[],
  fieldOf: (index: number) => string,
): Named[] {
  const seen = new Set<string>();
  return ids.map((bookingId, index) => {
    const id = bookingId.toLowerCase();
    if (seen.has(id)) throw invalid(fieldOf(index), 'is named twice');
    seen.add(id);
    return { bookingId, booking: items.find((item) => item.bookingId === id)?.booking };
  });
}

function noted(log: Pick<Log, 'error'>, bookingId: string, error: unknown): Problem {
  const failure = asProblem(error);
  if (failure.code.startsWith('HTTP-')) log.error({ err: error, bookingId }, 'A booking of an order failed.');
  return failure;
}

/**
 * Each on its own, whatever the others' outcome. At one venue in order, so that later changes can use released
 * places.
 */
async function eachAlone<Asked extends Named>(
  { log }: OrdersContext,
  asked: readonly Asked[],
  work: (booking: Booking, each: Asked) => Promise<Booking>,
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  const byVenue = Map.groupBy(asked.entries(), ([, { booking }]) =>
    booking ? venueOfProduct(parseProductId(booking.compositeId)) : null,
  );
  await mapConcurrently([...byVenue.values()], VENUES_AT_A_TIME, async (sameVenue) => {
    for (const [index, each] of sameVenue) {
      const { booking, bookingId } = each;
      outcomes[index] = booking
        ? await work(booking, each).then(
            (done) => bookedOutcome(index, done),
            (error) => failedOutcome(index, booking, noted(log, bookingId, error)),
          )
        : failedOutcome(index, { id: bookingId, compositeId: null }, notOfThisOrder(bookingId));
    }
  });
  return outcomes;
}

/** The same whether the booking does not exist or belongs to another order or partner. */
const notOfThisOrder = (bookingId: string) =>
  problem('BOOK-N-006', { detail: `This order has no booking ${bookingId}.` });

/** An unexpected failure stays with its item too: the other items are done, and the caller has to know. */
function failedOutcome(
  index: number,
  { id: bookingId, compositeId }: { id: string; compositeId: string | null },
  failure: Problem,
): ItemOutcome {
  const { code, options } = kept(failure);
  // More tickets have a code of their own here.
  const error = { code: code === 'BOOK-N-013' ? 'EVENT-N-003' : code, options } as const;
  return { index, compositeId, bookingId, status: 'failed', error };
}

/** Refuses a change that is invalid whatever the system answers. */
function assertPossible(change: OrderItemChange, booking: Booking | undefined): void {
  if (change.preorders != null && change.preorderChanges != null)
    throw problem('ORDER-N-008', { detail: 'preorders and preorderChanges do not go together.' });
  assertNamed(change.preorderChanges?.remove);
  assertReadable(change);
  if (change.compositeId == null) return;
  const asked = venueOfProduct(parseProductId(change.compositeId));
  const venueId = booking ? venueOfProduct(parseProductId(booking.compositeId)) : asked;
  if (asked !== venueId)
    throw problem('ORDER-N-007', { detail: `${change.compositeId} is not a product of ${venueId}.` });
}

function assertNamed(removed: PreorderChanges['remove']): void {
  for (const kind of ['packages', 'menus'] as const)
    for (const [index, { id, slug }] of (removed?.[kind] ?? []).entries())
      if (id == null && slug == null)
        throw invalid(`preorderChanges.remove.${kind}.${index}.id`, 'is required, or slug instead');
}

/** `isTicket`: what is ordered ahead means nothing there. */
function changedDocument(
  standing: BookingDocument,
  current: BookingRecord,
  { change, isTicket }: { change: OrderItemChange; isTicket: boolean },
): BookingDocument {
  const { compositeId, quantity, type, firstName, lastName, children, notes } = change;
  return {
    ...standing,
    ...(compositeId != null && { compositeId }),
    ...(quantity != null && { partySize: quantity }),
    ...(type != null && { type }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(children !== undefined && { children: children ?? 0 }),
    ...(notes !== undefined && { notes }),
    confirmationToken: change.confirmationToken ?? null,
    ...clearable(change),
    ...momentOf(standing, change),
    ...(!isTicket && { preorders: preordersOf(standing, current, change) }),
  };
}

const CLEARABLE = ['duration', 'spaceId', 'email', 'phone', 'company'] as const;

function clearable(change: OrderItemChange): Partial<BookingDocument> {
  const given = CLEARABLE.filter((field) => change[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, change[field] ?? null]));
}

/** An instant takes the place of date and time; one of these alone leaves the other as it is. */
function momentOf(
  { date, time }: BookingDocument,
  change: OrderItemChange,
): Pick<BookingDocument, 'dateTime' | 'date' | 'time'> {
  if (change.dateTime != null)
    return { dateTime: change.dateTime, date: change.date ?? null, time: change.time ?? null };
  return { dateTime: null, date: change.date ?? date, time: change.time ?? time };
}

function preordersOf(
  { preorders: standing }: BookingDocument,
  { preorders: ordered }: BookingRecord,
  { preorders, preorderChanges }: OrderItemChange,
): BookingDocument['preorders'] {
  if (preorders != null) return preorders;
  if (preorderChanges == null) return standing;
  const { add, remove } = preorderChanges;
  return {
    packages: merged(standing?.packages, add?.packages, remove?.packages, ordered.packages),
    menus: merged(standing?.menus, add?.menus, remove?.menus, ordered.menus),
  };
}

type Several<Entry> = readonly Entry[] | null | undefined;
type Name = { id?: number | null | undefined; slug?: string | null | undefined };

/** Put in twice, for instance because the first answer was lost, something is there once. */
function merged<Entry extends Name>(
  standing: Several<Entry>,
  added: Several<Entry>,
  removed: Several<Name>,
  ordered: readonly { id: number; slug: string | null }[],
): Entry[] {
  // Ordered entries have a number; a change may name them by slug.
  const idOf = ({ id, slug }: Name) => id ?? ordered.find((each) => slug != null && each.slug === slug)?.id;
  const leaving = new Set([...(removed ?? []), ...(added ?? [])].map(idOf));
  return [...(standing ?? []).filter(({ id }) => !leaving.has(id ?? undefined)), ...(added ?? [])];
}
