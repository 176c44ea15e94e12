/**
 * `npm run growth` asks the same of a small and of a large database in turn and writes bench/GROWTH.md. The large one
 * has 100,000 venues and ten million bookings, unless `--venues` and `--bookings` say otherwise: a million take a
 * quarter of the time. Arguments keep only the operations whose name contains one of them; such a run is printed and
 * not written. It needs about 30 GB in the temporary folder (TMPDIR) for ten million bookings.
 */
import { parseArgs } from 'node:util';
import { startTestServer } from '../../test/support/databases/database.ts';
import { type Context, withContext } from '../context.ts';
import { writeReport } from '../report.ts';
import { measureBackground } from './growth-background.ts';
import { measureOperation, memoryOf, type Taken } from './growth-measure.ts';
import { touchVenues } from './growth-memory.ts';
import { OPERATIONS } from './growth-operations.ts';
import { bodyOf, type Filled, type Measured } from './growth-report.ts';
import { databaseBytes, listTableSizes, listWholeReads } from './growth-store.ts';
import {
  type Callers,
  ENCRYPTION_KEY,
  fillWorld,
  type Size,
  startCallers,
  type World,
} from './growth-world.ts';

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { venues: { type: 'string' }, bookings: { type: 'string' } },
});
const began = performance.now();
const progress = (line: string) => console.error(`${minutesSince(began)} ${line}`);

const SMALL: Size = { venues: 1000, bookings: 1000 };
const large: Size = {
  venues: Number(options.venues ?? 100_000),
  bookings: Number(options.bookings ?? 10_000_000),
};

// Leaving by `exit` is what makes the database server and the temporary folders go too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.env.ENCRYPTION_KEY = ENCRYPTION_KEY.toString('base64');
const server = await startTestServer({ isDurable: true });
process.env.MAITRED_TEST_SERVER = server.url;
try {
  await withContext({ progress }, measure);
} finally {
  await server.stop();
}

/** Once when all requests are measured, and again with what goes on behind them: a run takes an hour. */
function report(measured: readonly Measured[]): void {
  const body = bodyOf(measured, minutesSince(began));
  const command = ['npm run growth', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])];
  if (filters.length === 0)
    writeReport('bench/GROWTH.md', { title: 'Growth', command: command.join(' '), body });
  else console.log(body);
}

function minutesSince(start: number): string {
  const seconds = Math.round((performance.now() - start) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

async function measure(context: Context): Promise<void> {
  const sides: { world: World; callers: Callers; operations: Map<string, Taken>; filled: Filled }[] = [];
  for (const size of [SMALL, large]) {
    const start = performance.now();
    const world = await fillWorld(context, size);
    const filled = {
      fillTime: minutesSince(start),
      bytes: await databaseBytes(world.sql),
      tables: await listTableSizes(world.sql),
    };
    sides.push({ world, callers: await startCallers(context, world), operations: new Map(), filled });
  }
  for (const operation of OPERATIONS) {
    const { name } = operation;
    if (filters.length > 0 && !filters.some((part) => name.includes(part))) continue;
    progress(`${name} …`);
    const taken = await measureOperation(sides, operation);
    for (const [index, { operations }] of sides.entries()) operations.set(name, taken[index] as Taken);
  }
  const measured: Measured[] = sides.map(({ world: { venues, bookings }, operations, filled }) => ({
    venues,
    bookings,
    operations,
    ...filled,
  }));
  report(measured);
  for (const [index, { world, callers }] of sides.entries()) {
    progress(`memory, feeds and guests among ${world.bookings} bookings …`);
    const warm = await memoryOf(callers);
    const touched = await touchVenues(world, callers);
    // A connection that ends leaves its figures behind.
    await callers.server.stop();
    const wholeReads = await listWholeReads(world.sql);
    const background = await measureBackground(world);
    Object.assign(measured[index] ?? {}, {
      behind: { startMs: callers.startMs, warm, touched, wholeReads, background },
    });
  }
  report(measured);
}
