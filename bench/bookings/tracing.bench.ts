/** What tracing costs a node: the same calls with every trace recorded, with one in ten, and without tracing. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inTransaction } from '../../src/db/database.ts';
import { addPartner, tokenOf } from '../caller.ts';
import { compare, type Rounds, type Side, UNDER_LOAD } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { getRequest, postRequest } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { addBookableVenues, guest, placeOf } from './bookings-venues.ts';

export const name = 'tracing';

const CLIENT = 'bench-partner';
const ROUNDS: Rounds = { ...UNDER_LOAD, rounds: 8 };
/** All nodes have answered as much before they are compared: one that has answered more would be the faster one. */
const WARM_UP: Rounds = { ...ROUNDS, rounds: 1, warmUpMs: 5000 };

interface Node {
  server: ServerProcess;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  context.progress('Filling a database with venues …');
  const { sql, url } = await context.createDatabase();
  await inTransaction(sql, async (tx) => addBookableVenues(tx, await addPartner(tx, CLIENT)));
  await sql`vacuum analyze`;
  const collector = await startSink();
  const start = async (env: Record<string, string>): Promise<Node> => {
    const server = await context.startOurs(url, 'api', env);
    return { server, headers: { authorization: `Bearer ${await tokenOf(server, CLIENT)}` } };
  };
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const off = await start({});
  const all = await start({ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '1' });
  const tenth = await start(endpoint);
  const figures: Figure[] = [];
  for (const [what, side] of [
    ['availability', askAvailability],
    ['booking', makeBookings],
  ] as const) {
    for (const node of [all, tenth]) await compare(side(node), side(off), WARM_UP);
    figures.push(await costOf(context, `tracing.${what}.all`, side(all), side(off), 'every trace recorded'));
    figures.push(
      await costOf(context, `tracing.${what}.tenth`, side(tenth), side(off), 'one trace in ten', 1.1),
    );
  }
  await collector.close();
  return figures;
}

/** In processor time of the node, which is what a trace costs; others on the machine fall on both. */
async function costOf(
  context: Context,
  figure: string,
  traced: Side,
  untraced: Side,
  what: string,
  atMost?: number,
): Promise<Figure> {
  context.progress(`${figure} …`);
  const { ours, reference } = await compare(traced, untraced, ROUNDS);
  return {
    name: figure,
    ours: ours.cpuMicrosecondsPerRequest,
    reference: reference.cpuMicrosecondsPerRequest,
    unit: 'µs/request',
    against: `the processor time of the node without tracing; ${what}`,
    ...(atMost !== undefined && { goal: { atMost } }),
  };
}

function askAvailability({ server, headers }: Node): Side {
  const { productId, date } = placeOf(1);
  const bytes = getRequest(
    `/venues/${encodeURIComponent(productId)}/availability?date=${date}&partySize=2`,
    headers,
  );
  return { server, nextRequest: () => bytes };
}

let bookings = 0;

function makeBookings({ server, headers }: Node): Side {
  return {
    server,
    nextRequest() {
      bookings += 1;
      const { productId, ...when } = placeOf(bookings);
      return postRequest(`/venues/${encodeURIComponent(productId)}/booking`, headers, { ...guest, ...when });
    },
  };
}

/** A collector that takes everything and looks at nothing. */
async function startSink() {
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
