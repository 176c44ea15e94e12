/**
 * `npm run growth` asks the same of databases of different sizes and writes bench/GROWTH.md. `--venues 1000,10000` and
 * `--bookings 10000` choose the sizes, the smallest of each first; arguments keep only the operations whose name
 * contains one of them. What is measured in part is printed and not written.
 */
import { parseArgs } from 'node:util';
import { startTestServer } from '../test/support/database.ts';
import { type Context, withContext } from './context.ts';
import { measureBackground } from './growth-background.ts';
import { measureOperation, memoryOf, type Taken } from './growth-measure.ts';
import { touchVenues } from './growth-memory.ts';
import { OPERATIONS } from './growth-operations.ts';
import { bodyOf, type Measured } from './growth-report.ts';
import { databaseBytes, listTableSizes, listWholeReads } from './growth-store.ts';
import { ENCRYPTION_KEY, fillWorld, type Size, startCallers } from './growth-world.ts';
import { writeReport } from './report.ts';

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { venues: { type: 'string' }, bookings: { type: 'string' } },
});
const isWhole = filters.length === 0 && !options.venues && !options.bookings;
const progress = (line: string) => console.error(line);

const numbersOf = (text: string) => text.split(',').map(Number);
const sizes = sizesOf(
  numbersOf(options.venues ?? '1000,10000,100000'),
  numbersOf(options.bookings ?? '10000,1000000'),
);

// Leaving by `exit` is what makes the database server and the temporary folders go too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.env.ENCRYPTION_KEY = ENCRYPTION_KEY.toString('base64');
const server = await startTestServer({ isDurable: true });
process.env.MAITRED_TEST_SERVER = server.url;
try {
  const measured: Measured[] = [];
  for (const size of sizes)
    measured.push(await withContext({ progress }, (context) => measure(context, size)));
  const body = bodyOf(measured);
  if (isWhole) writeReport('bench/GROWTH.md', { title: 'Growth', command: 'npm run growth', body });
  else console.log(body);
} finally {
  await server.stop();
}

/** Venues grow among few bookings, and bookings at few venues. */
function sizesOf(venues: number[], bookings: number[]): Size[] {
  const [fewVenues = 0] = venues;
  const [fewBookings = 0, ...more] = bookings;
  return [
    ...venues.map((count) => ({ venues: count, bookings: fewBookings })),
    ...more.map((count) => ({ venues: fewVenues, bookings: count })),
  ];
}

async function measure(context: Context, size: Size): Promise<Measured> {
  const world = await fillWorld(context, size);
  const { sql } = world;
  const [bytes, tables] = [await databaseBytes(sql), await listTableSizes(sql)];
  const callers = await startCallers(context, world);
  const operations = new Map<string, Taken>();
  for (const operation of OPERATIONS) {
    const { name } = operation;
    if (filters.length > 0 && !filters.some((part) => name.includes(part))) continue;
    progress(`${name} …`);
    operations.set(name, await measureOperation(world, callers, operation));
  }
  const warm = await memoryOf(callers);
  progress('memory …');
  const touched = await touchVenues(world, callers);
  // A connection that ends leaves its figures behind.
  await callers.server.stop();
  const wholeReads = await listWholeReads(sql);
  progress('feeds and guests …');
  const background = await measureBackground(world);
  return {
    ...size,
    startMs: callers.startMs,
    operations,
    warm,
    touched,
    background,
    bytes,
    tables,
    wholeReads,
  };
}
