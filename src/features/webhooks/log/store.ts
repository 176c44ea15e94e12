import type { Fragment, Tx } from '../../../db/database.ts';
import { DELIVERIES, type EventType } from '../../events/service.ts';
import type { PostError } from '../delivery/attempt.ts';
import type { Owner } from '../subscriptions/secrets.ts';
import { ownedBy, ownerColumns } from '../subscriptions/store.ts';
import type { DeliveryStatus } from './schema.ts';

export interface LogRow {
  id: string;
  type: EventType;
  occurredAt: Temporal.Instant;
  bookingId: string | null;
  venueId: string;
  /** Sealed; null once the guest in it was forgotten. */
  body: Buffer | null;
}

export interface LogFilter {
  id: string | undefined;
  type: EventType | undefined;
  since: Temporal.Instant | undefined;
  until: Temporal.Instant | undefined;
  /** Only what comes after this event. */
  after: string | undefined;
  limit: number;
}

/**
 * How far the log is settled: nothing up to here becomes visible later. Read in a statement of its own and outside of
 * any transaction, because a read up to here needs a younger snapshot.
 */
export async function getSettledPosition(tx: Tx): Promise<number> {
  const [row] = await tx<[{ position: number }]>`select settled_event_position() as position`;
  return row.position;
}

export async function listLog(
  tx: Tx,
  owner: Owner,
  settled: number,
  { id, type, since, until, after, limit }: LogFilter,
): Promise<LogRow[]> {
  const rows = await tx<LogRow[]>`
    select id, type, occurred_at as "occurredAt", booking_id as "bookingId", venue_id as "venueId", body
    from event e
    where ${ownedBy(tx, owner, 'e')} and position <= ${settled}
      ${id === undefined ? tx`` : tx`and id = ${id}`}
      ${after === undefined ? tx`` : tx`and position > (select position from event where id = ${after})`}
      ${type === undefined ? tx`` : tx`and type = ${type}`}
      ${since === undefined ? tx`` : tx`and occurred_at >= ${since}`}
      ${until === undefined ? tx`` : tx`and occurred_at < ${until}`}
    order by position limit ${limit}`;
  return [...rows];
}

export async function hasEvent(tx: Tx, owner: Owner, id: string): Promise<boolean> {
  const rows = await tx`select from event e where ${ownedBy(tx, owner, 'e')} and id = ${id}`;
  return rows.length > 0;
}

export interface DeliveryRow {
  id: string;
  eventId: string;
  eventType: EventType;
  webhookId: string;
  status: DeliveryStatus;
  isReplay: boolean;
  createdAt: Temporal.Instant;
  dueAt: Temporal.Instant;
  finishedAt: Temporal.Instant | null;
}

export interface DeliveryFilter {
  webhookId: string | undefined;
  eventId: string | undefined;
  status: DeliveryStatus | undefined;
  /** Only what comes after this delivery. */
  after: string | undefined;
  limit: number;
}

const deliveriesOf = (tx: Tx, owner: Owner): Fragment => tx`
  select d.id, d.event_id as "eventId", e.type as "eventType", d.webhook_id as "webhookId", d.status,
    d.is_replay as "isReplay", d.created_at as "createdAt", d.due_at as "dueAt", d.finished_at as "finishedAt"
  from delivery d join event e on e.id = d.event_id
  where ${ownedBy(tx, owner, 'd')}`;

/** Literal statuses, so that the planner can use the partial index of dropped deliveries. */
const withStatus = (tx: Tx, status: DeliveryStatus): Fragment =>
  ({
    pending: tx`and d.status = 'pending'`,
    delivered: tx`and d.status = 'delivered'`,
    dropped: tx`and d.status = 'dropped'`,
  })[status];

/** The newest first. */
export async function listDeliveries(
  tx: Tx,
  owner: Owner,
  { webhookId, eventId, status, after, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  const rows = await tx<DeliveryRow[]>`
    ${deliveriesOf(tx, owner)}
      ${webhookId === undefined ? tx`` : tx`and d.webhook_id = ${webhookId}`}
      ${eventId === undefined ? tx`` : tx`and d.event_id = ${eventId}`}
      ${status === undefined ? tx`` : withStatus(tx, status)}
      ${after === undefined ? tx`` : tx`and (d.created_at, d.id) < (select created_at, id from delivery where id = ${after})`}
    order by d.created_at desc, d.id desc limit ${limit}`;
  return [...rows];
}

export async function findDelivery(tx: Tx, owner: Owner, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await tx<DeliveryRow[]>`${deliveriesOf(tx, owner)} and d.id = ${id}`;
  return row;
}

export interface AttemptRow {
  deliveryId: string;
  number: number;
  startedAt: Temporal.Instant;
  durationMs: number;
  statusCode: number | null;
  error: PostError | null;
}

/** An attempt is made after its delivery; the difference between clocks is far less. */
const CLOCKS_APART = { hours: 24 };

/** Of each delivery the first one first. The oldest of them says in which partitions to look. */
export async function listAttempts(
  tx: Tx,
  deliveries: readonly Pick<DeliveryRow, 'id' | 'createdAt'>[],
): Promise<AttemptRow[]> {
  const [oldest] = deliveries.map(({ createdAt }) => createdAt).toSorted(Temporal.Instant.compare);
  if (!oldest) return [];
  const ids = deliveries.map(({ id }) => id);
  const rows = await tx<AttemptRow[]>`
    select delivery_id as "deliveryId", number, started_at as "startedAt", duration_ms as "durationMs",
      status_code as "statusCode", error
    from delivery_attempt
    where delivery_id = any(${ids}::uuid[]) and started_at >= ${oldest.subtract(CLOCKS_APART)} order by number`;
  return [...rows];
}

export interface DeliveryContent {
  /** Sealed; null once the guest in it was forgotten. */
  body: Buffer | null;
  /** Null: the subscription is gone. */
  callbackUrl: string | null;
}

export async function findDeliveryContent(
  tx: Tx,
  owner: Owner,
  id: string,
): Promise<DeliveryContent | undefined> {
  const [row] = await tx<DeliveryContent[]>`
    select e.body, w.callback_url as "callbackUrl"
    from delivery d join event e on e.id = d.event_id left join webhook w on w.id = d.webhook_id
    where ${ownedBy(tx, owner, 'd')} and d.id = ${id}`;
  return row;
}

/** The sealed answers to the attempts of a delivery, by number. */
export async function listAnswers(tx: Tx, deliveryId: string): Promise<Map<number, Buffer>> {
  const rows = await tx<{ number: number; answer: Buffer }[]>`
    select number, answer from delivery_attempt where delivery_id = ${deliveryId} and answer is not null`;
  return new Map(rows.map(({ number, answer }) => [number, answer]));
}

export interface ReplayOrder {
  webhookId: string;
  now: Temporal.Instant;
  atMost: number;
  /** One event, or those of a time. */
  events:
    | { eventId: string }
    | {
        since: Temporal.Instant;
        until: Temporal.Instant | undefined;
        types: readonly EventType[] | undefined;
      };
}

export interface ReplayMade {
  deliveries: number;
  /** When the first event beyond the limit happened. */
  continueFrom: Temporal.Instant | null;
}

/**
 * Delivers again every event that still has a body and no pending replay, so that a repeated request delivers once.
 * Events of one moment are taken all or none, so that the next replay can continue from it.
 */
export async function insertReplay(tx: Tx, owner: Owner, order: ReplayOrder): Promise<ReplayMade> {
  const { partnerId, operatorId } = ownerColumns(owner);
  const { webhookId, now, atMost, events } = order;
  const [row] = await tx<[ReplayMade]>`
    with asked as (
      select e.id, e.occurred_at from event e
      where ${ownedBy(tx, owner, 'e')} and ${askedFor(tx, events)} and e.body is not null
        and not exists (select from delivery d where d.event_id = e.id and d.webhook_id = ${webhookId}
          and d.is_replay and d.status = 'pending')
      order by e.occurred_at, e.id limit ${atMost + 1}),
    rest as (select occurred_at from asked order by occurred_at, id offset ${atMost}),
    made as (
      insert into delivery (id, event_id, webhook_id, partner_id, operator_id, is_replay, due_at, created_at)
      select gen_random_uuid(), id, ${webhookId}, ${partnerId}::integer, ${operatorId}::integer, true, ${now}, ${now} from asked
      where occurred_at < coalesce((select occurred_at from rest), 'infinity')
      returning 1)
    select (select count(*) from made) as deliveries, (select occurred_at from rest) as "continueFrom",
      pg_notify('changed', ${DELIVERIES})`;
  return { deliveries: row.deliveries, continueFrom: row.continueFrom };
}

function askedFor(tx: Tx, events: ReplayOrder['events']): Fragment {
  if ('eventId' in events) return tx`e.id = ${events.eventId}`;
  const { since, until, types } = events;
  return tx`e.occurred_at >= ${since}
    ${until === undefined ? tx`` : tx`and e.occurred_at < ${until}`}
    ${types === undefined ? tx`` : tx`and e.type = any(${types as string[]}::text[])`}`;
}

interface TestWindow {
  beganAt: Temporal.Instant;
  /** This one included. */
  calls: number;
}

/**
 * Counts a call in one statement, so that calls at the same moment on other nodes are counted too. A window that
 * begins long after now was begun by a clock that has been put right since, and counts as over.
 */
export async function countTestCall(
  tx: Tx,
  owner: Owner,
  { now, seconds }: { now: Temporal.Instant; seconds: number },
): Promise<TestWindow> {
  const isOver = () => tx`
    (w.began_at <= ${now.subtract({ seconds })} or w.began_at > ${now.add({ seconds })})`;
  const column = tx(owner.kind === 'partner' ? 'partner_id' : 'operator_id');
  const [window] = await tx<[TestWindow]>`
    insert into webhook_test_window as w (${column}, began_at, calls) values (${owner.id}, ${now}, 1)
    on conflict (${column}) do update set
      began_at = case when ${isOver()} then excluded.began_at else w.began_at end,
      calls = case when ${isOver()} then 1 else w.calls + 1 end
    returning began_at as "beganAt", calls`;
  return window;
}
