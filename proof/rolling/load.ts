/** Calls of partners at a fixed rate, whether or not earlier ones were answered, until told to stop. */
import { randomUUID } from 'node:crypto';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { guest, placeOf } from '../../bench/bookings/bookings-venues.ts';
import type { Sql } from '../../src/db/database.ts';

export interface Call {
  kind: string;
  atMs: number;
  tookMs: number;
  /** Undefined: no answer. */
  status?: number;
  error?: string;
  /** The partner's own id of a booking. */
  partnerBookingId?: string;
  /** What was answered, where the caller reads it. */
  text?: string;
}

export interface Caller {
  address: string;
  /** Of the certificate there. */
  ca: string;
  clientId: string;
  token: string;
}

export interface Wanted {
  kind: string;
  path: string;
  /** Absent: POST where there is a body, else GET. */
  method?: string;
  isRead?: boolean;
  headers?: Record<string, string>;
  body?: object;
  partnerBookingId?: string;
}

const BOOKINGS_PER_PAGE = 20;

/** Of twenty calls nine look for tables, five book, three list, two read a venue, and one asks for a token. */
const MIX = [
  ...Array.from({ length: 9 }, () => availability),
  ...Array.from({ length: 5 }, () => booking),
  ...Array.from({ length: 2 }, () => bookings),
  venues,
  ...Array.from({ length: 2 }, () => venue),
  token,
];

let places = 0;
const nextPlace = () => {
  places += 1;
  return placeOf(places);
};
const pathOf = (id: string) => `/venues/${encodeURIComponent(id)}`;

function availability(): Wanted {
  const { productId, date, time } = nextPlace();
  return {
    kind: 'availability',
    path: `${pathOf(productId)}/availability?date=${date}&partySize=2&time=${time}`,
  };
}

function booking(): Wanted {
  const { productId, date, time } = nextPlace();
  const partnerBookingId = randomUUID();
  return {
    kind: 'booking',
    path: `${pathOf(productId)}/booking`,
    headers: { 'idempotency-key': randomUUID() },
    body: { ...guest, date, time, partnerBookingId },
    partnerBookingId,
  };
}

function bookings(): Wanted {
  return { kind: 'bookings', path: `/venues/bookings?pageSize=${BOOKINGS_PER_PAGE}` };
}

function venues(): Wanted {
  return { kind: 'venues', path: '/venues?pageSize=20' };
}

function venue(): Wanted {
  const { productId } = nextPlace();
  return { kind: 'venue', path: pathOf(productId.slice(0, productId.lastIndexOf('|'))) };
}

function token({ clientId }: Caller): Wanted {
  const body = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: `${clientId}-secret`,
    audience: 'maitred',
  };
  return { kind: 'token', path: '/oauth/token', body };
}

export function send(caller: Caller, agent: https.Agent, wanted: Wanted, beganMs: number): Promise<Call> {
  const sentMs = performance.now();
  const { kind, path, headers, body, partnerBookingId } = wanted;
  const { promise, resolve } = Promise.withResolvers<Call>();
  const end = (how: Partial<Call>) =>
    resolve({
      kind,
      atMs: sentMs - beganMs,
      tookMs: performance.now() - sentMs,
      ...(partnerBookingId && { partnerBookingId }),
      ...how,
    });
  const request = https.request(new URL(path, caller.address), {
    agent,
    method: wanted.method ?? (body ? 'POST' : 'GET'),
    headers: {
      ...(kind !== 'token' && { authorization: `Bearer ${caller.token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  request.on('response', (response) => {
    response.on('error', ({ message }) => end({ error: message }));
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => {
      if (wanted.isRead) chunks.push(chunk);
    });
    response.on('end', () =>
      end({
        ...(response.statusCode !== undefined && { status: response.statusCode }),
        ...(wanted.isRead && { text: Buffer.concat(chunks).toString() }),
      }),
    );
  });
  request.on('error', ({ message }) => end({ error: message }));
  request.end(body && JSON.stringify(body));
  return promise;
}

export interface Load {
  /** Sends nothing more, and waits for what was sent. */
  stop(): Promise<Call[]>;
  /** Milliseconds since it began, as in `atMs` of its calls. */
  nowMs(): number;
}

export function startLoad(caller: Caller, perSecond: number): Load {
  const agent = new https.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, ca: caller.ca });
  const calls: Promise<Call>[] = [];
  const beganMs = performance.now();
  let isStopping = false;
  const sending = (async () => {
    for (let number = 0; !isStopping; number += 1) {
      const waitMs = beganMs + (number * 1000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      const make = MIX[number % MIX.length] ?? availability;
      calls.push(send(caller, agent, make(caller), beganMs));
    }
  })();
  return {
    nowMs: () => performance.now() - beganMs,
    async stop() {
      isStopping = true;
      await sending;
      const ended = await Promise.all(calls);
      agent.destroy();
      return ended;
    },
  };
}

export const hasFailed = ({ status }: Call) => status === undefined || status >= 500;

export interface Kept {
  /** Answered with 201. */
  acknowledged: number;
  /** Of those, not in the database. */
  lost: number;
  /** In the database, although the call failed. */
  unacknowledged: number;
}

/** What the callers were told, held against what the database has. */
export async function compare(sql: Sql, calls: readonly Call[]): Promise<Kept> {
  const rows = await sql<{ id: string }[]>`
    select partner_booking_id as id from booking where partner_booking_id is not null`;
  const made = new Set(rows.map(({ id }) => id));
  const acknowledged = calls.filter(({ kind, status }) => kind === 'booking' && status === 201);
  const isMade = ({ partnerBookingId: id }: Call) => id !== undefined && made.has(id);
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((call) => !isMade(call)).length,
    unacknowledged: calls.filter((call) => hasFailed(call) && isMade(call)).length,
  };
}
