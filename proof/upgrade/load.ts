/**
 * What users do while a new version takes over: calls at a fixed rate, whether or not earlier ones were answered. Keeps
 * what each booking was said to be, and compares what nodes of either version say of it.
 */
import { randomUUID } from 'node:crypto';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, type Caller, hasFailed, send, type Wanted } from '../rolling/load.ts';
import { bookingPath, DINNER, guest, type Json, nextPlace, OPERATOR, type World } from './world.ts';

export interface Known {
  id: string;
  status: string;
  partySize: number;
}

export interface Journal {
  calls: Call[];
  /** Bookings as last answered. */
  known: Map<string, Known>;
  /** Of bookings, `lastUpdate` of each answer to a change. */
  told: Map<string, Set<string>>;
  /** Sentences about answers that contradict earlier ones. */
  wrong: string[];
}

interface Sent {
  path: string;
  key: string;
  body: object;
  id: string;
}

export interface Load {
  journal: Journal;
  nowMs(): number;
  /** Sends nothing more, and waits for what was sent. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  address: string;
  ca: string;
  tokens: { partner: string; operator: string };
  world: World;
  perSecond: number;
}

const MIX = [
  ...[
    'availability',
    'book',
    'read',
    'availability',
    'bookings',
    'book',
    'amend',
    'availability',
    'venue',
    'read',
  ],
  ...[
    'book',
    'availability',
    'cancel',
    'operator',
    'book',
    'read',
    'availability',
    'venues',
    'book',
    'amend',
  ],
  ...[
    'availability',
    'book',
    'read',
    'repeat',
    'availability',
    'order',
    'bookings',
    'person',
    'token',
    'pay',
  ],
] as const;
type Kind = (typeof MIX)[number];

export function startLoad({ address, ca, tokens, world, perSecond }: LoadOptions): Load {
  const agent = new https.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, ca });
  const journal: Journal = { calls: [], known: new Map(), told: new Map(), wrong: [] };
  const beganMs = performance.now();
  const unpaid = [...world.unpaid];
  const sent: Sent[] = [];
  /** Of bookings that no call is about at the moment. */
  const idle: string[] = [];
  for (const booking of world.bookings) note(booking);

  function note(booking: Json): void {
    const { id, status, partySize, lastUpdate } = booking;
    if (!journal.known.has(id)) idle.push(id);
    journal.known.set(id, { id, status, partySize });
    const told = journal.told.get(id) ?? new Set();
    journal.told.set(id, told.add(lastUpdate));
  }

  async function ask(wanted: Wanted, token = tokens.partner): Promise<Call & { json: Json }> {
    const caller: Caller = { address, ca, clientId: 'demo-partner', token };
    const call = await send(caller, agent, { ...wanted, isRead: true }, beganMs);
    const { text = '', ...kept } = call;
    const json = call.status && text.startsWith('{') ? JSON.parse(text) : undefined;
    const isRefused = call.status !== undefined && hasFailed(call);
    journal.calls.push({ ...kept, ...(isRefused && { error: json?.detail ?? text }) });
    return { ...call, json };
  }

  /** A booking that is left alone by other calls meanwhile. */
  async function withBooking(work: (known: Known) => Promise<void>): Promise<void> {
    const index = Math.floor(Math.random() * idle.length);
    const [id] = idle.splice(index, 1);
    const known = id === undefined ? undefined : journal.known.get(id);
    if (!known) return;
    await work(known);
    if (journal.known.has(known.id)) idle.push(known.id);
  }

  /** Whether a change that got no answer was made is not known, and nothing more is asked about the booking. */
  function forgetUnsure({ id }: Known, call: Call): void {
    if (!hasFailed(call)) return;
    journal.known.delete(id);
    journal.told.delete(id);
  }

  function compare(known: Known, { status, json }: { status?: number; json: Json }): void {
    if (status === 200 && (json.status !== known.status || json.partySize !== known.partySize))
      journal.wrong.push(`${JSON.stringify(known)} was read as ${json.status}, ${json.partySize}`);
  }

  async function book(): Promise<void> {
    const body = { type: 'book', ...nextPlace(), partySize: 2, partnerBookingId: randomUUID(), ...guest };
    const [path, key] = [bookingPath(DINNER), randomUUID()];
    const { status, json } = await ask({ kind: 'book', path, body, headers: { 'idempotency-key': key } });
    if (status !== 201) return;
    note(json);
    sent.push({ path, key, body, id: json.id });
  }

  /** As a caller who has not seen the answer, which another version may have given. */
  async function repeat(): Promise<void> {
    const last = sent[Math.floor(Math.random() * sent.length)];
    if (!last) return;
    const { path, key, body, id } = last;
    const { status, json } = await ask({ kind: 'repeat', path, body, headers: { 'idempotency-key': key } });
    if (status !== undefined && status < 500 && json?.id !== id)
      journal.wrong.push(`A repeated request got ${status} ${json?.id ?? json?.code} in place of ${id}`);
  }

  const pathOf = ({ id }: Known) => `/venues/bookings/${id}`;

  const act: Record<Kind, () => Promise<unknown>> = {
    availability() {
      const { date, time } = nextPlace();
      const path = `/venues/${encodeURIComponent(DINNER)}/availability?date=${date}&partySize=2&time=${time}`;
      return ask({ kind: 'availability', path });
    },
    book,
    repeat,
    read: () =>
      withBooking(async (known) => compare(known, await ask({ kind: 'read', path: pathOf(known) }))),
    amend: () =>
      withBooking(async (known) => {
        if (known.status !== 'confirmed') return;
        const body = [{ op: 'replace', path: '/partySize', value: known.partySize === 2 ? 1 : 2 }];
        const call = await ask({ kind: 'amend', method: 'PATCH', path: pathOf(known), body });
        if (call.status === 200) note(call.json);
        forgetUnsure(known, call);
      }),
    cancel: () =>
      withBooking(async (known) => {
        if (known.status !== 'confirmed') return;
        const call = await ask({ kind: 'cancel', method: 'DELETE', path: pathOf(known) });
        if (call.status !== undefined && call.status < 300)
          journal.known.set(known.id, { ...known, status: 'cancelled' });
        forgetUnsure(known, call);
      }),
    order: () => {
      const items = [0, 1].map(() => ({ compositeId: DINNER, quantity: 2, ...nextPlace() }));
      const body = { partnerOrderId: randomUUID(), ...guest, items };
      return ask({ kind: 'order', path: '/v1/orders', body }).then(({ status, json }) => {
        if (status !== 200) return;
        for (const { booking } of json.items) if (booking) note(booking);
      });
    },
    bookings: () => ask({ kind: 'bookings', path: '/venues/bookings?pageSize=20' }),
    venues: () => ask({ kind: 'venues', path: '/venues?pageSize=20' }),
    venue: () => ask({ kind: 'venue', path: `/venues/${encodeURIComponent('1|house|soho-grill')}` }),
    operator: () => ask({ kind: 'operator', path: `${OPERATOR}/bookings?pageSize=20` }, tokens.operator),
    person: () => ask({ kind: 'person', path: '/manage/account' }, world.session),
    token: () =>
      ask({
        kind: 'token',
        path: '/oauth/token',
        body: {
          grant_type: 'client_credentials',
          client_id: 'demo-partner',
          client_secret: 'demo-partner-secret',
          audience: 'maitred',
        },
      }),
    async pay() {
      const id = unpaid.pop();
      if (!id) return;
      const headers = { 'idempotency-key': randomUUID() };
      const path = `/venues/bookings/${id}/payments`;
      await ask({ kind: 'pay', path, body: { option: 'full' }, headers });
    },
  };

  const acting: Promise<unknown>[] = [];
  let isStopping = false;
  const sending = (async () => {
    for (let number = 0; !isStopping; number += 1) {
      const waitMs = beganMs + (number * 1000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      acting.push(act[MIX[number % MIX.length] ?? 'read']());
    }
  })();
  return {
    journal,
    nowMs: () => performance.now() - beganMs,
    async stop() {
      isStopping = true;
      await sending;
      await Promise.all(acting);
      agent.destroy();
    },
  };
}
