import { isDeepStrictEqual } from 'node:util';
import { inContestedTransaction, type Tx } from '../../../db/database.ts';
import { type Caller, visibilityOf } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { constraintOf } from '../../../kernel/problem.ts';
import { bookOne, type Outcome, ok, type SystemBooking } from '../../../tms/contract.ts';
import type { RemoteConnector } from '../../../tms/remote.ts';
import { getBooking } from '../access.ts';
import { assertChangeable, repriced, writeChange } from '../change.ts';
import { type AmendmentBody, assertSameNotes } from '../create/body.ts';
import { alreadyUsed, assertUnused } from '../create/partner-booking-id.ts';
import { type AskedStay, namingAlternatives } from '../create/time-first.ts';
import {
  assertVenueUnchanged,
  lockUnchanged,
  retryOnStaleBooking,
  retryOnStaleVenue,
} from '../create/version-check.ts';
import { type BookingRecord, isPlaced, NOT_PLACED } from '../record.ts';
import { refusalOf } from '../refusals.ts';
import type { RemoteContext } from '../remote/remote.ts';
import { orderAbout } from '../remote/remote.ts';
import type { Booking } from '../schema.ts';
import { currentRequest, detailsOf, movedPlacement, placementOf } from '../system-request.ts';
import { bookingView, seesOperatorFields } from '../view.ts';
import { type Amendment, isAsItIs, patched, planAmendment, type Step } from './amendment.ts';

export function replaceBooking(
  context: RemoteContext,
  caller: Caller,
  id: string,
  body: AmendmentBody,
): Promise<Booking> {
  assertSameNotes(body);
  return amend(context, caller, id, ({ partnerBookingId, guest }) => ({
    partnerBookingId,
    ...(!seesOperatorFields(caller) && { admin_notes: guest?.adminNotes ?? null }),
    ...body,
  }));
}

export function patchBooking(
  context: RemoteContext,
  caller: Caller,
  id: string,
  patch: unknown,
): Promise<Booking> {
  return amend(context, caller, id, (current) => patched(current, patch));
}

/** Everything is decided on the booking as it was read; if it has changed by the time it is locked, once more. */
export function amend(
  context: RemoteContext,
  caller: Caller,
  id: string,
  bodyFor: (current: BookingRecord) => AmendmentBody,
): Promise<Booking> {
  return retryOnStaleBooking(async () => {
    const current = await getBooking(context, caller, id);
    const body = bodyFor(current);
    assertChangeable(current, nowOf(context.clock), 'amended');
    // The body changes nothing, so neither the venue, its rules nor its system can refuse it.
    if (isAsItIs(current, body)) return bookingView(current, caller);
    const amended = await retryOnStaleVenue(context, [current.venueId], async () => {
      const amendment = await planAmendment(context, caller, current, body);
      return namingAlternatives(context, caller, askedOf(amendment), () => carryOut(context, amendment));
    });
    return bookingView(amended, caller);
  });
}

/** An amendment asks the system for a place only; releasing one is never refused for its time. */
const askedOf = ({ bookable, request }: Amendment): AskedStay => ({
  bookable,
  stay: { ...request, start: request },
  type: 'book',
});

/** `finish` is called at the end of the transaction, and may still throw. */
export async function carryOut(
  context: RemoteContext,
  amendment: Amendment,
  finish: Finish = (record) => record,
): Promise<BookingRecord> {
  const { bookable, step, changes, current } = amendment;
  const { connector } = bookable;
  try {
    if (connector.flavour === 'remote') {
      const call = step === 'nothing' && informs(amendment) ? 'inform' : step;
      if (call !== 'nothing') return await carryOutRemotely(context, amendment, { connector, call });
    }
    return await carryOutLocally(context, amendment, finish);
  } catch (error) {
    // Checked after the transaction: inside it, pipelined statements fail together, and the error of another one may
    // arrive before that of the cause.
    if (constraintOf(error) !== PARTNER_BOOKING_ID) throw error;
    await assertUnused(context.sql, current.partnerId, changes.partnerBookingId);
    // The booking that had it has given it up in the meantime.
    throw alreadyUsed(changes.partnerBookingId);
  }
}

/** The place stays, but the venue knows more of the party than that. */
const informs = ({ current, changes }: Amendment): boolean =>
  isPlaced(current) && !isDeepStrictEqual(detailsOf(current), detailsOf({ ...current, ...changes }));

type Finish = (record: BookingRecord) => BookingRecord;

function carryOutLocally(
  context: RemoteContext,
  amendment: Amendment,
  finish: Finish,
): Promise<BookingRecord> {
  return inContestedTransaction(context.sql, async (tx) => {
    const locked = await lockUnchanged(tx, context, amendment.caller, amendment.current);
    const outcome = await takeStep(tx, amendment);
    if (outcome.kind !== 'ok') throw refusalOf(outcome, amendment.bookable.connector.capabilities.capability);
    return finish(await write(tx, context, amendment, locked, outcome.value));
  });
}

async function takeStep(tx: Tx, amendment: Amendment): Promise<Outcome<SystemBooking | undefined>> {
  const { bookable, step, request } = amendment;
  const { connector } = bookable;
  if (connector.flavour !== 'local' || step === 'nothing') return ok(undefined);
  switch (step) {
    case 'place':
      return bookOne(connector, tx, request);
    case 'move':
      return connector.amend(tx, request);
    case 'release': {
      const released = await connector.cancel(tx, request.bookingId);
      return released.kind === 'ok' ? ok(undefined) : released;
    }
  }
}

function carryOutRemotely(
  context: RemoteContext,
  amendment: Amendment,
  { connector, call }: { connector: RemoteConnector; call: Exclude<Step, 'nothing'> | 'inform' },
): Promise<BookingRecord> {
  const { desk } = context;
  const { caller, current, request } = amendment;
  const after = { ...current, ...amendment.changes };
  const content = { step: call, ...request, nowMs: 0, ...(call === 'inform' && detailsOf(after)) };
  const about = orderAbout(context, caller, current, { connector, content, after });
  const order = {
    ...about,
    // Known before the system is called: what is refused afterwards has happened there already.
    check: async (tx: Tx, id: string) => {
      await about.check(tx, id);
      await assertIdFree(tx, current, amendment.changes);
      await context.mandates.assertUnusedConfirmation(tx, amendment.mandate);
    },
  };
  const commit = async (tx: Tx, held: SystemBooking | undefined) => {
    const locked = await lockUnchanged(tx, context, caller, current);
    return write(tx, context, amendment, locked, held);
  };
  const standing = currentRequest(current, request.nowMs);
  switch (call) {
    case 'inform':
      return desk.move(order, { standing, wanted: standing }, commit);
    case 'move':
      return desk.move(order, { standing, wanted: request }, commit);
    case 'release':
      return desk.release(order, standing, (tx) => commit(tx, undefined));
    case 'place':
      return desk.place(order, request, commit);
  }
}

async function write(
  tx: Tx,
  context: RemoteContext,
  amendment: Amendment,
  locked: BookingRecord,
  held: SystemBooking | undefined,
): Promise<BookingRecord> {
  const { caller, current, changes } = amendment;
  // A guest forgotten since the booking was read must not be restored by the change.
  const isForgotten = locked.guest === null && current.guest !== null;
  const amended: BookingRecord = {
    ...locked,
    ...changes,
    ...placementAfter(context, amendment, locked, held),
    ...(isForgotten && { guest: null }),
  };
  await assertIdFree(tx, locked, amended);
  await context.mandates.useConfirmation(tx, amendment.mandate, current.id);
  const after = await repriced(tx, context, locked, amended);
  const [record] = await Promise.all([
    writeChange(tx, context, locked, after),
    assertVenueUnchanged(tx, amendment, visibilityOf(caller)),
  ]);
  return record;
}

const PARTNER_BOOKING_ID = 'booking_partner_id_partner_booking_id_key';

/** Its own may stay as it is. */
function assertIdFree(
  tx: Tx,
  { partnerId, partnerBookingId: own }: BookingRecord,
  { partnerBookingId }: Partial<BookingRecord>,
): Promise<void> {
  return assertUnused(tx, partnerId, partnerBookingId === own ? null : partnerBookingId);
}

function placementAfter(
  { clock }: RemoteContext,
  { step, changes }: Amendment,
  locked: BookingRecord,
  held: SystemBooking | undefined,
): Partial<BookingRecord> {
  if (step === 'release') {
    // What it costs is what it did until the system says otherwise; without a price all would have been overpaid.
    const { pricePerGuestPence } = locked;
    return { ...NOT_PLACED, pricePerGuestPence, status: 'pending', isAutoConfirmed: false };
  }
  if (!held) return {};
  if (step !== 'place') return movedPlacement(locked, { ...locked, ...changes }, held, nowOf(clock));
  const placed = placementOf(held, locked.tmsCreatedAt ?? nowOf(clock));
  return { ...placed, status: 'confirmed', isAutoConfirmed: true };
}
