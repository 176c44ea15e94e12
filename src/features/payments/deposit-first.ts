/**
 * Deposits that confirm a booking. The money is set aside, taken once the place is certain, and then the booking is
 * confirmed; each step is repeated by a job until it is done.
 */
import { nowOf } from '../../kernel/clock.ts';
import type { UnpaidBooking } from '../bookings/service.ts';
import type { CancelOutcome, CaptureOutcome, Intent, PaymentProvider } from './provider.ts';
import { newCall, type PaymentsContext } from './settling.ts';

export interface SetAside extends Intent {
  paymentId: string;
  bookingId: string;
  amountPence: number;
}

interface Taking {
  place: 'kept' | 'gone' | 'unknown';
  outcome: CaptureOutcome | CancelOutcome;
}

/** Takes what was set aside, or lets it go where the place is gone; in doubt about the place it stays set aside. */
export async function takeSetAside(
  { bookings }: PaymentsContext,
  provider: PaymentProvider,
  { bookingId, ...intent }: SetAside,
  signal?: AbortSignal,
): Promise<Taking> {
  const place = await bookings.keepForPayment(bookingId);
  switch (place) {
    case 'kept':
      return { place, outcome: await provider.capture(newCall(signal), intent) };
    case 'gone':
      return { place, outcome: await provider.cancel(newCall(signal), intent) };
    case 'unknown':
      return { place, outcome: { kind: 'authorised' } };
  }
}

/** After a payment has succeeded. What fails here is repeated by the job. */
export async function confirmAtOnce({ bookings }: PaymentsContext, bookingId: string): Promise<void> {
  await bookings.confirmPaid(bookingId).catch(() => {});
}

/**
 * Confirms the bookings whose deposit is paid, and gives up those whose time is over; payments that are still open end
 * first. Says how many of either.
 */
export async function finishUnpaid(
  { bookings, clock }: PaymentsContext,
  signal?: AbortSignal,
): Promise<{ confirmed: number; givenUp: number }> {
  const done = { confirmed: 0, givenUp: 0 };
  const failures: unknown[] = [];
  const waiting = (await bookings.unpaid()).values();

  async function finish({ id, paymentUntil }: UnpaidBooking): Promise<void> {
    const { status } = await bookings.confirmPaid(id);
    if (status === 'confirmed') done.confirmed += 1;
    else if (isOver(paymentUntil, nowOf(clock)) && (await bookings.giveUpUnpaid(id))) done.givenUp += 1;
  }

  // Several at a time, so that a system that does not answer holds up few of the others.
  async function finishAll(): Promise<void> {
    for (const each of waiting) {
      if (signal?.aborted) return;
      await finish(each).catch((error) => void failures.push(error));
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, finishAll));
  if (failures.length > 0) throw new AggregateError(failures, 'Some deposits could not be finished.');
  return done;
}

const AT_ONCE = 10;

const isOver = (until: Temporal.Instant, now: Temporal.Instant) => Temporal.Instant.compare(until, now) <= 0;
