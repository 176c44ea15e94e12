/**
 * Partners try in the sandbox what venues do to their bookings. Here the caller plays the operator: no rule is in the
 * way, but a place is taken and given back in the system of the venue as ever. Nobody else is told.
 */
import { inContestedTransaction, type Tx } from '../../db/database.ts';
import type { Caller } from '../../http/caller.ts';
import { checkerOf } from '../../http/validation.ts';
import { parseProductId, venueOfProduct } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { takenOf } from '../payments/ledger.ts';
import { oweRefund } from '../payments/refunds.ts';
import { clockTime } from '../venues/hours.ts';
import type { Bookable } from '../venues/service.ts';
import { getBooking } from './access.ts';
import { nextUpdate } from './change.ts';
import type { Context } from './context.ts';
import { lockUnchanged, onFreshBooking } from './freshness.ts';
import { choiceOf, preorderOf } from './preorder.ts';
import { type BookingRecord, type Guest, guestsOf } from './record.ts';
import { repriced } from './repricing.ts';
import { impossible, settle } from './simulated-place.ts';
import { SimulatedChanges } from './simulation-schema.ts';
import { isShownAs, startOf } from './when.ts';

const checkChanges = checkerOf(SimulatedChanges);

/** The booking as it is then; refused, it stays as it was. The values of `asked` may be ones that no booking can have. */
export function simulate(
  context: Context,
  caller: Caller,
  id: string,
  asked: SimulatedChanges,
): Promise<BookingRecord> {
  return onFreshBooking(async () => {
    const current = await getBooking(context, caller, id);
    const changes = await asSimulation(async () => checkChanges(asked));
    const bookable = await findBookable(context, caller, current, changes);
    return inContestedTransaction(context.sql, async (tx) => {
      const locked = await lockUnchanged(tx, context, caller, current);
      return asSimulation(() =>
        carryOut(tx, context, locked, { changes, wanted: changed(locked, changes, bookable) }),
      );
    });
  });
}

/** Whatever is in the way of a change, the change is what is wrong: no booking could be like that. */
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

/** The booking with what was asked for, and nothing yet of what the system says to it. */
function changed(
  booking: BookingRecord,
  changes: SimulatedChanges,
  bookable: Bookable | undefined,
): BookingRecord {
  const {
    status = booking.status,
    partySize: adults = booking.adults,
    duration: wishedDurationMinutes = booking.wishedDurationMinutes,
    source = booking.source,
    actualGuests = booking.actualGuests,
    actualSpend: actualSpendPence = booking.actualSpendPence,
  } = changes;
  const after = { ...booking, status, adults, wishedDurationMinutes, source, actualGuests, actualSpendPence };
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

/** What the product asks guests to order is a rule for them, and so not one for the operator. */
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
