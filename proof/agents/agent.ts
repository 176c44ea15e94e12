/** An agent: picks a call at random, sends it to one of the nodes, and remembers what it is told. */
import { isObject } from '../../src/http/validation/schema-helpers.ts';
import { type Chances, chancesFrom } from '../abuse/chances.ts';
import type { Memory, Setting } from './arguments.ts';
import type { Call, Door, Request } from './calls.ts';
import type { AgentClient, World } from './world.ts';

export interface Told {
  client: string;
  door: Door;
  /** As in `POST /v1/orders`, or the name of a tool. */
  call: string;
  isMaking: boolean;
  /** Null: the connection broke. */
  status: number | null;
  /** Of a refusal. */
  code: string | null;
  /** Bookings, holds and reservations that a success is about. */
  ids: readonly string[];
  /** What a person is asked to confirm, and the token for that. */
  asked: Asked | undefined;
  text: string;
  sent: string;
}

export interface Asked {
  token: string;
  date: string;
  minute: number;
  guests: number;
}

export interface AgentOptions {
  world: World;
  client: AgentClient;
  calls: readonly Call[];
  seed: number;
  /** Tells every agent what the others have made for the same partner. */
  shared: Memory;
  note(told: Told): void;
}

export interface Agent {
  /** One call, and those that follow from it. */
  act(): Promise<void>;
}

const REMEMBERED = 30;
/** How often it turns to what another client of its partner has made. */
const FOREIGN = 0.08;

export const emptyMemory = (): Memory => ({
  ...{ bookings: [], holds: [], orders: [], entries: [], reservations: [], confirmations: [] },
  stays: new Map(),
});

export function openAgent({ world, client, calls, seed, shared, note }: AgentOptions): Agent {
  const chances = chancesFrom(seed);
  const own = emptyMemory();
  const weights = calls.reduce((sum, { weight }) => sum + weight, 0);

  function pickCall(): Call {
    let left = chances.below(weights);
    const found = calls.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    return found ?? chances.pick(calls);
  }

  function setting(): Setting {
    const memory = chances.happens(FOREIGN) ? shared : own;
    return { world, client, chances, memory, product: pickProduct(world, client, chances) };
  }

  async function send(call: Call, request: Request): Promise<Answer> {
    const answer = await ask(chances.pick(world.addresses), client, request);
    const ids = isDone(answer) ? idsIn(answer.json) : [];
    note({
      ...{ client: client.name, door: call.door, call: call.name, isMaking: call.isMaking, ids },
      ...{ status: answer.status, code: codeOf(answer), asked: askedIn(answer) },
      text: answer.text.slice(0, 600),
      sent: JSON.stringify({ path: request.path, body: request.body }).slice(0, 600),
    });
    if (isDone(answer))
      for (const memory of [own, shared]) {
        remember(memory, call, answer.json);
        if (/^DELETE|cancel/.test(call.name) && chances.happens(0.8)) forget(memory, request);
        for (const id of ids) noteStay(memory, id, request, world);
      }
    return answer;
  }

  /** What asks for a confirmation is mostly sent again with it: once, twice at a time, or for something else. */
  async function confirm(call: Call, request: Request, token: string): Promise<void> {
    for (const memory of [own, shared]) keep(memory.confirmations, token);
    const confirmed = withConfirmation(call, request, token);
    const what = chances.random();
    if (what < 0.5) await send(call, confirmed);
    else if (what < 0.65) await Promise.all([send(call, confirmed), send(call, confirmed)]);
    else if (what < 0.75) await send(call, withConfirmation(call, call.make(setting()) ?? request, token));
    else if (what < 0.85) {
      await send(call, confirmed);
      await send(call, confirmed);
    }
  }

  return {
    async act() {
      const call = pickCall();
      const request = call.make(setting());
      if (!request) return;
      const answer = await send(call, request);
      const asked = askedIn(answer);
      if (asked) await confirm(call, request, asked.token);
    },
  };
}

/** Mostly one that the mandate allows. */
function pickProduct({ products }: World, { mandate }: AgentClient, chances: Chances) {
  const allowed = products.filter(
    ({ venueId, city }) =>
      (mandate?.venueIds?.includes(venueId) ?? true) && (mandate?.cities?.includes(city) ?? true),
  );
  return chances.pick(chances.happens(0.75) ? allowed : products);
}

interface Answer {
  status: number | null;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
  json: any;
}

async function ask(address: string, { token, headers }: AgentClient, request: Request): Promise<Answer> {
  const { method, path, body } = request;
  try {
    const response = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: parsed(text) };
  } catch (error) {
    return { status: null, text: String(error), json: undefined };
  }
}

function parsed(text: string): unknown {
  const line = text.startsWith('event:') ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A tool that refuses is answered with 200, and says in its result that it did. */
const isDone = ({ status, json }: Answer) =>
  status !== null && status < 300 && json?.error === undefined && json?.result?.isError !== true;

const textOf = (json: Answer['json']): string => json?.result?.content?.[0]?.text ?? '';
const CODE = /^([A-Z]+-[NR]-\d{3})\b/;

function codeOf(answer: Answer): string | null {
  if (isDone(answer)) return null;
  const { json } = answer;
  return json?.code ?? json?.error?.data?.code ?? CODE.exec(textOf(json))?.[1] ?? json?.error?.code ?? null;
}

const CONFIRMATION = /"confirmationToken":\s*"([^"]+)"/;
const ABOUT = /on (\d{4}-\d\d-\d\d) at (\d\d):(\d\d) for (\d+) guest/;

/** The sentence and the token of a refusal, wherever the answer has them. */
function askedIn({ text }: Answer): Asked | undefined {
  const plain = text.replaceAll('\\"', '"');
  if (!plain.includes('MANDT-N-002')) return undefined;
  const [, token] = CONFIRMATION.exec(plain) ?? [];
  const [, date, hours, minutes, guests] = ABOUT.exec(plain) ?? [];
  if (token === undefined || date === undefined) return undefined;
  return { token, date, minute: Number(hours) * 60 + Number(minutes), guests: Number(guests) };
}

/** In the place that each call has for it. */
function withConfirmation({ door }: Call, request: Request, token: string): Request {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are added to.
  const body: any = structuredClone(request.body);
  if (Array.isArray(body)) body.push({ op: 'add', path: '/confirmationToken', value: token });
  else if (door === 'mcp' && isObject(body?.params?.arguments))
    body.params.arguments.confirmationToken = token;
  else if (Array.isArray(body?.items))
    for (const item of body.items.filter(isObject)) item.confirmationToken = token;
  else if (isObject(body)) body.confirmationToken = token;
  return { ...request, body };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Of a booking, a hold, a reservation, or of the items of an order. */
function idsIn(json: Answer['json']): string[] {
  const data = json?.result?.structuredContent ?? json;
  const all = [data, data?.booking, data?.hold, ...(data?.items ?? []), ...(data?.bookings ?? [])];
  const named = all.flatMap((each) => [
    each?.id,
    each?.uuid,
    each?.bookingId,
    each?.holdId,
    each?.booking?.id,
  ]);
  return [...new Set(named.filter((id) => typeof id === 'string' && UUID.test(id)))];
}

/** What a place was taken for, so that it can be booked or changed. */
function noteStay({ stays }: Memory, id: string, { path, body }: Request, { products }: World): void {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are looked into.
  const args: any = (body as any)?.params?.arguments ?? body ?? {};
  const named = [args.compositeId, args.productId, decodeURIComponent(path.split('/')[2] ?? '')];
  const product = products.find((each) => named.includes(each.id));
  if (!product || stays.has(id)) return;
  const { date, time, partySize, children } = args;
  stays.set(id, { product, date, time, partySize, children });
}

const KINDS: [pattern: RegExp, kind: Exclude<keyof Memory, 'stays'>][] = [
  [/holds$|hold_table/, 'holds'],
  [/waitlist$/, 'entries'],
  [/octo\/bookings$/, 'reservations'],
  [/\/booking$|confirm$|create_venue_booking/, 'bookings'],
];

function remember(memory: Memory, { name }: Call, json: Answer['json']): void {
  const ids = idsIn(json);
  if (name === 'POST /v1/orders') {
    keep(memory.orders, json.orderId);
    for (const id of ids) keep(memory.bookings, id);
    return;
  }
  const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1];
  if (kind) for (const id of ids) keep(memory[kind], id);
}

/** Most of what was ended is of no more use. */
function forget(memory: Memory, request: Request): void {
  const sent = JSON.stringify(request);
  const isLeft = (id: string) => !sent.includes(id);
  memory.bookings = memory.bookings.filter(isLeft);
  memory.holds = memory.holds.filter(isLeft);
  memory.orders = memory.orders.filter(isLeft);
  memory.reservations = memory.reservations.filter(isLeft);
}

function keep(list: string[], entry: string): void {
  if (!list.includes(entry)) list.push(entry);
  if (list.length > REMEMBERED) list.shift();
}
