/** What operators do with the bookings of their venues: answer enquiries, write to partners, say how a visit went. */
import type { Tx } from '../../db/database.ts';
import type { Caller } from '../../http/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId, seal } from '../../kernel/crypto.ts';
import { problem } from '../../kernel/problem.ts';
import type { RemoteConnector, SystemBooking } from '../../tms/contract.ts';
import { fingerprintOf } from '../idempotency/service.ts';
import { takenOf } from '../payments/ledger.ts';
import { oweRefund } from '../payments/refunds.ts';
import { connectorOf } from './cancel.ts';
import {
  assertUnchanged,
  Changed,
  type Context,
  change,
  getBooking,
  inBooking,
  lockBooking,
  onFreshBooking,
  placementOf,
  standingRequest,
} from './context.ts';
import { insertMessage } from './message-store.ts';
import { type BookingRecord, isOpenEnquiry, isPlaced } from './record.ts';
import { refusalOf } from './refusals.ts';

/** Partners have no say in this; whose venues an operator may speak for is decided where the booking is read. */
function assertOperator(caller: Caller): void {
  if (caller.kind === 'operator' || caller.kind === 'platform') return;
  throw problem('USER-N-009', { detail: 'This is for the operator of the venue.' });
}

/** Takes a place for an enquiry, by the same way as a booking; where there is none left, it stays as it was. */
export async function acceptEnquiry(context: Context, caller: Caller, id: string): Promise<BookingRecord> {
  assertOperator(caller);
  return onFreshBooking(() => acceptAsItIs(context, caller, id));
}

async function acceptAsItIs(context: Context, caller: Caller, id: string): Promise<BookingRecord> {
  const current = await getBooking(context, caller, id);
  assertAnswerable(current);
  const connector = connectorOf(context, current);
  if (connector.flavour === 'remote') return acceptRemotely(context, caller, current, connector);
  return inBooking(context, caller, id, async (tx, booking) => {
    assertAnswerable(booking);
    const request = standingRequest(booking, nowOf(context.clock).epochMilliseconds);
    const outcome = await connector.book(tx, request);
    if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
    return confirm(tx, context, booking, outcome.value);
  });
}

function acceptRemotely(
  context: Context,
  caller: Caller,
  current: BookingRecord,
  connector: RemoteConnector,
): Promise<BookingRecord> {
  const request = standingRequest(current, nowOf(context.clock).epochMilliseconds);
  const order = {
    connector,
    bookingId: current.id,
    partnerId: current.partnerId,
    partnerBookingId: null,
    clientId: caller.clientId,
    idempotencyKey: null,
    fingerprint: fingerprintOf({ accept: { ...request, nowMs: 0 } }),
    check: (tx: Tx) => assertUnchanged(tx, context, current),
  };
  return context.desk.place(order, request, async (tx, held) => {
    const booking = await lockBooking(tx, context, caller, current.id);
    // Answered again as it is now; if it was withdrawn, the resolver gives back what the system has taken.
    if (!booking.lastUpdate.equals(current.lastUpdate)) throw new Changed();
    return confirm(tx, context, booking, held);
  });
}

function confirm(
  tx: Tx,
  context: Context,
  booking: BookingRecord,
  held: SystemBooking,
): Promise<BookingRecord> {
  const placed = placementOf(held, nowOf(context.clock));
  return change(tx, context, booking, { ...placed, status: 'confirmed', isAutoConfirmed: false });
}

/** Whatever was paid for it goes back. */
export async function rejectEnquiry(context: Context, caller: Caller, id: string): Promise<BookingRecord> {
  assertOperator(caller);
  return inBooking(context, caller, id, async (tx, booking) => {
    if (!isOpenEnquiry(booking)) throw notAnswerable(booking);
    const owed = { amountPence: takenOf(booking.payments), reason: 'rejected' as const };
    const payments = await oweRefund(tx, context.clock, booking, owed);
    return change(tx, context, booking, { status: 'rejected', payments });
  });
}

/** Somebody is looking into it. */
export async function takeUpEnquiry(context: Context, caller: Caller, id: string): Promise<BookingRecord> {
  assertOperator(caller);
  return inBooking(context, caller, id, async (tx, booking) => {
    if (!isOpenEnquiry(booking)) throw notAnswerable(booking);
    return change(tx, context, booking, { status: 'in_progress' });
  });
}

function assertAnswerable(booking: BookingRecord): void {
  if (!isOpenEnquiry(booking)) throw notAnswerable(booking);
  if (booking.venue.isClosed) throw problem('VENUE-N-009', { detail: `${booking.venue.name} has closed.` });
}

const notAnswerable = ({ status }: BookingRecord) =>
  problem('BOOK-N-014', { detail: `Only an open enquiry can be answered; this one is ${status}.` });

/** After the visit: the guests were there, or were not. */
export async function closeVisit(
  context: Context,
  caller: Caller,
  id: string,
  status: 'completed' | 'no_show',
): Promise<BookingRecord> {
  assertOperator(caller);
  return inBooking(context, caller, id, async (tx, booking) => {
    assertVisited(context, booking);
    return change(tx, context, booking, { status });
  });
}

function assertVisited({ clock }: Context, booking: BookingRecord): void {
  const hasBegun = Temporal.Instant.compare(booking.startsAt, nowOf(clock)) <= 0;
  if (isPlaced(booking) && hasBegun) return;
  throw problem('BOOK-N-014', {
    detail: hasBegun ? `The booking is ${booking.status}.` : 'The visit has not begun yet.',
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
  return inBooking(context, caller, id, async (tx, booking) => {
    const hasBegun = Temporal.Instant.compare(booking.startsAt, nowOf(context.clock)) <= 0;
    const isVisit = isPlaced(booking) || booking.status === 'completed' || booking.status === 'no_show';
    if (!hasBegun || !isVisit) throw problem('BOOK-N-014', { detail: 'There has been no visit yet.' });
    return change(tx, context, booking, { actualGuests: guests, actualSpendPence: spendPence });
  });
}

export interface Message {
  text: string;
  /** Where an answer should go. */
  replyTo: string | null;
}

/** A message about a booking, from the operator to the partner; says its id. */
export async function sendMessage(
  context: Context,
  caller: Caller,
  id: string,
  message: Message,
): Promise<string> {
  assertOperator(caller);
  const { clock, encryptionKey, events } = context;
  return inBooking(context, caller, id, async (tx, booking) => {
    const messageId = newId(clock);
    const createdAt = nowOf(clock);
    const content = seal(encryptionKey, JSON.stringify(message), `message:${messageId}`);
    await insertMessage(tx, { id: messageId, bookingId: id, content, createdAt });
    await events.append(tx, {
      type: 'message.received',
      partnerId: booking.partnerId,
      venueId: booking.venueId,
      bookingId: id,
      occurredAt: createdAt,
      content: { messages: [{ id: messageId, bookingId: id, ...message }] },
    });
    return messageId;
  });
}
