import type { Sql, Tx } from '../../src/db/database.ts';

const nameOf = (index: number) => `bare_row_${index}`;

export async function createBareTables(sql: Sql, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await sql`create table ${sql(nameOf(index))} (id uuid primary key, content bytea not null)`;
}

export async function lockBare(tx: Tx, name: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

export async function insertBareRow(tx: Tx, index: number, id: string, content: Buffer): Promise<void> {
  await tx`insert into ${tx(nameOf(index))} (id, content) values (${id}, ${content})`;
}

/** How long the rows of a booking are: of the booking itself, of its event, and of its table in the book. */
export async function rowSizes(sql: Sql): Promise<number[]> {
  const [row] = await sql<[{ sizes: number[] }]>`
    select array[(select avg(pg_column_size(b.*)) from booking b), (select avg(pg_column_size(e.*)) from event e),
      (select avg(pg_column_size(r.*)) from house_reservation r)]::int[] as sizes`;
  return row.sizes;
}

export async function someBookings(sql: Sql, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from booking limit ${count}`;
  return rows.map(({ id }) => id);
}
