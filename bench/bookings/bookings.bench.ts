/** What making a booking costs against the bare writes, reading one against a bare read, and a rush on few tables. */
import { inTransaction, type Sql } from '../../src/db/database.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { addSecret, createClient, createPartner } from '../../src/features/identity/service.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { tokenOf } from '../caller.ts';
import { compare, median, UNDER_LOAD } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { getRequest, postRequest, press } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { rowSizes, someBookings } from './bookings-store.ts';
import { type Storm, storm } from './bookings-storm.ts';
import { addBookableVenues, guest, placeOf, WANTED } from './bookings-venues.ts';

export const name = 'bookings';

const CLIENT = 'bench-partner';
const TABLES = 20;
const STORMS = 5;
const BOOKINGS_READ = 200;

interface Node {
  server: ServerProcess;
  sql: Sql;
  databaseUrl: string;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  const node = await start(context);
  return [
    ...(await measureCreation(context, node)),
    ...(await measureReading(context, node)),
    await measureStorm(context, node),
  ];
}

async function start(context: Context): Promise<Node> {
  context.progress('Filling a database with venues …');
  const { sql, url } = await context.createDatabase();
  await seedDemo(sql, systemClock);
  await inTransaction(sql, async (tx) => {
    const partner = await createPartner(tx, { reference: CLIENT, name: 'Bench' });
    await createClient(tx, { id: CLIENT, kind: 'partner', partnerId: partner.id });
    await addSecret(tx, CLIENT, { secret: `${CLIENT}-secret` });
    await addBookableVenues(tx, partner.id);
  });
  await sql`vacuum analyze`;
  const server = await context.startOurs(url);
  const headers = { authorization: `Bearer ${await tokenOf(server, CLIENT)}` };
  return { server, sql, databaseUrl: url, headers };
}

const pathOf = (productId: string) => `/venues/${encodeURIComponent(productId)}/booking`;

let bookings = 0;

/** A booking that nobody else is in the way of. */
function nextCreation({ headers }: Node): Buffer {
  bookings += 1;
  const { productId, ...when } = placeOf(bookings);
  return postRequest(pathOf(productId), headers, {
    ...guest,
    ...when,
    partnerBookingId: `order-${bookings}`,
  });
}

/** Rounds of both in turn, as everywhere; only that the reference is a loop in its process and needs no requests. */
async function measureCreation(context: Context, node: Node): Promise<Figure[]> {
  context.progress('bookings.create …');
  const { connections, rounds, roundMs, warmUpMs } = UNDER_LOAD;
  const { server, databaseUrl, sql } = node;
  const ours = async (durationMs: number) => {
    const { hostname: host, port } = server.address;
    const cpuBefore = await server.cpuMicroseconds();
    const load = { host, port: Number(port), connections, durationMs };
    const { answers, seconds } = await press({ ...load, nextRequest: () => nextCreation(node) });
    const cpu = (await server.cpuMicroseconds()) - cpuBefore;
    return { perSecond: answers / seconds, cpuMicroseconds: cpu / answers };
  };
  await ours(warmUpMs);
  // As a database that has been in use for a while would be.
  await sql`vacuum analyze`;
  const sizes = await rowSizes(sql);
  const bare = await context.startBareBookings({ databaseUrl, concurrency: connections, sizes });
  const reference = async (durationMs: number) => {
    const cpuBefore = await bare.cpuMicroseconds();
    const response = await fetch(new URL(`/?ms=${durationMs}`, bare.address));
    const { perSecond, transactions } = (await response.json()) as {
      perSecond: number;
      transactions: number;
    };
    return { perSecond, cpuMicroseconds: ((await bare.cpuMicroseconds()) - cpuBefore) / transactions };
  };
  await reference(warmUpMs);
  const results: Awaited<ReturnType<typeof ours>>[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    results[0]?.push(await ours(roundMs));
    results[1]?.push(await reference(roundMs));
  }
  await bare.stop();
  const of = (side: number, figure: 'perSecond' | 'cpuMicroseconds') =>
    median((results[side] ?? []).map((round) => round[figure]));
  const against = `a loop of ${connections} transactions with one lock and rows of ${sizes.join(', ')} bytes`;
  return [
    {
      name: 'bookings.create',
      ours: of(0, 'perSecond'),
      reference: of(1, 'perSecond'),
      unit: 'bookings/s',
      against,
      goal: { atLeast: 0.4 },
    },
    {
      name: 'bookings.create.cpu',
      ours: of(0, 'cpuMicroseconds'),
      reference: of(1, 'cpuMicroseconds'),
      unit: 'CPU µs/booking',
      against,
    },
  ];
}

async function measureReading(context: Context, node: Node): Promise<Figure[]> {
  context.progress('bookings.read …');
  const { server, sql, databaseUrl, headers } = node;
  const paths = (await someBookings(sql, BOOKINGS_READ)).map((id) => `/venues/bookings/${id}`);
  const response = await fetch(new URL(paths[0] ?? '', server.address), { headers });
  if (!response.ok) throw new Error(`bookings.read: ${response.status} ${await response.text()}`);
  const body = await response.bytes();
  const contentType = response.headers.get('content-type') ?? '';
  const bare = await context.startBareSelect({ contentType, body, databaseUrl, productId: WANTED });
  const requests = paths.map((path) => getRequest(path, headers));
  const bareRequest = getRequest('/', headers);
  let reads = 0;
  const nextRequest = () => requests[reads++ % requests.length] ?? bareRequest;
  const { ours, reference } = await compare(
    { server, nextRequest },
    { server: bare, nextRequest: () => bareRequest },
    UNDER_LOAD,
  );
  await bare.stop();
  const against = `bare Fastify route, one SELECT by key, same ${body.length} bytes`;
  return [
    {
      name: 'bookings.read',
      ours: ours.requestsPerSecond,
      reference: reference.requestsPerSecond,
      unit: 'requests/s',
      against,
      goal: { atLeast: 0.4 },
    },
    {
      name: 'bookings.read.cpu',
      ours: ours.cpuMicrosecondsPerRequest,
      reference: reference.cpuMicrosecondsPerRequest,
      unit: 'CPU µs/request',
      against,
    },
  ];
}

/** The worst of several, each at a start of its own; every one must end with each table sold once. */
async function measureStorm(context: Context, { server, databaseUrl, headers }: Node): Promise<Figure> {
  context.progress('bookings.storm …');
  const bare = await context.startBareSelect({
    contentType: 'application/json',
    body: Buffer.from('{}'),
    databaseUrl,
    productId: WANTED,
  });
  const asked = { method: 'GET', path: '/', headers: {} } as const;
  const worst = { ours: 0, reference: 0 };
  for (let count = 0; count < STORMS; count += 1) {
    const { date } = placeOf(count * 50);
    const rush = await storm(server.address, () => ({
      method: 'POST',
      path: pathOf(WANTED),
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...guest, date, time: '19:30' }),
    }));
    assertSoldOnce(rush);
    worst.ours = Math.max(worst.ours, rush.p99Ms);
    worst.reference = Math.max(worst.reference, (await storm(bare.address, () => asked)).p99Ms);
  }
  await bare.stop();
  return {
    name: 'bookings.storm.p99',
    ...worst,
    unit: 'ms',
    against: 'a bare route with one SELECT, asked by the same 64 clients 20 times each',
    goal: { oursBelow: 500 },
  };
}

function assertSoldOnce({ statuses }: Storm): void {
  const { 201: sold = 0, 409: refused = 0 } = statuses;
  if (sold !== TABLES || sold + refused !== 64 * 20)
    throw new Error(`The storm ended with ${JSON.stringify(statuses)}.`);
}
