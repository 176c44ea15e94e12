import type { Fragment, Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Position } from './position.ts';

/** What the diary shows of the venue itself. */
export interface DiaryVenue {
  id: VenueId;
  timeZone: string;
  spaces: { id: number; name: string }[];
}

export async function findVenue(tx: Tx, id: VenueId): Promise<DiaryVenue | undefined> {
  const [venue] = await tx<DiaryVenue[]>`
    select id, time_zone as "timeZone", coalesce((
      select json_agg(json_build_object('id', s.id, 'name', s.name)) from space s where s.venue_id = v.id), '[]') as spaces
    from venue v where id = ${id}`;
  return venue;
}

/** The position of everything that the transaction reads, or of a statement by itself. */
const position = (tx: Tx): Fragment => tx`
  select (select system_identifier::text from pg_control_system()) || '-' ||
    left(pg_walfile_name(pg_current_wal_lsn()), 8) as cluster, pg_current_snapshot() as snapshot`;

export async function getPosition(tx: Tx): Promise<Position> {
  const [found] = await tx<[Position]>`select cluster, snapshot::text as snapshot from (${position(tx)}) now`;
  return found;
}

export interface Closure {
  id: string;
  /** As the operator wrote them: dates, or local times. */
  first: string;
  last: string;
  from: Temporal.Instant;
  to: Temporal.Instant;
  productIds: string[] | null;
  reason: string | null;
  bookings: 'keep' | 'cancel';
  state: 'running' | 'done';
  affected: number;
  cancelled: number;
}

/** Those that touch the range; which of them belong to a trading day is decided by their dates. */
export async function listClosures(
  tx: Tx,
  venueId: VenueId,
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<Closure[]> {
  const rows = await tx<Closure[]>`
    select id, first, last, from_at as from, to_at as to, product_ids as "productIds", reason, bookings, state,
      (select count(*) from closure_booking where closure_id = closure.id) as affected,
      (select count(*) from closure_booking where closure_id = closure.id and closure_booking.state = 'cancelled')
        as cancelled
    from closure where venue_id = ${venueId} and from_at < ${to} and to_at > ${from}
    order by from_at, id`;
  return [...rows];
}

/** What has changed since a position. */
export interface Change {
  kind: 'booking' | 'block' | 'closure' | 'venue';
  id: string | null;
  /** Of a booking. */
  days: string[] | null;
  /** Of a block or a closure, in milliseconds. */
  fromMs: number | null;
  toMs: number | null;
  /** Whether the booking itself was changed, and not its payments or tables alone. */
  isDirect: boolean;
  /** Who made the latest of these changes, as the audit log has it; null: it was not made under /manage. */
  actor: { kind: 'client' | 'user'; name: string } | null;
}

export interface Since {
  /** False: the log does not reach back that far, or knows nothing of the position. */
  isKnown: boolean;
  changes: Change[];
}

export interface ChangesRead {
  /** Everything up to here was read. */
  now: Position;
  /** One for each position that was given. */
  since: Since[];
}

/** So many changes can be told one by one; a reader that missed more reads the diary again. */
const MOST_CHANGES = 1000;

/**
 * Whether the log still has everything that the snapshot in `asked` does not contain: it contains all that was pruned.
 * A transaction that is still in progress has left nothing to prune, however old it is.
 */
const isKnown = (tx: Tx): Fragment => tx`
  asked.cluster = now.cluster and pg_snapshot_xmax(asked.snapshot) <= pg_snapshot_xmax(now.snapshot)
    and pg_snapshot_xmax(asked.snapshot) > (select pruned_to from diary_log)
    and not exists (
      select from pg_snapshot_xip(asked.snapshot) as running
      where running <= (select pruned_to from diary_log) and pg_visible_in_snapshot(running, now.snapshot))`;

/** The lower bound is for the index: a transaction below it is in every such snapshot. */
const isNew = (tx: Tx): Fragment => tx`
  c.xid >= pg_snapshot_xmin(asked.snapshot) and not pg_visible_in_snapshot(c.xid, asked.snapshot)`;

/** The audit entry of the transaction that made a change of `each`. */
const actorOf = (tx: Tx): Fragment => tx`(
  select jsonb_build_object('kind', a.actor_kind, 'name', a.actor_name) from audit_entry a
  where each.thing_id is not null and a.subject = each.kind || ' ' || each.thing_id and a.xid = each.xid limit 1)`;

/** Everything that changed in the diary of a venue since each of these positions, in one statement. */
export async function readChanges(
  tx: Tx,
  venueId: VenueId,
  positions: readonly Position[],
): Promise<ChangesRead> {
  const [row] = await tx<[Position & { since: Since[] }]>`
    select now.cluster, now.snapshot::text as snapshot, coalesce((
      select json_agg(json_build_object('isKnown', ${isKnown(tx)} and jsonb_array_length(found.changes) <= ${MOST_CHANGES},
        'changes', found.changes) order by asked.number)
      from unnest(${positions.map(({ cluster }) => cluster)}::text[],
          ${positions.map(({ snapshot }) => snapshot)}::text[]::pg_snapshot[])
          with ordinality as asked (cluster, snapshot, number),
        lateral (
          select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'id', thing_id, 'days', days,
              'fromMs', extract(epoch from lower(during)) * 1000, 'toMs', extract(epoch from upper(during)) * 1000,
              'isDirect', is_direct, 'actor', ${actorOf(tx)}) order by each.xid), '[]') as changes
          from (
            select distinct on (c.kind, c.thing_id, c.days, c.during) c.*
            from diary_change c where c.venue_id = ${venueId} and ${isNew(tx)}
            order by c.kind, c.thing_id, c.days, c.during, c.xid desc, c.is_direct desc
            limit ${MOST_CHANGES + 1}) each) found), '[]') as since
    from (${position(tx)}) now`;
  const { cluster, snapshot, since } = row;
  return { now: { cluster, snapshot }, since };
}

export interface Question {
  venueId: VenueId;
  position: Position;
}

export interface Currency {
  now: Position;
  /** Whether nothing has changed in the diary of the venue since the position. */
  isCurrent: boolean;
}

/** One statement for any number of venues. */
export async function compareWithNow(tx: Tx, questions: readonly Question[]): Promise<Currency[]> {
  const [row] = await tx<[Position & { current: boolean[] }]>`
    select now.cluster, now.snapshot::text as snapshot, array(
      select ${isKnown(tx)} and not exists (
        select from diary_change c where c.venue_id = asked.venue_id and ${isNew(tx)})
      from unnest(${questions.map(({ venueId }) => venueId)}::text[],
          ${questions.map((asked) => asked.position.cluster)}::text[],
          ${questions.map((asked) => asked.position.snapshot)}::text[]::pg_snapshot[])
          with ordinality as asked (venue_id, cluster, snapshot, number)
      order by asked.number) as current
    from (${position(tx)}) now`;
  const { cluster, snapshot, current } = row;
  return current.map((isCurrent) => ({ now: { cluster, snapshot }, isCurrent }));
}

/** Has changes of these venues notified for a while; in one order, so that two nodes do not deadlock. */
export async function watchVenues(tx: Tx, venueIds: readonly VenueId[], seconds: number): Promise<void> {
  await tx`
    insert into diary_watch (venue_id, until)
    select id, now() + make_interval(secs => ${seconds}) from unnest(${[...venueIds]}::text[]) as id order by id
    on conflict (venue_id) do update set until = greatest(diary_watch.until, excluded.until)`;
}

const PRUNED_AT_A_TIME = 10_000;

/** Deletes changes that are older, and notes up to where. Returns how many. */
export async function pruneChanges(tx: Tx, hours: number): Promise<number> {
  const [row] = await tx<[{ gone: number }]>`
    with gone as (
      delete from diary_change where ctid = any(array(
        select ctid from diary_change where created_at < now() - make_interval(hours => ${hours})
        limit ${PRUNED_AT_A_TIME}))
      returning xid),
    noted as (
      update diary_log set pruned_to = latest.xid from (select xid from gone order by xid desc limit 1) latest
      where diary_log.pruned_to < latest.xid)
    select count(*) as gone from gone`;
  return row.gone;
}

export async function forgetWatches(tx: Tx): Promise<void> {
  await tx`delete from diary_watch where until < now() - interval '1 hour'`;
}

export const isLastRound = (gone: number) => gone < PRUNED_AT_A_TIME;
