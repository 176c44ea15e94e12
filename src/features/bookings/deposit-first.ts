/**
 * Bookings that the payment of their deposit confirms. Until then their place is held under their id; unpaid in time,
 * it is given back. What is done here may be repeated: a job finishes what a crash has left.
 */
import { inContestedTransaction, inTransaction, type Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { problem } from '../../kernel/problem.ts';
import { MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import {
  bookOne,
  type LocalConnector,
  type Outcome,
  type PlaceRequest,
  refused,
  type SystemBooking,
  type SystemHold,
} from '../../tms/contract.ts';
import type { Connector, RemoteConnector } from '../../tms/remote.ts';
import type { Keep } from '../idempotency/service.ts';
import { getBooking, lockBooking, withLockedBooking } from './access.ts';
import { connectorOf } from './bookable.ts';
import { markCancelled, release, releaseHoldAt } from './cancel.ts';
import { writeChange } from './change.ts';
import type { Context } from './context.ts';
import { assertAdmitted, newRecord, type Plan, plannedRequest, writeOne } from './create/new-booking.ts';
import { Changed, retryOnStaleBooking } from './create/version-check.ts';
import { assertBelowLimit } from './holds/limit.ts';
import { assertStillHeld, sayingItEnded } from './holds/take.ts';
import { paidOf, takenOf } from './money/ledger.ts';
import { awaitsPayment, type BookingRecord, isOpenPayment, NOT_PLACED } from './record.ts';
import { refusalOf, SystemRefusal } from './refusals.ts';
import { newCall } from './remote/claim.ts';
import { orderAbout, type RemoteContext } from './remote/remote.ts';
import type { Booking } from './schema.ts';
import { listUnpaid, type UnpaidBooking } from './store.ts';
import { currentRequest, placementOf } from './system-request.ts';

/** How long the guest has to pay. */
const PAYMENT_MINUTES = 10;
/** The place is kept for longer, so that a payment of the last second still finds it. */
const SPARE_MINUTES = 3;

/** For payments and their jobs, which no caller has asked for. */
export const OURSELVES: Caller = { kind: 'platform', clientId: 'maitred', scopes: new Set() };

const keptUntilMs = (paymentUntil: Temporal.Instant) =>
  paymentUntil.add({ minutes: SPARE_MINUTES }).epochMilliseconds;

/** Keeps the place and writes the booking as one that is to be paid. */
export async function bookUnpaid(
  context: Context,
  plan: Plan,
  { isHeld, keep }: { isHeld: boolean; keep: Keep<Booking> },
): Promise<Booking> {
  const { connector, venue } = plan.bookable;
  if (!context.takesPayments)
    throw problem('PAYM-N-003', {
      detail: `${venue.name} requires a deposit that is paid here, and no payment provider is connected.`,
    });
  const paymentUntil = nowOf(context.clock).add({ minutes: PAYMENT_MINUTES });
  const kept = { isHeld, untilMs: keptUntilMs(paymentUntil) };
  const write = (tx: Tx, held: SystemHold) =>
    writeOne(tx, context, { plan, record: unpaid(context, plan, held, paymentUntil), keep });
  const assertMayWait = async (tx: Tx) => {
    const { hold, partner } = plan;
    await assertAdmitted(tx, context, [plan]);
    if (!hold && partner) await assertBelowLimit(tx, context, { partnerId: partner.id, venueId: venue.id });
  };
  if (connector.flavour === 'local')
    return inContestedTransaction(context.sql, async (tx) => {
      await assertMayWait(tx);
      await assertStillHeld(tx, plan.hold, nowOf(context.clock));
      return write(tx, await heldBy(connector, tx, plannedRequest(context, plan), kept));
    });
  await inTransaction(context.sql, assertMayWait);
  try {
    const held = await heldBy(connector, newCall(venue.id), plannedRequest(context, plan), kept);
    return await inContestedTransaction(context.sql, async (tx) => {
      await assertMayWait(tx);
      await assertStillHeld(tx, plan.hold, null);
      return write(tx, held);
    });
  } catch (error) {
    // It may be held there all the same; what cannot be released now ends by itself.
    const isRefused = error instanceof SystemRefusal;
    if (!isHeld && !isRefused) await connector.holds?.release(newCall(venue.id), plan.id);
    throw error;
  }
}

async function heldBy<On>(
  connector: {
    slug: string;
    capabilities: Connector['capabilities'];
    holds?: {
      hold(on: On, request: PlaceRequest, untilMs: number): Promise<Outcome<SystemHold>>;
      extend(on: On, bookingId: string, untilMs: number, nowMs: number): Promise<Outcome<SystemHold>>;
    };
  },
  on: On,
  request: PlaceRequest,
  { isHeld, untilMs }: { isHeld: boolean; untilMs: number },
): Promise<SystemHold> {
  const { holds, slug, capabilities } = connector;
  if (!holds)
    throw problem('HOLD-N-005', {
      detail: `A deposit comes before the confirmation here, and ${slug} cannot keep a place for that long.`,
    });
  const outcome = isHeld
    ? await holds.extend(on, request.bookingId, untilMs, request.nowMs)
    : await holds.hold(on, request, untilMs);
  if (outcome.kind === 'ok') return outcome.value;
  const refusal = refusalOf(outcome, capabilities.capability);
  throw isHeld ? sayingItEnded(refusal) : refusal;
}

const unpaid = (
  context: Context,
  plan: Plan,
  { durationMinutes, expiresMs }: SystemHold,
  paymentUntil: Temporal.Instant,
): BookingRecord => ({
  ...newRecord(context, plan, plan.id),
  ...NOT_PLACED,
  status: 'pending',
  durationMinutes,
  isAutoConfirmed: false,
  paymentUntil: payableUntil(expiresMs, paymentUntil),
});

/** A system may keep the place for less time than it was asked to. */
const payableUntil = (expiresMs: number, wanted: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(Math.min(wanted.epochMilliseconds, expiresMs - MS_PER_MINUTE));

/** Whether its deposit is here, and only its place is missing. */
const isPaid = (booking: BookingRecord) =>
  awaitsPayment(booking) && paidOf(booking) >= (booking.depositDuePence ?? 0);

/** Whether the place of an unpaid booking is certain. */
export type KeptPlace = 'kept' | 'gone' | 'unknown';

/** Before money is taken: keeps the place once more. It is `gone` too where the booking waits for no payment. */
export async function keepForPayment(context: Context, id: string): Promise<KeptPlace> {
  const booking = await getBooking(context, OURSELVES, id);
  if (!awaitsPayment(booking)) return 'gone';
  const connector = connectorOf(context, booking);
  const nowMs = nowOf(context.clock).epochMilliseconds;
  const untilMs = keptUntilMs(nowOf(context.clock));
  const outcome =
    connector.flavour === 'local'
      ? await inContestedTransaction(context.sql, async (tx) =>
          connector.holds?.extend(tx, id, untilMs, nowMs),
        )
      : await connector.holds?.extend(newCall(booking.venueId), id, untilMs, nowMs);
  if (outcome?.kind === 'ok') return 'kept';
  return outcome === undefined || outcome.kind === 'refused' ? 'gone' : 'unknown';
}

/** A booking whose deposit is paid gets its place; where that is gone after all, everything paid goes back. */
export function confirmPaid(context: RemoteContext, id: string): Promise<BookingRecord> {
  return retryOnStaleBooking(async () => {
    const current = await getBooking(context, OURSELVES, id);
    if (!isPaid(current)) return current;
    const connector = connectorOf(context, current);
    return connector.flavour === 'remote'
      ? confirmRemotely(context, current, connector)
      : confirmLocally(context, id, connector);
  });
}

function confirmLocally(context: RemoteContext, id: string, connector: LocalConnector) {
  return withLockedBooking(context, OURSELVES, id, async (tx, booking) => {
    if (!isPaid(booking)) return booking;
    const request = paidRequest(context, booking);
    const held: Outcome<SystemBooking> =
      (await connector.holds?.confirm(tx, request)) ?? refused('hold-ended');
    const outcome = isEnded(held) ? await bookOne(connector, tx, request) : held;
    if (outcome.kind === 'ok') return confirm(tx, context, booking, outcome.value);
    if (outcome.kind !== 'refused') throw refusalOf(outcome, connector.capabilities.capability);
    return giveBack(tx, context, booking);
  });
}

async function confirmRemotely(
  context: RemoteContext,
  current: BookingRecord,
  connector: RemoteConnector,
): Promise<BookingRecord> {
  const request = paidRequest(context, current);
  const content = { paid: current.id };
  const place = (isHeld: boolean) =>
    context.desk.place(
      { ...orderAbout(context, OURSELVES, current, { connector, content }), isHeld },
      request,
      async (tx, held) => {
        const booking = await lockBooking(tx, context, OURSELVES, current.id);
        // Called off meanwhile: the intent stays, and the resolver gives the place back.
        if (!isPaid(booking)) throw new Changed();
        return confirm(tx, context, booking, held);
      },
    );
  try {
    return await place(true).catch((error) => {
      if (error instanceof SystemRefusal && error.reason === 'hold-ended') return place(false);
      throw error;
    });
  } catch (error) {
    if (!(error instanceof SystemRefusal)) throw error;
    return withLockedBooking(context, OURSELVES, current.id, async (tx, booking) =>
      isPaid(booking) ? giveBack(tx, context, booking) : booking,
    );
  }
}

const isEnded = (outcome: Outcome<unknown>) => outcome.kind === 'refused' && outcome.reason === 'hold-ended';

const paidRequest = ({ clock }: Context, booking: BookingRecord): PlaceRequest =>
  currentRequest(booking, nowOf(clock).epochMilliseconds);

function confirm(
  tx: Tx,
  context: Context,
  booking: BookingRecord,
  held: SystemBooking,
): Promise<BookingRecord> {
  const placement = placementOf(held, nowOf(context.clock));
  const changes = { ...placement, status: 'confirmed', isAutoConfirmed: true, paymentUntil: null } as const;
  return writeChange(tx, context, booking, changes);
}

const giveBack = (tx: Tx, context: Context, booking: BookingRecord) =>
  markCancelled(tx, context, booking, takenOf(booking.payments));

/** Those that wait for a payment: first those whose time is up. */
export const unpaidBookings = ({ sql }: Context): Promise<UnpaidBooking[]> => listUnpaid(sql);

/** Gives a booking up whose deposit did not come, with its place and what was paid. False: it is paid or may yet be. */
export async function giveUpUnpaid(context: Context, id: string): Promise<boolean> {
  const booking = await withLockedBooking(context, OURSELVES, id, async (tx, locked) => {
    const isOpen = isPaid(locked) || locked.payments.some(isOpenPayment);
    if (!awaitsPayment(locked) || isOpen) return undefined;
    await release(tx, connectorOf(context, locked), locked);
    return giveBack(tx, context, locked);
  });
  if (booking) await releaseHoldAt(connectorOf(context, booking), booking);
  return booking !== undefined;
}
