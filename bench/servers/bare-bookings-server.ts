/**
 * The reference for making a booking: one transaction that takes one lock and writes three rows as long as those of a
 * booking. It is no server for each of them: asked at `/?ms=1500`, it repeats that for so long and says how often.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { createBareTables, insertBareRow, lockBare } from '../bookings/bookings-store.ts';
import { serve } from './serve.ts';

export interface BareBookings {
  databaseUrl: string;
  concurrency: number;
  /** Of the three rows. */
  sizes: number[];
}

await serve(async (setup) => {
  const { databaseUrl, concurrency, sizes } = setup as BareBookings;
  const sql = openPool(databaseUrl);
  await createBareTables(sql, sizes.length);
  const rows = sizes.map((size) => Buffer.alloc(size, 1));
  const app = Fastify({ logger: false });
  app.get<{ Querystring: { ms: string } }>('/', async (request) => {
    const began = performance.now();
    const until = began + Number(request.query.ms);
    const counts = await Promise.all(Array.from({ length: concurrency }, () => repeat(sql, rows, until)));
    const transactions = counts.reduce((sum, count) => sum + count, 0);
    return { perSecond: (transactions / (performance.now() - began)) * 1000, transactions };
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    address,
    stop: async () => {
      await app.close();
      await sql.end();
    },
  };
});

async function repeat(sql: Sql, rows: readonly Buffer[], until: number): Promise<number> {
  let count = 0;
  for (; performance.now() < until; count += 1) {
    const id = randomUUID();
    await inTransaction(sql, async (tx) => {
      await lockBare(tx, id);
      for (const [index, row] of rows.entries()) await insertBareRow(tx, index, id, row);
    });
  }
  return count;
}
