/** What live availability at a system over the network costs, and what a system that hangs costs the others. */
import { request } from 'undici';
import { createConnectServer } from '../../examples/connect-server/server.ts';
import { inTransaction } from '../../src/db/database.ts';
import { importOperator, mapVenue } from '../../src/features/venues/service.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { addPartner, tokenOf } from '../caller.ts';
import { compare, median } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { getRequest, press } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';

export const name = 'remote';

const OPERATOR = 9100;
const CLIENT = 'bench-remote';
const DAY = Temporal.Now.plainDateISO().add({ days: 21 }).toString();
const [HEALTHY, OTHER, HANGING] = ['healthy', 'other', 'hanging'] as const;
const SYSTEMS = [HEALTHY, OTHER, HANGING];

/** Fewer than the calls that one system is sent at a time: none has to wait for another. */
const SIDE_BY_SIDE = { rounds: 10, roundMs: 1500, warmUpMs: 3000, connections: 16 };
/** One after another, so that what shows is the wait for an answer and not that for a processor. */
const PATIENT = { rounds: 16, roundMs: 1500, connections: 1 };
const OTHERS_EVERY_MS = 10;

interface Node {
  server: ServerProcess;
  system: ServerProcess;
  question: string;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  const node = await startNode(context);
  return [...(await measureLive(context, node)), ...(await measureHanging(context, node))];
}

const productAt = (system: string): ProductId =>
  parseProductId(`${OPERATOR}|${system}|harbour-kitchen|dinner`);
const pathAt = (system: string) =>
  `/venues/${encodeURIComponent(productAt(system))}/availability?date=${DAY}&partySize=2`;

/** A node with three systems, which are one process, under an address each. */
async function startNode(context: Context): Promise<Node> {
  const question = JSON.stringify({
    venueId: 'harbour-kitchen',
    productId: 'dinner',
    dates: [DAY],
    party: { adults: 2, children: 0 },
  });
  const system = await context.startRemoteSystem({ body: await referenceAnswer(question) });
  const { sql, url } = await context.createDatabase({ hasDemo: true });
  await inTransaction(sql, async (tx) => {
    const partnerId = await addPartner(tx, CLIENT);
    const venues = SYSTEMS.map(venueAt);
    await importOperator(tx, { id: OPERATOR, name: 'Elsewhere', systems: SYSTEMS, venues });
    for (const productId of SYSTEMS.map(productAt))
      await mapVenue(tx, { partnerId, venueId: venueOfProduct(productId), productIds: [productId] });
  });
  const server = await context.startOurs(url);
  const admin = { authorization: `Bearer ${await tokenOf(server, 'demo-admin')}` };
  for (const slug of SYSTEMS) {
    const settings = { url: `${system.address.origin}/${slug}` };
    await send(server, admin, 'PUT', `/manage/systems/${slug}`, {
      protocol: 'connect',
      name: slug,
      settings,
    });
    const credentials = { fields: { token: 'bench-token' } };
    const account = `/manage/operators/${OPERATOR}/systems/${slug}`;
    await send(server, admin, 'POST', `${account}/credentials`, credentials);
  }
  const headers = { authorization: `Bearer ${await tokenOf(server, CLIENT)}` };
  return { server, system, question, headers };
}

/** What the reference server answers to the question. */
async function referenceAnswer(question: string): Promise<string> {
  const server = createConnectServer();
  const url = `${await server.listen()}/availability`;
  const response = await fetch(url, { method: 'POST', body: question });
  const body = await response.text();
  await server.close();
  return body;
}

function venueAt(tms: string) {
  return {
    tms,
    resourceId: 'harbour-kitchen',
    name: 'Harbour Kitchen',
    timeZone: 'Europe/London',
    content: { summary: '', description: '', highlights: [] },
    location: { lat: 51.5, lng: -0.1, area: 'Docks', city: 'London', countryCode: 'GB' },
    types: [],
    photos: [],
    hours: { weekly: [] },
    products: [{ key: 'dinner', name: 'Dinner', timeIntervalMinutes: 30, hours: { weekly: [] } }],
  };
}

async function send(
  { address }: ServerProcess,
  headers: Record<string, string>,
  method: 'PUT' | 'POST',
  path: string,
  body: object,
): Promise<void> {
  const response = await fetch(new URL(path, address), {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

async function measureLive(context: Context, node: Node): Promise<Figure[]> {
  context.progress('remote.live …');
  const { server, system, question, headers } = node;
  const response = await fetch(new URL(pathAt(HEALTHY), server.address), { headers });
  if (!response.ok) throw new Error(`remote.live: ${response.status} ${await response.text()}`);
  const body = await response.bytes();
  const contentType = response.headers.get('content-type') ?? '';
  const url = `${system.address.origin}/${HEALTHY}/availability`;
  const bare = await context.startBareCall({ contentType, body, url, question });
  const [ourRequest, bareRequest] = [getRequest(pathAt(HEALTHY), headers), getRequest('/', headers)];
  const { ours, reference } = await compare(
    { server, nextRequest: () => ourRequest },
    { server: bare, nextRequest: () => bareRequest },
    SIDE_BY_SIDE,
  );
  await bare.stop();
  const against = `bare Fastify route, one bare undici call to the same system, same ${body.length} bytes`;
  return [
    {
      name: 'remote.live',
      ours: ours.requestsPerSecond,
      reference: reference.requestsPerSecond,
      unit: 'requests/s',
      against,
      goal: { atLeast: 0.5 },
    },
    {
      name: 'remote.live.cpu',
      ours: ours.cpuMicrosecondsPerRequest,
      reference: reference.cpuMicrosecondsPerRequest,
      unit: 'CPU µs/request',
      against,
    },
  ];
}

/** Others ask a second system at an even pace: one that hangs, or one that answers. */
async function measureHanging(context: Context, node: Node): Promise<Figure[]> {
  context.progress('remote.hanging …');
  const rounds: Record<typeof HANGING | typeof OTHER, number[][]> = { hanging: [], other: [] };
  for (const others of [OTHER, HANGING]) await oneRound(node, others);
  for (let round = 0; round < PATIENT.rounds; round += 1)
    for (const others of round % 2 === 0 ? ([HANGING, OTHER] as const) : ([OTHER, HANGING] as const))
      rounds[others].push(await oneRound(node, others));
  const at = (others: keyof typeof rounds, share: number) =>
    median(rounds[others].map((taken) => percentile(taken, share)));
  const against = 'the second system answers';
  const figure = (name: string, share: number) => ({
    name,
    ours: at(HANGING, share),
    reference: at(OTHER, share),
    unit: `ms, ${share * 100} of 100 answers`,
    against,
  });
  return [{ ...figure('remote.hanging', 0.99), goal: { atMost: 1.1 } }, figure('remote.hanging.median', 0.5)];
}

async function oneRound({ server, headers }: Node, others: string): Promise<number[]> {
  const taken: number[] = [];
  const bytes = getRequest(pathAt(HEALTHY), headers);
  const asking = setInterval(() => void askOnce(server, others, headers), OTHERS_EVERY_MS);
  try {
    await press({
      host: server.address.hostname,
      port: Number(server.address.port),
      connections: PATIENT.connections,
      durationMs: PATIENT.roundMs,
      nextRequest: () => bytes,
      took: (ms) => taken.push(ms),
    });
  } finally {
    clearInterval(asking);
  }
  return taken;
}

async function askOnce(
  { address }: ServerProcess,
  system: string,
  headers: Record<string, string>,
): Promise<void> {
  const { body } = await request(new URL(pathAt(system), address), { headers });
  await body.dump();
}

const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
