/** What a diary costs, how fast a change reaches its screens, and what a large export takes. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Sql } from '../../src/db/database.ts';
import { addSecret, createClient } from '../../src/features/identity/service.ts';
import { addBusyHouse, BUSY_HOUSE, DINNER } from '../availability/busy-house.ts';
import { addPartner, tokenOf } from '../caller.ts';
import { compare, UNDER_LOAD } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { getRequest } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { openScreens } from './diary-screens.ts';
import { copyBooking, flagBooking, listBookingIds } from './diary-store.ts';

export const name = 'diary';

const CLIENT = 'bench-partner';
const OPERATOR_CLIENT = 'bench-operator';
const OPERATOR_ID = 8000;
const DAY = Temporal.Now.plainDateISO().add({ days: 21 });
const BOOKINGS = 300;
const SCREENS = 200;
const CHANGES = 300;
const REST_MS = 10_000;
const MANY_ROWS = 100_000;
const FEW_ROWS = 1000;

interface Node {
  server: ServerProcess;
  sql: Sql;
  url: string;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  const node = await startBusy(context);
  return [
    ...(await measureDiary(context, node)),
    ...(await measureStreams(context, node)),
    await measureExport(context, node),
  ];
}

/** A node with a house of sixty tables that has 300 bookings on the day, all made through the interface. */
async function startBusy(context: Context): Promise<Node> {
  const { sql, url } = await context.createDatabase({ hasDemo: true });
  await inTransaction(sql, async (tx) => {
    await addBusyHouse(tx, await addPartner(tx, CLIENT));
    await createClient(tx, { id: OPERATOR_CLIENT, kind: 'operator', operatorId: OPERATOR_ID });
    await addSecret(tx, OPERATOR_CLIENT, { secret: `${OPERATOR_CLIENT}-secret` });
  });
  const server = await context.startOurs(url);
  context.progress(`Making ${BOOKINGS} bookings …`);
  const partner = { authorization: `Bearer ${await tokenOf(server, CLIENT)}` };
  for (let made = 0, attempt = 0; made < BOOKINGS; attempt += 1) {
    if (attempt > 5 * BOOKINGS) throw new Error(`Only ${made} bookings found a place.`);
    if (await book(server, partner, attempt)) made += 1;
  }
  await sql`vacuum analyze`;
  const headers = { authorization: `Bearer ${await tokenOf(server, OPERATOR_CLIENT)}` };
  return { server, sql, url, headers };
}

async function book(
  { address }: ServerProcess,
  headers: Record<string, string>,
  attempt: number,
): Promise<boolean> {
  const minute = 12 * 60 + 15 * ((attempt * 7) % 40);
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const response = await fetch(new URL(`/venues/${encodeURIComponent(DINNER)}/booking`, address), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ type: 'book', date: DAY.toString(), time, partySize: 1 + (attempt % 3) },
      ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0018' },
      ...{ comments: 'A quiet table by the window, please', partnerBookingId: `bench-${attempt}` },
    }),
  });
  await response.bytes();
  // A time that is taken, or in which shifts change.
  if (![201, 409, 422].includes(response.status))
    throw new Error(`A booking was answered ${response.status}.`);
  return response.status === 201;
}

const DIARY = `/manage/venues/${encodeURIComponent(BUSY_HOUSE)}/diary`;

async function measureDiary(context: Context, { server, url, headers }: Node): Promise<Figure[]> {
  context.progress('diary.read …');
  const path = `${DIARY}?date=${DAY}`;
  const response = await fetch(new URL(path, server.address), { headers });
  const body = await response.bytes();
  if (!response.ok) throw new Error(`diary.read: ${response.status} ${Buffer.from(body)}`);
  const contentType = response.headers.get('content-type') ?? '';
  const bare = await context.startBareSelect({ contentType, body, databaseUrl: url, productId: DINNER });
  const [asked, bareAsked] = [getRequest(path, headers), getRequest('/', headers)];
  const { ours, reference } = await compare(
    { server, nextRequest: () => asked },
    { server: bare, nextRequest: () => bareAsked },
    UNDER_LOAD,
  );
  await bare.stop();
  const against = `bare Fastify route, one SELECT by key, same ${body.length} bytes`;
  return [
    {
      name: 'diary.read',
      ours: ours.requestsPerSecond,
      reference: reference.requestsPerSecond,
      unit: 'requests/s',
      against,
      goal: { atLeast: 0.4 },
    },
    {
      name: 'diary.read.cpu',
      ours: ours.cpuMicrosecondsPerRequest,
      reference: reference.cpuMicrosecondsPerRequest,
      unit: 'CPU µs/request',
      against,
    },
  ];
}

async function measureStreams(context: Context, node: Node): Promise<Figure[]> {
  const { server, sql, headers } = node;
  const ids = await listBookingIds(sql, BUSY_HOUSE, DAY.toString());
  let number = 0;

  async function delays(count: number): Promise<number[]> {
    const screens = await openScreens(server.address, `${DIARY}/stream?date=${DAY}`, headers, count);
    const taken: number[] = [];
    for (let change = 0; change < CHANGES; change += 1) {
      number += 1;
      const id = ids[number % ids.length] ?? '';
      taken.push(...(await screens.see(`change ${number}"`, () => flagBooking(sql, id, number))));
    }
    const isAtRest = count > 1;
    if (isAtRest) await rest();
    screens.close();
    return taken;
  }

  let restingPercent = 0;
  async function rest(): Promise<void> {
    context.progress('diary.streams.rest …');
    const before = await server.cpuMicroseconds();
    await sleep(REST_MS);
    restingPercent = ((await server.cpuMicroseconds()) - before) / 10 / REST_MS;
  }

  context.progress('diary.streams …');
  const aloneMs = await delays(1);
  const manyMs = await delays(SCREENS);
  await sleep(1000);
  const idleBefore = await server.cpuMicroseconds();
  await sleep(REST_MS);
  const idlePercent = ((await server.cpuMicroseconds()) - idleBefore) / 10 / REST_MS;
  const p99 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
  return [
    {
      name: 'diary.streams',
      ours: p99(manyMs),
      reference: p99(aloneMs),
      unit: 'ms from the change, p99',
      against: `one screen instead of ${SCREENS}`,
      goal: { oursBelow: 100 },
    },
    {
      name: 'diary.stream',
      ours: p99(aloneMs),
      reference: p99(manyMs),
      unit: 'ms from the change, p99',
      against: `${SCREENS} screens instead of one`,
      goal: { oursBelow: 10 },
    },
    {
      name: 'diary.streams.rest',
      ours: restingPercent,
      reference: idlePercent,
      unit: '% of a core',
      against: `no screen instead of ${SCREENS}`,
      goal: { oursBelow: 5 },
    },
  ];
}

async function measureExport(context: Context, node: Node): Promise<Figure> {
  context.progress(`Copying ${MANY_ROWS} bookings …`);
  const { sql } = node;
  const [first = ''] = await listBookingIds(sql, BUSY_HOUSE, DAY.toString());
  const [few, many] = [DAY.add({ days: 30 }).toString(), DAY.add({ days: 60 }).toString()];
  await inTransaction(sql, async (tx) => {
    await copyBooking(tx, first, few, FEW_ROWS);
    await copyBooking(tx, first, many, MANY_ROWS);
  });
  await sql`vacuum analyze`;
  context.progress('diary.export …');
  // Warm both ways first, so that neither pays for what is loaded once.
  await exportRows(node, few);
  const fewBytes = await exportRows(node, few);
  const manyBytes = await exportRows(node, many);
  return {
    name: 'reports.export',
    ours: manyBytes / 1024 ** 2,
    reference: fewBytes / 1024 ** 2,
    unit: 'MB of memory at most',
    against: `${FEW_ROWS} bookings instead of ${MANY_ROWS}`,
    goal: { atMost: 1.5 },
  };
}

/** Reads the export of a day; how much memory the node had at most meanwhile. */
async function exportRows({ server, headers }: Node, date: string): Promise<number> {
  const path = `/manage/operators/${OPERATOR_ID}/reports/bookings.csv?from=${date}&to=${date}`;
  const done = new Promise<void>((resolve, reject) => {
    const asked = request(new URL(path, server.address), { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The export was answered ${response.statusCode}.`));
      response.resume();
      response.on('end', resolve);
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
  let isDone = false;
  const finished = done.finally(() => {
    isDone = true;
  });
  let mostBytes = 0;
  while (!isDone) {
    mostBytes = Math.max(mostBytes, await server.rssBytes());
    await Promise.race([finished, sleep(20)]);
  }
  await finished;
  return mostBytes;
}
