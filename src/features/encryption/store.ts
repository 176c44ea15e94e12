import type { Fragment, Tx } from '../../db/database.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';

export interface KeyRow {
  id: string;
  usedAt: Temporal.Instant;
  retiredAt: Temporal.Instant | null;
}

/** Of going through all tables, towards one key. */
export interface Pass {
  startedAt: Temporal.Instant | null;
  found: number;
  failed: number;
  hashingAt: Temporal.Instant | null;
}

export interface Progress {
  table: string;
  position: string[] | null;
  lookedAt: number;
  resealed: number;
  unreadable: number;
  isFinished: boolean;
}

/** Nodes that start at the same time are judged one after the other. */
export async function lockKeys(tx: Tx): Promise<void> {
  await tx`lock table encryption_key in share row exclusive mode`;
}

export async function saveKey(tx: Tx, id: string): Promise<void> {
  await tx`
    insert into encryption_key (id) values (${id})
    on conflict (id) do update set used_at = now(), retired_at = null`;
}

/** Says that this key still seals; a node that was thought to be dead takes back that the key is retired. */
export async function touchKey(tx: Tx, id: string, everySeconds: number): Promise<void> {
  await tx`
    update encryption_key set used_at = now(), retired_at = null
    where id = ${id} and (retired_at is not null or used_at < now() - make_interval(secs => ${everySeconds}))`;
}

export async function listKeys(tx: Tx): Promise<KeyRow[]> {
  const rows = await tx<KeyRow[]>`
    select id, used_at as "usedAt", retired_at as "retiredAt" from encryption_key order by used_at desc, id`;
  return [...rows];
}

const passColumns = (tx: Tx) => tx`
  pass_started_at as "startedAt", pass_found as found, pass_failed as failed, hashing_at as "hashingAt"`;

/** Locks the work; undefined: another node is at it. */
export async function claimPass(tx: Tx, keyId: string): Promise<Pass | undefined> {
  const [pass] = await tx<Pass[]>`
    select ${passColumns(tx)} from encryption_key where id = ${keyId} for update skip locked`;
  return pass;
}

export async function findPass(tx: Tx, keyId: string): Promise<Pass | undefined> {
  const [pass] = await tx<Pass[]>`select ${passColumns(tx)} from encryption_key where id = ${keyId}`;
  return pass;
}

export interface Others {
  /** Keys besides this one that values may be sealed with. */
  ids: string[];
  /** Nodes that are up, or were a moment ago, and seal with one of them. */
  hosts: string[];
  /** One of them was used after this instant, or there is none to compare with. */
  wereUsedSince: boolean;
}

/** What keeps values from being sealed with one key alone. Nodes tell of themselves with their heartbeats. */
export async function findOthers(
  tx: Tx,
  keyId: string,
  { since, upSeconds }: { since: Temporal.Instant | null; upSeconds: number },
): Promise<Others> {
  const [row] = await tx<[Others & { recentIds: string[] }]>`
    with other as (select * from encryption_key where id <> ${keyId} and retired_at is null)
    select array(select id from other order by id) as ids,
      array(select id from other where used_at > now() - make_interval(secs => ${upSeconds})) as "recentIds",
      array(select host from node where seen_at > now() - make_interval(secs => ${upSeconds})
        and key_ids[1] is distinct from ${keyId} order by started_at, id limit 20) as hosts,
      coalesce((select bool_or(${since}::timestamptz is null or used_at >= ${since}) from other), false)
        as "wereUsedSince"`;
  const { recentIds, ...others } = row;
  // One that has just begun or stopped has no heartbeat in the table.
  const unnamed = others.hosts.length === 0 && recentIds.length > 0;
  return unnamed ? { ...others, hosts: ['a node that has just stopped or started'] } : others;
}

export async function beginPass(tx: Tx, keyId: string, tables: readonly SealedTable[]): Promise<void> {
  await tx`
    update encryption_key set pass_started_at = now(), pass_found = 0, pass_failed = 0, hashing_at = null
    where id = ${keyId}`;
  await tx`delete from encryption_progress where key_id = ${keyId}`;
  await tx`
    insert into encryption_progress (key_id, table_name)
    select ${keyId}, unnest(${tables.map(({ table }) => table)}::text[])`;
}

export async function beginHashing(tx: Tx, keyId: string): Promise<void> {
  await tx`update encryption_key set hashing_at = now() where id = ${keyId}`;
}

export async function listProgress(tx: Tx, keyId: string): Promise<Progress[]> {
  const rows = await tx<Progress[]>`
    select table_name as table, position, looked_at as "lookedAt", resealed, unreadable, is_finished as "isFinished"
    from encryption_progress where key_id = ${keyId}`;
  return [...rows];
}

export async function saveProgress(
  tx: Tx,
  keyId: string,
  { table, position, lookedAt, resealed, unreadable, isFinished }: Progress,
  pass: { found: number; failed: number },
): Promise<void> {
  await tx`
    update encryption_progress set position = ${position}, looked_at = ${lookedAt}, resealed = ${resealed},
      unreadable = ${unreadable}, is_finished = ${isFinished}
    where key_id = ${keyId} and table_name = ${table}`;
  await tx`
    update encryption_key set pass_found = pass_found + ${pass.found}, pass_failed = pass_failed + ${pass.failed}
    where id = ${keyId}`;
}

export async function isOlderThan(tx: Tx, at: Temporal.Instant | null, minutes: number): Promise<boolean> {
  const [row] = await tx<[{ isOlder: boolean }]>`
    select ${at}::timestamptz < now() - make_interval(mins => ${minutes}) as "isOlder"`;
  return row.isOlder;
}

/** Keys that no node has used since the last pass began. */
export async function retireOthers(tx: Tx, keyId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update encryption_key set retired_at = now() where id <> ${keyId} and retired_at is null
      and used_at < (select pass_started_at from encryption_key where id = ${keyId})
    returning id`;
  return rows.map(({ id }) => id);
}

/** About how many rows a table has: counted as far as it is cheap, then as the database estimates. */
export async function estimateRows(tx: Tx, table: string): Promise<number> {
  const [row] = await tx<[{ rows: number }]>`
    select greatest((select count(*) from (select from ${tx(table)} limit 10000) few),
      (select sum(c.reltuples) from pg_partition_tree(${table}::regclass) part
        join pg_class c on c.oid = part.relid where part.isleaf))::float8 as rows`;
  return Math.max(0, Math.round(row.rows));
}

/** A row with values of another key: its key, and those values in the order of the columns. */
export interface FoundRow {
  position: string[];
  sealed: (Buffer | null)[];
}

const list = (tx: Tx, parts: readonly Fragment[]): Fragment =>
  parts.reduce((all, part) => tx`${all}, ${part}`);

/** The types of the columns of the key, to compare them with a position that is kept as text. */
async function typesOf(tx: Tx, { table, key }: SealedTable): Promise<string[]> {
  const rows = await tx<{ name: string; type: string }[]>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${table}::regclass and attname = any(${key as string[]})`;
  return key.map((name) => rows.find((row) => row.name === name)?.type ?? 'text');
}

/** The next rows by their key. Only values of another key are sent here. */
export async function listAfter(
  tx: Tx,
  sealed: SealedTable,
  { position, header, limit }: { position: string[] | null; header: Buffer; limit: number },
): Promise<FoundRow[]> {
  const { table, columns, key } = sealed;
  const types = await typesOf(tx, sealed);
  const keyColumns = list(
    tx,
    key.map((name) => tx`${tx(name)}`),
  );
  const values = (position ?? []).map((text, at) => tx`${text}::text::${tx.unsafe(types[at] ?? 'text')}`);
  const others = columns.map(
    (name, at) => tx`
      case when substring(${tx(name)} from 1 for ${header.length}) <> ${header} then ${tx(name)} end
        as ${tx(`value${at}`)}`,
  );
  const texts = key.map((name) => tx`${tx(name)}::text`);
  const rows = await tx<({ position: string[] } & Record<`value${number}`, Buffer | null>)[]>`
    select array[${list(tx, texts)}] as position, ${list(tx, others)}
    from ${tx(table)} ${position ? tx`where (${keyColumns}) > (${list(tx, values)})` : tx``}
    order by ${keyColumns} limit ${limit}`;
  return rows.map((row) => ({
    position: row.position,
    sealed: columns.map((_, at) => row[`value${at}`] ?? null),
  }));
}

export interface Renewed {
  position: readonly string[];
  before: Buffer;
  after: Buffer;
}

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

/** Replaces values that are still those that were read; a transaction that changed one meanwhile has sealed it already. */
export async function replaceValues(
  tx: Tx,
  sealed: SealedTable,
  column: string,
  renewed: readonly Renewed[],
): Promise<number> {
  if (renewed.length === 0) return 0;
  const { table, key } = sealed;
  const types = await typesOf(tx, sealed);
  const isSame = key.map(
    (name, at) => tx`t.${tx(name)} = (item.position ->> ${at}::int)::${tx.unsafe(types[at] ?? 'text')}`,
  );
  const items = renewed.map(({ position, before, after }) => ({
    position,
    before: hex(before),
    after: hex(after),
  }));
  await tx`select set_config('maitred.is_resealing', 'yes', true)`;
  const { count } = await tx`
    update ${tx(table)} t set ${tx(column)} = item.after
    from jsonb_to_recordset(${tx.json(items as never)}) as item (position jsonb, before bytea, after bytea)
    where ${isSame.reduce((all, part) => tx`${all} and ${part}`)} and t.${tx(column)} = item.before`;
  return count;
}
