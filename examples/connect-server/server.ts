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

interface Product {
  id: string;
  name: string;
  /** Minutes of the trading day; 1500 is one in the morning after. */
  starts: number[];
  durationMinutes: number;
}

interface Venue {
  id: string;
  name: string;
  timeZone: string;
  currency: string;
  city: string;
  tables: { name: string; seats: number }[];
  products: Product[];
}

const every = (step: number, from: number, to: number) =>
  Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);
const tables = (...seats: number[]) => seats.map((each, index) => ({ name: `T${index + 1}`, seats: each }));

export const VENUES: Venue[] = [
  {
    id: 'harbour-kitchen',
    name: 'Harbour Kitchen',
    timeZone: 'Europe/London',
    currency: 'GBP',
    city: 'Bristol',
    tables: tables(2, 2, 4, 4, 4, 6),
    products: [
      { id: 'lunch', name: 'Lunch', starts: every(30, 720, 840), durationMinutes: 90 },
      { id: 'dinner', name: 'Dinner', starts: every(30, 1080, 1320), durationMinutes: 120 },
    ],
  },
  {
    id: 'bar-lumiere',
    name: 'Bar Lumière',
    timeZone: 'Europe/Paris',
    currency: 'EUR',
    city: 'Lyon',
    tables: tables(2, 4, 4, 8),
    products: [{ id: 'late', name: 'Late table', starts: every(60, 1260, 1500), durationMinutes: 60 }],
  },
];

interface Party {
  adults: number;
  children: number;
}
interface Stay {
  venueId: string;
  productId: string;
  date: string;
  time: string;
  startMs: number;
  durationMinutes: number;
  party: Party;
  table: string;
}
export interface Booking extends Stay {
  reference: string;
  visit: string;
  details: Record<string, unknown>;
}
export interface Hold extends Stay {
  expiresMs: number;
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
export interface Book {
  bookings: Map<string, Booking>;
  holds: Map<string, Hold>;
  /** The ids of bookings, one for each change. */
  log: string[];
}

export interface Options {
  /** Absent: every caller is let in. */
  token?: string;
  /** Who is told what the venue changes; `secret` as Standard Webhooks has it. */
  notify?: { url: string; secret: string };
  now?: () => number;
  /** Stands between the network and the system: for tests, to make it misbehave. */
  wrap?: (handle: Handle, book: Book) => Handle;
}

const LONGEST_HOLD_MS = 30 * 60_000;
const HORIZON_MS = 365 * 86_400_000;
const PAGE_OF_CHANGES = 100;
const MOST_BYTES = 1_000_000;
const VISITS = ['expected', 'arrived', 'seated', 'left', 'no_show'];
const STATUS: Record<string, number> = { 'not-found': 404, 'hold-ended': 410, malformed: 400 };

/** Thrown wherever something cannot be done; answered as a problem. */
class Refusal extends Error {}
function refuse(reason: string): never {
  throw new Refusal(reason);
}

const clockTime = (minute: number) =>
  [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Undefined where the clocks skip that minute. */
function instantOf({ timeZone }: Venue, date: string, minute: number): number | undefined {
  const local = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes: minute });
  const zoned = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return zoned.toPlainDateTime().equals(local) ? zoned.epochMilliseconds : undefined;
}

function dateTime(timeZone: string, ms: number): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

function find(venueId: unknown, productId: unknown): { venue: Venue; product: Product } {
  const venue = VENUES.find(({ id }) => id === venueId);
  const product = venue?.products.find(({ id }) => id === productId);
  return venue && product ? { venue, product } : refuse('no-such-product');
}

const zoneOf = (venueId: string) => VENUES.find(({ id }) => id === venueId)?.timeZone ?? 'UTC';
const guestsOf = ({ adults, children }: Party) => adults + children;
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isDate = (value: unknown) =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)));

function membersOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : refuse('malformed');
}

function partyIn(value: unknown): Party {
  const { adults, children } = membersOf(value);
  const party = { adults: Number(adults), children: Number(children) };
  return isCount(adults) && isCount(children) && guestsOf(party) > 0 ? party : refuse('malformed');
}

export function createConnectServer({ token, notify, now = Date.now, wrap }: Options = {}) {
  const book: Book = { bookings: new Map(), holds: new Map(), log: [] };
  const { bookings, holds, log } = book;
  let lastNumber = 0;

  const liveHold = (id: string) => {
    const hold = holds.get(id);
    return hold && hold.expiresMs > now() ? hold : undefined;
  };

  /** The smallest table that is free all the time and seats the party, or the one that it has already. */
  function tableFor(venue: Venue, stay: Omit<Stay, 'table'>, id?: string): string | undefined {
    const endMs = stay.startMs + stay.durationMinutes * 60_000;
    const others = [...bookings, ...[...holds].filter(([held]) => liveHold(held))].filter(
      ([other, { venueId, startMs, durationMinutes }]) =>
        other !== id &&
        venueId === venue.id &&
        startMs < endMs &&
        stay.startMs < startMs + durationMinutes * 60_000,
    );
    const taken = new Set(others.map(([, { table }]) => table));
    const own = id === undefined ? undefined : (bookings.get(id) ?? liveHold(id))?.table;
    return venue.tables
      .filter(({ name, seats }) => !taken.has(name) && seats >= guestsOf(stay.party))
      .sort((a, b) => Number(b.name === own) - Number(a.name === own) || a.seats - b.seats)[0]?.name;
  }

  /** Why nobody can have this start, or such a party never. */
  function obstacleTo(venue: Venue, startMs: number, party: Party): string | undefined {
    if (guestsOf(party) > Math.max(...venue.tables.map(({ seats }) => seats))) return 'party-never-fits';
    if (startMs <= now()) return 'too-soon';
    return startMs > now() + HORIZON_MS ? 'too-far' : undefined;
  }

  /** The stay that a body asks for, with a table that is free for it; `id` has no need to make room for itself. */
  function place(body: Record<string, unknown>, id: string): Stay {
    const { venue, product } = find(body.venueId, body.productId);
    const party = partyIn(body.party);
    const [date, time, startMs] = [String(body.date), String(body.time), Date.parse(String(body.start))];
    if (!isDate(date)) refuse('malformed');
    const minute = product.starts.find((each) => clockTime(each) === time);
    if (minute === undefined || instantOf(venue, date, minute) !== startMs) refuse('not-a-start');
    const obstacle = obstacleTo(venue, startMs, party);
    const isSetAside =
      obstacle === 'too-soon' && Array.isArray(body.overrides) && body.overrides.includes('notice');
    if (obstacle && !isSetAside) refuse(obstacle);
    const { durationMinutes } = product;
    if ((body.durationMinutes ?? durationMinutes) !== durationMinutes) refuse('duration');
    if (typeof body.spaceId === 'string') refuse('space-without-zone');
    const stay = { venueId: venue.id, productId: product.id, date, time, startMs, durationMinutes, party };
    return { ...stay, table: tableFor(venue, stay, id) ?? refuse('taken') };
  }

  function availability(body: Record<string, unknown>): Answer {
    const { venue, product } = find(body.venueId, body.productId);
    const { durationMinutes } = product;
    const party = partyIn(body.party);
    if ((body.durationMinutes ?? durationMinutes) !== durationMinutes) refuse('duration');
    if (!Array.isArray(body.dates) || !body.dates.every(isDate)) refuse('malformed');
    const days = body.dates.map((date: string) => {
      const slots = product.starts.flatMap((minute) => {
        const startMs = instantOf(venue, date, minute);
        if (startMs === undefined) return [];
        const stay = {
          venueId: venue.id,
          productId: product.id,
          date,
          time: '',
          startMs,
          durationMinutes,
          party,
        };
        const state = obstacleTo(venue, startMs, party) ?? (tableFor(venue, stay) ? 'free' : 'taken');
        return [
          { start: dateTime(venue.timeZone, startMs), time: clockTime(minute), durationMinutes, state },
        ];
      });
      return { date, closed: false, slots };
    });
    const durations = { minMinutes: durationMinutes, maxMinutes: durationMinutes, stepMinutes: 1 };
    return { status: 200, body: { durations, days } };
  }

  const stayView = (id: string, { venueId, startMs, date, time, durationMinutes, party }: Stay) => ({
    ...{ id, start: dateTime(zoneOf(venueId), startMs), date, time, durationMinutes, party },
  });
  const bookingView = (id: string, booking: Booking) => {
    const { reference, table, visit, details } = booking;
    return {
      ...stayView(id, booking),
      reference,
      tables: [table],
      visit,
      guest: details.guest,
      notes: details.notes,
    };
  };
  const holdView = (id: string, hold: Hold) => {
    return { ...stayView(id, hold), expiresAt: new Date(hold.expiresMs).toISOString() };
  };

  function putBooking(id: string, { headers, body }: Call): Answer {
    const known = bookings.get(id);
    if (known && headers['if-none-match'] === '*') return { status: 200, body: bookingView(id, known) };
    if (!known && headers['if-match'] === '*') refuse('not-found');
    const members = membersOf(body);
    // The hold has the id of the booking, so that `place` counts its table as free for it.
    if (!known && members.holdId !== undefined && !(members.holdId === id && liveHold(id)))
      refuse('hold-ended');
    const stay = place(members, id);
    const { guest, company, notes, preorders, partner, depositPence } = members;
    const details = { guest, company, notes, preorders, partner, depositPence };
    if (!known) lastNumber += 1;
    const { reference, visit } = known ?? { reference: `C${1000 + lastNumber}`, visit: 'expected' };
    bookings.set(id, { ...stay, reference, visit, details });
    holds.delete(id);
    log.push(id);
    return { status: known ? 200 : 201, body: bookingView(id, { ...stay, reference, visit, details }) };
  }

  function putHold(id: string, { headers, body }: Call): Answer {
    const members = membersOf(body);
    const known = liveHold(id);
    const untilMs = Math.min(Date.parse(String(members.expiresAt)), now() + LONGEST_HOLD_MS);
    if (Number.isNaN(untilMs)) refuse('malformed');
    if (bookings.has(id)) refuse('rejected');
    if (!known && headers['if-match'] === '*') refuse('hold-ended');
    const stay = known && headers['if-match'] === '*' ? known : place(members, id);
    const hold = { ...stay, expiresMs: Math.max(untilMs, known?.expiresMs ?? 0) };
    holds.set(id, hold);
    return { status: known ? 200 : 201, body: holdView(id, hold) };
  }

  function venues({ query }: Call): Answer {
    const index = Number(query.get('cursor') ?? 0);
    const page = VENUES.slice(index, index + 1).map(({ id, name, timeZone, currency, city, products }) => ({
      ...{ id, name, timeZone, currency, address: { city } },
      products: products.map(({ id, name, starts, durationMinutes }) => ({
        ...{ id, name, intervalMinutes: (starts[1] ?? 0) - (starts[0] ?? 0), minGuests: 1 },
        hours: {
          weekly: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
            ...{ weekday, opens: clockTime(starts[0] ?? 0) },
            closes: clockTime((starts.at(-1) ?? 0) + durationMinutes),
          })),
        },
      })),
    }));
    const next = index + 1 < VENUES.length ? String(index + 1) : null;
    return { status: 200, body: { venues: page, next, total: VENUES.length } };
  }

  function changes({ query }: Call): Answer {
    const from = Number(query.get('after') ?? log.length);
    const ids = log.slice(from, from + PAGE_OF_CHANGES);
    const cursor = from + ids.length;
    return {
      status: 200,
      body: { bookingIds: [...new Set(ids)], cursor: String(cursor), hasMore: cursor < log.length },
    };
  }

  /** Staff move, resize, seat or cancel a booking. */
  function changeAtVenue(id: string, body: Record<string, unknown>): Answer {
    const booking = bookings.get(id) ?? refuse('not-found');
    if (body.cancel === true) bookings.delete(id);
    else {
      const { venue, product } = find(booking.venueId, booking.productId);
      const { date = booking.date, time = booking.time, party = booking.party, visit = booking.visit } = body;
      if (!VISITS.includes(String(visit))) refuse('malformed');
      const minute = product.starts.find((each) => clockTime(each) === time) ?? refuse('not-a-start');
      const start = new Date(instantOf(venue, String(date), minute) ?? refuse('not-a-start')).toISOString();
      const stay = place({ ...booking, date, time, party, start, overrides: ['notice'] }, id);
      bookings.set(id, { ...booking, ...stay, visit: String(visit) });
    }
    log.push(id);
    void tell([id]);
    const changed = bookings.get(id);
    return changed ? { status: 200, body: bookingView(id, changed) } : { status: 204 };
  }

  /** Signed after Standard Webhooks, and tried again; a notification that is lost is made good by `/changes`. */
  async function tell(bookingIds: string[]): Promise<void> {
    if (!notify) return;
    const [id, body] = [randomUUID(), JSON.stringify({ type: 'bookings.changed', bookingIds })];
    const key = Buffer.from(notify.secret.replace(/^whsec_/, ''), 'base64');
    for (const delayMs of [0, 1_000, 10_000]) {
      await sleep(delayMs, undefined, { ref: false });
      const timestamp = String(Math.floor(now() / 1000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
      };
      const told = await fetch(notify.url, { method: 'POST', headers, body }).catch(() => undefined);
      if (told?.ok) return;
    }
  }

  function route(call: Call): Answer {
    const [, root, ...rest] = call.path.split('/').map(decodeURIComponent);
    const id = rest.at(-1) ?? '';
    switch (`${call.method} ${root}${rest.length > 1 ? `/${rest[0]}` : ''}`) {
      case 'GET venues':
        return venues(call);
      case 'POST availability':
        return availability(membersOf(call.body));
      case 'PUT bookings':
        return putBooking(id, call);
      case 'GET bookings':
        return { status: 200, body: bookingView(id, bookings.get(id) ?? refuse('not-found')) };
      case 'DELETE bookings':
        if (bookings.delete(id)) log.push(id);
        return { status: 204 };
      case 'PUT holds':
        return putHold(id, call);
      case 'DELETE holds':
        holds.delete(id);
        return { status: 204 };
      case 'GET changes':
        return changes(call);
      case 'GET _demo':
        return { status: 200, body: [...bookings].map(([each, booking]) => bookingView(each, booking)) };
      case 'POST _demo/bookings':
        return changeAtVenue(id, membersOf(call.body));
    }
    return refuse('rejected');
  }

  function handle(call: Call): Answer {
    if (token !== undefined && call.headers.authorization !== `Bearer ${token}`)
      return {
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { title: 'A token is needed.' },
      };
    try {
      return route(call);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const reason = error.message === 'malformed' ? 'rejected' : error.message;
      return { status: STATUS[error.message] ?? 409, body: { title: error.message, reason } };
    }
  }

  const outermost = wrap?.(handle, book) ?? handle;
  const server = createServer(async (request, response) => {
    const answer = await readCall(request)
      .then(outermost)
      .catch((): Answer => ({ status: 500 }));
    const { status, body, headers } = answer;
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers });
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  });
  return {
    ...{ server, book },
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
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MOST_BYTES) throw new Error('The body is too large.');
  }
  return {
    method: request.method ?? 'GET',
    path,
    query,
    headers: request.headers,
    body: text ? JSON.parse(text) : undefined,
  };
}

if (import.meta.main) {
  const text = { type: 'string' } as const;
  const options = { port: { ...text, default: '4010' }, token: text, notify: text, 'notify-secret': text };
  const { port, token, notify: url, 'notify-secret': secret } = parseArgs({ options }).values;
  const server = createConnectServer({
    ...(token && { token }),
    ...(url && secret && { notify: { url, secret } }),
  });
  console.log(`Speaking connect on ${await server.listen(Number(port))}`);
}
