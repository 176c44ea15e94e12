import type { Fragment, Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { ProductFacts, SystemBooking } from '../contract.ts';
import type { Unit } from './allocation.ts';
import type { HeldSeat, Seat } from './decision.ts';
import type { Hold, HoldingState } from './holds/held.ts';
import type { Stays } from './occupancy.ts';

/** A bound of the duration in the schema. */
const LONGEST_STAY = '1440 minutes';
/** No stay lies outside the years that both sides can write, but a window around a stay may reach beyond them. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');
export const iso = (ms: number) => new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString();
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
  /** Reservations that are about to be moved, and do not stand in the way. */
  exceptBookingIds?: readonly string[];
  /** A reservation that is about to be made, unless it has been already. */
  newBookingId?: string;
}

/** What tells whether something in memory still holds. */
export interface Marks {
  /** Of the venue's configuration. */
  version: string;
  /** Of the stays and holds that touch the window. */
  activity: string | null;
}

export interface MarkedState extends HoldingState, Marks {
  /** Whether the new booking has a reservation already. */
  isReserved: boolean;
  /** Whether a place is kept for it, or was. */
  isHeld: boolean;
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
  // Most windows of one request are of the same days.
  const texts = new Map<number, string>();
  const dayOf = (ms: number) => texts.getOrInsertComputed(ms, () => iso(ms).slice(0, 10));
  const rows = await tx<(Marks | { version: null })[]>`
    select updated_at::text as version,
      (select string_agg(mark::text, ' ' order by day) from house_day
        where venue_id = asked.venue_id and day between first_day and last_day) as activity
    from unnest(${windows.map(({ venueId }) => venueId)}::text[], ${windows.map(({ fromMs }) => dayOf(fromMs))}::date[],
        ${windows.map(({ toMs }) => dayOf(toMs - 1))}::date[]) with ordinality as asked (venue_id, first_day, last_day, place)
      left join venue on venue.id = asked.venue_id
    order by place`;
  return rows.map((row) => (row.version === null ? undefined : row));
}

interface LiveRow extends Marks, Pick<MarkedState, 'isReserved' | 'isHeld'> {
  stays: Buffer | null;
  blocks: Buffer | null;
  paces: Buffer | null;
  holds: Hold[] | null;
}

/**
 * All that a decision needs besides the configuration, for several windows in one statement and in their order;
 * undefined: there is no such venue. A blocked table counts as taken, also for a reservation that is moved. On a busy
 * day that is hundreds of stays, which therefore come packed. Times are minutes in eight bytes: four would not reach the
 * last day there is. A new booking keeps nothing and needs no marks. Holds come with the time at which they end, for
 * the caller to compare.
 */
export async function readLiveStates(
  tx: Tx,
  windows: readonly Window[],
): Promise<(MarkedState | undefined)[]> {
  if (windows.length === 0) return [];
  const asked = windows.map((window) => ({
    venue_id: window.venueId,
    product_id: window.productId,
    begins: iso(window.fromMs),
    ends: iso(window.toMs),
    first_day: firstDay(window),
    last_day: lastDay(window),
    is_paced: window.isPaced,
    new_id: window.newBookingId ?? null,
    except_ids: window.exceptBookingIds ?? [],
  }));
  // Only where a reservation is moved: the index on stays does not have their reservations.
  const isMoving = windows.some(({ exceptBookingIds }) => exceptBookingIds !== undefined);
  const notOwn = (column: string) => (isMoving ? tx`and ${tx(column)} <> all(asked.except_ids)` : tx``);
  const rows = await tx<(LiveRow | { version: null })[]>`
    select v.updated_at::text as version,
      asked.new_id is not null and exists (select from house_reservation where id = asked.new_id) as "isReserved",
      asked.new_id is not null and exists (select from house_hold where id = asked.new_id) as "isHeld",
      case when asked.new_id is null then (
        select string_agg(mark::text, ' ' order by day) from house_day
        where venue_id = asked.venue_id and day between first_day and last_day) end as activity,
      (select ${packedStays(tx)} from house_allocation
        where venue_id = asked.venue_id and upper(during) > begins and lower(during) < ends
          and upper(during) < ends + ${LONGEST_STAY}::interval ${notOwn('reservation_id')}) as stays,
      (select ${packedStays(tx)} from house_block_table
        where venue_id = asked.venue_id and upper(during) > begins and lower(during) < ends) as blocks,
      (select ${listedHolds(tx)} from house_hold h
        where h.venue_id = asked.venue_id and upper(during) > begins and lower(during) < ends) as holds,
      case when is_paced then (
        select string_agg(float8send(date_part('epoch', starts_at) / 60) || int4send(guests), '')
        from house_reservation
        where product_id = asked.product_id and starts_at >= begins and starts_at < ends ${notOwn('id')}) end as paces
    from rows from (jsonb_to_recordset(${tx.json(asked)}) as (venue_id text, product_id text, begins timestamptz,
        ends timestamptz, first_day date, last_day date, is_paced boolean, new_id uuid, except_ids uuid[])
      ) with ordinality as asked (venue_id, product_id, begins, ends, first_day, last_day, is_paced, new_id, except_ids, place)
      left join venue v on v.id = asked.venue_id
    order by place`;
  return rows.map((row) => {
    if (row.version === null) return undefined;
    const { stays, blocks, paces, holds, ...rest } = row;
    const taken = stays && blocks ? Buffer.concat([stays, blocks]) : (stays ?? blocks);
    return { ...rest, stays: staysIn(taken), guestsByStartMs: pacesIn(paces), holds: holds ?? [] };
  });
}

const packedStays = (tx: Tx): Fragment => tx`
  string_agg(int4send(table_id) || float8send(date_part('epoch', lower(during)) / 60)
    || float8send(date_part('epoch', upper(during)) / 60), '')`;

const listedHolds = (tx: Tx): Fragment => tx`
  json_agg(json_build_object('bookingId', h.id, 'tableIds', h.table_ids,
    'startMs', (extract(epoch from lower(h.during)) * 1000)::bigint,
    'endMs', (extract(epoch from upper(h.during)) * 1000)::bigint,
    'expiresMs', (extract(epoch from h.expires_at) * 1000)::bigint,
    'guests', case when is_paced and h.product_id = asked.product_id then h.guests else 0 end))`;

export async function readLive(tx: Tx, window: Window): Promise<MarkedState | undefined> {
  const [live] = await readLiveStates(tx, [window]);
  return live;
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

export interface VenueDay {
  venueId: VenueId;
  /** In the venue's zone. */
  date: string;
}

/**
 * Waits until no other transaction decides on these days or changes the layout of their venues; held until the
 * transaction ends. What is read afterwards is up to date as long as the transaction reads committed data, which is
 * the default. Every transaction takes the locks in the same order (by venue, the layout before the days), so that no
 * two wait for each other.
 */
export async function lockDays(tx: Tx, days: readonly VenueDay[]): Promise<void> {
  if (days.length === 0) return;
  const locks = [...Map.groupBy(days, ({ venueId }) => venueId)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([venueId, own]) => [
      { name: layoutOf(venueId), is_shared: true },
      ...[...new Set(own.map(({ date }) => lockName(venueId, date)))]
        .sort()
        .map((name) => ({ name, is_shared: false })),
    ]);
  await tx`
    select case when is_shared then pg_advisory_xact_lock_shared(hashtextextended(name, 0))
      else pg_advisory_xact_lock(hashtextextended(name, 0)) end
    from jsonb_to_recordset(${tx.json(locks)}) as locks (name text, is_shared boolean)`;
}

const layoutOf = (venueId: VenueId) => `house layout ${venueId}`;

/**
 * Waits until no transaction assigns a table at the venue, and keeps it so until this one ends: no table is removed
 * while a booking gets it.
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

/** A seat without what it was chosen by. */
export interface StoredSeat extends Omit<Seat, 'unit'> {
  unit: Pick<Unit, 'tableIds'>;
}

export interface NewReservation extends Reservation {
  reference: string;
  seat: StoredSeat;
}

/** With their tables. Returns the booking ids of the inserted rows: without those whose id or reference is in use. */
export async function insertReservations(
  tx: Tx,
  reservations: readonly NewReservation[],
): Promise<ReadonlySet<string>> {
  const rows = reservations.map(({ bookingId, productId, venueId, date, reference, seat }) => ({
    id: bookingId,
    reference,
    product_id: productId,
    venue_id: venueId,
    space_id: seat.spaceId,
    trading_day: date,
    starts_at: iso(seat.startMs),
    ends_at: iso(seat.endMs),
    duration_minutes: seat.durationMinutes,
    guests: seat.guests,
    table_ids: seat.unit.tableIds,
  }));
  const inserted = await tx<{ id: string }[]>`
    with seat as materialized (
      select * from jsonb_to_recordset(${tx.json(rows)}) as (id uuid, reference text, product_id text, venue_id text,
        space_id integer, trading_day date, starts_at timestamptz, ends_at timestamptz, duration_minutes smallint,
        guests smallint, table_ids integer[])),
    reservation as (
      insert into house_reservation (id, reference, product_id, venue_id, space_id, trading_day, starts_at,
        duration_minutes, guests)
      select id, reference, product_id, venue_id, space_id, trading_day, starts_at, duration_minutes, guests from seat
      on conflict do nothing
      returning id),
    allocation as (
      insert into house_allocation (reservation_id, table_id, venue_id, during)
      select id, table_id, venue_id, tstzrange(starts_at, ends_at)
      from reservation join seat using (id), unnest(table_ids) as table_id)
    select id from reservation`;
  return new Set(inserted.map(({ id }) => id));
}

export interface MovedReservation extends Reservation {
  seat: Seat;
}

/** Several at once: two that exchange tables cannot do so one after the other. */
export async function moveReservations(tx: Tx, moved: readonly MovedReservation[]): Promise<void> {
  const rows = moved.map(({ bookingId, productId, date, seat }) => ({
    id: bookingId,
    product_id: productId,
    space_id: seat.spaceId,
    trading_day: date,
    starts_at: iso(seat.startMs),
    duration_minutes: seat.durationMinutes,
    guests: seat.guests,
  }));
  const ids = moved.map(({ bookingId }) => bookingId);
  const taken = moved.flatMap(({ bookingId, seat }) =>
    seat.unit.tableIds.map((table_id) => ({
      id: bookingId,
      table_id,
      from_at: iso(seat.fromMs),
      to_at: iso(seat.endMs),
    })),
  );
  const venueId = moved[0]?.venueId ?? '';
  const stays = moved.map(({ seat }) => `[${iso(seat.fromMs)},${iso(seat.endMs)})`);
  await Promise.all([
    // The days they leave and the days they move to are marked together first: marked one after the other, two
    // bookings that swap days would deadlock.
    tx`select mark_house_days(${venueId}, ${stays}::tstzrange[] ||
      array(select during from house_stay where reservation_id = any(${ids}::uuid[])))`,
    tx`update house_reservation r
      set product_id = m.product_id, space_id = m.space_id, trading_day = m.trading_day, starts_at = m.starts_at,
        duration_minutes = m.duration_minutes, guests = m.guests
      from jsonb_to_recordset(${tx.json(rows)}) as m (id uuid, product_id text, space_id integer, trading_day date,
        starts_at timestamptz, duration_minutes smallint, guests smallint)
      where r.id = m.id`,
    // In this order: what is moved meanwhile is met in the second table.
    tx`delete from house_allocation where reservation_id = any(${ids}::uuid[])`,
    tx`delete from house_past_allocation where reservation_id = any(${ids}::uuid[])`,
    tx`insert into house_allocation (reservation_id, table_id, venue_id, during)
      select id, table_id, ${venueId}, tstzrange(from_at, to_at)
      from jsonb_to_recordset(${tx.json(taken)}) as (id uuid, table_id integer, from_at timestamptz, to_at timestamptz)`,
  ]);
}

/** And what is kept for it. */
export async function deleteReservation(tx: Tx, bookingId: string): Promise<void> {
  await tx`
    with held as (delete from house_hold where id = ${bookingId})
    delete from house_reservation where id = ${bookingId}`;
}

export interface LockedReservation extends HeldSeat {
  reference: string;
}

interface LockedRow {
  reference: string;
  startsAt: Temporal.Instant;
  durationMinutes: number;
  guests: number;
  tableIds: number[];
}

/** If it is there, no other transaction changes it before this one ends. */
export function lockReservation(
  tx: Tx,
  bookingId: string,
  venueId: VenueId,
): Promise<LockedReservation | undefined> {
  return findSeat(tx, bookingId, venueId, tx`for update`);
}

/** The same without a lock, for what is only tried. */
export function findHeldSeat(
  tx: Tx,
  bookingId: string,
  venueId: VenueId,
): Promise<LockedReservation | undefined> {
  return findSeat(tx, bookingId, venueId, tx``);
}

async function findSeat(
  tx: Tx,
  bookingId: string,
  venueId: VenueId,
  lock: Fragment,
): Promise<LockedReservation | undefined> {
  const [row] = await tx<LockedRow[]>`
    select reference, starts_at as "startsAt", duration_minutes as "durationMinutes", guests,
      array(select table_id from house_stay where reservation_id = id order by table_id) as "tableIds"
    from house_reservation where id = ${bookingId} and venue_id = ${venueId} ${lock}`;
  if (!row) return undefined;
  const { reference, startsAt, durationMinutes, guests, tableIds } = row;
  const fromMs = startsAt.epochMilliseconds;
  return { reference, fromMs, toMs: fromMs + durationMinutes * MS_PER_MINUTE, guests, tableIds };
}

interface ReservationRow extends Omit<SystemBooking, 'startMs' | 'pricePerGuestPence'> {
  startsAt: Temporal.Instant;
}

export async function findReservation(tx: Tx, bookingId: string): Promise<SystemBooking | undefined> {
  return (await findReservations(tx, [bookingId])).get(bookingId);
}

/** By booking id; those that are not there are left out. */
export async function findReservations(
  tx: Tx,
  bookingIds: readonly string[],
): Promise<ReadonlyMap<string, SystemBooking>> {
  if (bookingIds.length === 0) return new Map();
  const rows = await tx<ReservationRow[]>`
    select r.id as "bookingId", r.reference, r.starts_at as "startsAt", r.duration_minutes as "durationMinutes", r.guests,
      array_remove(array_agg(t.name order by t.id), null) as tables,
      (array_agg(a.id order by t.id))[1] as "areaId", (array_agg(a.name order by t.id))[1] as "areaName"
    from house_reservation r
      left join house_stay s on s.reservation_id = r.id
      left join house_table t on t.id = s.table_id
      left join house_area a on a.id = t.area_id
    where r.id = any(${bookingIds as string[]}::uuid[])
    group by r.id`;
  return new Map(
    rows.map(({ startsAt, ...rest }) => [
      rest.bookingId,
      { ...rest, startMs: startsAt.epochMilliseconds, pricePerGuestPence: null },
    ]),
  );
}

export async function describeProducts(tx: Tx, venueIds: readonly VenueId[]): Promise<ProductFacts[]> {
  const rows = await tx<ProductFacts[]>`
    select product_id as "productId", null as "pricePence", s.min_guests as "minQuantity",
      s.max_guests as "maxQuantity",
      case when is_request_only then 0 else least(s.max_guests, instant_limit) end as "maxInstantQuantity"
    from house_seating s join house_product h using (product_id)
    where s.venue_id = any(${venueIds as VenueId[]}::text[])`;
  return [...rows];
}
