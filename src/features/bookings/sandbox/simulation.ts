/**
 * Lets partners try in the sandbox what venues do to their bookings. The caller acts as the operator: no rule
 * applies, but the venue's system books and releases the place as ever. No event is sent here.
 */
import { inContestedTransaction, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { checkerOf } from '../../../http/validation/validation.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { parseProductId, venueOfProduct } from '../../../kernel/ids.ts';
import { Problem, problem } from '../../../kernel/problem.ts';
import { clockTime } from '../../../kernel/zone-time.ts';
import { bookOne, type LocalConnector } from '../../../tms/contract.ts';
import type { Judgement } from '../../mandates/service.ts';
import type { Bookable } from '../../venues/service.ts';
import { getBooking } from '../access.ts';
import { connectorOf } from '../bookable.ts';
import { nextUpdate, repriced } from '../change.ts';
import type { Context } from '../context.ts';
import { isShownAs, startOf } from '../create/draft.ts';
import { lockUnchanged, retryOnStaleBooking } from '../create/version-check.ts';
import { takenOf } from '../money/ledger.ts';
import { oweRefund } from '../money/refunds.ts';
import { choiceOf, preorderOf } from '../preorder.ts';
import {
  awaitsPayment,
  type BookingRecord,
  type Guest,
  guestsOf,
  isHeld,
  isOpenEnquiry,
  NOT_PLACED,
  visitFor,
} from '../record.ts';
import { refusalOf } from '../refusals.ts';
import { currentRequest, isSameStay, movedPlacement, placementOf } from '../system-request.ts';
import { SimulatedChanges } from './schema.ts';

const checkChanges = checkerOf(SimulatedChanges);

/** The booking as it is then; refused, it stays as it was. The values of `asked` may be ones that no booking can have. */
export function simulate(
  context: Context,
  caller: Caller,
  id: string,
  asked: SimulatedChanges,
): Promise<BookingRecord> {
  return retryOnStaleBooking(async () => {
    const current = await getBooking(context, caller, id);
    if (awaitsPayment(current))
      throw impossible('The booking waits for its payment, which can be tried here too.');
    const changes = await asSimulation(async () => checkChanges(asked));
    const bookable = await findBookable(context, caller, current, changes);
    const mandate = await asSimulation(async () =>
      judge(context, caller, current, changed(current, changes, bookable)),
    );
    return inContestedTransaction(context.sql, async (tx) => {
      if (!isActive(current))
        await asSimulation(() =>
          context.mandates.assertAdmitted(tx, [{ bookingId: id, judgement: mandate }]),
        );
      const locked = await lockUnchanged(tx, context, caller, current);
      return asSimulation(() =>
        carryOut(tx, context, locked, { changes, wanted: changed(locked, changes, bookable) }),
      );
    });
  });
}

const isActive = (booking: BookingRecord) => isHeld(booking) || isOpenEnquiry(booking);

/** A client that simulates the venue keeps its mandate: moving or reopening a booking is no way around it. */
async function judge(
  { mandates }: Context,
  caller: Caller,
  before: BookingRecord,
  wanted: BookingRecord,
): Promise<Judgement | null> {
  if (!isActive(wanted) || (isActive(before) && isSameStay(before, wanted))) return null;
  const { id, venueId, venue, date, minute, depositPence, depositDuePence } = wanted;
  const { name, timeZone, location } = venue;
  return mandates.judge(caller, {
    bookingId: id,
    what: 'a changed booking',
    venue: { id: venueId, name, timeZone, city: location.city },
    ...{ date, minute, guests: guestsOf(wanted) },
    depositPence: Math.max(depositPence ?? 0, depositDuePence ?? 0),
    // Nothing can be confirmed here: what a person would have to confirm is refused.
    ...{ stay: {}, besides: { simulated: id }, token: null },
  });
}

/** Every refusal is reported as a fault of the requested change: no booking could be like that. */
async function asSimulation<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.isRetryable) throw error;
    const [blamed] = Object.entries(error.options.errors ?? {});
    throw impossible(blamed ? `${blamed[0]} ${blamed[1].join(' and ')}.` : error.message);
  }
}

/** The product that it is then about, where more than the booking must be known of it. */
async function findBookable(
  { venues }: Context,
  caller: Caller,
  { venueId, productId: present }: BookingRecord,
  { compositeId, date, time, preorders, preorderMenus }: SimulatedChanges,
): Promise<Bookable | undefined> {
  if ([compositeId, date, time, preorders, preorderMenus].every((change) => change === undefined))
    return undefined;
  return asSimulation(async () => {
    const productId = compositeId === undefined ? present : parseProductId(compositeId);
    if (venueOfProduct(productId) !== venueId)
      throw impossible(`The booking is at ${venueId}, and ${productId} is not.`);
    return venues.getBookable(caller, productId);
  });
}

/** The booking with the requested changes, without anything from the system yet. */
function changed(
  booking: BookingRecord,
  changes: SimulatedChanges,
  bookable: Bookable | undefined,
): BookingRecord {
  const {
    status = booking.status,
    partySize: adults = booking.adults,
    duration: requestedDurationMinutes = booking.requestedDurationMinutes,
    source = booking.source,
    actualGuests = booking.actualGuests,
    actualSpend: actualSpendPence = booking.actualSpendPence,
  } = changes;
  const after = {
    ...booking,
    status,
    visit: visitFor(status, booking.visit),
    adults,
    requestedDurationMinutes,
    source,
    actualGuests,
    actualSpendPence,
  };
  const guest = guestAfter(booking, changes);
  if (!bookable) return { ...after, guest };
  const { id: productId, name: productName, paymentRules, spaceIds } = bookable.product;
  return {
    ...after,
    guest,
    ...startAfter(booking, changes, bookable),
    productId,
    spaceId: booking.spaceId !== null && spaceIds.includes(booking.spaceId) ? booking.spaceId : null,
    preorders: preordersAfter(after, changes, bookable),
    venue: { ...booking.venue, productName, paymentRules },
  };
}

const TOLD_BY_GUESTS = ['firstName', 'lastName', 'email', 'phone', 'notes'] as const;

function guestAfter({ guest }: BookingRecord, changes: SimulatedChanges): Guest | null {
  if (guest === null) {
    if (TOLD_BY_GUESTS.some((field) => changes[field] !== undefined))
      throw impossible('The guest was forgotten.');
    return null;
  }
  const {
    firstName = guest.firstName,
    lastName = guest.lastName,
    email = guest.email,
    phone = guest.phone,
    notes: comments = guest.comments,
  } = changes;
  return { ...guest, firstName, lastName, email, phone, comments };
}

/** A start that is not to change may be the second of two that clocks show alike, so it is not read again. */
function startAfter(
  booking: BookingRecord,
  changes: SimulatedChanges,
  { venue, product }: Bookable,
): Pick<BookingRecord, 'date' | 'minute' | 'startsAt'> {
  const { minute, startsAt } = booking;
  const { date = booking.date, time = clockTime(minute) } = changes;
  if (isShownAs(booking, { date, time })) return { date, minute, startsAt };
  const { startMs, ...day } = startOf({ date, time }, venue.timeZone, product);
  return { ...day, startsAt: Temporal.Instant.fromEpochMilliseconds(startMs) };
}

/** Pre-order requirements of a product bind guests, not the operator. */
function preordersAfter(
  booking: BookingRecord,
  { preorders, preorderMenus }: SimulatedChanges,
  { venue, product }: Bookable,
): BookingRecord['preorders'] {
  const isSameProduct = booking.productId === product.id;
  if (isSameProduct && preorders === undefined && preorderMenus === undefined) return booking.preorders;
  const menus = preorderMenus === undefined ? {} : { menus: preorderMenus };
  return preorderOf(
    { ...choiceOf(booking.preorders), ...preorders, ...menus },
    {
      venue,
      product: { ...product, preOrderRequiredType: 'none' },
      guests: guestsOf(booking),
      submitted: 'post',
      ...(isSameProduct && { before: booking.preorders }),
    },
  );
}

async function carryOut(
  tx: Tx,
  context: Context,
  before: BookingRecord,
  { changes, wanted }: { changes: SimulatedChanges; wanted: BookingRecord },
): Promise<BookingRecord> {
  const settled = { ...wanted, ...(await settle(tx, context, before, wanted)) };
  const { reference: operatorBookingId = settled.operatorBookingId } = changes;
  const after = { ...settled, operatorBookingId };
  const isCalledOff = after.status === 'cancelled' && before.status !== 'cancelled';
  const paid = isCalledOff ? await paidBack(tx, context, after) : await repriced(tx, context, before, after);
  const record = { ...paid, lastUpdate: nextUpdate(context.clock, before) };
  await context.store.update(tx, record);
  return record;
}

/** Called off by the venue, a booking is paid back in full. */
async function paidBack(tx: Tx, { clock }: Context, booking: BookingRecord): Promise<BookingRecord> {
  const owed = { amountPence: takenOf(booking.payments), reason: 'cancelled' as const };
  return { ...booking, payments: await oweRefund(tx, clock, booking, owed) };
}

/** The calls to the venue's system for a simulated change. */

const impossible = (detail: string) => problem('SBOX-N-004', { detail });

/** Has the system behind the venue do its part; what it says goes into the booking. */
async function settle(
  tx: Tx,
  context: Context,
  before: BookingRecord,
  wanted: BookingRecord,
): Promise<Partial<BookingRecord>> {
  const isMoved = !isSameStay(before, wanted);
  if (!isMoved && isHeld(before) === isHeld(wanted)) return isHeld(wanted) ? {} : unplaced(before, wanted);
  const connector = connectorOf(context, before);
  if (connector.flavour === 'remote')
    throw impossible('The system of this venue is not ours to play with; a place there cannot be simulated.');
  if (isHeld(wanted)) return place(tx, context, connector, { before, wanted });
  if (isHeld(before)) {
    const released = await connector.cancel(tx, before.id);
    if (released.kind !== 'ok') throw refusalOf(released, connector.capabilities.capability);
  }
  const durationMinutes = isMoved ? await offeredMinutes(tx, context, connector, wanted) : undefined;
  return { ...unplaced(before, wanted), ...(durationMinutes !== undefined && { durationMinutes }) };
}

/** Open again, it is an enquiry: nothing that the partner changes later may confirm it by itself. */
function unplaced(before: BookingRecord, wanted: BookingRecord): Partial<BookingRecord> {
  if (!isOpenEnquiry(wanted)) return { tables: [], area: null };
  if (isOpenEnquiry(before)) return {};
  const { pricePerGuestPence } = before;
  return { ...NOT_PLACED, pricePerGuestPence, type: 'request', isAutoConfirmed: false };
}

async function place(
  tx: Tx,
  { clock }: Context,
  connector: LocalConnector,
  { before, wanted }: { before: BookingRecord; wanted: BookingRecord },
): Promise<Partial<BookingRecord>> {
  const { capability } = connector.capabilities;
  if (wanted.venue.isClosed) throw impossible(`${wanted.venue.name} has closed.`);
  if (capability === 'event_ticket' && isHeld(before) && guestsOf(wanted) > guestsOf(before))
    throw impossible(`The booking has ${guestsOf(before)} tickets; further ones are booked separately.`);
  const now = nowOf(clock);
  const request = currentRequest(wanted, now.epochMilliseconds);
  const outcome = await (isHeld(before) ? connector.amend(tx, request) : bookOne(connector, tx, request));
  if (outcome.kind !== 'ok') throw refusalOf(outcome, capability);
  return isHeld(before)
    ? movedPlacement(before, wanted, outcome.value, now)
    : { ...placementOf(outcome.value, now), isAutoConfirmed: false };
}

/** How long the party would stay. Nothing is taken for it, but there must be somewhere that it could sit. */
async function offeredMinutes(
  tx: Tx,
  { clock }: Context,
  connector: LocalConnector,
  wanted: BookingRecord,
): Promise<number> {
  const { date, durationMinutes, spaceId, ...request } = currentRequest(
    wanted,
    nowOf(clock).epochMilliseconds,
  );
  const outcome = await connector.availability(tx, {
    ...request,
    dates: [date],
    ...(durationMinutes !== null && { durationMinutes }),
    ...(spaceId !== null && { spaceId }),
  });
  if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
  const slot = outcome.value.days[0]?.slots.find(({ minute }) => minute === request.minute);
  const isSpaceThere = spaceId === null || slot?.spaces.some((space) => space.spaceId === spaceId);
  if (!slot || slot.obstacle === 'party-never-fits' || !isSpaceThere)
    throw impossible('No party can be seated there at that time.');
  return slot.durationMinutes;
}
