/** The fuzzer: fires at every operation of the document as everybody, and looks at every answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../../test/abuse/support/target.ts';
import { LEAST, type Least, PERMISSIONS } from '../../test/features/management/permissions.ts';
import { type Caller, demoCallers, isPlatform, isPutOff } from './callers.ts';
import { type Chances, chancesFrom } from './chances.ts';
import { type Finding, findingsIn, findingsOfProbe } from './checks.ts';
import { type Operation, readOperations } from './document.ts';
import { createKnown, type Known } from './known.ts';
import type { Mailbox } from './mailbox.ts';
import { createPlanted, type Planted } from './planted.ts';
import { type Asking, isHarmless, type Victim } from './requests/addresses.ts';
import type { Json } from './requests/bodies.ts';
import { aim, look, type Shot } from './requests/shot.ts';
import { count, createResults, note, type Results } from './results.ts';
import { tellStories } from './stories/stories.ts';
import { cookieSurface } from './surfaces/cookies.ts';
import { listenDuring, STREAM } from './surfaces/diary-streams.ts';
import { openTools } from './surfaces/mcp.ts';
import { connectSurface, stripeSurface } from './surfaces/notifications.ts';
import { pageSurface } from './surfaces/pages.ts';
import type { Probe, ProbeSetting, Surface, Surroundings } from './surfaces/probe.ts';
import { makeVictim, type NewVictim, type VictimContext } from './victims.ts';
import type { Open, Send, WireRequest } from './wire.ts';

export interface FuzzOptions {
  send: Send;
  open: Open;
  mailbox: Mailbox;
  receiverUrl: string;
  surroundings: Surroundings;
  seed: number;
  /** How many requests are made up. */
  requests: number;
  inFlight: number;
  progress(line: string): void;
  /** Whether it is to end before all requests are made. */
  isOver?(): boolean;
  /** Between two waves, for what only the outside can do, such as letting time pass. */
  betweenWaves?(): Promise<void>;
}

export interface FuzzOutcome {
  operations: Operation[];
  results: Results;
  planted: Planted;
}

/** A victim lasts that long; then there is little left of it. */
const WAVE_REQUESTS = 6000;
/** In the first ones stories are told before anything is ruined; later ones have both at once. */
const CALM_WAVES = 2;
/** How much goes to what the documents do not describe. */
const PROBES = 0.15;

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
  const surfaces = await openSurfaces(options, people);
  const range: Range = { operations, chances, known, planted, results, options, surfaces };
  const readers = people.filter(({ isPerson, sight }) => !isPerson && sight !== 'nothing');
  for (const reader of readers) await lookAround(range, reader, { operatorId: 1, partnerId: 1 });
  known.protect();
  for (let wave = 0; results.requests < requests && !options.isOver?.(); wave += 1) {
    const victim = await makeVictim(context, wave);
    const callers = [...people, ...victim.callers];
    for (const reader of readers.filter(isPlatform)) await lookAround(range, reader, victim);
    // Whoever calls stays who they are.
    const ofVictim = [`operators/${victim.operatorId}/users`, `partners/${victim.partnerId}/users`];
    for (const kept of ['users', 'clients', 'partners', ...ofVictim]) known.protect(`/manage/${kept}`);
    const { receiverUrl, surroundings } = options;
    const setting = { chances, known, victim, operations, callers, receiverUrl };
    const listened = await listenDuring(options.open, setting, async () => {
      const { connect } = surroundings;
      const telling = { context, operations, results, victim, chances, callers, connect };
      const until = Math.min(requests, results.requests + WAVE_REQUESTS);
      const keepFiring = async () => {
        while (results.requests < until && !options.isOver?.()) await fireNext(range, { ...setting, victim });
      };
      const stories = tellStories({ ...telling, fire: (shot) => fire(range, shot) });
      if (wave < CALM_WAVES) await stories;
      await Promise.all([stories, ...Array.from({ length: options.inFlight }, keepFiring)]);
    });
    for (const { caller, path, outcome, faults } of listened) {
      const stream: Probe = {
        name: STREAM,
        caller,
        wire: { method: 'GET', path, headers: {} },
        isGood: false,
        faultsIn: () => faults,
      };
      take(range, stream, outcome);
    }
    await options.betweenWaves?.();
    progress(`${results.requests} of ${requests} requests, ${results.findings.size} kinds of faults`);
  }
  return { operations, results, planted };
}

async function openSurfaces(
  { send, surroundings: { connect, stripe } }: FuzzOptions,
  people: readonly Caller[],
): Promise<{ surface: Surface; send: Send }[]> {
  const [agent] = people;
  if (!agent) throw new Error('Nobody can call.');
  const tools = await openTools(send, agent);
  return [
    { surface: tools, send },
    { surface: tools, send },
    { surface: pageSurface, send },
    { surface: cookieSurface, send },
    ...(connect ? [{ surface: connectSurface(connect), send }] : []),
    ...(stripe ? [{ surface: stripeSurface(stripe.secret), send: stripe.send }] : []),
  ];
}

async function fireNext(range: Range, setting: ProbeSetting & { victim: NewVictim }): Promise<void> {
  const { chances, surfaces, options } = range;
  if (!chances.happens(PROBES))
    return fire(range, aim(askingAt(range, setting.callers, setting.victim), options.receiverUrl));
  const { surface, send } = chances.pick(surfaces);
  const probe = surface.next(setting);
  try {
    take(range, probe, await send(probe.wire));
  } catch (error) {
    await noteUnanswered(range, { operation: probe.name, caller: probe.caller, wire: probe.wire }, error);
  }
}

/** Judges what came of a probe. */
function take(range: Range, probe: Probe, outcome: Outcome): void {
  const { results } = range;
  if (probe.isGood) results.good += 1;
  count(results, probe.name, probe.caller.name, outcome);
  results.probes.add(probe.name);
  if (isPutOff(outcome)) results.putOff += 1;
  else noteFaults(range, findingsOfProbe(probe, outcome));
}

interface Range {
  surfaces: readonly { surface: Surface; send: Send }[];
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
    if (least === 'user') return caller.isPerson;
    // Roles at operators are none at partners.
    if (least === 'developer') return caller.rank === 'developer' || caller.rank === 'platform';
    return LEAST.indexOf(caller.rank) >= LEAST.indexOf(least);
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
  'DELETE /manage/venues/{venueId}': 0.1,
  'DELETE /manage/operators/{operatorId}/partners/{partnerId}': 0.2,
  'PUT /manage/operators/{operatorId}/partners/{partnerId}': 0.2,
  'DELETE /manage/operators/{operatorId}/sources/{sourceId}': 0.2,
  'PUT /manage/operators/{operatorId}/sources/{sourceId}': 0.2,
  'DELETE /manage/partners/{partnerId}/sources/{operatorId}': 0.2,
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

/** The copy of a venue that runs on a system over the network has no credentials there. */
const OF_SYSTEM = 'AVAIL-R-001';
const isOfSystem = ({ status, text }: Outcome) => status === 503 && text.includes(`"${OF_SYSTEM}"`);

/** Returns the body of a good answer in JSON. */
async function fire(range: Range, shot: Shot): Promise<Json> {
  const { results, planted, known, options } = range;
  const { operation, caller } = shot.asking;
  if (shot.isGood) results.good += 1;
  try {
    const outcome = await options.send(shot.wire);
    count(results, operation.name, caller.name, outcome);
    const documented = operation.codesByStatus.get(503);
    if (isPutOff(outcome) && documented?.has('HTTP-R-503')) {
      results.putOff += 1;
      return;
    }
    if (isOfSystem(outcome) && documented?.has(OF_SYSTEM)) {
      results.ofSystems += 1;
      return;
    }
    noteFaults(range, findingsIn(shot, outcome));
    if (shot.isGood && outcome.status >= 400)
      (shot.isStep ? results.steps : results.refusals).set(
        operation.name,
        `${shot.wire.path} ${outcome.text}`,
      );
    if (operation.method === 'DELETE' && outcome.status === 204) forget(known, shot);
    if (outcome.status >= 300 || !String(outcome.headers['content-type']).includes('json')) return;
    const body: Json = JSON.parse(outcome.text);
    planted.noteAll(body);
    known.learn({ operation, path: shot.address.plain, caller, body });
    return body;
  } catch (error) {
    await noteUnanswered(range, { operation: operation.name, caller, wire: shot.wire }, error);
  }
}

interface Unanswered {
  operation: string;
  caller: Caller;
  wire: WireRequest;
}

function noteFaults({ results, options }: Range, findings: readonly Finding[]): void {
  for (const { operation, caller, what, request, answer } of note(results, findings))
    options.progress(`Fault: ${operation}, as ${caller}: ${what}\n  ${request}\n  ${answer}`);
}

async function noteUnanswered(
  range: Range,
  { operation, caller, wire }: Unanswered,
  error: unknown,
): Promise<void> {
  range.results.requests += 1;
  const what = `was not answered: ${(error as Error).message}`;
  const request = JSON.stringify({ ...wire, body: wire.body?.toString() }).slice(0, 800);
  noteFaults(range, [{ what, operation, caller: caller.name, request, answer: '' }]);
  await sleep(DROPPED_PAUSE_MS);
}
