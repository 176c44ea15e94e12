import type { Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import type { Connector, RemoteConnector } from '../../tms/remote.ts';
import { getBooking, lockBooking, withLockedBooking } from './access.ts';
import { connectorOf } from './bookable.ts';
import { assertChangeable, writeChange } from './change.ts';
import type { Context } from './context.ts';
import { Changed, retryOnStaleBooking } from './create/version-check.ts';
import { canBeTold, type Message, writeMessage } from './messages.ts';
import { takenOf } from './money/ledger.ts';
import { oweRefund, refundOnCancelling } from './money/refunds.ts';
import { awaitsPayment, type BookingRecord, isPlaced } from './record.ts';
import { refusalOf } from './refusals.ts';
import { newCall } from './remote/claim.ts';
import type { RemoteContext } from './remote/remote.ts';
import { orderAbout } from './remote/remote.ts';
import { assertCancellable } from './ruling.ts';
import { currentRequest } from './system-request.ts';

interface Asked {
  askedAt: Temporal.Instant;
  /** What the partner is told with it. */
  message: Message | undefined;
}

/** Cancelling what is cancelled already is no mistake. A closed venue, or one no longer mapped, is no obstacle. */
export function cancelBooking(
  context: RemoteContext,
  caller: Caller,
  id: string,
  message?: Message,
): Promise<void> {
  const asked = { askedAt: nowOf(context.clock), message };
  return retryOnStaleBooking(() => cancelAsItIs(context, caller, id, asked));
}

async function cancelAsItIs(context: RemoteContext, caller: Caller, id: string, asked: Asked): Promise<void> {
  const current = await getBooking(context, caller, id);
  if (current.status === 'cancelled') return;
  assertChangeable(current, nowOf(context.clock), 'cancelled');
  await assertCancellable(context, caller, current);
  const connector = connectorOf(context, current);
  if (connector.flavour === 'remote' && isPlaced(current))
    return cancelRemotely(context, caller, current, { ...asked, connector });
  await withLockedBooking(context, caller, id, async (tx, booking) => {
    if (booking.status === 'cancelled') return;
    assertChangeable(booking, nowOf(context.clock), 'cancelled');
    await release(tx, connector, booking);
    await writeDown(tx, context, caller, booking, asked);
  });
  if (awaitsPayment(current)) await releaseHoldAt(connector, current);
}

/** After an unpaid booking is called off; what cannot be released ends by itself. */
export async function releaseHoldAt(connector: Connector, { id, venueId }: BookingRecord): Promise<void> {
  if (connector.flavour === 'remote') await connector.holds?.release(newCall(venueId), id);
}

/** In the transaction that calls it off. */
export async function release(tx: Tx, connector: Connector, booking: BookingRecord): Promise<void> {
  if (awaitsPayment(booking) && connector.flavour === 'local') {
    const released = await connector.holds?.release(tx, booking.id);
    if (released && released.kind !== 'ok') throw refusalOf(released, connector.capabilities.capability);
  }
  if (!isPlaced(booking)) return;
  // Placed since it was read, by an operator in the same moment: the system must be called, so once more.
  if (connector.flavour === 'remote') throw new Changed();
  const outcome = await connector.cancel(tx, booking.id);
  if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
}

async function cancelRemotely(
  context: RemoteContext,
  caller: Caller,
  current: BookingRecord,
  { connector, ...asked }: Asked & { connector: RemoteConnector },
): Promise<void> {
  const order = orderAbout(context, caller, current, { connector, content: { cancel: current.id } });
  const standing = currentRequest(current, asked.askedAt.epochMilliseconds);
  await context.desk.release(order, standing, async (tx) => {
    const booking = await lockBooking(tx, context, caller, current.id);
    if (booking.status === 'cancelled') return;
    if (!isPlaced(booking)) throw new Changed();
    await writeDown(tx, context, caller, booking, asked);
  });
}

async function writeDown(
  tx: Tx,
  context: Context,
  caller: Caller,
  booking: BookingRecord,
  { askedAt, message }: Asked,
): Promise<void> {
  await markCancelled(tx, context, booking, owedBy(caller, booking, askedAt));
  if (message && canBeTold(booking)) await writeMessage(tx, context, booking, message);
}

/** The terms apply when the partner cancels. When the venue cancels, everything is refunded. */
const owedBy = (caller: Caller, booking: BookingRecord, askedAt: Temporal.Instant): number =>
  'partner' in caller ? refundOnCancelling(booking, askedAt) : takenOf(booking.payments);

/** `amountPence` of what was paid goes back. */
export async function markCancelled(
  tx: Tx,
  context: Context,
  booking: BookingRecord,
  amountPence: number,
): Promise<BookingRecord> {
  const payments = await oweRefund(tx, context.clock, booking, { amountPence, reason: 'cancelled' });
  const status = 'cancelled' as const;
  const placeless = { tables: [], area: null, paymentUntil: null };
  return writeChange(tx, context, booking, { status, payments, ...placeless });
}
