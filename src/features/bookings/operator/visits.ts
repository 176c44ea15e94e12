/** What operators say after a visit. */
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { problem } from '../../../kernel/problem.ts';
import { assertOperator, withLockedBooking } from '../access.ts';
import { writeChange } from '../change.ts';
import type { Context } from '../context.ts';
import { type BookingRecord, hasBegun, isHeld, isPlaced } from '../record.ts';

/** The guests were there, or were not. */
export async function closeVisit(
  context: Context,
  caller: Caller,
  id: string,
  status: 'completed' | 'no_show',
): Promise<BookingRecord> {
  assertOperator(caller);
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    assertVisited(context, booking);
    return writeChange(tx, context, booking, { status });
  });
}

function assertVisited({ clock }: Context, booking: BookingRecord): void {
  const isOn = hasBegun(booking, nowOf(clock));
  if (isPlaced(booking) && isOn) return;
  throw problem('BOOK-N-014', {
    detail: isOn ? `The booking is ${booking.status}.` : 'The visit has not begun yet.',
  });
}

export interface Actuals {
  guests: number | null;
  spendPence: number | null;
}

/** How many came and what they spent; the status of the booking stays what it is. */
export async function recordActuals(
  context: Context,
  caller: Caller,
  id: string,
  { guests, spendPence }: Actuals,
): Promise<BookingRecord> {
  assertOperator(caller);
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    if (!isHeld(booking) || !hasBegun(booking, nowOf(context.clock)))
      throw problem('BOOK-N-014', { detail: 'There has been no visit yet.' });
    return writeChange(tx, context, booking, { actualGuests: guests, actualSpendPence: spendPence });
  });
}
