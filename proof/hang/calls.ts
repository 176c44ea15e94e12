/** Calls to a node at a fixed rate, whether or not earlier ones were answered, and what became of each. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { guest, placeOf } from '../../bench/bookings/bookings-venues.ts';

export interface Call {
  /** The partner's own id of a booking; absent: a read. */
  partnerBookingId?: string;
  /** The caller hung up before an answer came. */
  hasGone: boolean;
  tookMs: number;
  /** Undefined: no answer. */
  status?: number;
  hasRetryAfter?: boolean;
  /** The answer leaves open whether anything was changed. */
  isInDoubt?: boolean;
}

export interface Caller {
  address: string;
  token: string;
}

/** A caller who hangs up waits this long. */
const PATIENCE_MS = 300;

let places = 0;

/** Of ten calls six look for tables, one reads a booking that is not there, two book, and one books and hangs up. */
export function nextCall(caller: Caller, agent: http.Agent, number: number, run: string): Promise<Call> {
  const kind = number % 10;
  places += 1;
  const { productId, date, time } = placeOf(places);
  const product = `/venues/${encodeURIComponent(productId)}`;
  if (kind < 6)
    return send(caller, agent, { path: `${product}/availability?date=${date}&partySize=2&time=${time}` });
  if (kind === 6)
    return send(caller, agent, { path: '/venues/bookings/00000000-0000-4000-8000-000000000000' });
  const hangsUp = kind === 9;
  const partnerBookingId = `${run}-${hangsUp ? 'gone' : 'kept'}-${places}`;
  const body = JSON.stringify({ ...guest, date, time, partnerBookingId });
  return send(caller, agent, { path: `${product}/booking`, body, partnerBookingId, hangsUp });
}

interface Wanted {
  path: string;
  body?: string;
  partnerBookingId?: string;
  hangsUp?: boolean;
}

function send(
  { address, token }: Caller,
  agent: http.Agent,
  { path, body, partnerBookingId, hangsUp = false }: Wanted,
): Promise<Call> {
  const sentMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<Call>();
  const end = (call: Partial<Call>) =>
    resolve({
      hasGone: false,
      tookMs: performance.now() - sentMs,
      ...(partnerBookingId && { partnerBookingId }),
      ...call,
    });
  const request = http.request(new URL(path, address), {
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  });
  request.on('response', (response) => {
    let text = '';
    response.on('data', (chunk) => {
      text += chunk;
    });
    response.on('end', () =>
      end({
        ...(response.statusCode !== undefined && { status: response.statusCode }),
        hasRetryAfter: response.headers['retry-after'] !== undefined,
        isInDoubt: text.includes('"isOutcomeKnown":false'),
      }),
    );
  });
  request.on('error', () => end({ hasGone: true }));
  request.end(body);
  if (hangsUp) setTimeout(() => request.destroy(), PATIENCE_MS);
  return promise;
}

/** Sends at the rate for so long; settles when all calls have come to an end. */
export async function callFor(
  caller: Caller,
  { perSecond, seconds, run }: { perSecond: number; seconds: number; run: string },
): Promise<Call[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const calls: Promise<Call>[] = [];
  const startedMs = performance.now();
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const dueMs = startedMs + (number * 1000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    calls.push(nextCall(caller, agent, number, run));
  }
  const ended = await Promise.all(calls);
  agent.destroy();
  return ended;
}
