/** Changing and cancelling bookings of an order: what is wrong in itself is refused whole, the rest is each its own. */
import type { Caller } from '../../http/caller.ts';
import { asProblem } from '../../http/framework-errors.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../kernel/ids.ts';
import { invalid, type Problem } from '../../kernel/problem.ts';
import { sideBySide } from '../../kernel/side-by-side.ts';
import type { Booking } from '../bookings/schema.ts';
import type { OrderCancellationBody, OrderChangeBody } from './body.ts';
import type { Context, OrdersLog } from './context.ts';
import { assertPossible, changedDocument } from './document.ts';
import { naming } from './items.ts';
import { bookedOutcome, type ItemOutcome, kept, type Outcome } from './result.ts';

const VENUES_AT_A_TIME = 4;

interface Changes {
  before: Outcome;
  changes: OrderChangeBody;
  isTicket: (productId: ProductId) => boolean;
}

export async function changeBookings(
  context: Context,
  caller: Caller,
  { before, changes, isTicket }: Changes,
): Promise<ItemOutcome[]> {
  const named = bookingsNamed(
    before,
    changes.items.map(({ bookingId }) => bookingId),
    (index) => `items.${index}.bookingId`,
  );
  const planned = changes.items.map((change, index) => {
    const booking = named[index] as Booking;
    naming(`items.${index}`, () => assertPossible(change, booking));
    return { booking, change };
  });
  return eachAlone(context, planned, ({ booking, change }) =>
    context.bookings.amend(caller, booking.id, (standing, current) =>
      changedDocument(standing, current, {
        change,
        isTicket: isTicket(parseProductId(booking.compositeId)),
      }),
    ),
  );
}

export async function cancelBookings(
  context: Context,
  caller: Caller,
  { before, wanted }: { before: Outcome; wanted: OrderCancellationBody },
): Promise<ItemOutcome[]> {
  const { sql, bookings } = context;
  const ids = wanted.bookingIds ?? [];
  const named =
    ids.length > 0
      ? bookingsNamed(before, ids, (index) => `bookingIds.${index}`)
      : before.items.flatMap(({ booking }) => booking ?? []);
  return eachAlone(
    context,
    named.map((booking) => ({ booking })),
    async ({ booking }) => {
      await bookings.cancel(caller, booking.id);
      const [cancelled = booking] = await bookings.listByIds(sql, caller, [booking.id]);
      return cancelled;
    },
  );
}

/** The bookings of the order with these ids, each named once. */
function bookingsNamed(
  { items }: Outcome,
  ids: readonly string[],
  fieldOf: (index: number) => string,
): Booking[] {
  const named = new Set<Booking>();
  for (const [index, id] of ids.entries()) {
    const booking = items.find(({ bookingId }) => bookingId === id.toLowerCase())?.booking;
    if (!booking) throw invalid(fieldOf(index), 'is no booking of this order');
    if (named.has(booking)) throw invalid(fieldOf(index), 'is named twice');
    named.add(booking);
  }
  return [...named];
}

function noted(log: OrdersLog, { id: bookingId }: Booking, error: unknown): Problem {
  const failure = asProblem(error);
  if (failure.code.startsWith('HTTP-')) log.error({ err: error, bookingId }, 'A booking of an order failed.');
  return failure;
}

/** Whatever comes of each. At one venue the first comes first, so that others can have what it gives back. */
async function eachAlone<Asked extends { booking: Booking }>(
  { log }: Context,
  asked: readonly Asked[],
  work: (each: Asked) => Promise<Booking>,
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  const byVenue = Map.groupBy(asked.entries(), ([, { booking }]) =>
    venueOfProduct(parseProductId(booking.compositeId)),
  );
  await sideBySide([...byVenue.values()], VENUES_AT_A_TIME, async (sameVenue) => {
    for (const [index, each] of sameVenue)
      outcomes[index] = await work(each).then(
        (booking) => bookedOutcome(index, booking),
        (error) => failedOutcome(index, each.booking, noted(log, each.booking, error)),
      );
  });
  return outcomes;
}

/** Also what nobody foresaw stays with its item: the others are done, and whoever asked has to know. */
function failedOutcome(
  index: number,
  { id: bookingId, compositeId }: Booking,
  failure: Problem,
): ItemOutcome {
  const { code, options } = kept(failure);
  // More tickets have a code of their own here.
  const error = { code: code === 'BOOK-N-013' ? 'EVENT-N-003' : code, options } as const;
  return { index, compositeId, bookingId, status: 'failed', error };
}
