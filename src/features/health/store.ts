/** Everything that is counted is bounded, by an index or by a limit. */
import type { Tx } from '../../db/database.ts';

export interface NodeRow {
  id: string;
  host: string;
  role: string;
  version: string;
  startedAt: Temporal.Instant;
  seenAt: Temporal.Instant;
  isUp: boolean;
  restingSystems: string[];
  /** Null: a node of a version that had one key. */
  keyIds: string[] | null;
}

export type Heartbeat = Pick<NodeRow, 'id' | 'host' | 'role' | 'version' | 'restingSystems'> & {
  keyIds: string[];
};

/** On the clock of the database, by which nodes can be compared. Nodes that died long ago go. */
export async function beat(
  tx: Tx,
  { id, host, role, version, restingSystems, keyIds }: Heartbeat,
): Promise<void> {
  await tx`
    with gone as (delete from node where seen_at < now() - interval '1 day')
    insert into node (id, host, role, version, started_at, seen_at, resting_systems, key_ids)
    values (${id}, ${host}, ${role}, ${version}, now(), now(), ${restingSystems}, ${keyIds})
    on conflict (id) do update set seen_at = now(), resting_systems = excluded.resting_systems`;
}

export async function removeNode(tx: Tx, id: string): Promise<void> {
  await tx`delete from node where id = ${id}`;
}

export async function listNodes(tx: Tx, upSeconds: number, limit: number): Promise<NodeRow[]> {
  const rows = await tx<NodeRow[]>`
    select id, host, role, version, started_at as "startedAt", seen_at as "seenAt",
      seen_at > now() - make_interval(secs => ${upSeconds}) as "isUp", resting_systems as "restingSystems", key_ids as "keyIds"
    from node where seen_at > now() - interval '1 day' order by started_at, id limit ${limit}`;
  return [...rows];
}

export interface DatabaseFigures {
  sizeBytes: number;
  connections: number;
  maxConnections: number;
}

export async function readDatabase(tx: Tx): Promise<DatabaseFigures> {
  const [row] = await tx<[DatabaseFigures]>`
    select pg_database_size(current_database()) as "sizeBytes",
      (select numbackends from pg_stat_database where datname = current_database()) as connections,
      current_setting('max_connections')::int as "maxConnections"`;
  return row;
}

export interface QueueRow {
  name: string;
  waiting: number;
  failed: number;
  oldestDueAt: Temporal.Instant | null;
}

/** Of pg-boss, which counts failures itself every minute; its schema is there once a worker has started. */
export async function listQueues(tx: Tx, limit: number): Promise<QueueRow[]> {
  const [there] = await tx<[{ exists: boolean }]>`select to_regclass('jobs.queue') is not null as exists`;
  if (!there.exists) return [];
  const rows = await tx<QueueRow[]>`
    select q.name, coalesce(w.waiting, 0)::int as waiting, q.failed_count as failed, w.due as "oldestDueAt"
    from jobs.queue q left join lateral (
      select count(*) as waiting, min(start_after) as due from (
        select start_after from jobs.job j
        where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
        limit ${limit}) due) w on true
    where q.name not like '\\_\\_%' order by q.name limit ${limit}`;
  return [...rows];
}

export interface MailFigures {
  waiting: number;
  retrying: number;
  oldestDueAt: Temporal.Instant | null;
}

export async function readMails(tx: Tx, limit: number): Promise<MailFigures> {
  const [row] = await tx<[MailFigures]>`
    select count(*)::int as waiting, (count(*) filter (where attempts > 0))::int as retrying,
      min(attempt_at) filter (where attempt_at <= now()) as "oldestDueAt"
    from (select attempts, attempt_at from mail limit ${limit}) mail`;
  return row;
}

export interface FailingRow {
  webhookId: string;
  partnerId: number | null;
  operatorId: number | null;
  label: string | null;
  retrying: number;
}

export interface WebhookFigures {
  waiting: number;
  oldestDueAt: Temporal.Instant | null;
}

/** A claim ends in the future, so what is due and not claimed waits. */
export async function readWebhooks(tx: Tx, limit: number): Promise<WebhookFigures> {
  const [row] = await tx<[WebhookFigures]>`
    select count(*)::int as waiting,
      min(greatest(due_at, created_at)) filter (where due_at <= now()) as "oldestDueAt"
    from (select d.due_at, d.created_at from delivery d join webhook w on w.id = d.webhook_id and w.is_active
      where d.status = 'pending' limit ${limit}) waiting`;
  return row;
}

export async function listFailing(
  tx: Tx,
  { each, limit }: { each: number; limit: number },
): Promise<FailingRow[]> {
  const rows = await tx<FailingRow[]>`
    select w.id as "webhookId", w.partner_id as "partnerId", w.operator_id as "operatorId", w.label, f.retrying
    from webhook w cross join lateral (
      select count(*)::int as retrying from (
        select from delivery d where d.webhook_id = w.id and d.status = 'pending' and d.attempts > 0
        limit ${each}) retried) f
    where w.is_active and f.retrying > 0 order by f.retrying desc, w.id limit ${limit}`;
  return [...rows];
}

export interface FeedFigures {
  venues: number;
  behind: number;
  failing: number;
  lastMadeAt: Temporal.Instant | null;
}

export async function readFeeds(tx: Tx): Promise<FeedFigures> {
  const [row] = await tx<[FeedFigures]>`
    select count(*)::int as venues, (count(*) filter (where mark > made_mark))::int as behind,
      (count(*) filter (where attempts > 1))::int as failing,
      (select max(made_at) from feed_channel) as "lastMadeAt"
    from feed_venue`;
  return row;
}
