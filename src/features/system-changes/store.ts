import type { Fragment, Tx } from '../../db/database.ts';
import type { SystemSource } from '../bookings/service.ts';

/** The systems that operators have accounts at. */
export async function listSystemsInUse(tx: Tx): Promise<string[]> {
  const rows = await tx<{ tms: string }[]>`select distinct tms from operator_system`;
  return rows.map(({ tms }) => tms);
}

/** Accounts are read from the first time on that they are seen. */
export async function addAccounts(tx: Tx, slugs: readonly string[], now: Temporal.Instant): Promise<void> {
  await tx`
    insert into system_cursor (operator_id, tms, due_at)
    select operator_id, tms, ${now} from operator_system s
    where tms = any(${[...slugs]}::text[])
      and not exists (select from system_cursor c where c.operator_id = s.operator_id and c.tms = s.tms)
    on conflict do nothing`;
}

/** How far an account was read. */
export interface Reading {
  cursor: string | null;
  turnBeganAt: Temporal.Instant | null;
  after: BookingPosition | null;
  failures: number;
}

/** Bookings in the order of their start. */
export interface BookingPosition {
  startsAt: Temporal.Instant;
  id: string;
}

export type ClaimedAccount = SystemSource & Reading & { lease: string };

export interface ClaimTimes {
  now: Temporal.Instant;
  leasedUntil: Temporal.Instant;
}

interface AccountRow extends SystemSource, Omit<Reading, 'after'> {
  afterStart: Temporal.Instant | null;
  afterId: string | null;
  lease: string;
}

/** The one that has waited longest, if no other node reads it. */
export async function claimAccount(
  tx: Tx,
  tms: string,
  lease: string,
  { now, leasedUntil }: ClaimTimes,
): Promise<ClaimedAccount | undefined> {
  const [row] = await tx<AccountRow[]>`
    update system_cursor set lease = ${lease}, leased_until = ${leasedUntil}
    where tms = ${tms} and operator_id = (
      select operator_id from system_cursor
      where tms = ${tms} and due_at <= ${now} and leased_until <= ${now}
      order by due_at limit 1 for update skip locked)
    returning operator_id as "operatorId", tms, cursor, turn_began_at as "turnBeganAt", after_start as "afterStart",
      after_id as "afterId", failures, lease`;
  if (!row) return undefined;
  const { afterStart, afterId, ...account } = row;
  return { ...account, after: afterStart && afterId ? { startsAt: afterStart, id: afterId } : null };
}

/** False when another node has taken it over: then it goes on from where that one is. */
export async function saveReading(
  tx: Tx,
  { operatorId, tms, lease }: SystemSource & { lease: string },
  { cursor, turnBeganAt, after, failures }: Reading,
): Promise<boolean> {
  const saved = await tx`
    update system_cursor set cursor = ${cursor}, turn_began_at = ${turnBeganAt}, failures = ${failures},
      after_start = ${after?.startsAt ?? null}, after_id = ${after?.id ?? null}
    where operator_id = ${operatorId} and tms = ${tms} and lease = ${lease}`;
  return saved.count > 0;
}

export async function releaseAccount(
  tx: Tx,
  { operatorId, tms, lease }: SystemSource & { lease: string },
  dueAt: Temporal.Instant,
): Promise<void> {
  await tx`
    update system_cursor set due_at = ${dueAt}, lease = null, leased_until = '-infinity'
    where operator_id = ${operatorId} and tms = ${tms} and lease = ${lease}`;
}

/** Bookings that the system may hold and that it is not too late for, the earliest first. */
const upcoming = (tx: Tx, { operatorId, tms }: SystemSource, now: Temporal.Instant): Fragment => tx`
  select id, starts_at from booking
  where operator_id = ${operatorId} and starts_at > ${now.subtract({ hours: 7 * 24 })} and status = 'confirmed'
    and split_part(venue_id, '|', 2) = ${tms} and starts_at + make_interval(mins => duration_minutes) > ${now}`;

export async function listUpcoming(
  tx: Tx,
  source: SystemSource,
  after: BookingPosition | null,
  now: Temporal.Instant,
  limit: number,
): Promise<BookingPosition[]> {
  const isLater = after ? tx`and (starts_at, id) > (${after.startsAt}, ${after.id}::uuid)` : tx``;
  const rows = await tx<BookingPosition[]>`
    select id, starts_at as "startsAt" from (${upcoming(tx, source, now)} ${isLater}) b
    order by starts_at, id limit ${limit}`;
  return [...rows];
}

/** Bookings of an account, and those that are being made there. Others that a system names are none of its business. */
const named = (tx: Tx, { operatorId, tms }: SystemSource, ids: readonly string[]): Fragment => tx`
  select id from booking
  where id = any(${[...ids]}::uuid[]) and operator_id = ${operatorId} and split_part(venue_id, '|', 2) = ${tms}
    and status in ('confirmed', 'completed', 'no_show')
  union
  select booking_id from booking_intent
  where booking_id = any(${[...ids]}::uuid[]) and tms = ${tms}
    and split_part(coalesce(wanted, standing) ->> 'venueId', '|', 1) = ${String(operatorId)}`;

/** Puts bookings into the queue, each once. In the order of ids, so that two that name the same do not deadlock. */
async function note(tx: Tx, { operatorId, tms }: SystemSource, ids: Fragment, now: Temporal.Instant) {
  await tx`
    insert into system_change (booking_id, operator_id, tms, noted_at, due_at)
    select id, ${operatorId}::integer, ${tms}, ${now}::timestamptz, ${now}::timestamptz from (${ids}) b order by id
    on conflict (booking_id) do update set notes = system_change.notes + 1,
      due_at = least(system_change.due_at, excluded.due_at)`;
}

export async function noteChanges(
  tx: Tx,
  source: SystemSource,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<void> {
  if (ids.length > 0) await note(tx, source, named(tx, source, ids), now);
}

export const noteUpcoming = (tx: Tx, source: SystemSource, now: Temporal.Instant): Promise<void> =>
  note(tx, source, upcoming(tx, source, now), now);

export interface ClaimedChange extends SystemSource {
  bookingId: string;
  notes: number;
  /** At the last look. */
  wasMissing: boolean;
  /** This one included. */
  attempts: number;
  notedAt: Temporal.Instant;
  lease: string;
}

export async function claimChange(
  tx: Tx,
  tms: string,
  lease: string,
  { now, leasedUntil }: ClaimTimes,
): Promise<ClaimedChange | undefined> {
  const [claimed] = await tx<ClaimedChange[]>`
    update system_change set lease = ${lease}, leased_until = ${leasedUntil}, attempts = attempts + 1
    where booking_id = (
      select booking_id from system_change
      where tms = ${tms} and due_at <= ${now} and leased_until <= ${now}
      order by due_at limit 1 for update skip locked)
    returning booking_id as "bookingId", operator_id as "operatorId", tms, notes, is_missing as "wasMissing", attempts, noted_at as "notedAt",
      lease`;
  return claimed;
}

/** Done, unless it was named again meanwhile: then it is looked at once more. */
export async function finishChange(
  tx: Tx,
  { bookingId, lease, notes }: Pick<ClaimedChange, 'bookingId' | 'lease' | 'notes'>,
  now: Temporal.Instant,
): Promise<void> {
  const gone = await tx`
    delete from system_change where booking_id = ${bookingId} and lease = ${lease} and notes = ${notes}`;
  if (gone.count > 0) return;
  await tx`
    update system_change
    set attempts = 0, is_missing = false, noted_at = ${now}, due_at = ${now}, lease = null, leased_until = '-infinity'
    where booking_id = ${bookingId} and lease = ${lease}`;
}

export async function postponeChange(
  tx: Tx,
  { bookingId, lease }: Pick<ClaimedChange, 'bookingId' | 'lease'>,
  dueAt: Temporal.Instant,
  isMissing: boolean,
): Promise<void> {
  await tx`
    update system_change set due_at = ${dueAt}, is_missing = ${isMissing}, lease = null, leased_until = '-infinity'
    where booking_id = ${bookingId} and lease = ${lease}`;
}

export async function countChanges(tx: Tx): Promise<{ count: number; since: Temporal.Instant | null }> {
  const [found] = await tx<{ count: number; since: Temporal.Instant | null }[]>`
    select count(*)::int as count, min(noted_at) as since from system_change`;
  return found ?? { count: 0, since: null };
}
