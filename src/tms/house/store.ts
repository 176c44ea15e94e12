import type { Fragment, Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { ProductFacts, SystemBooking } from '../contract.ts';
import type { Unit } from './allocation.ts';
import type { Seat } from './decision.ts';
import type { Stays } from './occupancy.ts';
import type { LiveState } from './slots.ts';

/** A bound of the duration in the schema. */
const LONGEST_STAY_MS = 1440 * MS_PER_MINUTE;
/** Nobody stays outside the years that both sides can write, but what lies around a stay may reach beyond them. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');
const iso = (ms: number) => new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString();
/** Days are counted in UTC, like the marks. */
const firstDay = ({ fromMs }: Window) => iso(fromMs).slice(0, 10);
const lastDay = ({ toMs }: Window) => iso(toMs - 1).slice(0, 10);

export interface Window {
  venueId: VenueId;
  productId: ProductId;
  fromMs: number;
  /** Excluded. */
  toMs: number;
  /** Whether guests per start matter; they are not read otherwise. */
  isPaced: boolean;
  /** A reservation that is about to be moved does not stand in its own way. */
  exceptBookingId?: string;
  /** A reservation that is about to be made, unless it has been already. */
  newBookingId?: string;
}

/** What tells whether something in memory still holds. */
export interface Marks {
  /** Of the venue's configuration. */
  version: string;
  /** Of the stays that touch the window. */
  activity: string | null;
}

export interface MarkedState extends LiveState, Marks {
  /** Whether the new booking has a reservation already. */
  isReserved: boolean;
}

/**
 * The marks of several windows, in their order. For one of them the statement is flat: this is what most calls for
 * availability consist of.
 */
export async function readMarks(tx: Tx, windows: readonly Window[]): Promise<(Marks | undefined)[]> {
  const [only] = windows;
  if (only && windows.length === 1) {
    return tx<Marks[]>`
      select updated_at::text as version,
        (select string_agg(mark::text, ' ' order by day) from house_day
          where venue_id = ${only.venueId} and day between ${firstDay(only)} and ${lastDay(only)}) as activity
      from venue where id = ${only.venueId}`;
  }
  const rows = await tx<(Marks | { version: null })[]>`
    select updated_at::text as version,
      (select string_agg(mark::text, ' ' order by day) from house_day
        where venue_id = asked.venue_id and day between first_day and last_day) as activity
    from unnest(${windows.map(({ venueId }) => venueId)}::text[], ${windows.map(firstDay)}::date[],
        ${windows.map(lastDay)}::date[]) with ordinality as asked (venue_id, first_day, last_day, place)
      left join venue on venue.id = asked.venue_id
    order by place`;
  return rows.map((row) => (row.version === null ? undefined : row));
}

interface LiveRow extends Marks, Pick<MarkedState, 'isReserved'> {
  stays: Buffer | null;
  paces: Buffer | null;
}

/**
 * All that a decision needs besides the configuration, in one statement; undefined: there is no such venue. On a
 * busy day that is hundreds of stays, which therefore come packed. Times are minutes in eight bytes: four would not
 * reach the last day there is.
 */
export async function readLive(tx: Tx, window: Window): Promise<MarkedState | undefined> {
  const { venueId, productId, exceptBookingId, newBookingId, fromMs, toMs, isPaced } = window;
  const from = iso(fromMs);
  const to = iso(toMs);
  const notOwn = (column: string) =>
    exceptBookingId === undefined ? tx`` : tx`and ${tx(column)} <> ${exceptBookingId}`;
  const isReserved =
    newBookingId === undefined
      ? tx`false`
      : tx`exists (select from house_reservation where id = ${newBookingId})`;
  // Who decides at once keeps nothing, and most products do not count guests per start.
  const activity =
    newBookingId === undefined
      ? tx`(select string_agg(mark::text, ' ' order by day) from house_day
          where venue_id = v.id and day between ${firstDay(window)} and ${lastDay(window)})`
      : tx`null`;
  const paces = isPaced
    ? tx`(select string_agg(float8send(date_part('epoch', starts_at) / 60) || int4send(guests), '')
        from house_reservation
        where product_id = ${productId} and starts_at >= ${from} and starts_at < ${to} ${notOwn('id')})`
    : tx`null::bytea`;
  const [row] = await tx<LiveRow[]>`
    select v.updated_at::text as version, ${isReserved} as "isReserved", ${activity} as activity,
      (select string_agg(int4send(table_id) || float8send(date_part('epoch', lower(during)) / 60)
          || float8send(date_part('epoch', upper(during)) / 60), '')
        from house_allocation
        where venue_id = ${venueId} and upper(during) > ${from} and lower(during) < ${to}
          and upper(during) < ${iso(toMs + LONGEST_STAY_MS)} ${notOwn('reservation_id')}) as stays,
      ${paces} as paces
    from venue v
    where v.id = ${venueId}`;
  if (!row) return undefined;
  const { stays, paces: guests, ...rest } = row;
  return { ...rest, stays: staysIn(stays), guestsByStartMs: pacesIn(guests) };
}

function numbersIn(packed: Buffer): DataView {
  return new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
}

function staysIn(packed: Buffer | null): Stays {
  const tableIds: number[] = [];
  const startsMs: number[] = [];
  const endsMs: number[] = [];
  const numbers = numbersIn(packed ?? Buffer.alloc(0));
  for (let at = 0; at < numbers.byteLength; at += 20) {
    tableIds.push(numbers.getInt32(at));
    startsMs.push(numbers.getFloat64(at + 4) * MS_PER_MINUTE);
    endsMs.push(numbers.getFloat64(at + 12) * MS_PER_MINUTE);
  }
  return { tableIds, startsMs, endsMs };
}

function pacesIn(packed: Buffer | null): Map<number, number> {
  const guestsByStartMs = new Map<number, number>();
  const numbers = numbersIn(packed ?? Buffer.alloc(0));
  for (let at = 0; at < numbers.byteLength; at += 12) {
    const startMs = numbers.getFloat64(at) * MS_PER_MINUTE;
    guestsByStartMs.set(startMs, (guestsByStartMs.get(startMs) ?? 0) + numbers.getInt32(at + 8));
  }
  return guestsByStartMs;
}

export const lockName = (venueId: VenueId, date: string) => `house ${venueId} ${date}`;

/**
 * Waits until nobody else decides on these days of the venue, and until nobody changes how it is laid out; held until
 * the transaction ends. What is read afterwards is up to date as long as the transaction reads committed data, which
 * is the default. Statements of a transaction are carried out in the order in which they are sent, so nobody has to
 * wait before sending the next.
 */
export async function lockDays(tx: Tx, venueId: VenueId, ascendingDates: readonly string[]): Promise<void> {
  await Promise.all(
    ascendingDates.map(
      (date) => tx`select pg_advisory_xact_lock_shared(hashtextextended(${layoutOf(venueId)}, 0)),
        pg_advisory_xact_lock(hashtextextended(${lockName(venueId, date)}, 0))`,
    ),
  );
}

const layoutOf = (venueId: VenueId) => `house layout ${venueId}`;

/**
 * Waits until nobody places anybody at the venue, and keeps it so until the transaction ends: no table goes while
 * somebody is given it.
 */
export async function lockLayout(tx: Tx, venueId: VenueId): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${layoutOf(venueId)}, 0))`;
}

export interface Reservation {
  bookingId: string;
  productId: ProductId;
  venueId: VenueId;
  date: string;
}

/** With its tables. False when the booking id or the reference is already in use; nothing is written then. */
export async function insertReservation(
  tx: Tx,
  { bookingId, productId, venueId, date }: Reservation,
  reference: string,
  { unit, spaceId, startMs, endMs, durationMinutes, guests }: Seat,
): Promise<boolean> {
  const inserted = await tx`
    with reservation as (
      insert into house_reservation (id, reference, product_id, venue_id, space_id, trading_day, starts_at,
        duration_minutes, guests)
      values (${bookingId}, ${reference}, ${productId}, ${venueId}, ${spaceId}, ${date}, ${iso(startMs)},
        ${durationMinutes}, ${guests})
      on conflict do nothing
      returning id, venue_id)
    insert into house_allocation (reservation_id, table_id, venue_id, during)
    select id, table_id, venue_id, tstzrange(${iso(startMs)}, ${iso(endMs)})
    from reservation, unnest(${unit.tableIds as number[]}::int[]) as table_id`;
  return inserted.count > 0;
}

export interface Taking {
  seat: Seat;
  reference: string;
  /** In the order in which they are taken. */
  locks: string[];
  /** What can be taken, the most willingly given first. */
  units: readonly Unit[];
  spaceIdOf(unit: Unit): number | null;
  coversPerStart: number | null;
  /** Of the venue's configuration. */
  version: string;
}

/** As `house_take` reads it. */
export function takingDocument(
  { bookingId, productId, venueId, date }: Reservation,
  { seat, reference, locks, units, spaceIdOf, coversPerStart, version }: Taking,
): object {
  const { startMs, endMs, durationMinutes: minutes, guests } = seat;
  const [begins, ends] = [iso(startMs), iso(endMs)];
  const what = { bookingId, productId, venueId, date, begins, ends, minutes, guests, reference, version };
  return {
    ...what,
    layoutLock: layoutOf(venueId),
    dayLocks: locks,
    coversPerStart,
    units: units.map(({ tableIds }) => tableIds.map(String)),
    spaceIds: units.map(spaceIdOf),
  };
}

/** Part of a statement: takes the first unit of each that is free. */
export const takeSeats = (tx: Tx, documents: Fragment): Fragment => tx`house_take(${documents})`;

export async function moveReservation(
  tx: Tx,
  { bookingId, productId, venueId, date }: Reservation,
  { unit, spaceId, startMs, endMs, durationMinutes, guests }: Seat,
): Promise<void> {
  await Promise.all([
    // The days it leaves and those it goes to are marked together first: one after the other, two that change
    // places would wait for each other.
    tx`select mark_house_days(${venueId}, array_append(
      array(select during from house_allocation where reservation_id = ${bookingId}),
      tstzrange(${iso(startMs)}, ${iso(endMs)})))`,
    tx`update house_reservation
      set product_id = ${productId}, space_id = ${spaceId}, trading_day = ${date},
        starts_at = ${iso(startMs)}, duration_minutes = ${durationMinutes}, guests = ${guests}
      where id = ${bookingId}`,
    tx`delete from house_allocation where reservation_id = ${bookingId}`,
    tx`insert into house_allocation (reservation_id, table_id, venue_id, during)
      select ${bookingId}, id, ${venueId}, tstzrange(${iso(startMs)}, ${iso(endMs)})
      from unnest(${unit.tableIds as number[]}::int[]) as id`,
  ]);
}

export async function deleteReservation(tx: Tx, bookingId: string): Promise<void> {
  await tx`delete from house_reservation where id = ${bookingId}`;
}

export interface LockedReservation {
  reference: string;
  fromMs: number;
  toMs: number;
}

/** If it is there, no other transaction changes it before this one ends. */
export async function lockReservation(
  tx: Tx,
  bookingId: string,
  venueId: VenueId,
): Promise<LockedReservation | undefined> {
  const [row] = await tx<{ reference: string; startsAt: Temporal.Instant; durationMinutes: number }[]>`
    select reference, starts_at as "startsAt", duration_minutes as "durationMinutes"
    from house_reservation where id = ${bookingId} and venue_id = ${venueId} for update`;
  if (!row) return undefined;
  const { reference, startsAt, durationMinutes } = row;
  const fromMs = startsAt.epochMilliseconds;
  return { reference, fromMs, toMs: fromMs + durationMinutes * MS_PER_MINUTE };
}

interface ReservationRow extends Omit<SystemBooking, 'startMs' | 'pricePerGuestPence'> {
  startsAt: Temporal.Instant;
}

export async function findReservation(tx: Tx, bookingId: string): Promise<SystemBooking | undefined> {
  const [row] = await tx<ReservationRow[]>`
    select r.id as "bookingId", r.reference, r.starts_at as "startsAt", r.duration_minutes as "durationMinutes", r.guests,
      array_remove(array_agg(t.name order by t.id), null) as tables,
      (array_agg(a.id order by t.id))[1] as "areaId", (array_agg(a.name order by t.id))[1] as "areaName"
    from house_reservation r
      left join house_allocation s on s.reservation_id = r.id
      left join house_table t on t.id = s.table_id
      left join house_area a on a.id = t.area_id
    where r.id = ${bookingId}
    group by r.id`;
  if (!row) return undefined;
  const { startsAt, ...rest } = row;
  return { ...rest, startMs: startsAt.epochMilliseconds, pricePerGuestPence: null };
}

export async function describeProducts(tx: Tx, venueIds: readonly VenueId[]): Promise<ProductFacts[]> {
  const rows = await tx<ProductFacts[]>`
    select product_id as "productId", null as "pricePence", min_guests as "minQuantity", max_guests as "maxQuantity"
    from house_seating where venue_id = any(${venueIds as VenueId[]}::text[])`;
  return [...rows];
}
