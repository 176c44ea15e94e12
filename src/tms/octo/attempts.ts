/**
 * What a supplier has of one of our bookings. A uuid is used once, even if what had it was cancelled or has expired: a
 * booking that is made anew gets another one. All of them have our booking id as `resellerReference`.
 */
import { createHash } from 'node:crypto';
import { CURRENCY } from '../../kernel/money.ts';
import { instantOf } from '../../kernel/rfc3339.ts';
import { MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import { type Outcome, ok, type SystemBooking } from '../contract.ts';
import { type Client, settled } from './client.ts';
import type { Quantities } from './offer.ts';
import { Booking, Bookings, type Pricing, type UnitItem } from './schema.ts';

export interface Attempts {
  /** All that have not ended. */
  active: Booking[];
  confirmed: Booking | undefined;
  /** Waits for the supplier's consent. */
  pending: Booking | undefined;
  held: Booking | undefined;
  /** Of those that have ended, too. */
  uuids: ReadonlySet<string>;
}

/** Only under the first uuid, which shows that a request is a repetition; under all, if that attempt has ended. */
export async function lookBriefly(client: Client, bookingId: string): Promise<Outcome<Attempts>> {
  const first = await findFirst(client, bookingId);
  if (first.kind !== 'ok') return first;
  if (!first.value) return ok(sorted([]));
  const attempts = sorted([first.value]);
  return attempts.active.length > 0 ? ok(attempts) : lookFurther(client, bookingId, first.value);
}

/** Until a confirmed booking is found, under all uuids. */
export async function look(client: Client, bookingId: string): Promise<Outcome<Attempts>> {
  const first = await findFirst(client, bookingId);
  if (first.kind !== 'ok') return first;
  const attempts = sorted(first.value ? [first.value] : []);
  return attempts.confirmed ? ok(attempts) : lookFurther(client, bookingId, first.value);
}

async function findFirst(client: Client, bookingId: string): Promise<Outcome<Booking | undefined>> {
  const found = await client.read(`/bookings/${bookingId}`, Booking);
  if (found.kind === 'error' && isUnknown(found.code)) return ok(undefined);
  if (found.kind !== 'ok' || found.value.uuid.toLowerCase() === bookingId) return settled(found);
  return { kind: 'unavailable', detail: 'The system answered with another booking.' };
}

/** Some suppliers no longer find a hold that has expired by its uuid, although the uuid stays used. */
async function lookFurther(
  client: Client,
  bookingId: string,
  first: Booking | undefined,
): Promise<Outcome<Attempts>> {
  const listed = await client.read(`/bookings?resellerReference=${bookingId}`, Bookings);
  if (listed.kind !== 'ok') return settled(listed);
  const others = listed.value.filter(
    ({ resellerReference, uuid }) => resellerReference === bookingId && uuid !== first?.uuid,
  );
  return ok(sorted([...(first ? [first] : []), ...others]));
}

const ENDED: readonly string[] = ['CANCELLED', 'EXPIRED', 'REJECTED'];
export const hasEnded = ({ status }: Booking) => ENDED.includes(status);
const isUnknown = (code: string) => code === 'INVALID_BOOKING_UUID' || code === 'NOT_FOUND';

function sorted(bookings: readonly Booking[]): Attempts {
  const active = bookings.filter((booking) => !hasEnded(booking) && !hasExpired(booking));
  const withStatus = (...statuses: string[]) => active.find(({ status }) => statuses.includes(status));
  return {
    active,
    confirmed: withStatus('CONFIRMED', 'REDEEMED'),
    pending: withStatus('PENDING'),
    held: withStatus('ON_HOLD'),
    uuids: new Set(bookings.map(({ uuid }) => uuid.toLowerCase())),
  };
}

/** A clock that differs from the supplier's does no harm: what counts as ended is not confirmed any more. */
const hasExpired = ({ status, utcExpiresAt }: Booking) =>
  status === 'ON_HOLD' && utcExpiresAt !== null && instantOf(utcExpiresAt).epochMilliseconds <= Date.now();

/** Our booking id, then uuids made of it: requests that are repeated at the same time agree on one. */
export function nextUuid(bookingId: string, used: ReadonlySet<string>): string {
  let uuid = bookingId;
  for (let attempt = 1; used.has(uuid); attempt += 1) uuid = derivedUuid(`${bookingId}/${attempt}`);
  return uuid;
}

/** A UUID of version 8 (RFC 9562): the rest of its bits is a hash. */
function derivedUuid(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Where a party is to be, in the supplier's words. */
export interface Place {
  productId: string;
  optionId: string;
  startMs: number;
  quantities: Quantities;
}

export function isAt(booking: Booking, { productId, optionId, startMs, quantities }: Place): boolean {
  const items = activeItems(booking);
  const total = [...quantities.values()].reduce((sum, count) => sum + count, 0);
  return (
    booking.productId === productId &&
    booking.optionId === optionId &&
    startOf(booking) === startMs &&
    items.length === total &&
    [...quantities].every(([id, count]) => items.filter(({ unitId }) => unitId === id).length === count)
  );
}

export const activeItems = ({ unitItems }: Booking): UnitItem[] =>
  unitItems.filter(({ status }) => !ENDED.includes(status));

const startOf = ({ availability }: Booking) =>
  availability === null ? undefined : instantOf(availability.localDateTimeStart).epochMilliseconds;

/** Undefined where it has no start or no guests: not a booking that we have made. */
export function asSystemBooking(bookingId: string, booking: Booking): SystemBooking | undefined {
  const { availability, id, supplierReference, status } = booking;
  const startMs = startOf(booking);
  const guests = activeItems(booking).length;
  if (availability === null || startMs === undefined || guests === 0) return undefined;
  const endMs = instantOf(availability.localDateTimeEnd).epochMilliseconds;
  return {
    bookingId,
    reference: supplierReference || id,
    tables: [],
    areaId: null,
    areaName: null,
    startMs,
    durationMinutes: Math.round((endMs - startMs) / MS_PER_MINUTE),
    guests,
    pricePerGuestPence: pricePerGuestOf(booking, guests),
    ...(status === 'REDEEMED' && { visit: 'arrived' as const }),
  };
}

/** An average, since units differ. The units' own prices come first: a real supplier has 0 for the whole. */
function pricePerGuestOf(booking: Booking, guests: number): number | null {
  const items = activeItems(booking).flatMap(({ pricing }) => pricing ?? []);
  const charged = items.length === guests ? items : booking.pricing ? [booking.pricing] : undefined;
  // An amount in another currency is no amount of ours: the guest settles that with the supplier.
  if (!charged?.every(({ currency }) => currency === CURRENCY)) return null;
  return Math.round(charged.reduce((sum, each) => sum + penceOf(each), 0) / guests);
}

/** Hundredths of the currency, whatever its smallest unit is. */
export const penceOf = ({ retail, currencyPrecision }: Pricing) =>
  Math.round(retail * 10 ** (2 - currencyPrecision));
