/** What live availability of a busy house costs, against reading one row, and against the same with few reservations. */
import { inTransaction, type Sql } from '../../src/db/database.ts';
import type { ProductId } from '../../src/kernel/ids.ts';
import { addPartner, tokenOf } from '../caller.ts';
import { compare, type Rounds, type Side, UNDER_LOAD } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure, Goal } from '../figure.ts';
import { getRequest } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { addBusyHouse, BUSY_HOUSE, BY_FLOOR, DINNER } from './busy-house.ts';
import { keepTables } from './kept-tables.ts';
import { fillVenues } from './many-venues-store.ts';
import { fillReservations, fillTables, withoutOverlapCheck } from './reservations-store.ts';
import { measureReading, measureSlots } from './slots.ts';
import { whileStaysChange } from './staying.ts';

export const name = 'availability';

const MANY = 1_000_000;
const FEW = 1_000;
const CLIENT = 'bench-partner';
const OTHER_VENUES = 200;
const BUSY_DAY = Temporal.Now.plainDateISO().add({ days: 21 }).toString();

/** Few requests at a time: what is compared is how long an answer takes, not how many fit on the machine. */
const SIDE_BY_SIDE: Rounds = { ...UNDER_LOAD, rounds: 10, roundMs: 1000, connections: 4 };

interface Node {
  server: ServerProcess;
  sql: Sql;
  databaseUrl: string;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  const few = await startAmong(context, FEW);
  const figures = [
    ...(await measureLive(context, few, 'availability.live', DINNER, { atLeast: 0.4 })),
    ...(await whileStaysChange(few.databaseUrl, { venueIds: [BUSY_HOUSE], date: BUSY_DAY }, () =>
      measureLive(context, few, 'availability.live.changing', DINNER),
    )),
    ...(await measureLive(context, few, 'availability.live.spaces', BY_FLOOR)),
    await measureSlots(few.databaseUrl, DINNER, BUSY_DAY),
  ];
  const held = await startAmong(context, FEW);
  figures.push(await measureHolds(context, held, few));
  const many = await startAmong(context, MANY);
  return [...figures, ...(await measureGrowth(context, many, few))];
}

/** Partners keep many tables of the house, some of them on the day that is asked for. */
async function measureHolds(context: Context, held: Node, none: Node): Promise<Figure> {
  context.progress('availability.holds …');
  // Made at another node: this one has done nothing but answer, like the one that it is compared with.
  const maker = await context.startOurs(held.databaseUrl);
  const { here, open } = await keepTables(
    { server: maker, sql: held.sql },
    { productId: DINNER, date: BUSY_DAY },
  );
  await maker.stop();
  // As a database that has been in use for a while would be.
  await held.sql`vacuum analyze`;
  const sides = [askFor(held, DINNER), askFor(none, DINNER)] as const;
  // The other node has answered many before, and would be the faster one for that.
  await compare(...sides, { ...SIDE_BY_SIDE, rounds: 2 });
  const { ours, reference } = await compare(...sides, SIDE_BY_SIDE);
  return {
    name: 'availability.holds',
    ours: 1e6 / ours.requestsPerSecond,
    reference: 1e6 / reference.requestsPerSecond,
    unit: 'µs/request',
    against: `without the ${open} open holds at the venue, ${here} of them on that day`,
    goal: { atMost: 1.1 },
  };
}

async function measureGrowth(context: Context, many: Node, few: Node): Promise<Figure[]> {
  context.progress('availability.growth …');
  const { ours, reference } = await compare(askFor(many, DINNER), askFor(few, DINNER), SIDE_BY_SIDE);
  const reading = await measureReading(many.databaseUrl, few.databaseUrl, DINNER, BUSY_DAY);
  const against = `among ${FEW} reservations instead of ${MANY}`;
  return [
    {
      name: 'availability.growth',
      ours: 1e6 / ours.requestsPerSecond,
      reference: 1e6 / reference.requestsPerSecond,
      unit: 'µs/request',
      against,
      goal: { atMost: 1.3 },
    },
    { ...reading, against },
  ];
}

/** A node on a database with this many reservations, 150 of them in the busy house on the day that is asked for. */
async function startAmong(context: Context, reservations: number): Promise<Node> {
  context.progress(`Filling a database with ${reservations} reservations …`);
  const { sql, url } = await context.createDatabase({ hasDemo: true });
  await inTransaction(sql, async (tx) => {
    const partnerId = await addPartner(tx, CLIENT);
    await addBusyHouse(tx, partnerId);
    await fillVenues(tx, partnerId, OTHER_VENUES);
    await fillTables(tx, '9000|');
  });
  await inTransaction(sql, (tx) =>
    withoutOverlapCheck(tx, async () => {
      const stretch = { productKey: 'dinner', middle: BUSY_DAY };
      const here = await fillReservations(tx, {
        ...stretch,
        venues: BUSY_HOUSE,
        daysAround: 365,
        dayStep: 1,
        limit: reservations,
      });
      await fillReservations(tx, {
        ...stretch,
        venues: '9000|',
        daysAround: 3 * 182,
        dayStep: 6,
        limit: reservations - here,
      });
    }),
  );
  await sql`vacuum analyze`;
  const server = await context.startOurs(url);
  const headers = { authorization: `Bearer ${await tokenOf(server, CLIENT)}` };
  return { server, sql, databaseUrl: url, headers };
}

function pathOf(productId: ProductId): string {
  return `/venues/${encodeURIComponent(productId)}/availability?date=${BUSY_DAY}&partySize=2`;
}

function askFor({ server, headers }: Node, productId: ProductId): Side {
  const bytes = getRequest(pathOf(productId), headers);
  return { server, nextRequest: () => bytes };
}

async function measureLive(
  context: Context,
  node: Node,
  figure: string,
  productId: ProductId,
  goal?: Goal,
): Promise<Figure[]> {
  context.progress(`${figure} …`);
  const response = await fetch(new URL(pathOf(productId), node.server.address), { headers: node.headers });
  if (!response.ok) throw new Error(`${figure}: ${response.status} ${await response.text()}`);
  const body = await response.bytes();
  const contentType = response.headers.get('content-type') ?? '';
  const { databaseUrl } = node;
  const bare = await context.startBareSelect({ contentType, body, databaseUrl, productId });
  const bareRequest = getRequest('/', node.headers);
  const { ours, reference } = await compare(
    askFor(node, productId),
    { server: bare, nextRequest: () => bareRequest },
    UNDER_LOAD,
  );
  await bare.stop();
  const against = `bare Fastify route, one SELECT by key, same ${body.length} bytes`;
  return [
    {
      name: figure,
      ours: ours.requestsPerSecond,
      reference: reference.requestsPerSecond,
      unit: 'requests/s',
      against,
      ...(goal && { goal }),
    },
    {
      name: `${figure}.cpu`,
      ours: ours.cpuMicrosecondsPerRequest,
      reference: reference.cpuMicrosecondsPerRequest,
      unit: 'CPU µs/request',
      against,
    },
  ];
}
