import type { Tx } from '../../../db/database.ts';
import type { SealedSecrets } from '../subscriptions/secrets.ts';

/** A delivery that this node has claimed. */
export interface ClaimedDelivery extends SealedSecrets {
  id: string;
  /** The claim under which we hold it; void once another node has claimed it again. */
  claim: string;
  eventId: string;
  webhookId: string;
  /** Names its owner: `partner 1`, `operator 1`. */
  owner: string;
  callbackUrl: string;
  /** Made so far. */
  attempts: number;
  /** The first attempt is signed wrongly, as the partner asked in the sandbox. */
  isMissigned: boolean;
  /** Sealed. */
  body: Buffer;
  /** Of what caused the event. */
  traceparent: string | null;
}

export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** The guest in it was forgotten, the event is gone, or the subscription deleted at the moment of the event. */
  undeliverable: string[];
}

interface Row extends Omit<ClaimedDelivery, 'body' | 'callbackUrl'> {
  body: Buffer | null;
  callbackUrl: string | null;
}

const isDeliverable = (row: Row): row is Row & ClaimedDelivery =>
  row.body !== null && row.callbackUrl !== null;

export interface WebhookClaim {
  /** A new one each time. */
  claim: string;
  now: Temporal.Instant;
  /** When another node may attempt deliveries that the claimant has not recorded. */
  leaseUntil: Temporal.Instant;
  /** The limits: for active subscriptions in all, the same again for the others, and for one subscription. */
  room: number;
  roomEach: number;
  /** For subscriptions with a lower limit, such as those whose deliveries the claimant already has. */
  rooms: ReadonlyMap<string, number>;
}

/**
 * Claims what is due, a few of each subscription and subscriptions in no particular order, so that one with a long
 * queue does not delay others. The index is walked from subscription to subscription, however much waits in each. For
 * paused subscriptions only replays are claimed, through an index of their own: the rest may wait there for months. The
 * first and the last event say in which partitions to look.
 */
export async function claimDue(tx: Tx, request: WebhookClaim): Promise<Claimed> {
  const { claim, now, leaseUntil, room, roomEach, rooms } = request;
  const rows = await tx<Row[]>`
    with recursive waiting as (
      (select webhook_id from delivery where status = 'pending' order by webhook_id limit 1)
      union all
      select (select d.webhook_id from delivery d where d.status = 'pending' and d.webhook_id > w.webhook_id
        order by d.webhook_id limit 1)
      from waiting w where w.webhook_id is not null),
    asked as (
      select q.webhook_id, w.is_active, w.callback_url, w.secret, w.previous_secret, w.previous_until,
        coalesce(r.room, ${roomEach}) as room
      from waiting q left join webhook w on w.id = q.webhook_id
        left join unnest(${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::int[]) as r (id, room)
          on r.id = q.webhook_id
      where q.webhook_id is not null order by random()),
    due as (
      select d.id, d.event_id, w.* from asked w cross join lateral (
        select d.id, d.event_id from delivery d
        where d.webhook_id = w.webhook_id and d.status = 'pending' and d.due_at <= ${now}
        order by d.due_at, d.event_id limit w.room for update skip locked) d
      where w.is_active is not false limit ${room}),
    replayed as (
      select d.id, d.event_id, w.* from asked w cross join lateral (
        select d.id, d.event_id from delivery d
        where d.webhook_id = w.webhook_id and d.status = 'pending' and d.is_replay and d.due_at <= ${now}
        order by d.due_at, d.event_id limit w.room for update skip locked) d
      where not w.is_active limit ${room}),
    claimed as (select * from due union all select * from replayed)
    update delivery d set claim = ${claim}, due_at = ${leaseUntil}
    from claimed w left join lateral (select body, traceparent from event where id = w.event_id limit 1) e on true
    where d.id = any(array(select id from claimed)) and d.id = w.id
      and d.event_id >= (select event_id from claimed order by event_id limit 1)
      and d.event_id <= (select event_id from claimed order by event_id desc limit 1)
    returning d.id, d.claim, d.event_id as "eventId", d.webhook_id as "webhookId",
      coalesce('partner ' || d.partner_id, 'operator ' || d.operator_id) as owner, d.attempts, d.is_missigned as "isMissigned",
      e.body, e.traceparent, w.callback_url as "callbackUrl", w.secret,
      w.previous_secret as "previousSecret", w.previous_until as "previousUntil"`;
  const deliveries = withSharedSecrets(rows.filter(isDeliverable));
  const undeliverable = rows.filter((row) => !isDeliverable(row)).map(({ id }) => id);
  return { deliveries, undeliverable };
}

/** Deliveries of one subscription share the same secret buffers, which then are opened only once. */
function withSharedSecrets(deliveries: ClaimedDelivery[]): ClaimedDelivery[] {
  const shared = new Map<string, SealedSecrets>();
  return deliveries.map((delivery) => {
    const { secret, previousSecret, previousUntil } = shared.getOrInsert(delivery.webhookId, delivery);
    return { ...delivery, secret, previousSecret, previousUntil };
  });
}

/** How an attempt went, and what becomes of the delivery. */
export interface Attempted {
  id: string;
  eventId: string;
  claim: string;
  number: number;
  startedAt: Temporal.Instant;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  /** Sealed; null: there was none. */
  answer: Buffer | null;
  status: 'pending' | 'delivered' | 'dropped';
  /** The next attempt, or when there was the last. */
  at: Temporal.Instant;
}

/**
 * Records only what the claimant still holds: a node that took over records its own attempts. The ids are passed
 * beside the rows, as when deliveries are claimed, so that nothing else of the log is read. An answer is kept while the
 * event still has its body; the lock keeps a guest from being forgotten in between.
 */
export async function recordAttempts(tx: Tx, attempts: readonly Attempted[]): Promise<void> {
  const events = attempts.map(({ eventId }) => eventId).toSorted();
  const rows = tx.json(
    attempts.map(({ startedAt, at, answer, eventId: _, ...rest }) => ({
      ...rest,
      answer: answer && `\\x${answer.toString('hex')}`,
      startedAt: startedAt.toString(),
      at: at.toString(),
    })) as never,
  );
  await tx`
    with attempted as (
      select * from jsonb_to_recordset(${rows}) as a (id uuid, claim uuid, number smallint, "startedAt" timestamptz,
        "durationMs" integer, "statusCode" smallint, error text, answer bytea, status text, at timestamptz)),
    recorded as (
      update delivery d
      set status = a.status, attempts = a.number, claim = null,
        due_at = case when a.status = 'pending' then a.at else d.due_at end,
        finished_at = case when a.status = 'pending' then null else a.at end
      from attempted a
      where d.id = any(${attempts.map(({ id }) => id)}::uuid[]) and d.id = a.id and d.claim = a.claim
        and d.status = 'pending' and d.event_id between ${events.at(0) ?? ''}::uuid and ${events.at(-1) ?? ''}::uuid
      returning d.id, d.event_id),
    readable as (
      select e.id from event e
      where e.id in (select r.event_id from recorded r join attempted a using (id) where a.answer is not null)
        and e.body is not null
      order by e.id for share)
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms, status_code, error, answer)
    select a.id, a.number, a."startedAt", a."durationMs", a."statusCode", a.error,
      case when r.event_id in (select id from readable) then a.answer end
    from attempted a join recorded r using (id)
    on conflict do nothing`;
}

/** What is claimed and was not attempted goes back. */
export async function releaseClaims(
  tx: Tx,
  claimed: readonly Pick<ClaimedDelivery, 'id' | 'claim'>[],
  now: Temporal.Instant,
): Promise<void> {
  const ids = claimed.map(({ id }) => id);
  await tx`
    update delivery d set claim = null, due_at = ${now}
    from unnest(${ids}::uuid[], ${claimed.map(({ claim }) => claim)}::uuid[]) as c (id, claim)
    where d.id = any(${ids}::uuid[]) and d.id = c.id and d.claim = c.claim and d.status = 'pending'`;
}

/** What cannot be sent any more. */
export async function dropUndeliverable(
  tx: Tx,
  claim: string,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update delivery set status = 'dropped', claim = null, finished_at = ${now}
    where id = any(${ids as string[]}::uuid[]) and claim = ${claim}`;
}

/** Those of paused subscriptions wait on purpose. Read from the index of what is pending alone. */
export async function countWaiting(tx: Tx): Promise<number> {
  const [found] = await tx<{ count: number }[]>`
    select count(*)::int as count from delivery d
    where d.status = 'pending' and not exists (select from webhook w where w.id = d.webhook_id and not w.is_active)`;
  return found?.count ?? 0;
}

/** When the one was due that has been due for the longest; not before there was something to tell. */
export async function findMostOverdue(tx: Tx): Promise<Temporal.Instant | null> {
  const [found] = await tx<{ dueAt: Temporal.Instant | null }[]>`
    select min(greatest(d.due_at, d.created_at)) as "dueAt" from delivery d
    where d.status = 'pending' and not exists (select from webhook w where w.id = d.webhook_id and not w.is_active)`;
  return found?.dueAt ?? null;
}
