import type { Tx } from '../../../db/database.ts';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../../../kernel/zone-time.ts';
import type { SystemHold } from '../../contract.ts';
import type { DecidedSeat } from '../seats.ts';
import { iso, type Reservation, type StoredSeat, type VenueDay } from '../store.ts';

/** Tables that are kept for bookings which are not made yet. Every change of a row marks its days. */

const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);

export interface NewHold extends DecidedSeat {
  /** Those that were locked when the place was decided on. */
  days: readonly VenueDay[];
  untilMs: number;
  /** By the clock of the request. */
  nowMs: number;
}

/** Those that were written: not one whose id has a hold that has not ended. One that has is replaced. */
export async function insertHolds(
  tx: Tx,
  made: readonly NewHold[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  if (made.length === 0) return new Set();
  const rows = made.map(({ bookingId, productId, venueId, date, seat, days, untilMs, nowMs: ownMs }) => ({
    id: bookingId,
    product_id: productId,
    venue_id: venueId,
    space_id: seat.spaceId,
    trading_day: date,
    lock_days: days.map((day) => day.date),
    starts_at: iso(seat.startMs),
    duration_minutes: seat.durationMinutes,
    guests: seat.guests,
    table_ids: [...seat.unit.tableIds],
    during: `[${iso(seat.fromMs)},${iso(seat.endMs)})`,
    expires_at: at(untilMs),
    checked_at: at(ownMs),
  }));
  // By name: a column that a later version adds gets its default.
  const names = tx`${tx(Object.keys(rows[0] ?? {}))}`;
  const written = await tx<{ id: string }[]>`
    insert into house_hold (${names})
    select ${names} from jsonb_populate_recordset(null::house_hold, ${tx.json(rows as never)})
    on conflict (id) do update set (product_id, venue_id, space_id, trading_day, lock_days, starts_at,
        duration_minutes, guests, table_ids, during, expires_at, checked_at)
      = (excluded.product_id, excluded.venue_id, excluded.space_id, excluded.trading_day, excluded.lock_days,
        excluded.starts_at, excluded.duration_minutes, excluded.guests, excluded.table_ids, excluded.during,
        excluded.expires_at, excluded.checked_at)
      where house_hold.expires_at <= ${at(nowMs)}
    returning id`;
  return new Set(written.map(({ id }) => id));
}

export interface FoundHold {
  hold: SystemHold;
  days: VenueDay[];
}

interface FoundRow extends Pick<SystemHold, 'bookingId' | 'durationMinutes'>, Pick<Reservation, 'venueId'> {
  startsAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  lockDays: string[];
}

/** Also those that have ended. */
export async function findHolds(tx: Tx, bookingIds: readonly string[]): Promise<Map<string, FoundHold>> {
  const rows = await tx<FoundRow[]>`
    select id as "bookingId", venue_id as "venueId", lock_days::text[] as "lockDays", starts_at as "startsAt",
      duration_minutes as "durationMinutes", expires_at as "expiresAt"
    from house_hold where id = any(${bookingIds as string[]}::uuid[])`;
  return new Map(rows.map((row) => [row.bookingId, foundOf(row)]));
}

function foundOf(row: FoundRow): FoundHold {
  const { bookingId, venueId, lockDays, startsAt, durationMinutes, expiresAt } = row;
  const startMs = startsAt.epochMilliseconds;
  const hold = { bookingId, startMs, durationMinutes, expiresMs: expiresAt.epochMilliseconds };
  return { hold, days: lockDays.map((date) => ({ venueId, date })) };
}

/** What a booking gets of its hold. */
export interface HeldPlace extends Reservation {
  seat: StoredSeat;
  tables: { id: number; name: string; areaId: number; areaName: string }[];
}

interface HeldRow extends Reservation, Pick<HeldPlace, 'tables'> {
  spaceId: number | null;
  startsAt: Temporal.Instant;
  durationMinutes: number;
  guests: number;
  tableIds: number[];
}

/**
 * The places of holds that have not ended; they stay until the transaction ends. The days must be locked. A request with
 * a later clock may have been given a place already, and then the hold has ended. What had ended by the clock by which the
 * hold was given its place is not in its way, also where the clock of this request is behind.
 */
export async function lockHeldPlaces(
  tx: Tx,
  wanted: readonly { bookingId: string; nowMs: number }[],
): Promise<Map<string, HeldPlace>> {
  const ids = wanted.map(({ bookingId }) => bookingId);
  const moments = wanted.map(({ nowMs }) => at(nowMs).toString());
  const rows = await tx<HeldRow[]>`
    select h.id as "bookingId", product_id as "productId", venue_id as "venueId", trading_day as date,
      space_id as "spaceId", starts_at as "startsAt", duration_minutes as "durationMinutes", guests,
      table_ids as "tableIds",
      array(select json_build_object('id', t.id, 'name', t.name, 'areaId', a.id, 'areaName', a.name)
        from house_table t join house_area a on a.id = t.area_id
        where t.id = any(h.table_ids) order by t.id) as tables
    from house_hold h
      join unnest(${ids}::uuid[], ${moments}::timestamptz[]) as wanted (id, now) on wanted.id = h.id
    where h.expires_at > wanted.now
      and not exists (select from house_allocation s
        where s.table_id = any(h.table_ids) and s.during && h.during)
      and not exists (select from house_hold o
        where o.venue_id = h.venue_id and o.id <> h.id and o.table_ids && h.table_ids and o.during && h.during
          and o.expires_at > greatest(wanted.now, h.checked_at))
    order by h.id for update of h`;
  // A table that is gone ends the hold.
  const whole = rows.filter(({ tables, tableIds }) => tables.length === tableIds.length);
  return new Map(whole.map((row) => [row.bookingId, placeOf(row)]));
}

function placeOf(row: HeldRow): HeldPlace {
  const { spaceId, startsAt, durationMinutes, guests, tableIds, ...place } = row;
  const startMs = startsAt.epochMilliseconds;
  const endMs = startMs + durationMinutes * MS_PER_MINUTE;
  const unit = { tableIds };
  return { ...place, seat: { unit, spaceId, guests, startMs, fromMs: startMs, endMs, durationMinutes } };
}

/** Says until when; never earlier than it was said to. */
export async function extendHold(
  tx: Tx,
  bookingId: string,
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Promise<number> {
  const [row] = await tx<[{ expiresAt: Temporal.Instant }]>`
    update house_hold set expires_at = greatest(expires_at, ${at(untilMs)}),
      checked_at = greatest(checked_at, ${at(nowMs)})
    where id = ${bookingId}
    returning expires_at as "expiresAt"`;
  return row.expiresAt.epochMilliseconds;
}

export async function deleteHolds(tx: Tx, bookingIds: readonly string[]): Promise<void> {
  if (bookingIds.length === 0) return;
  await tx`delete from house_hold where id = any(${bookingIds as string[]}::uuid[])`;
}

/** So many at a time: bookings wait for the marks of the days that are swept. */
const SWEPT_AT_ONCE = 500;
const KEPT_MS = MS_PER_HOUR;

/** Deletes some of the holds that ended over an hour ago, and says how many. */
export async function sweepHolds(tx: Tx, nowMs: number): Promise<number> {
  const swept = await tx`
    delete from house_hold where id in (
      select id from house_hold where expires_at <= ${at(nowMs - KEPT_MS)}
      order by expires_at limit ${SWEPT_AT_ONCE} for update skip locked)`;
  return swept.count;
}
