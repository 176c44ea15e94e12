/**
 * Brings a booking here to what the system of its venue says of it: moved, resized, seated, gone. What has happened
 * there is not told but asked for, so it does not matter in which order, how often or how late one hears of it, and
 * what we have done there ourselves is found to be equal.
 */
import { randomUUID } from 'node:crypto';
import { inContestedTransaction, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { isUuid, partsOfVenueId } from '../../../kernel/ids.ts';
import { Problem } from '../../../kernel/problem.ts';
import { MINUTES_PER_DAY } from '../../../kernel/zone-time.ts';
import { type Outcome, SYSTEM_VISITS, type SystemBooking } from '../../../tms/contract.ts';
import { markCancelled } from '../cancel.ts';
import { repriced, writeChange } from '../change.ts';
import type { Context } from '../context.ts';
import { startOf } from '../create/draft.ts';
import { takenOf } from '../money/ledger.ts';
import { STATUS_OF, visitAfter } from '../operator/visits.ts';
import { type BookingRecord, guestsOf, isHeld, isPlaced } from '../record.ts';
import { type BookingStart, movedPlacement } from '../system-request.ts';
import { leaseTimes, newCall } from './claim.ts';
import * as intents from './intent-store.ts';
import { findSystemVisit, saveSystemVisit } from './visit-store.ts';

/** Whose account at which system names the booking. */
export interface SystemSource {
  operatorId: number;
  tms: string;
}

export interface LookedBefore {
  /** The last look, some seconds ago, has not found it. */
  wasMissing: boolean;
}

export type Reconciliation =
  | { kind: 'changed' | 'cancelled' | 'unchanged' }
  /** Not a booking of theirs, not placed, or its visit is long over: the system has no say in it. */
  | { kind: 'ignored' }
  /** The system does not have it. Only a second look is believed, since a system may be a moment behind itself. */
  | { kind: 'missing' }
  /** We are changing it ourselves at this moment. */
  | { kind: 'busy' }
  | { kind: 'unavailable' }
  | { kind: 'rate-limited'; retryAfterSeconds: number };

/** After that a visit counts as completed; see `completeVisits`. */
const FOLLOWED_HOURS = 24;

export async function reconcileBooking(
  context: Context,
  source: SystemSource,
  bookingId: string,
  { wasMissing }: LookedBefore,
): Promise<Reconciliation> {
  const { sql, store, registry } = context;
  if (!isUuid(bookingId)) return { kind: 'ignored' };
  // Read first: an intent that is finished after this has left its traces in the booking.
  const isOurs = await intents.isOpen(sql, bookingId);
  const booking = await store.find(sql, { kind: 'platform' }, bookingId);
  if (!booking) return { kind: isOurs ? 'busy' : 'ignored' };
  const connector = registry.get(source.tms);
  if (!isFrom(source, booking) || connector?.flavour !== 'remote') return { kind: 'ignored' };
  if (isOurs) return { kind: 'busy' };
  if (!isHeld(booking) || isLongOver(context, booking)) return { kind: 'ignored' };
  const found = await connector.find(newCall(booking.venueId), booking.id);
  const held = heldIn(found, booking);
  if (held.kind !== 'ok') return held;
  if (!held.value && !isToCome(context, booking)) return { kind: 'unchanged' };
  if (!held.value && !wasMissing) return { kind: 'missing' };
  const start = held.value && (await startIn(context, booking, held.value));
  if (held.value && !start) return { kind: 'unavailable' };
  return inContestedTransaction(sql, (tx) =>
    whileUnchanged(tx, context, booking, (current) =>
      held.value && start
        ? follow(tx, context, current, { ...held.value, start })
        : giveUp(tx, context, current),
    ),
  );
}

function isFrom({ operatorId, tms }: SystemSource, { venueId }: BookingRecord): boolean {
  const parts = partsOfVenueId(venueId);
  return parts.operatorId === operatorId && parts.tms === tms;
}

function isLongOver({ clock }: Context, { startsAt, durationMinutes }: BookingRecord): boolean {
  const end = startsAt.add({ minutes: durationMinutes, hours: FOLLOWED_HOURS });
  return Temporal.Instant.compare(end, nowOf(clock)) < 0;
}

type Held =
  | { kind: 'ok'; value: SystemBooking | undefined }
  | Extract<Reconciliation, { kind: 'unavailable' | 'rate-limited' }>;

/** A refusal to say is no statement that the booking is gone, and neither is an answer that makes no sense. */
function heldIn(found: Outcome<SystemBooking | undefined>, { id }: BookingRecord): Held {
  if (found.kind === 'rate-limited')
    return { kind: 'rate-limited', retryAfterSeconds: found.retryAfterSeconds };
  if (found.kind !== 'ok') return { kind: 'unavailable' };
  const { value } = found;
  return value === undefined || isSound(value, id) ? { kind: 'ok', value } : { kind: 'unavailable' };
}

const MOST_GUESTS = 10_000;
const LONGEST_TEXT = 500;
const MOST_TABLES = 100;
const MOST_PENCE = 2 ** 31 - 1;
const isText = (text: unknown) =>
  typeof text === 'string' && text.length <= LONGEST_TEXT && !text.includes('\0');
const isWhole = (number: unknown, least: number, most: number) =>
  Number.isSafeInteger(number) && (number as number) >= least && (number as number) <= most;

/** What the database could not store, or what is about another booking. */
function isSound(held: SystemBooking, bookingId: string): boolean {
  const { reference, tables, areaId, areaName, startMs, durationMinutes, guests, visit } = held;
  return (
    isText(held.bookingId) &&
    held.bookingId.toLowerCase() === bookingId &&
    isText(reference) &&
    tables.length <= MOST_TABLES &&
    tables.every(isText) &&
    (areaId === null || isWhole(areaId, 0, 2 ** 31 - 1)) &&
    (areaName === null || isText(areaName)) &&
    Number.isSafeInteger(startMs) &&
    isWhole(durationMinutes, 1, 7 * MINUTES_PER_DAY) &&
    isWhole(guests, 1, MOST_GUESTS) &&
    (held.pricePerGuestPence === null || isWhole(held.pricePerGuestPence, 0, MOST_PENCE)) &&
    (visit === undefined || SYSTEM_VISITS.includes(visit))
  );
}

/** The trading day is that of our hours for the product; a start that stays keeps its own. Undefined: not a time. */
async function startIn(
  { venues }: Context,
  booking: BookingRecord,
  { startMs }: SystemBooking,
): Promise<BookingStart | undefined> {
  const { date, minute, startsAt, productId, operatorId, venue } = booking;
  if (startsAt.epochMilliseconds === startMs) return { date, minute, startMs };
  const caller: Caller = { kind: 'operator', clientId: '', operatorId, scopes: new Set() };
  try {
    const dateTime = Temporal.Instant.fromEpochMilliseconds(startMs).toString();
    const bookable = await venues.getBookable(caller, productId).catch(ifProblem);
    return startOf({ dateTime }, venue.timeZone, bookable?.product ?? { hours: [], exceptions: [] });
  } catch (error) {
    if (error instanceof Problem || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A venue that is closed, or a product that is withdrawn, still has its bookings. */
function ifProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

/**
 * With the booking locked, unless it has changed since it was read. An intent is held meanwhile, so that a change of
 * ours which begins at this moment waits, and then finds that it has to be planned anew.
 */
async function whileUnchanged(
  tx: Tx,
  { store, clock }: Context,
  read: BookingRecord,
  write: (current: BookingRecord) => Promise<Reconciliation>,
): Promise<Reconciliation> {
  const lease = { bookingId: read.id, lease: randomUUID() };
  // Before the booking, as everything does that writes the outcome of a call.
  if (!(await intents.insertIntent(tx, emptyIntent(read), lease, leaseTimes(clock)))) return { kind: 'busy' };
  const current = await store.lock(tx, { kind: 'platform' }, read.id);
  const result = current?.lastUpdate.equals(read.lastUpdate)
    ? await write(current)
    : ({ kind: 'busy' } as const);
  await intents.finish(tx, lease);
  return result;
}

const emptyIntent = ({ id, venueId, partnerId, clientId }: BookingRecord): intents.Intent => ({
  bookingId: id,
  tms: partsOfVenueId(venueId).tms,
  partnerId,
  clientId,
  partnerBookingId: null,
  idempotencyKey: null,
  fingerprint: Buffer.alloc(0),
  isByOperator: true,
  standing: null,
  wanted: null,
});

/** After the visit, or while the party is there, a system may forget it, which means nothing. */
function isToCome({ clock }: Context, booking: BookingRecord): boolean {
  const { startsAt, durationMinutes, visit } = booking;
  const end = startsAt.add({ minutes: durationMinutes });
  return isPlaced(booking) && visit.state === 'expected' && Temporal.Instant.compare(nowOf(clock), end) < 0;
}

/** The venue has cancelled it, so everything is refunded. */
async function giveUp(tx: Tx, context: Context, booking: BookingRecord): Promise<Reconciliation> {
  await markCancelled(tx, context, booking, takenOf(booking.payments));
  return { kind: 'cancelled' };
}

async function follow(
  tx: Tx,
  context: Context,
  booking: BookingRecord,
  held: SystemBooking & { start: BookingStart },
): Promise<Reconciliation> {
  const now = nowOf(context.clock);
  // Of a visit that is over only the visit itself is still of interest.
  const placed = isPlaced(booking) ? placedBy(booking, held, now) : booking;
  const visited = await visitedBy(tx, booking, held, now);
  const changed = { ...placed, ...visited };
  const after = isSamePrice(booking, placed) ? changed : await repriced(tx, context, booking, changed);
  const written = await writeChange(tx, context, booking, after);
  return { kind: written === booking ? 'unchanged' : 'changed' };
}

/** Otherwise rules would be asked again for a booking that has not moved. */
const isSamePrice = (before: BookingRecord, after: BookingRecord) =>
  before.startsAt.equals(after.startsAt) &&
  guestsOf(before) === guestsOf(after) &&
  before.durationMinutes === after.durationMinutes &&
  before.pricePerGuestPence === after.pricePerGuestPence;

/** Children stay children as long as an adult is left. */
function placedBy(
  booking: BookingRecord,
  held: SystemBooking & { start: BookingStart },
  now: Temporal.Instant,
): BookingRecord {
  const { guests, durationMinutes, start } = held;
  const startsAt = Temporal.Instant.fromEpochMilliseconds(start.startMs);
  const children = guests === guestsOf(booking) ? booking.children : Math.min(booking.children, guests - 1);
  const { tmsCreatedAt, requestedDurationMinutes } = booking;
  return {
    ...booking,
    ...movedPlacement(booking, { productId: booking.productId, startsAt }, held, now),
    tmsCreatedAt,
    date: start.date,
    minute: start.minute,
    startsAt,
    adults: guests - children,
    children,
    // A later amendment asks for what stands, unless the system has always chosen it.
    requestedDurationMinutes: requestedDurationMinutes === null ? null : durationMinutes,
  };
}

/** What the system says counts when it says something new; until then what hosts have said here stands. */
async function visitedBy(
  tx: Tx,
  { id, visit }: BookingRecord,
  { visit: said }: SystemBooking,
  now: Temporal.Instant,
): Promise<Partial<BookingRecord>> {
  const before = (await findSystemVisit(tx, id)) ?? 'expected';
  if (said === undefined || said === before) return {};
  await saveSystemVisit(tx, id, said);
  return said === visit.state ? {} : { status: STATUS_OF[said], visit: visitAfter(visit, said, now) };
}
