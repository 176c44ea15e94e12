import type { Tx } from '../../../db/database.ts';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../../../kernel/zone-time.ts';
import type { SystemHold } from '../../contract.ts';
import { iso, type Reservation, type StoredSeat, type VenueDay } from '../store.ts';

/** Tables that are kept for bookings which are not made yet. Every change of a row marks its days. */

const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);

export interface NewHold extends Reservation {
  seat: StoredSeat;
  /** Those that were locked when the place was decided on. */
  days: readonly VenueDay[];
}

/** False when the id has a hold that has not ended. One that has is replaced. */
export async function insertHold(
  tx: Tx,
  { bookingId, productId, venueId, date, seat, days }: NewHold,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<boolean> {
  const row = {
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
  };
  const made = await tx`
    insert into house_hold ${tx(row as never)}
    on conflict (id) do update set ${tx(row as never)} where house_hold.expires_at <= ${at(nowMs)}
    returning id`;
  return made.length > 0;
}

export interface FoundHold {
  hold: SystemHold;
  days: VenueDay[];
}

interface FoundRow extends Pick<SystemHold, 'durationMinutes'>, Pick<Reservation, 'venueId'> {
  startsAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  lockDays: string[];
}

/** Also one that has ended. */
export async function findHold(tx: Tx, bookingId: string): Promise<FoundHold | undefined> {
  const [row] = await tx<FoundRow[]>`
    select venue_id as "venueId", lock_days::text[] as "lockDays", starts_at as "startsAt",
      duration_minutes as "durationMinutes", expires_at as "expiresAt"
    from house_hold where id = ${bookingId}`;
  if (!row) return undefined;
  const { venueId, lockDays, startsAt, durationMinutes, expiresAt } = row;
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
 * The place of a hold that has not ended; it stays until the transaction ends. The days must be locked. A request with
 * a later clock may have been given the place already, and then the hold has ended.
 */
export async function lockHeldPlace(
  tx: Tx,
  bookingId: string,
  nowMs: number,
): Promise<HeldPlace | undefined> {
  const [row] = await tx<HeldRow[]>`
    select id as "bookingId", product_id as "productId", venue_id as "venueId", trading_day as date,
      space_id as "spaceId", starts_at as "startsAt", duration_minutes as "durationMinutes", guests,
      table_ids as "tableIds",
      array(select json_build_object('id', t.id, 'name', t.name, 'areaId', a.id, 'areaName', a.name)
        from house_table t join house_area a on a.id = t.area_id
        where t.id = any(h.table_ids) order by t.id) as tables
    from house_hold h
    where id = ${bookingId} and expires_at > ${at(nowMs)}
      and not exists (select from house_allocation s
        where s.table_id = any(h.table_ids) and s.during && h.during)
      and not exists (select from house_hold o
        where o.venue_id = h.venue_id and o.id <> h.id and o.table_ids && h.table_ids and o.during && h.during
          and o.expires_at > ${at(nowMs)})
    for update of h`;
  if (!row || row.tables.length < row.tableIds.length) return undefined;
  const { spaceId, startsAt, durationMinutes, guests, tableIds, ...place } = row;
  const startMs = startsAt.epochMilliseconds;
  const endMs = startMs + durationMinutes * MS_PER_MINUTE;
  const unit = { tableIds };
  return { ...place, seat: { unit, spaceId, guests, startMs, fromMs: startMs, endMs, durationMinutes } };
}

/** Says until when; never earlier than it was said to. */
export async function extendHold(tx: Tx, bookingId: string, untilMs: number): Promise<number> {
  const [row] = await tx<[{ expiresAt: Temporal.Instant }]>`
    update house_hold set expires_at = greatest(expires_at, ${at(untilMs)}) where id = ${bookingId}
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
