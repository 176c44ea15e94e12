import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { problem } from '../../kernel/problem.ts';
import type { NewEvent } from '../events/service.ts';
import type { Context } from './context.ts';
import { oweRefund, refundOfSurplus } from './money/refunds.ts';
import { awaitsPayment, type BookingRecord, hasBegun, isOpenEnquiry, isPlaced } from './record.ts';
import { atRuledBalance } from './ruling.ts';
import { notificationView, recordedView } from './view.ts';

export const announcementOf = (record: BookingRecord): NewEvent => ({
  type: 'booking.updated',
  partnerId: record.partnerId,
  operatorId: record.operatorId,
  venueId: record.venueId,
  bookingId: record.id,
  occurredAt: record.lastUpdate,
  content: { bookings: [notificationView(record)] },
});

const announce = (tx: Tx, { events }: Context, record: BookingRecord): Promise<void> =>
  events.append(tx, announcementOf(record));

/**
 * Writes a change of a locked booking, its event and the mails about it. Changes that leave the booking as it is write
 * nothing and tell nothing.
 */
export async function writeChange(
  tx: Tx,
  context: Context,
  current: BookingRecord,
  changes: Partial<BookingRecord>,
  /** For the guest, where the venue writes to guests. */
  message?: string,
): Promise<BookingRecord> {
  const changed = { ...current, ...changes };
  if (isDeepStrictEqual(storedPart(changed), storedPart(current))) return current;
  const record = { ...changed, lastUpdate: nextUpdate(context.clock, current) };
  await Promise.all([context.store.update(tx, record), announce(tx, context, record)]);
  await recordChange(tx, context, current, record);
  const { operatorAction, notices } = context;
  const told = { madeBy: operatorAction?.actorId ?? null, message: message ?? operatorAction?.guestMessage };
  await notices.tell(tx, [{ before: current, after: record, ...told }]);
  return record;
}

/** Without what is read with the booking, and as JSON: `isDeepStrictEqual` takes any two instants for equal. */
const storedPart = ({ venue: _, ...stored }: BookingRecord): unknown => JSON.parse(JSON.stringify(stored));

/** Records the change with the actor, where there is one. */
export async function recordChange(
  tx: Tx,
  { operatorAction }: Context,
  before: BookingRecord,
  after: BookingRecord,
): Promise<void> {
  await operatorAction?.record(tx, {
    bookingId: after.id,
    what: 'booking',
    before: recordedView(before),
    after: recordedView(after),
  });
}

/** Later than the last one, whatever the clock says. */
export function nextUpdate(
  clock: Clock,
  { lastUpdate }: Pick<BookingRecord, 'lastUpdate'>,
): Temporal.Instant {
  const now = nowOf(clock);
  const least = lastUpdate.add({ milliseconds: 1 });
  return Temporal.Instant.compare(now, least) < 0 ? least : now;
}

/** Whether the partner can still change it: it is confirmed or an open enquiry, and has not begun. */
export function assertChangeable(
  booking: BookingRecord,
  now: Temporal.Instant,
  verb: 'amended' | 'cancelled',
): void {
  const isOver = hasBegun(booking, now);
  if (awaitsPayment(booking) && verb === 'amended')
    throw problem('BOOK-N-014', {
      detail: 'The booking waits for its payment; pay or cancel it first.',
    });
  if ((isPlaced(booking) || isOpenEnquiry(booking) || awaitsPayment(booking)) && !isOver) return;
  throw problem('BOOK-N-014', {
    detail: isOver
      ? `The booking has begun and can no longer be ${verb}.`
      : `A booking that is ${booking.status} cannot be ${verb}.`,
  });
}

/**
 * A locked booking after a change, at its new price; what was paid beyond that is owed to the guest from here on.
 * Rules are evaluated again only for a balance whose payment has begun.
 */
export async function repriced(
  tx: Tx,
  context: Context,
  before: BookingRecord,
  changed: BookingRecord,
): Promise<BookingRecord> {
  const after = changed.ruledBalancePence === null ? changed : await atRuledBalance(tx, context, changed);
  const payments = await oweRefund(tx, context.clock, before, refundOfSurplus(before, after));
  return { ...after, payments };
}
