import type { Fragment, Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';

/** When it is closed, and what. */
export interface ClosedTime {
  /** As requested. */
  first: string;
  last: string;
  /** Trading days; null: part of a day. */
  firstDay: string | null;
  lastDay: string | null;
  fromAt: Temporal.Instant;
  toAt: Temporal.Instant;
  /** Null: all. */
  productIds: ProductId[] | null;
}

export type RecordedActor = Pick<Actor, 'kind' | 'id' | 'name'>;

export interface NewClosure extends ClosedTime {
  id: string;
  venueId: VenueId;
  reason: string | null;
  bookings: 'keep' | 'cancel';
  /** Sealed. */
  message: Buffer | null;
  actor: RecordedActor;
  createdAt: Temporal.Instant;
}

export interface StoredClosure extends NewClosure {
  state: 'running' | 'done';
  finishedAt: Temporal.Instant | null;
  affected: number;
  cancelled: number;
  failed: { bookingId: string; code: string; detail: string }[];
}

const FAILURES_SHOWN = 200;

const columns = (tx: Tx): Fragment => tx`
  id, venue_id as "venueId", first, last, first_day as "firstDay", last_day as "lastDay", from_at as "fromAt",
  to_at as "toAt", product_ids as "productIds", reason, bookings, message, actor, state, created_at as "createdAt",
  finished_at as "finishedAt"`;

const selected = (tx: Tx): Fragment => tx`
  select ${columns(tx)},
    (select count(*) from closure_booking b where b.closure_id = c.id) as affected,
    (select count(*) from closure_booking b where b.closure_id = c.id and b.state = 'cancelled') as cancelled,
    array(select json_build_object('bookingId', booking_id, 'code', code, 'detail', detail)
      from closure_booking b where b.closure_id = c.id and b.state = 'failed'
      order by booking_id limit ${FAILURES_SHOWN}) as failed
  from closure c`;

export async function insertClosure(tx: Tx, closure: NewClosure): Promise<void> {
  const { id, venueId, first, last, firstDay, lastDay, fromAt, toAt, productIds, reason } = closure;
  const { bookings, message, actor, createdAt } = closure;
  const isDone = bookings === 'keep';
  await tx`
    insert into closure (id, venue_id, first, last, first_day, last_day, from_at, to_at, product_ids, reason, bookings,
      message, actor, state, created_at, finished_at, due_at)
    values (${id}, ${venueId}, ${first}, ${last}, ${firstDay}, ${lastDay}, ${fromAt}, ${toAt}, ${productIds}, ${reason},
      ${bookings}, ${message}, ${tx.json(actor as never)}, ${isDone ? 'done' : 'running'}, ${createdAt},
      ${isDone ? createdAt : null}, ${createdAt})`;
}

export async function findClosure(tx: Tx, venueId: VenueId, id: string): Promise<StoredClosure | undefined> {
  const [closure] = await tx<StoredClosure[]>`${selected(tx)} where id = ${id} and venue_id = ${venueId}`;
  return closure;
}

/** Those of the same time and products. */
export async function listEqual(
  tx: Tx,
  venueId: VenueId,
  { first, last, productIds }: ClosedTime,
): Promise<StoredClosure[]> {
  return [
    ...(await tx<StoredClosure[]>`
      ${selected(tx)} where venue_id = ${venueId} and first = ${first} and last = ${last}
        and product_ids is not distinct from ${productIds}::text[] order by id`),
  ];
}

export async function listClosures(
  tx: Tx,
  venueId: VenueId,
  window: {
    from?: Temporal.Instant | undefined;
    to?: Temporal.Instant | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ closures: StoredClosure[]; total: number }> {
  const { from, to, limit, offset } = window;
  const isMeant = tx`venue_id = ${venueId}
    ${from === undefined ? tx`` : tx`and to_at > ${from}`} ${to === undefined ? tx`` : tx`and from_at < ${to}`}`;
  const closures = await tx<StoredClosure[]>`
    ${selected(tx)} where ${isMeant} order by from_at, id limit ${limit} offset ${offset}`;
  const [counted] = await tx<[{ total: number }]>`select count(*) as total from closure where ${isMeant}`;
  return { closures: [...closures], total: counted.total };
}

export async function countToCome(tx: Tx, venueId: VenueId, now: Temporal.Instant): Promise<number> {
  const [counted] = await tx<[{ total: number }]>`
    select count(*) as total from closure where venue_id = ${venueId} and to_at > ${now}`;
  return counted.total;
}

export async function deleteClosure(tx: Tx, id: string): Promise<void> {
  await tx`delete from closure where id = ${id}`;
}

/** The keys that are no product of the venue. */
export async function findUnknownKeys(tx: Tx, venueId: VenueId, keys: readonly string[]): Promise<string[]> {
  const ids = keys.map((key) => `${venueId}|${key}`);
  const found = await tx<{ id: string }[]>`
    select id from product where id = any(${ids}::text[])`;
  return keys.filter((key) => !found.some(({ id }) => id === `${venueId}|${key}`));
}

/** Selects the bookings and enquiries that a closure takes and that have not begun. A stay lasts at most a day. */
function inside(
  tx: Tx,
  venueId: VenueId,
  { firstDay, lastDay, fromAt, toAt, productIds }: ClosedTime,
  now: Temporal.Instant,
): Fragment {
  const isThen =
    firstDay === null
      ? tx`starts_at < ${toAt} and starts_at > ${fromAt.subtract({ hours: 24 })}
          and starts_at + make_interval(mins => duration_minutes) > ${fromAt}
          and trading_day between (${fromAt}::timestamptz at time zone 'UTC')::date - 3
            and (${toAt}::timestamptz at time zone 'UTC')::date + 1`
      : tx`trading_day between ${firstDay}::date and ${lastDay}::date`;
  return tx`
    select id, starts_at from booking
    where venue_id = ${venueId} and status in ('confirmed', 'pending', 'in_progress') and starts_at > ${now}
      and visit_state = 'expected' and ${isThen}
      ${productIds === null ? tx`` : tx`and product_id = any(${productIds}::text[])`}`;
}

/** The earliest first. */
export async function listInside(
  tx: Tx,
  venueId: VenueId,
  time: ClosedTime,
  now: Temporal.Instant,
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from (${inside(tx, venueId, time, now)}) b order by starts_at, id`;
  return rows.map(({ id }) => id);
}

/** Notes the bookings that are to be cancelled; those that are known already stay as they are. */
export async function noteInside(
  tx: Tx,
  { id, venueId, ...time }: ClosedTime & Pick<NewClosure, 'id' | 'venueId'>,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into closure_booking (closure_id, booking_id, due_at)
    select ${id}, b.id, ${now} from (${inside(tx, venueId, time, now)}) b
    on conflict do nothing`;
}

export interface ClaimTimes {
  now: Temporal.Instant;
  leasedUntil: Temporal.Instant;
}

/** What a node works on. */
export type ClaimedClosure = NewClosure & { lease: string };

/** The one that has waited longest, if there is work to do and no other node has it. */
export async function claimClosure(
  tx: Tx,
  lease: string,
  { now, leasedUntil }: ClaimTimes,
): Promise<ClaimedClosure | undefined> {
  const [claimed] = await tx<ClaimedClosure[]>`
    update closure set lease = ${lease}, leased_until = ${leasedUntil}
    where id = (
      select id from closure where state = 'running' and due_at <= ${now} and leased_until <= ${now}
      order by due_at, id limit 1 for update skip locked)
    returning ${columns(tx)}, lease`;
  return claimed;
}

export async function extendLease(tx: Tx, lease: string, leasedUntil: Temporal.Instant): Promise<void> {
  await tx`update closure set leased_until = ${leasedUntil} where lease = ${lease}`;
}

/** Gives it back, to be worked on again from then on. */
export async function putOff(
  tx: Tx,
  { id, lease }: Pick<ClaimedClosure, 'id' | 'lease'>,
  dueAt: Temporal.Instant,
): Promise<void> {
  await tx`
    update closure set due_at = ${dueAt}, lease = null, leased_until = '-infinity'
    where id = ${id} and lease = ${lease}`;
}

/** The same, from when the next booking is due; without one it is done. */
export async function concludeClosure(
  tx: Tx,
  { id, lease }: Pick<ClaimedClosure, 'id' | 'lease'>,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update closure c set due_at = coalesce(open.due_at, c.due_at), lease = null, leased_until = '-infinity',
      state = case when open.due_at is null then 'done' else 'running' end,
      finished_at = case when open.due_at is null then ${now}::timestamptz end
    from (select min(due_at) as due_at from closure_booking where closure_id = ${id} and state = 'open') open
    where c.id = ${id} and c.lease = ${lease}`;
}

/** Whether it still stands. If so it does until the transaction ends. */
export async function standsStill(tx: Tx, id: string): Promise<boolean> {
  const found = await tx`select from closure where id = ${id} for key share`;
  return found.length > 0;
}

export interface DueBooking {
  bookingId: string;
  attempts: number;
  firstAttemptAt: Temporal.Instant | null;
}

export async function listDue(
  tx: Tx,
  closureId: string,
  now: Temporal.Instant,
  limit: number,
): Promise<DueBooking[]> {
  const rows = await tx<DueBooking[]>`
    select booking_id as "bookingId", attempts, first_attempt_at as "firstAttemptAt"
    from closure_booking where closure_id = ${closureId} and state = 'open' and due_at <= ${now}
    order by due_at, booking_id limit ${limit}`;
  return [...rows];
}

export async function markCancelled(tx: Tx, closureId: string, bookingId: string): Promise<void> {
  await tx`
    update closure_booking set state = 'cancelled', code = null, detail = null
    where closure_id = ${closureId} and booking_id = ${bookingId} and state <> 'cancelled'`;
}

export async function dropBooking(tx: Tx, closureId: string, bookingId: string): Promise<void> {
  await tx`delete from closure_booking where closure_id = ${closureId} and booking_id = ${bookingId}`;
}

export interface Failure {
  code: string;
  detail: string;
  /** When it is tried again; null: no more. */
  nextAttemptAt: Temporal.Instant | null;
}

export async function markFailed(
  tx: Tx,
  closureId: string,
  bookingId: string,
  { code, detail, nextAttemptAt }: Failure,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update closure_booking set state = ${nextAttemptAt ? 'open' : 'failed'}, attempts = least(attempts + 1, 1000),
      first_attempt_at = coalesce(first_attempt_at, ${now}), due_at = ${nextAttemptAt ?? now}, code = ${code},
      detail = ${detail}
    where closure_id = ${closureId} and booking_id = ${bookingId} and state = 'open'`;
}

/**
 * The transactions that have locked the table of bookings to write, or rows of it, and have not ended. Such a lock is
 * taken before the statement looks at the venue. So what was not listed after a closure was committed has seen it.
 */
export async function listWriters(tx: Tx): Promise<string[]> {
  const rows = await tx<{ writer: string }[]>`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'booking'::regclass and mode in ('RowShareLock', 'RowExclusiveLock')
      and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()`;
  return rows.map(({ writer }) => writer);
}

/** When there is work to do next; null without any. */
export async function findNextDue(tx: Tx): Promise<Temporal.Instant | null> {
  const [found] = await tx<{ at: Temporal.Instant | null }[]>`
    select min(greatest(due_at, leased_until)) as at from closure where state = 'running'`;
  return found?.at ?? null;
}

export async function countRunning(tx: Tx): Promise<{ count: number; since: Temporal.Instant | null }> {
  const [found] = await tx<{ count: number; since: Temporal.Instant | null }[]>`
    select count(*)::int as count, min(created_at) as since from closure where state = 'running'`;
  return found ?? { count: 0, since: null };
}
