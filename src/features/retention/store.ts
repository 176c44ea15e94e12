import type { Sql, Tx } from '../../db/database.ts';
import { firstIdAt, type Partition, type PartitionedTable, withBriefLocks } from '../../db/partitions.ts';

export const EVENTS: PartitionedTable = { name: 'event', every: 'month', column: 'id', key: 'id' };
/** In the month of their event, so that they go with it. */
export const DELIVERIES: PartitionedTable = {
  name: 'delivery',
  every: 'month',
  column: 'event_id',
  key: 'id',
};
export const ATTEMPTS: PartitionedTable = {
  name: 'delivery_attempt',
  every: 'month',
  column: 'started_at',
  key: 'time',
};
export const AUDIT_LOG: PartitionedTable = { name: 'audit_entry', every: 'month', column: 'id', key: 'id' };

/** Found in the index of what is pending: of old months it is empty or nearly so. */
async function hasPending(tx: Tx, { until }: Partition): Promise<boolean> {
  const rows = await tx`
    select from delivery where status = 'pending' and event_id < ${firstIdAt(until)} limit 1`;
  return rows.length > 0;
}

const isThere = async (tx: Tx, table: string) =>
  (await tx`select where to_regclass(${table}) is not null`).length > 0;

/** Attempts have a month of their own; those made after that of their delivery are removed with it. */
const deleteLaterAttempts = (tx: Tx, deliveries: string, { until }: Partition) => tx`
  delete from delivery_attempt a using ${tx(deliveries)} d
  where d.finished_at >= ${until} and a.delivery_id = d.id and a.started_at >= ${until}`;

/**
 * Drops the events of a month, the oldest there is, with their deliveries; false: some are still to be made, which is
 * asked again under the locks, so that a replay is either seen here or finds no event. Later attempts go too: receivers
 * may have repeated guests in their answers.
 */
export async function dropEventMonth(sql: Sql, month: Partition): Promise<boolean> {
  if (await hasPending(sql, month)) return false;
  const deliveries = month.name.replace(EVENTS.name, DELIVERIES.name);
  await withBriefLocks(sql, async (tx) => {
    const hasDeliveries = await isThere(tx, deliveries);
    const tables = hasDeliveries ? [deliveries, month.name] : [month.name];
    if (hasDeliveries) await deleteLaterAttempts(tx, deliveries, month);
    await tx`lock table only delivery, only event in access exclusive mode`;
    for (const name of tables) await tx`lock table ${tx(name)} in access exclusive mode`;
    if (await hasPending(tx, month)) throw new Error(`A delivery of ${month.name} was asked for just now.`);
    for (const name of tables) await tx`drop table ${tx(name)}`;
  });
  return true;
}

/** Drops a month of deliveries whose events had another partition, or none; false: some are still to be made. */
export async function dropDeliveryMonth(sql: Sql, month: Partition): Promise<boolean> {
  if (await hasPending(sql, month)) return false;
  await withBriefLocks(sql, async (tx) => {
    if (!(await isThere(tx, month.name))) return;
    await deleteLaterAttempts(tx, month.name, month);
    await tx`lock table only delivery in access exclusive mode`;
    await tx`lock table ${tx(month.name)} in access exclusive mode`;
    if (await hasPending(tx, month)) throw new Error(`A delivery of ${month.name} was asked for just now.`);
    await tx`drop table ${tx(month.name)}`;
  });
  return true;
}

const BATCH = 5000;

/** What came when its month had no partition, some thousand rows at a time; says whether there may be more. */
export async function deleteStrays(
  tx: Tx,
  { name, column, key }: PartitionedTable,
  before: Temporal.Instant,
): Promise<boolean> {
  const rest = tx(`${name}_default`);
  const bound = key === 'id' ? tx`${firstIdAt(before)}::uuid` : tx`${before}::timestamptz`;
  const isDue =
    name === EVENTS.name
      ? tx`not exists (select from delivery d where d.event_id = l.id and d.status = 'pending')`
      : name === DELIVERIES.name
        ? tx`l.status <> 'pending'`
        : tx`true`;
  const { count } = await tx`
    delete from ${rest} where ctid = any(array(
      select l.ctid from ${rest} l where l.${tx(column)} < ${bound} and ${isDue} limit ${BATCH}))`;
  return count === BATCH;
}
