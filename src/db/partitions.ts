/**
 * Tables that consist of one partition for each day or month (UTC), so that what is old is dropped as a whole. The
 * partitions of the time to come are made ahead by `add_partition` of migrations/0033_monthly_logs.sql.
 */
import { DEADLINES } from '../kernel/deadlines.ts';
import { inTransaction, limitLockWaits, type Sql, type Tx } from './database.ts';

export interface PartitionedTable {
  name: string;
  every: 'day' | 'month';
  /** By which the rows are spread. */
  column: string;
  /** What stands there: a time, or an id that begins with one, see `newId`. */
  key: 'time' | 'id';
}

export interface Partition {
  name: string;
  /** Null: it begins with the first row there ever was. */
  from: Temporal.Instant | null;
  /** Everything in it is of before. */
  until: Temporal.Instant;
}

/** A request for the lock of such a table that has to wait blocks every later writer of the table; so it gives up soon. */
export const withBriefLocks = <T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(sql, async (tx) => {
    await limitLockWaits(tx, DEADLINES.partitionLock);
    return work(tx);
  });

/** The partition of that moment and those of the next days or months; says how many were missing. */
export async function makePartitions(
  sql: Sql,
  table: PartitionedTable,
  at: Temporal.Instant,
  ahead = 0,
): Promise<number> {
  const first = periodAt(table, at);
  const length = table.every === 'day' ? 'days' : 'months';
  const periods = Array.from({ length: ahead + 1 }, (_, count) => first.add({ [length]: count }));
  return withBriefLocks(sql, async (tx) => {
    let made = 0;
    for (const period of periods) {
      const [added] = await tx<[{ isNew: boolean }]>`
        select add_partition(${table.name}, ${nameOf(table, period)}, ${boundOf(table, period)},
          ${boundOf(table, period.add({ [length]: 1 }))}) as "isNew"`;
      if (added.isNew) made += 1;
    }
    return made;
  });
}

const startOf = (day: Temporal.PlainDate): Temporal.Instant =>
  day.toZonedDateTime({ timeZone: 'UTC' }).toInstant();

function periodAt({ every }: PartitionedTable, at: Temporal.Instant): Temporal.PlainDate {
  const day = at.toZonedDateTimeISO('UTC').toPlainDate();
  return every === 'day' ? day : day.with({ day: 1 });
}

const nameOf = ({ every }: PartitionedTable, period: Temporal.PlainDate): string =>
  period
    .toString()
    .replaceAll('-', '')
    .slice(0, every === 'day' ? 8 : 6);

const boundOf = ({ key }: PartitionedTable, period: Temporal.PlainDate): string =>
  key === 'id' ? firstIdAt(startOf(period)) : startOf(period).toString();

/** The least id that is made at that moment, as `first_id_at` has it in the database. */
export function firstIdAt(at: Temporal.Instant): string {
  const time = Math.max(0, at.epochMilliseconds).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The oldest first, without the default partition. */
export async function listPartitions(tx: Tx, table: PartitionedTable): Promise<Partition[]> {
  const rows = await tx<{ name: string }[]>`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = ${table.name}::text::regclass`;
  return rows
    .flatMap(({ name }) => partitionNamed(name, table) ?? [])
    .toSorted((a, b) => Temporal.Instant.compare(a.until, b.until));
}

/** `event_202611` ends with that month, `event_before_202611` before it. */
function partitionNamed(name: string, table: PartitionedTable): Partition | undefined {
  const match = /^_(before_)?(\d{4})(\d\d)(\d\d)?$/.exec(name.slice(table.name.length));
  if (!match) return undefined;
  const [, isBefore, year, month, day = '01'] = match;
  const named = Temporal.PlainDate.from(`${year}-${month}-${day}`);
  const ends = isBefore ? named : named.add(table.every === 'day' ? { days: 1 } : { months: 1 });
  return { name, from: isBefore ? null : startOf(named), until: startOf(ends) };
}

/** Of everything before that moment; says how many there were. */
export async function dropPartitions(
  sql: Sql,
  table: PartitionedTable,
  before: Temporal.Instant,
): Promise<number> {
  const old = (await listPartitions(sql, table)).filter(
    ({ until }) => Temporal.Instant.compare(until, before) <= 0,
  );
  for (const { name } of old) await withBriefLocks(sql, (tx) => tx`drop table if exists ${tx(name)}`);
  return old.length;
}
