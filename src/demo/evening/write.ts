/** Takes the places of the demo's bookings and writes them down. */
import type { Tx } from '../../db/database.ts';
import {
  type BookedVenue,
  type BookingRecord,
  type BookingSource,
  NOT_PLACED,
  ORIGINS,
  type OrderedPackage,
  type Origin,
  type PaymentRecord,
} from '../../features/bookings/record.ts';
import { writeDemoBookings } from '../../features/bookings/sandbox/seeding.ts';
import { placementOf } from '../../features/bookings/system-request.ts';
import { writeDemoPayments } from '../../features/payments/sandbox/seeding.ts';
import { type Keyring, newId } from '../../kernel/crypto.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { OVERRIDES, type PlaceRequest, type SystemBooking } from '../../tms/contract.ts';
import { systemOf } from '../../tms/systems.ts';
import { partners } from '../access.ts';
import { type Channel, guestsIn, type Place, type Planned } from './plan.ts';
import { releaseTables } from './store.ts';
import type { Outcome } from './visits.ts';

export interface Decided extends Outcome {
  planned: Planned;
}

interface Named extends Decided {
  id: string;
}

/** So many are placed in one call: each is compared with those before it in the same call. */
const PLACED_AT_A_TIME = 120;

const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);

/** Those that find no table are left out, as a caller would have been told. */
export async function writeBookings(
  tx: Tx,
  encryptionKeys: Keyring,
  decided: readonly Decided[],
): Promise<BookingRecord[]> {
  const named = decided.map(
    (each): Named => ({
      ...each,
      // Ids begin with the time at which a booking was made.
      id: newId(() => instant(each.planned.createdMs)),
    }),
  );
  const places = await takePlaces(tx, named.filter(isPlaced));
  const made = named.filter((each) => !isPlaced(each) || places.has(each.id));
  const records = made.map((each) => recordOf(each, places.get(each.id)));
  await writeDemoBookings(tx, encryptionKeys, records);
  await writeDemoPayments(tx, records);
  const releases = made.flatMap(({ id, releasedMs }) =>
    releasedMs === null ? [] : [{ bookingId: id, at: instant(releasedMs) }],
  );
  await releaseTables(tx, releases);
  return records;
}

const isPlaced = ({ status }: Outcome) => status !== 'pending' && status !== 'cancelled';

async function takePlaces(tx: Tx, named: readonly Named[]): Promise<Map<string, SystemBooking>> {
  const places = new Map<string, SystemBooking>();
  for (const [venueId, ofVenue] of Map.groupBy(named, ({ planned }) => planned.place.venueId)) {
    const connector = systemOf(venueId)?.connect();
    if (!connector) throw new Error(`${venueId} has no system of ours.`);
    for (let first = 0; first < ofVenue.length; first += PLACED_AT_A_TIME) {
      const requests = ofVenue.slice(first, first + PLACED_AT_A_TIME).map(requestOf);
      for (const outcome of await connector.book(tx, requests))
        if (outcome.kind === 'ok') places.set(outcome.value.bookingId, outcome.value);
    }
  }
  return places;
}

function requestOf({ id, planned }: Named): PlaceRequest {
  const { place, date, minute, startMs, adults, children, createdMs, tableIds } = planned;
  return {
    bookingId: id,
    productId: place.productId,
    venueId: place.venueId,
    zone: place.document.timeZone,
    date,
    minute,
    startMs,
    adults,
    children,
    durationMinutes: null,
    spaceId: null,
    nowMs: createdMs,
    isConfirmedByOperator: true,
    overrides: OVERRIDES.filter((override) => override === 'notice' || override === 'pacing'),
    ...(tableIds && { tableIds }),
  };
}

function recordOf(
  { id, planned, status, visit, changedMs }: Named,
  held: SystemBooking | undefined,
): BookingRecord {
  const { place, channel, date, minute, startMs, createdMs } = planned;
  const { operatorId, operatorName, venueId, productId, product } = place;
  const createdAt = instant(createdMs);
  const partner = partners.find(({ reference }) => reference === channel);
  const origin = originOf(channel);
  const times = [instant(changedMs), visit.arrivedAt, visit.seatedAt, visit.leftAt].filter(
    (at) => at !== null,
  );
  return {
    id,
    partnerId: partner?.id ?? null,
    origin,
    visit,
    clientId: partner?.reference ?? 'demo-operator',
    operatorId,
    venueId,
    productId,
    partnerBookingId: partner ? `${partner.reference.slice(0, 2).toUpperCase()}-${id.slice(-10)}` : null,
    source: sourceOf(origin),
    partnerSource: partner?.reference ?? operatorName,
    type: status === 'pending' ? 'request' : 'book',
    date,
    minute,
    startsAt: instant(startMs),
    requestedDurationMinutes: null,
    adults: planned.adults,
    children: planned.children,
    spaceId: null,
    preorders: { packages: orderedOf(planned), menus: [] },
    ...moneyOf(planned, status === 'cancelled'),
    paymentUntil: null,
    guest: planned.guest,
    ...placedAs(planned, held, status === 'cancelled'),
    status,
    isAutoConfirmed: partner !== undefined && status !== 'pending',
    refundTerms: product.refundTerms ?? [],
    heldTerms: null,
    flags: [],
    skipsPreorderEmail: false,
    ruledBalancePence: null,
    actualGuests: status === 'completed' ? guestsIn(planned) : null,
    actualSpendPence: status === 'completed' ? planned.spendPence : null,
    createdAt,
    lastUpdate: times.reduce((latest, at) => (Temporal.Instant.compare(at, latest) > 0 ? at : latest)),
    venue: venueOf(place),
  };
}

/** The guests of this partner pay their deposits here; those of others are what the partner says it has taken. */
const PAID_HERE = 'demo-partner';

function moneyOf(
  { depositPence, channel, createdMs }: Planned,
  isCancelled: boolean,
): Pick<BookingRecord, 'depositPence' | 'depositDuePence' | 'payments'> {
  if (depositPence === null || channel !== PAID_HERE)
    return { depositPence, depositDuePence: null, payments: [] };
  const createdAt = instant(createdMs);
  const returnedPence = isCancelled ? depositPence : 0;
  const payment: PaymentRecord = {
    id: newId(() => createdAt),
    option: 'deposit',
    status: 'succeeded',
    amountPence: depositPence,
    currency: CURRENCY,
    method: 'card',
    nextActionUrl: null,
    failureReason: null,
    createdAt,
    refundedPence: returnedPence,
    returnedPence,
  };
  return { depositPence: null, depositDuePence: depositPence, payments: [payment] };
}

/** A cancelled booking had a place; which one is not known any more. */
function placedAs(planned: Planned, held: SystemBooking | undefined, wasPlaced: boolean) {
  if (held) return placementOf(held, instant(planned.createdMs));
  return { ...NOT_PLACED, wasPlaced, durationMinutes: planned.place.minutesFor(guestsIn(planned)) };
}

function orderedOf(planned: Planned): OrderedPackage[] {
  const found = planned.place.document.packages?.find(({ id }) => id === planned.packageId);
  if (!found) return [];
  const { id, slug = null, name, pricePence, pricePer } = found;
  return [{ id, slug, name, quantity: guestsIn(planned), pricePence, pricePer }];
}

const originOf = (channel: Channel): Origin | null => ORIGINS.find((origin) => origin === channel) ?? null;

function sourceOf(origin: Origin | null): BookingSource {
  if (origin === null) return 'api';
  return origin === 'phone' || origin === 'email' ? origin : 'portal';
}

function venueOf({ document, operatorName, product }: Place): BookedVenue {
  const { lat, lng, address = null, area, city, postcode = null, countryCode } = document.location;
  return {
    name: document.name,
    operatorName,
    productName: product.name,
    timeZone: document.timeZone,
    isClosed: false,
    paymentRules: product.paymentRules ?? [],
    location: { lat, lng, address, area, city, postcode, countryCode },
  };
}
