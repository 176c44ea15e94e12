/** The fuzzer: fires at every operation of the document as everybody, and looks at every answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LEAST, type Least, PERMISSIONS } from '../../test/features/management/permissions.ts';
import { type Asking, isHarmless, type Victim } from './addresses.ts';
import { type Caller, demoCallers, isPlatform } from './callers.ts';
import { type Chances, chancesFrom } from './chances.ts';
import { findingsIn } from './checks.ts';
import { type Operation, readOperations } from './document.ts';
import { createKnown, type Known } from './known.ts';
import type { Mailbox } from './mailbox.ts';
import { createPlanted, type Planted } from './planted.ts';
import { aim, look, type Shot } from './requests.ts';
import { count, createResults, note, type Results } from './results.ts';
import { tellStories } from './stories.ts';
import { makeVictim, type NewVictim, type VictimContext } from './victims.ts';
import type { Send } from './wire.ts';

export interface FuzzOptions {
  send: Send;
  mailbox: Mailbox;
  receiverUrl: string;
  seed: number;
  /** How many requests are made up. */
  requests: number;
  inFlight: number;
  progress(line: string): void;
  /** Between two waves, for what only the outside can do, such as letting time pass. */
  betweenWaves?(): Promise<void>;
}

export interface FuzzOutcome {
  operations: Operation[];
  results: Results;
  planted: Planted;
}

/** A victim lasts that long; then there is little left of it. */
const WAVE_REQUESTS = 4000;

export async function fuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const { send, mailbox, seed, requests, progress } = options;
  const operations = readOperations();
  const chances = chancesFrom(seed);
  const known = createKnown(operations);
  const planted = createPlanted();
  const results = createResults();
  const people = await demoCallers(send);
  for (const { headers, isPerson } of people)
    planted.note(isPerson ? 'session token' : 'access token', headers.authorization?.slice('Bearer '.length));
  const admin = people.find(isPlatform)?.headers ?? {};
  const context: VictimContext = { send, known, planted, mailbox, admin };
  const range: Range = { operations, chances, known, planted, results, options };
  const readers = people.filter(({ isPerson, sight }) => !isPerson && sight !== 'nothing');
  for (const reader of readers) await lookAround(range, reader, { operatorId: 1 });
  known.protect();
  for (let wave = 0; results.requests < requests; wave += 1) {
    const victim = await makeVictim(context, wave);
    const callers = [...people, ...victim.callers];
    for (const reader of readers.filter(isPlatform)) await lookAround(range, reader, victim);
    // Whoever calls stays who they are.
    for (const kept of ['/manage/users', '/manage/clients', `/manage/operators/${victim.operatorId}/users`])
      known.protect(kept);
    await tellStories({ context, operations, results, victim, chances, fire: (shot) => fire(range, shot) });
    const until = Math.min(requests, results.requests + WAVE_REQUESTS);
    const keepFiring = async () => {
      while (results.requests < until)
        await fire(range, aim(askingAt(range, callers, victim), options.receiverUrl));
    };
    await Promise.all(Array.from({ length: options.inFlight }, keepFiring));
    await options.betweenWaves?.();
    progress(`${results.requests} of ${requests} requests, ${results.findings.size} kinds of faults`);
  }
  return { operations, results, planted };
}

interface Range {
  operations: Operation[];
  chances: Chances;
  known: Known;
  planted: Planted;
  results: Results;
  options: FuzzOptions;
}

/** Reads the lists, so that there are ids to ask for; those of a venue at each venue of the victim. */
async function lookAround(range: Range, caller: Caller, victim: Victim): Promise<void> {
  const { chances, known, operations } = range;
  const lists = operations.filter(
    (operation) =>
      operation.method === 'GET' && !/\}$|credentials/.test(operation.path) && mayBeFor(operation, caller),
  );
  const asking = { chances, known, victim, caller };
  for (const operation of lists) {
    const isOfVenue = operation.path.startsWith('/manage/venues/');
    const venueIds = isOfVenue ? known.in(`/manage/operators/${victim.operatorId}/venues`) : [undefined];
    for (const venueId of venueIds)
      await fire(range, look({ ...asking, operation, ...(venueId && { venueId }) }));
  }
}

const leastFor = new Map(
  Object.entries(PERMISSIONS).flatMap(([least, names]) =>
    names.map((name) => [name, least as Least] as const),
  ),
);

/** Whom an operation is made for: they get most of it. */
function mayBeFor({ name, path, method, isPublic }: Operation, caller: Caller): boolean {
  // Whoever has a token already is refused another: one request, one way to identify oneself.
  if (path === '/oauth/token') return caller.name === 'nobody';
  if (isPublic) return true;
  if (caller.sight === 'nothing') return false;
  const isPartner = typeof caller.sight === 'object' && 'partner' in caller.sight;
  if (path.startsWith('/manage')) {
    const least = leastFor.get(name) ?? 'public';
    return least === 'user' ? caller.isPerson : LEAST.indexOf(caller.rank) >= LEAST.indexOf(least);
  }
  const isForOperators = /site-faqs/.test(path) && method !== 'GET';
  return !caller.isPerson && (isForOperators ? !isPartner : isPartner || method === 'GET');
}

/** These fill the books that others are about. */
const WEIGHTS: Record<string, number> = {
  'POST /venues/{compositeId}/booking': 14,
  'POST /v1/orders': 5,
  'PATCH /venues/bookings/{bookingId}': 5,
  'PUT /venues/bookings/{bookingId}': 4,
  'GET /venues/{compositeId}/availability': 6,
  'POST /v1/availabilities': 4,
  'PATCH /v1/orders/{orderId}': 4,
  'GET /venues': 3,
  'GET /v1/listings': 3,
  'POST /webhooks/subscriptions': 2,
  'DELETE /webhooks/subscriptions/{webhookId}': 2,
  'POST /manage/operators/{operatorId}/booking-rules': 2,
  'DELETE /manage/venues/{venueId}': 0.3,
  'POST /manage/venues/{venueId}/close': 0.3,
  'POST /manage/venues/{venueId}/reopen': 2,
  'POST /manage/imports': 0.3,
  // Hashing a password takes as long as it should, and half a hundred of these would be the whole measurement.
  'POST /manage/sessions': 0.3,
  'POST /manage/users': 0.3,
};

/** They would sign out, or lock out, somebody whom the others need; the stories do them. */
const ONLY_IN_STORIES = new Set(['DELETE /manage/sessions/current', 'PUT /manage/account/password']);

function askingAt(range: Range, callers: readonly Caller[], victim: NewVictim): Asking {
  const { chances, known, operations } = range;
  const operation = weighted(chances, operations);
  const isElsewhere = ({ sight }: Caller) =>
    typeof sight === 'object' && 'operatorId' in sight && sight.operatorId !== victim.operatorId;
  const fitting = callers.filter(
    (caller) => mayBeFor(operation, caller) && (isHarmless(operation) || !isElsewhere(caller)),
  );
  const isShut = ONLY_IN_STORIES.has(operation.name);
  const others = isShut ? callers.filter(({ isPerson }) => !isPerson) : callers;
  const caller = chances.pick(!isShut && chances.happens(0.85) && fitting.length > 0 ? fitting : others);
  return { chances, known, victim, operation, caller };
}

function weighted(chances: Chances, operations: readonly Operation[]): Operation {
  const heaviest = 14;
  for (;;) {
    const operation = chances.pick(operations);
    if (chances.happens((WEIGHTS[operation.name] ?? 1) / heaviest)) return operation;
  }
}

function forget(known: Known, { address: { plain, operatorId } }: Shot): void {
  const at = plain.lastIndexOf('/');
  const [before, id] = [plain.slice(0, at), plain.slice(at + 1)];
  known.forget(before === '/manage/venues' ? `/manage/operators/${operatorId}/venues` : before, id);
}

const DROPPED_PAUSE_MS = 50;

async function fire(range: Range, shot: Shot): Promise<void> {
  const { results, planted, known, options } = range;
  const { operation, caller } = shot.asking;
  if (shot.isGood) results.good += 1;
  try {
    const outcome = await options.send(shot.wire);
    count(results, operation.name, caller.name, outcome);
    note(results, findingsIn(shot, outcome));
    if (shot.isGood && outcome.status >= 400)
      results.refusals.set(operation.name, `${shot.wire.path} ${outcome.text}`);
    if (operation.method === 'DELETE' && outcome.status === 204) forget(known, shot);
    if (outcome.status >= 300 || !String(outcome.headers['content-type']).includes('json')) return;
    const body = JSON.parse(outcome.text);
    planted.noteAll(body);
    known.learn({ operation, path: shot.address.plain, caller, body });
  } catch (error) {
    results.requests += 1;
    const what = `was not answered: ${(error as Error).message}`;
    note(results, [
      {
        what,
        operation: operation.name,
        caller: caller.name,
        request: JSON.stringify(shot.wire).slice(0, 800),
        answer: '',
      },
    ]);
    await sleep(DROPPED_PAUSE_MS);
  }
}
