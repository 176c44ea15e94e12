/** What keeping a place costs, and booking what is kept, each against making a booking. */
import { inTransaction, type Sql } from '../../src/db/database.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { addPartner, tokenOf } from '../caller.ts';
import { median, UNDER_LOAD } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { postRequest, press } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { addBookableVenues, guest, placeOf } from './bookings-venues.ts';
import { type OpenHold, openHolds } from './holds-store.ts';

export const name = 'holds';

/** A partner may keep twenty places at each of fifty venues; together they may keep more than a round makes. */
const CLIENTS = ['bench-holder-1', 'bench-holder-2', 'bench-holder-3', 'bench-holder-4'];
const REQUESTS = 800;
const WARM_UPS = 1;
const ROUNDS = 7;
const LONGEST_ROUND_MS = 60_000;
const TTL_SECONDS = 600;

type Headers = Record<string, string>;

interface Node {
  server: ServerProcess;
  sql: Sql;
  headersOf: ReadonlyMap<string, Headers>;
}

export async function run(context: Context): Promise<Figure[]> {
  const node = await start(context);
  context.progress('holds.create, holds.book …');
  const rounds: Round[] = [];
  for (let count = 0; count < WARM_UPS + ROUNDS; count += 1) {
    // As a database that has been in use for a while would be.
    if (count === WARM_UPS) await node.sql`vacuum analyze`;
    const round = await measure(node);
    if (count >= WARM_UPS) rounds.push(round);
  }
  const of = (side: keyof Round, figure: keyof Pace) => median(rounds.map((round) => round[side][figure]));
  const figures = (side: keyof Round, figure: string, unit: string, goal: Figure['goal']): Figure[] => [
    {
      name: figure,
      ours: of(side, 'perSecond'),
      reference: of('bookings', 'perSecond'),
      unit: `${unit}s/s`,
      against: AGAINST,
      ...(goal && { goal }),
    },
    {
      name: `${figure}.cpu`,
      ours: of(side, 'cpuMicroseconds'),
      reference: of('bookings', 'cpuMicroseconds'),
      unit: `CPU µs/${unit}`,
      against: AGAINST,
    },
  ];
  return [
    ...figures('holds', 'holds.create', 'hold', { atLeast: 0.5 }),
    ...figures('held', 'holds.book', 'booking', { atLeast: 1 }),
  ];
}

const AGAINST = 'bookings without a hold, made by the same node in turns with it';

async function start(context: Context): Promise<Node> {
  context.progress('Filling a database with venues …');
  const { sql, url } = await context.createDatabase();
  await seedDemo(sql, systemClock);
  await inTransaction(sql, async (tx) => {
    const partnerIds: number[] = [];
    for (const client of CLIENTS) partnerIds.push(await addPartner(tx, client));
    await addBookableVenues(tx, ...partnerIds);
  });
  await sql`vacuum analyze`;
  const server = await context.startOurs(url);
  const tokens = await Promise.all(
    CLIENTS.map(
      async (client): Promise<[string, Headers]> => [
        client,
        { authorization: `Bearer ${await tokenOf(server, client)}` },
      ],
    ),
  );
  return { server, sql, headersOf: new Map(tokens) };
}

interface Pace {
  perSecond: number;
  cpuMicroseconds: number;
}

interface Round {
  bookings: Pace;
  holds: Pace;
  held: Pace;
}

/** As many bookings, holds, and bookings from these holds. */
async function measure(node: Node): Promise<Round> {
  const bookings = await pace(node, () => nextBooking(node));
  const holds = await pace(node, () => nextHold(node));
  const open = (await openHolds(node.sql)).values();
  const held = await pace(node, () => {
    const { value } = open.next();
    if (!value) throw new Error('There are fewer holds than were made.');
    return bookingOf(node, value);
  });
  return { bookings, holds, held };
}

async function pace({ server }: Node, nextRequest: () => Buffer): Promise<Pace> {
  const { hostname: host, port } = server.address;
  const { connections } = UNDER_LOAD;
  const cpuBefore = await server.cpuMicroseconds();
  const load = { host, port: Number(port), connections, durationMs: LONGEST_ROUND_MS, most: REQUESTS };
  const { answers, seconds } = await press({ ...load, nextRequest });
  const cpu = (await server.cpuMicroseconds()) - cpuBefore;
  return { perSecond: answers / seconds, cpuMicroseconds: cpu / answers };
}

let places = 0;

/** A place that no other request is in the way of, and a partner. */
function nextPlace() {
  places += 1;
  const client = CLIENTS[places % CLIENTS.length] ?? '';
  return { client, ...placeOf(places) };
}

function nextBooking({ headersOf }: Node): Buffer {
  const { client, productId, ...when } = nextPlace();
  const body = { ...guest, ...when, partnerBookingId: `order-${places}` };
  return postRequest(bookingPath(productId), headersOf.get(client) ?? {}, body);
}

function nextHold({ headersOf }: Node): Buffer {
  const { client, productId, ...when } = nextPlace();
  const body = { ...when, partySize: guest.partySize, ttlSeconds: TTL_SECONDS };
  return postRequest(`/venues/${encodeURIComponent(productId)}/holds`, headersOf.get(client) ?? {}, body);
}

function bookingOf({ headersOf }: Node, { id, clientId, productId, date, time }: OpenHold): Buffer {
  const body = { ...guest, date, time, holdId: id, partnerBookingId: `held-${id}` };
  return postRequest(bookingPath(productId), headersOf.get(clientId) ?? {}, body);
}

const bookingPath = (productId: string) => `/venues/${encodeURIComponent(productId)}/booking`;
