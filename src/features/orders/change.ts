/** Changing and cancelling bookings of an order: what is wrong in itself is refused whole, the rest is each its own. */
import type { Caller } from '../../http/caller.ts';
import { asProblem } from '../../http/framework-errors.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../kernel/ids.ts';
import { invalid, type Problem, problem } from '../../kernel/problem.ts';
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
  context: Context,
  caller: Caller,
  { before, wanted }: { before: Outcome; wanted: OrderCancellationBody },
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
  { items }: Outcome,
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

function noted(log: OrdersLog, bookingId: string, error: unknown): Problem {
  const failure = asProblem(error);
  if (failure.code.startsWith('HTTP-')) log.error({ err: error, bookingId }, 'A booking of an order failed.');
  return failure;
}

/** Whatever comes of each. At one venue the first comes first, so that others can have what it gives back. */
async function eachAlone<Asked extends Named>(
  { log }: Context,
  asked: readonly Asked[],
  work: (booking: Booking, each: Asked) => Promise<Booking>,
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  const byVenue = Map.groupBy(asked.entries(), ([, { booking }]) =>
    booking ? venueOfProduct(parseProductId(booking.compositeId)) : null,
  );
  await sideBySide([...byVenue.values()], VENUES_AT_A_TIME, async (sameVenue) => {
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

/** Also what nobody foresaw stays with its item: the others are done, and whoever asked has to know. */
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
