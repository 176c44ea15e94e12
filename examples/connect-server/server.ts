/**
 * A table system that speaks `connect` and needs nothing but Node: two venues, in memory. docs/connect.md explains it.
 *
 *     node_modules/.bin/node examples/connect-server/server.ts --port 4010 --token secret \
 *       [--notify http://127.0.0.1:3000/connect/1/example/changes --notify-secret whsec_…]
 *
 * Under `/_demo` the venue's own staff see and change bookings; that is no part of the protocol.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { catalogueEntry, dateTime, type Product, startsOn, VENUES, type Venue } from './venues.ts';

/** What the bodies of availability, bookings, holds and `/_demo` have; a wrong one is noticed where it is used. */
interface Body {
  venueId: string;
  productId: string;
  dates: string[];
  date: string;
  time: string;
  start: string;
  party: { adults: number; children: number };
  durationMinutes?: number | null;
  spaceId?: string | null;
  overrides?: string[];
  holdId?: string;
  expiresAt: string;
  guest?: unknown;
  notes?: unknown;
  visit?: string;
  cancel?: boolean;
}

/** A table that is taken: by a booking, or until `expiresMs` by a hold. */
type Asked = 'venueId' | 'productId' | 'date' | 'time' | 'party' | 'guest' | 'notes';
export interface Stay extends Pick<Body, Asked> {
  startMs: number;
  durationMinutes: number;
  table: string;
  /** Infinity: a booking. */
  expiresMs: number;
  reference: string;
  visit: string;
}

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: unknown;
}
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}
export type Handle = (call: Call) => Answer | Promise<Answer>;

export interface Options {
  /** Absent: every caller is let in. */
  token?: string;
  /** Who is told what the venue changes. */
  notify?: { url: string; secret: string };
  now?: () => number;
  /** Stands between the network and the system: for tests, to make it misbehave. */
  wrap?: (handle: Handle, stays: Map<string, Stay>) => Handle;
}

const LONGEST_HOLD_MS = 30 * 60_000;
const HORIZON_MS = 365 * 86_400_000;
const CHANGES_PER_PAGE = 100;
const STATUS: Record<string, number> = { 'not-found': 404, 'hold-ended': 410 };
const MALFORMED: Answer = { status: 400, body: { title: 'Malformed', reason: 'rejected' } };
const VISITS = ['expected', 'arrived', 'seated', 'left', 'no_show'];

class Refusal extends Error {}
function refuse(reason: string): never {
  throw new Refusal(reason);
}

const sum = ({ adults, children }: Body['party']) => adults + children;
const endOf = ({ startMs, durationMinutes }: Stay) => startMs + durationMinutes * 60_000;

function find({ venueId, productId }: Pick<Body, 'venueId' | 'productId'>) {
  const venue = VENUES.find(({ id }) => id === venueId) ?? refuse('no-such-product');
  return { venue, product: venue.products.find(({ id }) => id === productId) ?? refuse('no-such-product') };
}

export function createConnectServer({ token, notify, now = Date.now, wrap }: Options = {}) {
  const stays = new Map<string, Stay>();
  const log: string[] = [];
  let lastNumber = 1000;

  const live = (id: string) => {
    const stay = stays.get(id);
    return stay && stay.expiresMs > now() ? stay : undefined;
  };
  const booking = (id: string) => (stays.get(id)?.expiresMs === Infinity ? stays.get(id) : undefined);

  /** The smallest table that seats the party and is free, or the one that `id` has already. */
  function tableFor(venue: Venue, product: Product, startMs: number, guests: number, id = '') {
    const endMs = startMs + product.durationMinutes * 60_000;
    const others = [...stays].filter(
      ([each, stay]) => each !== id && live(each) && stay.venueId === venue.id,
    );
    const rivals = others.filter(([, stay]) => stay.startMs < endMs && startMs < endOf(stay));
    const taken = rivals.map(([, { table }]) => table);
    const own = live(id)?.table;
    return venue.tables
      .filter(({ name, seats }) => seats >= guests && !taken.includes(name))
      .sort((a, b) => Number(b.name === own) - Number(a.name === own) || a.seats - b.seats)[0]?.name;
  }

  /** What keeps everyone from this start, or such a party from all. */
  function obstacleTo(venue: Venue, startMs: number, guests: number, overrides: string[] = []) {
    if (guests > Math.max(...venue.tables.map(({ seats }) => seats))) return 'party-never-fits';
    if (startMs <= now() && !overrides.includes('notice')) return 'too-soon';
    return startMs > now() + HORIZON_MS ? 'too-far' : undefined;
  }

  /** The stay that a body asks for. Nothing is awaited from here until it is stored, so no other can come between. */
  function place(body: Body, id: string): Stay {
    const { venue, product } = find(body);
    const { date, party, overrides, guest, notes } = body;
    const { durationMinutes } = product;
    const startMs = Date.parse(body.start);
    const start = startsOn(venue, product, date).find((each) => each.startMs === startMs);
    if (!start || start.time !== body.time) return refuse('not-a-start');
    const obstacle = obstacleTo(venue, startMs, sum(party), overrides);
    if (obstacle) refuse(obstacle);
    if ((body.durationMinutes ?? durationMinutes) !== durationMinutes) refuse('duration');
    if (body.spaceId) refuse('space-without-zone');
    const table = tableFor(venue, product, startMs, sum(party), id) ?? refuse('taken');
    lastNumber += 1;
    const { reference, visit } = live(id) ?? { reference: `C${lastNumber}`, visit: 'expected' };
    const which = { venueId: venue.id, productId: product.id, reference, table, party, guest, notes, visit };
    return { ...which, date, time: start.time, startMs, durationMinutes, expiresMs: Infinity };
  }

  function view(id: string, stay: Stay) {
    const { date, time, durationMinutes, party, reference, table, visit, guest, notes, expiresMs } = stay;
    const start = dateTime(find(stay).venue.timeZone, stay.startMs);
    const shared = { id, start, date, time, durationMinutes, party };
    if (expiresMs < Infinity) return { ...shared, expiresAt: new Date(expiresMs).toISOString() };
    return { ...shared, reference, tables: [table], visit, guest, notes };
  }

  function store(id: string, stay: Stay): Answer {
    const status = live(id) ? 200 : 201;
    stays.set(id, stay);
    if (booking(id)) log.push(id);
    return { status, body: view(id, stay) };
  }

  function cancel(id: string): Answer {
    if (booking(id) && stays.delete(id)) log.push(id);
    return { status: 204 };
  }

  const routes: Record<string, (id: string, body: Body, call: Call) => Answer> = {
    'GET /venues'(_id, _body, { query }) {
      const index = Number(query.get('cursor') ?? 0);
      const next = index + 1 < VENUES.length ? String(index + 1) : null;
      const venues = VENUES.slice(index, index + 1).map(catalogueEntry);
      return { status: 200, body: { venues, next, total: VENUES.length } };
    },
    'POST /availability'(_id, body) {
      const { venue, product } = find(body);
      const { durationMinutes } = product;
      const guests = sum(body.party);
      if ((body.durationMinutes ?? durationMinutes) !== durationMinutes) refuse('duration');
      const slotsOn = (date: string) =>
        startsOn(venue, product, date).map(({ time, startMs }) => {
          const isFree = tableFor(venue, product, startMs, guests) !== undefined;
          const state = obstacleTo(venue, startMs, guests) ?? (isFree ? 'free' : 'taken');
          return { start: dateTime(venue.timeZone, startMs), time, durationMinutes, state };
        });
      const durations = { minMinutes: durationMinutes, maxMinutes: durationMinutes, stepMinutes: 1 };
      const days = body.dates.map((date) => ({ date, closed: false, slots: slotsOn(date) }));
      return { status: 200, body: { durations, days } };
    },
    'PUT /bookings'(id, body, { headers }) {
      const known = booking(id);
      if (known && headers['if-none-match'] === '*') return { status: 200, body: view(id, known) };
      if (!known && headers['if-match'] === '*') refuse('not-found');
      // A hold has the id of its booking, so `place` gives the booking the table that is held for it.
      if (body.holdId !== undefined && !live(id)) refuse('hold-ended');
      return store(id, place(body, id));
    },
    'GET /bookings': (id) => ({ status: 200, body: view(id, booking(id) ?? refuse('not-found')) }),
    'DELETE /bookings': cancel,
    'PUT /holds'(id, body, { headers }) {
      if (booking(id) || (!live(id) && headers['if-match'] === '*')) refuse('hold-ended');
      const stay = live(id) ?? place(body, id);
      const { epochMilliseconds } = Temporal.Instant.from(body.expiresAt);
      const untilMs = Math.min(epochMilliseconds, now() + LONGEST_HOLD_MS);
      return store(id, { ...stay, expiresMs: Math.max(untilMs, live(id)?.expiresMs ?? 0) });
    },
    'DELETE /holds'(id) {
      if (!booking(id)) stays.delete(id);
      return { status: 204 };
    },
    'GET /changes'(_id, _body, { query }) {
      const from = Number(query.get('after') ?? log.length);
      const ids = log.slice(from, from + CHANGES_PER_PAGE);
      const end = from + ids.length;
      return { status: 200, body: { bookingIds: ids, cursor: String(end), hasMore: end < log.length } };
    },
    'GET /_demo/bookings'() {
      const bookings = [...stays].filter(([id]) => booking(id));
      return { status: 200, body: bookings.map(([id, stay]) => view(id, stay)) };
    },
    /** Staff move (`date`, `time`), resize (`party`), seat (`visit`) or cancel (`cancel`) a booking. */
    'POST /_demo/bookings'(id, body) {
      const known = booking(id) ?? refuse('not-found');
      const { venue, product } = find(known);
      const { date = known.date, time = known.time, party = known.party, visit = known.visit } = body;
      if (!VISITS.includes(visit)) refuse('rejected');
      const start = startsOn(venue, product, date).find((each) => each.time === time);
      const places = { date, time, party, start: new Date(start?.startMs ?? Number.NaN).toISOString() };
      const moved = place({ ...body, ...known, ...places, overrides: ['notice'] }, id);
      const answer = body.cancel ? cancel(id) : store(id, { ...moved, visit });
      void tell([id]);
      return answer;
    },
  };

  /** Signed after Standard Webhooks, and tried again; what is lost all the same is found in `/changes`. */
  async function tell(bookingIds: string[]): Promise<void> {
    if (!notify) return;
    const [id, body] = [randomUUID(), JSON.stringify({ type: 'bookings.changed', bookingIds })];
    const key = Buffer.from(notify.secret.replace(/^whsec_/, ''), 'base64');
    for (const delayMs of [0, 1_000, 10_000]) {
      await sleep(delayMs, undefined, { ref: false });
      const timestamp = String(Math.floor(now() / 1000));
      const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
      const headers = { 'content-type': 'application/json', ...signed };
      const told = await fetch(notify.url, { method: 'POST', headers, body }).catch(() => undefined);
      if (told?.ok) return;
    }
  }

  function handle(call: Call): Answer {
    if (token !== undefined && call.headers.authorization !== `Bearer ${token}`)
      return { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: { title: 'No token' } };
    const [, route = '', id = ''] = /^(\/_demo\/\w+|\/\w+)(?:\/([^/]+))?$/.exec(call.path) ?? [];
    try {
      const run = routes[`${call.method} ${route}`] ?? refuse('rejected');
      return run(decodeURIComponent(id), (call.body ?? {}) as Body, call);
    } catch (error) {
      // A body of another shape shows when something in it is used.
      if (!(error instanceof Refusal)) return MALFORMED;
      const reason = error.message;
      return { status: STATUS[reason] ?? 409, body: { title: 'Refused', reason } };
    }
  }

  const outermost = wrap?.(handle, stays) ?? handle;
  const server = createServer(async (request, response) => {
    const { status, body, headers } = await readCall(request)
      .then(outermost)
      .catch(() => MALFORMED);
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers });
    response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  });
  return {
    async listen(port = 0): Promise<string> {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const text = Buffer.concat(await request.toArray()).toString();
  const { method = 'GET', headers } = request;
  return { method, path, query, headers, body: text ? JSON.parse(text) : undefined };
}

if (import.meta.main) {
  const text = { type: 'string' } as const;
  const options = { port: text, token: text, notify: text, 'notify-secret': text };
  const { port = '4010', token, notify: url, 'notify-secret': secret } = parseArgs({ options }).values;
  const server = createConnectServer({
    ...(token && { token }),
    ...(url && secret && { notify: { url, secret } }),
  });
  console.log(`Speaking connect on ${await server.listen(Number(port))}`);
}
