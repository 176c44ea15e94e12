/** How operators answer enquiries. */

import type { Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { problem } from '../../../kernel/problem.ts';
import { bookOne, type PlaceRequest, type SystemBooking } from '../../../tms/contract.ts';
import type { RemoteConnector } from '../../../tms/remote.ts';
import { isInClosure } from '../../venues/service.ts';
import { assertOperator, getBooking, withLockedBooking } from '../access.ts';
import { connectorOf } from '../bookable.ts';
import { repriced, writeChange } from '../change.ts';
import { lockUnchanged, retryOnStaleBooking } from '../create/version-check.ts';
import { type Message, writeMessage } from '../messages.ts';
import { takenOf } from '../money/ledger.ts';
import { oweRefund } from '../money/refunds.ts';
import { type BookingRecord, isOpenEnquiry } from '../record.ts';
import { refusalOf } from '../refusals.ts';
import type { RemoteContext } from '../remote/remote.ts';
import { orderAbout } from '../remote/remote.ts';
import { currentRequest, placementOf } from '../system-request.ts';

/** Takes a place for an enquiry, by the same way as a booking; where there is none left, it stays as it was. */
export async function acceptEnquiry(
  context: RemoteContext,
  caller: Caller,
  id: string,
): Promise<BookingRecord> {
  assertOperator(caller);
  return retryOnStaleBooking(() => acceptAsItIs(context, caller, id));
}

async function acceptAsItIs(context: RemoteContext, caller: Caller, id: string): Promise<BookingRecord> {
  const current = await getBooking(context, caller, id);
  assertAnswerable(current);
  const connector = connectorOf(context, current);
  if (connector.flavour === 'remote') return acceptRemotely(context, caller, current, connector);
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    assertAnswerable(booking);
    await assertNotClosed(tx, booking);
    const request = acceptedRequest(context, booking);
    const outcome = await bookOne(connector, tx, request);
    if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
    return confirm(tx, context, booking, outcome.value);
  });
}

async function acceptRemotely(
  context: RemoteContext,
  caller: Caller,
  current: BookingRecord,
  connector: RemoteConnector,
): Promise<BookingRecord> {
  await assertNotClosed(context.sql, current);
  const request = acceptedRequest(context, current);
  const content = { accept: { ...request, nowMs: 0 } };
  const order = orderAbout(context, caller, current, { connector, content });
  return context.desk.place(order, request, async (tx, held) => {
    // Changed meanwhile, it is answered as it is then; if it was withdrawn, the resolver gives its place back.
    const booking = await lockUnchanged(tx, context, caller, current);
    await assertNotClosed(tx, booking);
    return confirm(tx, context, booking, held);
  });
}

/** Asked for anew after it had been paid, it may cost less than before. */
async function confirm(
  tx: Tx,
  context: RemoteContext,
  booking: BookingRecord,
  held: SystemBooking,
): Promise<BookingRecord> {
  const placed = { ...booking, ...placementOf(held, nowOf(context.clock)) };
  const after = await repriced(tx, context, booking, placed);
  return writeChange(tx, context, booking, { ...after, status: 'confirmed', isAutoConfirmed: false });
}

/** Everything paid is refunded; the message, if there is one, tells the partner why. */
export async function rejectEnquiry(
  context: RemoteContext,
  caller: Caller,
  id: string,
  message?: Message,
): Promise<BookingRecord> {
  assertOperator(caller);
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    if (!isOpenEnquiry(booking)) throw notAnswerable(booking);
    const owed = { amountPence: takenOf(booking.payments), reason: 'rejected' as const };
    const payments = await oweRefund(tx, context.clock, booking, owed);
    const rejected = await writeChange(tx, context, booking, { status: 'rejected', payments }, message?.text);
    if (message) await writeMessage(tx, context, rejected, message);
    return rejected;
  });
}

/** The operator is looking into it. */
export async function takeUpEnquiry(
  context: RemoteContext,
  caller: Caller,
  id: string,
): Promise<BookingRecord> {
  assertOperator(caller);
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    if (!isOpenEnquiry(booking)) throw notAnswerable(booking);
    if (booking.status === 'in_progress') return booking;
    return writeChange(tx, context, booking, { status: 'in_progress' });
  });
}

/** Read with the booking locked, which the cancelling of a closure waits for. */
async function assertNotClosed(tx: Tx, booking: BookingRecord): Promise<void> {
  if (await isInClosure(tx, booking))
    throw problem('AVAIL-N-004', { detail: 'The venue is closed at that time.' });
}

/** The operator may have given it a length that partners cannot ask for. */
const acceptedRequest = ({ clock }: RemoteContext, booking: BookingRecord): PlaceRequest => ({
  ...currentRequest(booking, nowOf(clock).epochMilliseconds),
  overrides: ['notice', 'duration'],
});

function assertAnswerable(booking: BookingRecord): void {
  if (!isOpenEnquiry(booking)) throw notAnswerable(booking);
  if (booking.venue.isClosed) throw problem('VENUE-N-009', { detail: `${booking.venue.name} has closed.` });
}

const notAnswerable = ({ status }: BookingRecord) =>
  problem('BOOK-N-014', { detail: `Only an open enquiry can be answered; this one is ${status}.` });
