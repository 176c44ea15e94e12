/** How much memory it takes to make the feeds of many products, against those of a few. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inTransaction } from '../../src/db/database.ts';
import { createPartner } from '../../src/features/identity/service.ts';
import { parseVenueId, type VenueId } from '../../src/kernel/ids.ts';
import { fillVenues } from '../availability/many-venues-store.ts';
import { fillTables } from '../availability/reservations-store.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { sellTables } from './feed-store.ts';

const MANY = 1000;
const FEW = 10;

export const manyVenueId = (number: number): VenueId => parseVenueId(`9000|house|venue-${number}`);

export async function measureMemory(context: Context): Promise<Figure> {
  context.progress(`Filling a database with ${MANY} venues …`);
  const { sql, url } = await context.createDatabase();
  await inTransaction(sql, async (tx) => {
    const partner = await createPartner(tx, { reference: 'bench-partner', name: 'Bench' });
    await fillVenues(tx, partner.id, MANY);
    await fillTables(tx, '9000|');
    await sellTables(tx, '9000|');
  });
  await sql`vacuum analyze`;
  context.progress('feed.memory …');
  return {
    name: 'feed.memory',
    ours: await peakMegabytes(url, MANY),
    reference: await peakMegabytes(url, FEW),
    unit: 'MB at most',
    against: `a process that makes ${FEW} products instead of ${MANY}`,
    goal: { atMost: 2 },
  };
}

/** Each in a process of its own: memory that was taken once is seldom given back. */
async function peakMegabytes(databaseUrl: string, count: number): Promise<number> {
  const program = join(import.meta.dirname, 'feed-memory-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, databaseUrl, String(count)]);
  return Number(stdout) / 1024;
}
