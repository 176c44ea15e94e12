/** Clients that hold places for a moment, extend, release and book them, and write down what they were told and when. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProductId } from '../../../src/kernel/ids.ts';
import type { Call } from '../../race/contenders.ts';
import { extendHold, holdPlace } from '../../race/contenders.ts';
import { create, inParallel } from '../../race/storm.ts';
import type { Start } from '../../race/venues.ts';
import type { Answer } from '../../support/app.ts';

export interface Spot extends Start {
  productId: ProductId;
}

/** A time in which a place was certainly that of one caller, by what it was told; without an end: it is booked. */
export interface Possession {
  spot: Spot;
  fromMs: number;
  toMs: number;
}

export interface Log {
  /** Holds that were made. */
  holds: number;
  possessions: Possession[];
  /** Bookings that were acknowledged, by id. */
  booked: Map<string, Spot>;
  /** Answers that never came. */
  cut: number;
  /** By how much a node was ahead of the others at least, going by when its holds are to end. */
  mostAheadMs: number;
  /** Sentences about what a caller was told and must not have been. */
  faults: string[];
}

export const newLog = (): Log => ({
  holds: 0,
  possessions: [],
  booked: new Map(),
  cut: 0,
  mostAheadMs: 0,
  faults: [],
});

export interface Site {
  spots: readonly Spot[];
  /** Undefined: the connection broke, and the caller does not know what was done. */
  ask(send: (call: Call) => Promise<Answer>): Promise<Answer | undefined>;
  isOver(): boolean;
}

/** Nodes know the time of the database as exactly as this, see `clock-drift.ts`; a busy one may measure late. */
const CLOCK_MARGIN_MS = 5000;
/** Short ones end under load; long ones are used while they are certain. */
const SHORT_SECONDS = [1, 2, 3];
export const LONG_SECONDS = 12;

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)];
  assert.ok(item !== undefined);
  return item;
};

/** Until it is over. */
export async function keepHolding(site: Site, log: Log): Promise<void> {
  while (!site.isOver()) {
    const spot = pick(site.spots);
    if (Math.random() < 0.1) await bookDirectly(site, log, spot);
    else await holdAndDecide(site, log, spot);
  }
}

/** What a place that cannot be had is answered with; a node that has just started may be too busy. */
const REFUSED = ['AVAIL-N-005', 'HTTP-R-503'];
/** A hold that has ended, or one too many. */
const HOLD_REFUSED = [...REFUSED, 'HOLD-N-002', 'HOLD-N-004'];

async function bookDirectly(site: Site, log: Log, spot: Spot): Promise<void> {
  const answer = await send(site, log, (call) => create(call, spot.productId, startOf(spot)));
  if (answer?.status === 201) await keepOrCancel(site, log, { spot, id: answer.json.id });
  else expect(log, answer, REFUSED, 'a booking');
}

async function holdAndDecide(site: Site, log: Log, spot: Spot): Promise<void> {
  const isLong = Math.random() < 0.3;
  const ttlSeconds = isLong ? LONG_SECONDS : pick(SHORT_SECONDS);
  const body = { ...startOf(spot), partySize: 1, ttlSeconds };
  const answer = await send(site, log, (call) => holdPlace(call, spot.productId, body));
  if (answer?.status !== 201) return expect(log, answer, HOLD_REFUSED, 'a hold');
  log.holds += 1;
  const aheadMs = Date.parse(answer.json.expiresAt) - ttlSeconds * 1000 - Date.now();
  log.mostAheadMs = Math.max(log.mostAheadMs, aheadMs);
  const held = { id: answer.json.id as string, certainUntilMs: certainty(answer), spot };
  const possession = { spot, fromMs: Date.now(), toMs: held.certainUntilMs };
  log.possessions.push(possession);
  if (Math.random() < 0.2) await extend(site, log, held, possession);
  // Half of them are left to end by themselves, their callers having gone away.
  if (!isLong && Math.random() < 0.5) return;
  const isReleased = Math.random() < 0.4;
  if (isReleased) await release(site, log, held.id, possession);
  else await bookHeld(site, log, held, possession);
}

const startOf = ({ date, time }: Spot): Start => ({ date, time });
const certainty = ({ json }: Answer) => Date.parse(json.expiresAt) - CLOCK_MARGIN_MS;

interface Held {
  id: string;
  certainUntilMs: number;
  spot: Spot;
}

/** A refusal that arrives before the hold could have ended on any clock is a fault. */
function assertHonoured(log: Log, { id, certainUntilMs }: Held, answer: Answer, what: string): void {
  const isEnded = ['HOLD-N-002', 'AVAIL-N-005'].includes(answer.json.code);
  if (isEnded && Date.now() < certainUntilMs)
    log.faults.push(`hold ${id} was open, and ${what} was refused: ${answer.text}`);
}

async function extend(site: Site, log: Log, held: Held, possession: Possession): Promise<void> {
  const answer = await send(site, log, (call) => extendHold(call, held.id, { ttlSeconds: 2 }));
  if (!answer) return;
  if (answer.status === 200) {
    held.certainUntilMs = certainty(answer);
    possession.toMs = held.certainUntilMs;
    return;
  }
  // Sent again after its answer was lost, it was extended before.
  assertHonoured(log, held, answer, 'its extension');
  expect(log, answer, [...HOLD_REFUSED, 'HOLD-N-006'], 'an extension');
}

async function release(site: Site, log: Log, id: string, possession: Possession): Promise<void> {
  possession.toMs = Math.min(possession.toMs, Date.now());
  const answer = await send(site, log, (call) => call(`/venues/holds/${id}`, { method: 'DELETE' }));
  if (answer && answer.status !== 204) expect(log, answer, ['HTTP-R-503'], 'a release');
}

/** Asked again until it is answered: a hold is used once, however often it is sent. */
async function bookHeld(site: Site, log: Log, held: Held, possession: Possession): Promise<void> {
  const { id, spot } = held;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const body = { ...startOf(spot), holdId: id };
    const answer = await send(site, log, (call) => create(call, spot.productId, body));
    const isMade = answer?.status === 201 || answer?.json.bookingId === id;
    if (isMade) {
      possession.toMs = Math.min(possession.toMs, Date.now());
      return keepOrCancel(site, log, { spot, id });
    }
    if (answer && answer.json.code !== 'HTTP-R-503') {
      assertHonoured(log, held, answer, 'its booking');
      return expect(log, answer, HOLD_REFUSED, 'a booking from a hold');
    }
    await sleep(50);
  }
  log.faults.push(`the booking from hold ${id} was never answered`);
}

/** Most bookings are given back soon, so that places do not run out. */
async function keepOrCancel(site: Site, log: Log, { spot, id }: { spot: Spot; id: string }): Promise<void> {
  const possession = { spot, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
  log.possessions.push(possession);
  log.booked.set(id, spot);
  if (Math.random() < 0.1) return;
  possession.toMs = Date.now();
  log.booked.delete(id);
  await send(site, log, (call) => call(`/venues/bookings/${id}`, { method: 'DELETE' }));
}

async function send(
  site: Site,
  log: Log,
  request: (call: Call) => Promise<Answer>,
): Promise<Answer | undefined> {
  const answer = await site.ask(request);
  if (!answer) log.cut += 1;
  return answer;
}

function expect(log: Log, answer: Answer | undefined, codes: readonly string[], what: string): void {
  if (answer && !codes.includes(answer.json.code)) log.faults.push(`${what} was answered ${answer.text}`);
}

/** Spots that more callers were certain of at one moment than there are places. */
export function doubled({ possessions }: Log, places: number): string[] {
  const bySpot = Map.groupBy(possessions, ({ spot }) => nameOf(spot));
  return [...bySpot].flatMap(([name, own]) => {
    const most = Math.max(...own.map(({ fromMs }) => countAt(own, fromMs)));
    return most > places ? [`${name} was given to ${most} at once`] : [];
  });
}

const countAt = (own: readonly Possession[], ms: number) =>
  own.filter(({ fromMs, toMs }) => fromMs <= ms && ms < toMs).length;

export const nameOf = ({ productId, date, time }: Spot) => `${productId} ${date} ${time}`;

/** Books whatever is left, and names the spots that then have fewer bookings than places, or more. */
export async function fillUp(
  call: Call,
  spots: readonly Spot[],
  { places, bookedAt }: { places: number; bookedAt(spot: Spot): Promise<number> },
): Promise<string[]> {
  const wrong: string[] = [];
  await inParallel(spots, 4, async (spot) => {
    for (let answer: Answer | undefined; answer === undefined || answer.status === 201; ) {
      answer = await create(call, spot.productId, startOf(spot));
      if (answer.status !== 201) assert.equal(answer.json.code, 'AVAIL-N-005', answer.text);
    }
    const booked = await bookedAt(spot);
    if (booked !== places) wrong.push(`${nameOf(spot)} has ${booked} of ${places} places booked`);
  });
  return wrong;
}
