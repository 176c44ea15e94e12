import { inTransaction, type Tx } from '../../db/database.ts';
import { type Caller, visibilityOf } from '../../http/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { codeOf } from '../../kernel/error-facts.ts';
import { problem } from '../../kernel/problem.ts';
import { type Outcome, ok, type RemoteConnector, type SystemBooking } from '../../tms/contract.ts';
import { oweRefund, refundOfSurplus } from '../payments/refunds.ts';
import { getBooking, lockBooking } from './access.ts';
import { type Amendment, patched, planAmendment } from './amendment.ts';
import type { AmendmentBody } from './body.ts';
import { writeChange } from './change.ts';
import type { Context } from './context.ts';
import { assertVenueUnchanged, Changed, onFreshBooking, onFreshVenue } from './freshness.ts';
import { type BookingRecord, guestsOf, NOT_PLACED } from './record.ts';
import { refusalOf } from './refusals.ts';
import { orderAbout } from './remote-order.ts';
import type { Booking } from './schema.ts';
import { hasUsed } from './store.ts';
import { placementOf, standingRequest } from './system-request.ts';
import { bookingView } from './view.ts';

export function replaceBooking(
  context: Context,
  caller: Caller,
  id: string,
  body: AmendmentBody,
): Promise<Booking> {
  return amend(context, caller, id, ({ partnerBookingId }) => ({ partnerBookingId, ...body }));
}

export function patchBooking(context: Context, caller: Caller, id: string, patch: unknown): Promise<Booking> {
  return amend(context, caller, id, (current) => patched(current, patch));
}

/** Everything is decided on the booking as it was read; if it has changed by the time it is locked, once more. */
function amend(
  context: Context,
  caller: Caller,
  id: string,
  bodyFor: (current: BookingRecord) => AmendmentBody,
): Promise<Booking> {
  return onFreshBooking(async () => {
    const current = await getBooking(context, caller, id);
    const amended = await onFreshVenue(context, current.venueId, async () => {
      const amendment = await planAmendment(context, caller, current, bodyFor(current));
      return carryOut(context, amendment);
    });
    return bookingView(amended, caller);
  });
}

function carryOut(context: Context, amendment: Amendment): Promise<BookingRecord> {
  const { connector } = amendment.bookable;
  return connector.flavour === 'local' || amendment.step === 'nothing'
    ? carryOutLocally(context, amendment)
    : carryOutRemotely(context, amendment, connector);
}

function carryOutLocally(context: Context, amendment: Amendment): Promise<BookingRecord> {
  return inTransaction(context.sql, async (tx) => {
    const locked = await lockUnchanged(tx, context, amendment);
    const outcome = await takeStep(tx, amendment);
    if (outcome.kind !== 'ok') throw refusalOf(outcome, amendment.bookable.connector.capabilities.capability);
    return write(tx, context, amendment, locked, outcome.value);
  });
}

async function lockUnchanged(
  tx: Tx,
  context: Context,
  { caller, current }: Amendment,
): Promise<BookingRecord> {
  const locked = await lockBooking(tx, context, caller, current.id);
  if (!locked.lastUpdate.equals(current.lastUpdate)) throw new Changed();
  return locked;
}

async function takeStep(tx: Tx, amendment: Amendment): Promise<Outcome<SystemBooking | undefined>> {
  const { bookable, step, request } = amendment;
  const { connector } = bookable;
  if (connector.flavour !== 'local' || step === 'nothing') return ok(undefined);
  switch (step) {
    case 'place':
      return connector.book(tx, request);
    case 'move':
      return connector.amend(tx, request);
    case 'release': {
      const released = await connector.cancel(tx, request.bookingId);
      return released.kind === 'ok' ? ok(undefined) : released;
    }
  }
}

function carryOutRemotely(
  context: Context,
  amendment: Amendment,
  connector: RemoteConnector,
): Promise<BookingRecord> {
  const { desk } = context;
  const { caller, current, request, step } = amendment;
  const content = { step, ...request, nowMs: 0 };
  const about = orderAbout(context, caller, current, { connector, content });
  const order = {
    ...about,
    // Known before the system is called: what is refused afterwards has happened there already.
    check: async (tx: Tx) => {
      await about.check(tx);
      await assertUnused(tx, current, amendment.changes);
    },
  };
  const commit = async (tx: Tx, held: SystemBooking | undefined) => {
    const locked = await lockUnchanged(tx, context, amendment);
    return write(tx, context, amendment, locked, held);
  };
  const standing = standingRequest(current, request.nowMs);
  switch (step) {
    case 'move':
      return desk.move(order, { standing, wanted: request }, commit);
    case 'release':
      return desk.release(order, standing, (tx) => commit(tx, undefined));
    default:
      return desk.place(order, request, commit);
  }
}

async function write(
  tx: Tx,
  context: Context,
  amendment: Amendment,
  locked: BookingRecord,
  held: SystemBooking | undefined,
): Promise<BookingRecord> {
  const { caller, current, bookable, changes, step } = amendment;
  // Forgotten since the booking was read, the guest must not come back with the change.
  const isForgotten = locked.guest === null && current.guest !== null;
  const after: BookingRecord = {
    ...locked,
    ...changes,
    ...placementAfter(context, amendment, locked, held),
    ...(isForgotten && { guest: null }),
  };
  await assertUnused(tx, locked, after);
  const hasFewerTickets = step === 'move' && guestsOf(after) < guestsOf(locked);
  const surplus = hasFewerTickets && after.pricePerGuestPence !== null ? refundOfSurplus(after) : 0;
  const payments =
    surplus === 0
      ? locked.payments
      : await oweRefund(tx, context.clock, locked, { amountPence: surplus, reason: 'fewer_tickets' });
  try {
    const [record] = await Promise.all([
      writeChange(tx, context, locked, { ...after, payments }),
      assertVenueUnchanged(tx, bookable, visibilityOf(caller)),
    ]);
    return record;
  } catch (error) {
    if (codeOf(error) === UNIQUE_VIOLATION) throw used(after);
    throw error;
  }
}

const UNIQUE_VIOLATION = '23505';

async function assertUnused(
  tx: Tx,
  { partnerId, partnerBookingId: own }: BookingRecord,
  after: Partial<BookingRecord>,
): Promise<void> {
  const { partnerBookingId = own } = after;
  if (partnerBookingId === null || partnerBookingId === own) return;
  if (await hasUsed(tx, partnerId, partnerBookingId)) throw used(after);
}

const used = ({ partnerBookingId }: Partial<BookingRecord>) =>
  problem('BOOK-N-002', { detail: `You have another booking ${partnerBookingId}.` });

function placementAfter(
  { clock }: Context,
  { step, wish, bookable }: Amendment,
  locked: BookingRecord,
  held: SystemBooking | undefined,
): Partial<BookingRecord> {
  if (step === 'release') return { ...NOT_PLACED, status: 'pending', isAutoConfirmed: false };
  if (!held) return {};
  const placed = placementOf(held, locked.tmsCreatedAt ?? nowOf(clock));
  const isSameTicket =
    step === 'move' &&
    locked.productId === bookable.product.id &&
    locked.startsAt.epochMilliseconds === wish.start.startMs;
  return {
    ...placed,
    // Who gives tickets back has paid the price of the day for the others.
    ...(isSameTicket && { pricePerGuestPence: locked.pricePerGuestPence }),
    ...(step === 'place' && { status: 'confirmed', isAutoConfirmed: true }),
  };
}
