/** Every row of every table before the upgrade, and what became of it. */
import type { Sql } from '../../src/db/database.ts';

const PLACE = 'before_upgrade';

export interface Table {
  name: string;
  key: string[];
  rows: number;
}

export interface TableChanges extends Table {
  /** Rows that are gone. */
  missing: number;
  /** Old columns with other values, and in how many rows. */
  changed: Map<string, number>;
}

/** Copies all tables, in one transaction while nothing writes. */
export async function copyTables(sql: Sql): Promise<Table[]> {
  return sql.begin(async (tx) => {
    await tx`create schema ${tx(PLACE)}`;
    const tables = await tx<Omit<Table, 'rows'>[]>`
      select c.relname as name, array(
        select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as key
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
      order by c.relname`;
    const copied: Table[] = [];
    for (const { name, key } of tables) {
      const { count } = await tx`create table ${tx(PLACE)}.${tx(name)} as table public.${tx(name)}`;
      copied.push({ name, key, rows: count });
    }
    return copied;
  });
}

export async function compareTables(sql: Sql, tables: readonly Table[]): Promise<TableChanges[]> {
  const compared: TableChanges[] = [];
  for (const table of tables) compared.push({ ...table, ...(await compareTable(sql, table)) });
  return compared;
}

async function compareTable(sql: Sql, { name, key }: Table): Promise<Omit<TableChanges, keyof Table>> {
  const old = sql`${sql(PLACE)}.${sql(name)}`;
  if (key.length === 0) return compareKeyless(sql, name);
  const joined = sql`${old} o left join public.${sql(name)} n using (${sql(key)})`;
  const [gone] = await sql<
    [{ missing: number }]
  >`select count(*)::int as missing from ${joined} where n is null`;
  const columns = await sql<{ column: string; rows: number }[]>`
    select e.key as column, count(*)::int as rows
    from ${joined}, lateral jsonb_each(to_jsonb(o)) e
    where not (n is null) and to_jsonb(n) -> e.key is distinct from e.value
    group by 1 order by 1`;
  return { missing: gone.missing, changed: new Map(columns.map(({ column, rows }) => [column, rows])) };
}

/** Rows that nothing tells apart are counted: as many as before have to be there. */
async function compareKeyless(sql: Sql, name: string): Promise<Omit<TableChanges, keyof Table>> {
  const found = await sql<{ column: string }[]>`
    select attname as column from pg_attribute
    where attrelid = ${`${PLACE}.${name}`}::regclass and attnum > 0 and not attisdropped`;
  const columns = sql(found.map(({ column }) => column));
  const [gone] = await sql<[{ missing: number }]>`
    select count(*)::int as missing from (
      select ${columns} from ${sql(PLACE)}.${sql(name)} except all select ${columns} from public.${sql(name)}) gone`;
  return { missing: gone.missing, changed: new Map() };
}
