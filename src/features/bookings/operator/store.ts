import type { Fragment, Tx } from '../../../db/database.ts';
import { isUuid, type VenueId } from '../../../kernel/ids.ts';
import { deleteHashes, withHash } from '../guest-search/store.ts';
import type { BookingStatus, Origin } from '../record.ts';

/** Filter and order of an operator's bookings. */
export interface ManagedFilter {
  venueId?: VenueId | undefined;
  /** Trading days; both belong to it. */
  from?: string | undefined;
  to?: string | undefined;
  status?: readonly BookingStatus[] | undefined;
  type?: 'book' | 'request' | undefined;
  partnerId?: number | undefined;
  origin?: readonly Origin[] | undefined;
  /** A reference, a partner's own id, or an id. */
  reference?: string | undefined;
  /** Of what the guest is found by. */
  guestHashes?: readonly bigint[] | undefined;
  sortBy: ManagedSort;
  /** Absent: the earliest visit first, and the latest booking. */
  sortDirection?: 'ASC' | 'DESC' | undefined;
}

export const MANAGED_SORTS = ['start', 'created'] as const;
export type ManagedSort = (typeof MANAGED_SORTS)[number];

export async function listManagedIds(
  tx: Tx,
  operatorId: number,
  filter: ManagedFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ ids: string[]; total: number }> {
  const wanted = matching(tx, operatorId, filter);
  const rows = await tx<{ id: string }[]>`
    select id from booking where ${wanted} order by ${orderOf(tx, filter)} limit ${limit} offset ${offset}`;
  return { ids: rows.map(({ id }) => id), total: await countManaged(tx, operatorId, filter) };
}

function orderOf(tx: Tx, { sortBy, sortDirection }: ManagedFilter): Fragment {
  const direction = sortDirection ?? (sortBy === 'created' ? 'DESC' : 'ASC');
  const column = sortBy === 'created' ? tx`created_at` : tx`starts_at`;
  return direction === 'DESC' ? tx`${column} desc, id desc` : tx`${column}, id`;
}

function countManaged(tx: Tx, operatorId: number, filter: ManagedFilter): Promise<number> {
  const { sortBy: _, sortDirection: __, partnerId, ...others } = filter;
  const isNarrowed = Object.values(others).some((value) => value !== undefined);
  return isNarrowed
    ? countMatching(tx, matching(tx, operatorId, filter))
    : countBookings(tx, matching(tx, operatorId, { partnerId }));
}

async function countMatching(tx: Tx, wanted: Fragment): Promise<number> {
  const [counted] = await tx<{ total: number }[]>`select count(*) as total from booking where ${wanted}`;
  return counted?.total ?? 0;
}

function matching(tx: Tx, operatorId: number, filter: Omit<ManagedFilter, 'sortBy'>): Fragment {
  const { venueId, from, to, status, type, partnerId, origin, reference, guestHashes } = filter;
  return tx`
    operator_id = ${operatorId}
    ${from === undefined ? tx`` : tx`and trading_day >= ${from} and starts_at >= ${earliest(tx, from)}`}
    ${to === undefined ? tx`` : tx`and trading_day <= ${to} and starts_at < ${latest(tx, to)}`}
    ${venueId === undefined ? tx`` : tx`and venue_id = ${venueId}`}
    ${status === undefined ? tx`` : tx`and status = any(${[...status]}::text[])`}
    ${type === undefined ? tx`` : tx`and type = ${type}`}
    ${partnerId === undefined ? tx`` : tx`and partner_id = ${partnerId}`}
    ${origin === undefined ? tx`` : tx`and origin = any(${[...origin]}::text[])`}
    ${reference === undefined ? tx`` : tx`and id in (${withReference(tx, operatorId, reference)})`}
    ${guestHashes === undefined ? tx`` : tx`and ${withHash(tx, guestHashes)}`}`;
}

/**
 * One select for each of the three, so that each has its index; that of partners' own ids begins with the partner.
 * References of the house have capitals, and people type what they like.
 */
const withReference = (tx: Tx, operatorId: number, reference: string): Fragment => tx`
  select id from booking where operator_booking_id in (${reference}, ${reference.toUpperCase()})
  union all
  select id from booking
  where partner_id in (select partner_id from booking_count where operator_id = ${operatorId})
    and partner_booking_id = ${reference}
  union all
  select id from booking where id = ${isUuid(reference) ? reference : null}::uuid`;

/** A trading day begins and ends within these in whichever zone, so that the index by start can be used for it. */
const earliest = (tx: Tx, day: string) => tx`(${day}::date - 1)::timestamptz`;
const latest = (tx: Tx, day: string) => tx`(${day}::date + 3)::timestamptz`;

export async function listPartnerNames(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx<{ id: number; name: string }[]>`
    select id, name from partner where id = any(${[...ids]}::integer[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Confirmed bookings whose visit ended before a moment; those that another transaction has locked are skipped. */
export async function claimOver(
  tx: Tx,
  endedBefore: Temporal.Instant,
  except: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from booking
    where status = 'confirmed' and starts_at < ${endedBefore}
      and starts_at + make_interval(mins => duration_minutes) < ${endedBefore}
      and id <> all(${except as string[]}::uuid[])
    order by starts_at limit ${limit} for update skip locked`;
  return rows.map(({ id }) => id);
}

/** Bookings with guest data whose start is before a moment. */
export async function claimKnown(tx: Tx, startedBefore: Temporal.Instant, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from booking where guest is not null and starts_at < ${startedBefore}
    order by starts_at limit ${limit} for update skip locked`;
  return rows.map(({ id }) => id);
}

/** Erases the texts of guests and operators; what reports count stays. */
export async function forgetGuests(tx: Tx, bookingIds: readonly string[]): Promise<void> {
  await tx`update booking set guest = null where id = any(${bookingIds as string[]}::uuid[])`;
  await tx`update booking_message set content = null where booking_id = any(${bookingIds as string[]}::uuid[])`;
  await deleteHashes(tx, bookingIds);
}

/**
 * The number of bookings for which `whose` holds, which may only refer to `partner_id` and `operator_id`: each statement
 * adds a row to `booking_count`, and a job adds them up from time to time.
 */
export async function countBookings(tx: Tx, whose: Fragment): Promise<number> {
  const [counted] = await tx<{ total: number }[]>`
    select coalesce(sum(bookings), 0)::bigint as total from booking_count b where ${whose}`;
  return counted?.total ?? 0;
}

/** Merges rows of the same partner and operator into one, up to a limit. Returns how many were removed. */
export async function addUpCounts(tx: Tx, limit: number): Promise<number> {
  const [row] = await tx<[{ gone: number }]>`
    with several as (
      select partner_id, operator_id from booking_count group by partner_id, operator_id having count(*) > 1),
    taken as (
      delete from booking_count where ctid = any(array(
        select c.ctid from booking_count c join several s on s.partner_id is not distinct from c.partner_id and s.operator_id = c.operator_id
        limit ${limit} for update of c skip locked))
      returning partner_id, operator_id, bookings),
    added as (
      insert into booking_count (partner_id, operator_id, bookings)
      select partner_id, operator_id, sum(bookings) from taken group by partner_id, operator_id
      returning 1)
    select (select count(*) from taken) - (select count(*) from added) as gone`;
  return row.gone;
}
