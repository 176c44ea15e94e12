/** Clients that make, amend and cancel bookings of a node that keeps dying, and write down what they were told. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Start } from '../race/venues.ts';
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts';
import { patience } from '../support/patience.ts';

/** What can be seen of a booking from outside. */
export interface State {
  status: 'confirmed' | 'cancelled';
  date: string;
  time: string;
  partySize: number;
}

/** One booking that a client asked for, and all that it was told about it. */
export interface Told {
  /** Sent as `depositAmount`, so that the database can be asked for it whatever became of the booking. */
  mark: number;
  partnerBookingId: string | null;
  key: string | null;
  /** The ids that the answers named; more than one is a fault. */
  ids: Set<string>;
  wasRefused: boolean;
  /** As acknowledged last; undefined while no answer came. */
  state: State | undefined;
  /** What a later request asked for, whose answer never came. */
  maybe: State | undefined;
}

export interface Site {
  productIds: readonly string[];
  starts: readonly Start[];
  /** The node that is up, or will be. */
  address(): Promise<string>;
  token: string;
  /** Of every guest; absent: they have none. */
  email?: string;
  isOver(): boolean;
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes are looked into.
  body: any;
}

/** Undefined: the connection broke, and nobody knows what was done. */
async function send(
  { address, token }: Site,
  method: string,
  path: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answer | undefined> {
  const url = new URL(path, await address());
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)];
  assert.ok(item !== undefined);
  return item;
};

let marks = 0;

/** Books, amends and cancels until it is over. Every second booking has a key, and those are asked for until answered. */
export async function keepBooking(site: Site, log: Told[]): Promise<void> {
  while (!site.isOver()) {
    marks += 1;
    const isKeyed = marks % 2 === 0;
    const told: Told = {
      mark: marks,
      partnerBookingId: isKeyed ? null : `order-${marks}`,
      key: isKeyed ? `key-${marks}` : null,
      ids: new Set(),
      wasRefused: false,
      state: undefined,
      maybe: undefined,
    };
    log.push(told);
    const ask = creationOf(site, told);
    await ask();
    if (told.key !== null && !isAnswered(told)) void untilAnswered(told, ask);
    while (told.state?.status === 'confirmed' && !told.maybe && Math.random() < 0.5) await change(site, told);
  }
}

export const isAnswered = ({ state, wasRefused }: Told) => state !== undefined || wasRefused;

function creationOf(site: Site, told: Told): () => Promise<void> {
  const productId = pick(site.productIds);
  const start = pick(site.starts);
  const partySize = pick([1, 2]);
  const body = {
    type: 'book',
    partySize,
    ...start,
    firstName: 'Ada',
    lastName: 'Lovelace',
    ...(site.email && { email: site.email }),
    depositAmount: told.mark,
    partnerBookingId: told.partnerBookingId,
  };
  const headers: Record<string, string> = told.key === null ? {} : { 'idempotency-key': told.key };
  return async () => {
    const path = `/venues/${encodeURIComponent(productId)}/booking`;
    const answer = await send(site, 'POST', path, { body, headers });
    // Too busy, it says that nothing was done; whoever has a key asks again.
    if (answer === undefined || (answer.status === 503 && told.key !== null)) return;
    if (answer.status === 201) {
      told.ids.add(answer.body.id);
      told.state ??= { status: 'confirmed', partySize, ...start };
    } else {
      assertUndone(answer);
      told.wasRefused = true;
    }
  };
}

async function untilAnswered(told: Told, ask: () => Promise<void>): Promise<void> {
  while (!isAnswered(told)) {
    await sleep(50);
    await ask();
  }
}

/** Longer than a key is kept for a request that died. */
const PATIENCE_MS = patience(60_000);

/** Whoever asks again and again does so until it is answered, also when the test is long over. */
export async function untilAllAnswered(log: readonly Told[]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (log.some((told) => told.key !== null && !isAnswered(told))) {
    assert.ok(Date.now() < deadline, 'a request with a key was never answered');
    await sleep(50);
  }
}

async function change(site: Site, told: Told): Promise<void> {
  const { state } = told;
  const [id] = told.ids;
  assert.ok(state && id);
  const wanted: State =
    Math.random() < 0.3
      ? { ...state, status: 'cancelled' }
      : { ...state, ...pick(site.starts), partySize: 1 };
  told.maybe = wanted;
  const answer =
    wanted.status === 'cancelled'
      ? await send(site, 'DELETE', `/venues/bookings/${id}`)
      : await send(site, 'PATCH', `/venues/bookings/${id}`, { body: patchTo(wanted) });
  if (answer === undefined) return;
  told.maybe = undefined;
  if (answer.status < 300) told.state = wanted;
  else assertUndone(answer);
}

/** The only answers besides success: the place is taken, or the node has just started and is too busy. */
function assertUndone({ body }: Answer): void {
  assert.ok(['AVAIL-N-005', 'HTTP-R-503'].includes(body.code), JSON.stringify(body));
}

const patchTo = (wanted: State) =>
  (['date', 'time', 'partySize'] as const).map((field) => ({
    op: 'replace',
    path: `/${field}`,
    value: wanted[field],
  }));

/** What `demo-partner` calls with, on every node that has the same issuer. */
export async function tokenFrom(address: string): Promise<string> {
  const response = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
      audience: 'maitred',
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** A node that is to be killed, and followed by others like it. */
export function startMortalNode(databaseUrl: string, env: Record<string, string> = {}): Promise<NodeProcess> {
  return startNodeProcess({
    env: {
      DATABASE_URL: databaseUrl,
      // The issuer of tokens, which must not change from node to node.
      PUBLIC_URL: 'http://maitred.example',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      RATE_LIMIT: '0',
      ...env,
    },
  });
}
