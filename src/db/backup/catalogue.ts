/** What there is to be copied, from the catalogue of the database: no table is named here. */
import type { Tx } from '../database.ts';
import type { BackupSequence, Partition } from './format.ts';

export interface Copied {
  table: string;
  columns: string[];
}

/** Tables without their partitions, which are copied with them. What extensions have brought is theirs. */
export async function listTables(tx: Tx): Promise<Copied[]> {
  const rows = await tx<Copied[]>`
    select c.relname as table, array(
      select attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and d.deptype = 'e')
    order by c.relname`;
  return [...rows];
}

/** Those of a table before those of its partitions, should these have some. */
export async function listPartitions(tx: Tx): Promise<Partition[]> {
  const rows = await tx<Partition[]>`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind in ('r', 'p')
    order by c.relname`;
  return [...rows];
}

export async function listSequences(tx: Tx): Promise<BackupSequence[]> {
  const names = await tx<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by c.relname`;
  const sequences: BackupSequence[] = [];
  for (const { name } of names) {
    const [row] = await tx<Omit<BackupSequence, 'name'>[]>`
      select last_value::text as "lastValue", is_called as "isCalled" from ${tx(name)}`;
    if (row) sequences.push({ name, ...row });
  }
  return sequences;
}

/** The same for the same rows in any order, on every version of PostgreSQL. */
export async function checksumOf(tx: Tx, table: string): Promise<{ rows: number; checksum: string }> {
  const [row] = await tx<[{ rows: number; checksum: string }]>`
    select count(*) as rows, coalesce(sum(
      ('x' || encode(substring(sha256(convert_to(t::text, 'UTF8')) for 7), 'hex'))::bit(56)::bigint), 0)::text as checksum
    from ${tx(table)} t`;
  return row;
}

export async function isEmptyDatabase(tx: Tx): Promise<boolean> {
  const found = await tx`
    select from pg_class c where c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'jobs'))
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and d.deptype = 'e') limit 1`;
  return found.length === 0;
}

/** Rows are written as they are: what they would bring about has happened already, and is in the backup. */
export async function suspendRules(tx: Tx, tables: readonly Copied[]): Promise<() => Promise<void>> {
  const keys = await tx<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
    order by 1, 2`;
  for (const { table, name } of keys) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`;
  for (const { table } of tables) await tx`alter table ${tx(table)} disable trigger user`;
  return async () => {
    for (const { table } of tables) await tx`alter table ${tx(table)} enable trigger user`;
    // Adding them checks every row.
    for (const { table, name, definition } of keys)
      await tx`alter table ${tx(table)} add constraint ${tx(name)} ${tx.unsafe(definition)}`;
  };
}

/** Those that the backup had in place of those that migrations have made. */
export async function replacePartitions(tx: Tx, wanted: readonly Partition[]): Promise<void> {
  const known = await listPartitions(tx);
  const isWanted = (one: Partition) =>
    wanted.some((each) => each.name === one.name && each.parent === one.parent && each.bounds === one.bounds);
  for (const { name } of known.filter((one) => !isWanted(one))) await tx`drop table ${tx(name)}`;
  const kept = known.filter(isWanted).map(({ name }) => name);
  for (const one of wanted.filter(({ name }) => !kept.includes(name))) await makePartition(tx, one);
}

/** Where there is a default partition, the keys and indexes are those of the partitions, as add_partition() makes them. */
async function makePartition(tx: Tx, { name, parent, bounds }: Partition): Promise<void> {
  const rest = `${parent}_default`;
  const [found] = await tx`select from pg_class where oid = to_regclass(${rest}) and relispartition`;
  if (found) {
    await tx`create table ${tx(name)} (like ${tx(rest)} including all)`;
    await tx`alter table ${tx(parent)} attach partition ${tx(name)} ${tx.unsafe(bounds)}`;
  } else await tx`create table ${tx(name)} partition of ${tx(parent)} ${tx.unsafe(bounds)}`;
}

export async function emptyTables(tx: Tx, tables: readonly Copied[]): Promise<void> {
  for (const { table } of tables) await tx`delete from ${tx(table)}`;
}

export async function setSequences(tx: Tx, sequences: readonly BackupSequence[]): Promise<void> {
  for (const { name, lastValue, isCalled } of sequences)
    await tx`select setval(${name}::regclass, ${lastValue}::text::bigint, ${isCalled})`;
}
