/**
 * `npm run feed:reader`: the feed reader of examples/ on a thousand products, all of them and then what a few bookings
 * change. Writes `bench/FEED.md`; `--products` takes fewer, and writes nothing. Bytes are counted on the wire, with
 * headers, in a proxy that the feed is read through.
 */
import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type FeedIndex, Maitred } from '@maitred/client';
import { Calendar } from '../../examples/feed-reader/calendar.ts';
import { listFeeds, type Round, readRound } from '../../examples/feed-reader/reading.ts';
import { inTransaction, type Sql } from '../../src/db/database.ts';
import { tryPort } from '../../src/kernel/network.ts';
import { createTestDatabase, startTestServer } from '../../test/support/databases/database.ts';
import { startNodeProcess } from '../../test/support/node-process.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { fillVenues } from '../availability/many-venues-store.ts';
import { fillTables } from '../availability/reservations-store.ts';
import { addPartner } from '../caller.ts';
import { writeReport } from '../report.ts';
import { countWaiting, sellTables, takeBookings } from './feed-store.ts';

const MANY = '1000';
const { values } = parseArgs({ options: { products: { type: 'string', default: MANY } } });
const PRODUCTS = Number(values.products);
/** How many products get one booking each before a read. */
const BOOKINGS = [0, 1, 10, 100].filter((count) => count < PRODUCTS / 2);
/** So many products without a booking are compared in the end, beside all that were. */
const OTHERS_COMPARED = 50;
const PARTNER = 'reader';
const POLL_MS = 500;

const DAYS =
  'select product_id, date, starts from day where product_id in (select value from json_each(?)) order by 1, 2';

interface Measured extends Round {
  name: string;
  /** On the wire, both ways, with headers. */
  wireBytes: number;
  seconds: number;
}

const progress = (line: string) => console.error(line);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await using started = new AsyncDisposableStack();
const after = (clean: () => Promise<void>) => void started.defer(clean);

progress('Starting a database server …');
const server = await startTestServer({ isDurable: true });
started.defer(() => server.stop());
process.env.MAITRED_TEST_SERVER = server.url;
const database = await createTestDatabase();
started.defer(() => database.drop());
progress(`Filling a database with ${PRODUCTS} venues …`);
await inTransaction(database.sql, async (tx) => {
  const partnerId = await addPartner(tx, PARTNER);
  await fillVenues(tx, partnerId, PRODUCTS);
  await fillTables(tx, '9000|');
  await sellTables(tx, '9000|');
  await takeBookings(tx, partnerId, '9000|');
});
await database.sql`vacuum analyze`;

const folder = scratchFolder({ after });
const proxy = await startCountingProxy();
const node = await startNodeProcess({
  env: {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'node'),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    FEED_URL: `${proxy.address}/feed`,
    ENVIRONMENT: 'staging',
    RATE_LIMIT: '0',
  },
});
started.defer(async () => {
  node.child.kill('SIGTERM');
  await node.exit;
});
proxy.forwardTo(node.address);
progress('Waiting for the feeds …');
await untilMade(database.sql);

const maitred = new Maitred({ baseUrl: node.address, clientId: PARTNER, clientSecret: `${PARTNER}-secret` });
const feeds = await listFeeds(maitred);
const file = join(folder, 'calendar.sqlite');
const calendar = new Calendar(file);
calendar.keepOnly(feeds);
const measured = [await measure('everything')];
let booked = 0;
for (const count of BOOKINGS) {
  await book(count);
  measured.push(await measure(count === 1 ? 'after 1 booking' : `after ${count} bookings`));
}
calendar.close();
await assertSameAsNew();
const report = { title: 'Reading the feed of a thousand products', command: 'npm run feed:reader' };
if (values.products === MANY) writeReport('bench/FEED.md', { ...report, body: reportOf(measured) });
else console.log(reportOf(measured));

async function measure(name: string): Promise<Measured> {
  const [bytesBefore, beganAt] = [proxy.bytes(), performance.now()];
  const round = await readRound(feeds, calendar);
  const seconds = (performance.now() - beganAt) / 1000;
  const result = { ...round, name, seconds, wireBytes: proxy.bytes() - bytesBefore };
  progress(`${name}: ${round.requests} requests, ${result.wireBytes} bytes, ${seconds.toFixed(1)} s`);
  return result;
}

/** Each for another product, on a Friday about two months ahead. Returns when all of them are in the feed. */
async function book(count: number): Promise<void> {
  const today = Temporal.Now.plainDateISO('Europe/London');
  const date = today.add({ days: 56 + ((5 - today.dayOfWeek + 7) % 7) }).toString();
  const chosen = feeds.slice(booked, booked + count);
  booked += count;
  const before = await Promise.all(chosen.map(({ url }) => hashOf(url, date)));
  for (const { productId } of chosen) {
    const { times } = await maitred.availability.get(productId, { date, partySize: 2 });
    const start = times.find(({ type }) => type === 'book');
    if (!start) throw new Error(`${productId} has nothing on ${date}.`);
    const slot = { type: 'book', date, time: start.time, partySize: 2 } as const;
    await maitred.bookings.create(productId, { ...slot, firstName: 'Ada', lastName: 'Lovelace' });
  }
  for (const [index, { url }] of chosen.entries())
    while ((await hashOf(url, date)) === before[index]) await sleep(POLL_MS);
}

async function hashOf(feedUrl: string, date: string): Promise<string | undefined> {
  const { shards } = (await (await fetch(feedUrl)).json()) as FeedIndex;
  return shards.find((shard) => shard.date === date)?.hash;
}

async function untilMade(sql: Sql): Promise<void> {
  for (;;) {
    const waiting = await inTransaction(sql, countWaiting);
    if (waiting === 0) return;
    await sleep(POLL_MS);
  }
}

/** What was read bit by bit has to be what a reader gets that begins now. */
async function assertSameAsNew(): Promise<void> {
  progress('Reading anew, to compare …');
  const otherFile = join(folder, 'other.sqlite');
  const other = new Calendar(otherFile);
  const compared = feeds.slice(0, booked + OTHERS_COMPARED);
  await readRound(compared, other);
  other.close();
  const ids = JSON.stringify(compared.map(({ productId }) => productId));
  const rowsOf = (path: string) => {
    const opened = new DatabaseSync(path);
    const rows = opened.prepare(DAYS).all(ids);
    opened.close();
    return JSON.stringify(rows);
  };
  if (rowsOf(file) === '[]') throw new Error('The calendar is empty.');
  if (rowsOf(file) !== rowsOf(otherFile)) throw new Error('The calendar is not what the feed says now.');
  rmSync(otherFile);
}

async function startCountingProxy() {
  let bytes = 0;
  let target: URL | undefined;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
  };
  const listener = createServer((inside: Socket) => {
    const outside = connect(Number(target?.port), target?.hostname ?? '');
    inside.on('data', count).on('error', () => outside.destroy());
    outside.on('data', count).on('error', () => inside.destroy());
    inside.pipe(outside).pipe(inside);
  });
  const port = await tryPort('127.0.0.1', 0);
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
  listener.unref();
  started.defer(() => void listener.close());
  return {
    address: `http://127.0.0.1:${port}`,
    bytes: () => bytes,
    forwardTo(address: string) {
      target = new URL(address);
    },
  };
}

function reportOf([full, ...later]: Measured[]): string {
  const share = (bytes: number) => `${((100 * bytes) / (full?.wireBytes ?? 1)).toFixed(3)} %`;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(3)} MB`;
  const rows = [full, ...later].map((round) => {
    if (!round) return '';
    const { name, requests, wireBytes, bytes, days, seconds } = round;
    const cells = [
      requests,
      megabytes(bytes),
      megabytes(wireBytes),
      share(wireBytes),
      days,
      seconds.toFixed(1),
    ];
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  return `${PRODUCTS} products, each with a venue of its own that is open from Friday to Sunday, 180 days ahead. The reader is [examples/feed-reader](../examples/feed-reader/reading.ts) on \`@maitred/client\`, with eight files at a time and a calendar in SQLite. «Files» are indexes and shards after HTTP has unpacked them; «wire» is all that goes through the sockets, both ways, with headers. Most of a read that finds little is the question for each index, answered with 304. Bookings are made one product each; all of them were in the feed when the next read began. In the end the calendar of all booked products and ${OTHERS_COMPARED} others was compared with one that a new reader made: it was the same.

| read | requests | files | wire | share of all | days changed | seconds |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}`;
}
