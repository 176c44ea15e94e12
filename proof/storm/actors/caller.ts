/** Somebody who calls the nodes: a name, a token, a source of decisions, and a line in the journal for every call. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pick, type Random, randomFrom } from '../../../test/faults/orders/order-random.ts';
import type { Cluster } from '../cluster.ts';
import type { Entry, Journal } from '../journal.ts';

export interface Stage {
  seed: number;
  cluster: Cluster;
  journal: Journal;
  isOver(): boolean;
  /** Aborted when whoever still waits for an answer is to stop waiting. */
  patience: AbortSignal;
}

export interface Ask {
  route: string;
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: unknown;
  /** Sent as it is, in place of a body of JSON. */
  raw?: { type: string; bytes: BodyInit };
  headers?: Record<string, string>;
  key?: string | null;
  mark?: number;
  /** Sent by nobody in particular. */
  isAnonymous?: boolean;
  /** Of a GET, whose answer is otherwise only counted. */
  keep?: boolean;
}

export interface Told extends Entry {
  headers: Headers;
}

export interface Caller {
  name: string;
  client: string | null;
  /** The header with its token; empty: it has none. */
  authorization: Record<string, string>;
  stage: Stage;
  random: Random;
  pick<Item>(items: readonly Item[]): Item;
  chance(probability: number): boolean;
  ask(ask: Ask): Promise<Told>;
  /** A moment in which others get their turn. */
  rest(mostMs?: number): Promise<void>;
}

export interface CallerOptions {
  client: string | null;
  headers?: Record<string, string>;
  token?: string | null;
}

const PATIENCE_MS = 20_000;
const UNREACHED_MS = 100;
const NO_HEADERS = new Headers();

/** FNV-1a: every actor has numbers of its own, and the same ones for the same seed. */
export function generatorOf(seed: number, name: string): Random {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return randomFrom(hash);
}

export function openCaller(stage: Stage, name: string, options: CallerOptions): Caller {
  const { client, token = null, headers: always = {} } = options;
  const random = generatorOf(stage.seed, name);
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  return {
    name,
    client,
    authorization,
    stage,
    random,
    pick: (items) => pick(random, items),
    chance: (probability) => random() < probability,
    rest: (mostMs = 40) => sleep(random() * mostMs),

    async ask(wanted) {
      const { route, params = {}, query, body, headers = {}, key = null, mark } = wanted;
      const { keep = false, isAnonymous = false, raw } = wanted;
      const [method = 'GET', template = ''] = route.split(' ');
      const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
      const search = query ? `?${new URLSearchParams(mapText(query))}` : '';
      const sent = stage.journal.tick();
      const reply = await send(new URL(path + search, stage.cluster.address(random)), {
        method,
        headers: {
          ...(!isAnonymous && authorization),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(raw && { 'content-type': raw.type }),
          ...(key !== null && { 'idempotency-key': key }),
          ...always,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(raw && { body: raw.bytes }),
        redirect: 'manual',
        signal: AbortSignal.any([stage.patience, AbortSignal.timeout(PATIENCE_MS)]),
      });
      const { status, text, failure } = reply;
      const answer = parsed(text);
      const isKept = keep || method !== 'GET' || (status ?? 0) >= 400;
      const entry: Entry = {
        ...{
          actor: name,
          client: isAnonymous ? null : client,
          route,
          path: path + search,
          sent,
          told: stage.journal.tick(),
          status,
        },
        code: status === null ? failure : status >= 400 ? (answer?.code ?? null) : null,
        ...{ key, mark: mark ?? null, body: body ?? null, answer: isKept ? answer : null },
      };
      stage.journal.write(entry);
      if (entry.code === 'unreached') await sleep(UNREACHED_MS);
      return { ...entry, answer, headers: reply.headers };
    },
  };
}

const mapText = (query: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

interface Reply {
  status: number | null;
  text: string;
  headers: Headers;
  failure: string | null;
}

async function send(url: URL, init: RequestInit): Promise<Reply> {
  try {
    const response = await fetch(url, init);
    const { status, headers } = response;
    return { status, text: await response.text(), headers, failure: null };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const wasRefused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    return { status: null, text: '', headers: NO_HEADERS, failure: wasRefused ? 'unreached' : 'cut' };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: see Entry.answer.
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? null : text.slice(0, 200);
  }
}

/** Asks again, a moment later, for as long as nobody has said what became of it. */
export async function insist(caller: Caller, wanted: Ask, tries = 5): Promise<Told> {
  let told = await caller.ask(wanted);
  for (let count = 1; isOpen(told) && count < tries && !caller.stage.isOver(); count += 1) {
    await caller.rest(300);
    told = await caller.ask(wanted);
  }
  return told;
}

/** Nothing final was said. */
export const isOpen = ({ status }: Pick<Told, 'status'>) =>
  status === null || status === 503 || status === 429;

/** The token of a demo client, or of any other whose secret is known. */
export async function tokenOf(address: string, client: string, secret = `${client}-secret`): Promise<string> {
  const response = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ grant_type: 'client_credentials', audience: 'maitred' },
      ...{ client_id: client, client_secret: secret },
    }),
  });
  if (!response.ok) throw new Error(`No token for ${client}: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
