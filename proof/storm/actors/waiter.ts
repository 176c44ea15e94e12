/** A partner that keeps places while guests decide, and parties that wait for one to become free. */
import type { Spot } from '../world.ts';
import { MARKS_IN_A_PENNY, nextMark } from './booker.ts';
import { type Caller, insist, type Told } from './caller.ts';

const CREATE = 'POST /venues/{compositeId}/booking';
const HOLDS = '/venues/{compositeId}/holds';
const HOLD = '/venues/holds/{holdId}';
const LIST = '/venues/{compositeId}/waitlist';
const ENTRY = '/venues/waitlist/{entryId}';
const GUEST = { firstName: 'Wanda', lastName: 'Waiter', email: 'wanda@example.com' };
/** Fewer than may wait at a venue. */
const MOST_WAITING = 12;

interface Slot {
  compositeId: string;
  date: string;
  time: string;
  partySize: number;
}

interface Held {
  id: string;
  slot: Slot;
  offerToken: string;
}

export async function keepHolding(caller: Caller, spots: readonly Spot[]): Promise<void> {
  while (!caller.stage.isOver()) {
    const { productId: compositeId, starts } = caller.pick(spots);
    const start = caller.pick(starts);
    const body = { ...start, partySize: caller.pick([1, 2]), ttlSeconds: caller.pick([2, 10, 300]) };
    const key = `${caller.name}-${Math.floor(caller.random() * 1e9)}`;
    const told = await insist(caller, { route: `POST ${HOLDS}`, params: { compositeId }, key, body });
    if (told.status === 201) await decide(caller, told.answer);
    await caller.rest(200);
  }
}

async function decide(caller: Caller, held: Held): Promise<void> {
  const { ask, chance, pick } = caller;
  const params = { holdId: held.id };
  if (chance(0.3)) await ask({ route: `GET ${HOLD}`, params });
  if (chance(0.3)) await ask({ route: `POST ${HOLD}/extend`, params, body: { ttlSeconds: 120 } });
  const next = pick(['book', 'book', 'order', 'release', 'release', 'both', 'nothing'] as const);
  if (next === 'release') await ask({ route: `DELETE ${HOLD}`, params });
  if (next === 'order') await order(caller, held);
  if (next === 'book') await use(caller, held);
  // Two at a time, of which one gets it.
  if (next === 'both') await Promise.all([use(caller, held), use(caller, held)]);
}

/** Books what is held, and now and then thinks better of it. */
async function use(caller: Caller, { id, slot, offerToken }: Held): Promise<Told> {
  const mark = nextMark();
  const { compositeId, date, time, partySize } = slot;
  const body = {
    ...{ type: 'book', date, time, partySize, ...GUEST, holdId: id },
    depositAmount: mark / MARKS_IN_A_PENNY,
    ...(caller.chance(0.5) && { offerToken }),
  };
  const key = `${caller.name}-${mark}`;
  const told = await insist(caller, { route: CREATE, params: { compositeId }, key, mark, body });
  if (told.status === 201 && caller.chance(0.4))
    await caller.ask({
      ...{ route: 'DELETE /venues/bookings/{bookingId}', params: { bookingId: told.answer.id }, mark },
    });
  return told;
}

async function order(caller: Caller, { id: holdId, slot }: Held): Promise<void> {
  const { compositeId, date, time, partySize: quantity } = slot;
  const { firstName, lastName } = GUEST;
  const item = { compositeId, quantity, date, time, holdId };
  const key = `${caller.name}-${nextMark()}`;
  await insist(caller, { route: 'POST /v1/orders', key, body: { firstName, lastName, items: [item] } });
}

/** Joins the list of what is full, looks at its parties in turn, and takes what is offered. */
export async function keepWaiting(caller: Caller, spots: readonly Spot[]): Promise<void> {
  const { ask, chance, pick } = caller;
  const waiting: string[] = [];
  while (!caller.stage.isOver()) {
    const { productId: compositeId, starts } = pick(spots);
    const { date, time } = pick(starts);
    const params = { compositeId };
    if (waiting.length < MOST_WAITING) {
      const body = { date, from: time, to: time, partySize: pick([1, 2]), ...GUEST };
      const key = `${caller.name}-${Math.floor(caller.random() * 1e9)}`;
      const told = await insist(caller, { route: `POST ${LIST}`, params, key, body });
      if (told.status === 201) waiting.push(told.answer.id);
    }
    if (chance(0.2)) await ask({ route: `GET ${LIST}`, params, query: { date } });
    if (waiting.length > 0) await lookAfter(caller, waiting);
    await caller.rest(300);
  }
}

async function lookAfter(caller: Caller, waiting: string[]): Promise<void> {
  const { ask, chance, pick } = caller;
  const entryId = pick(waiting);
  const about = { params: { entryId } };
  const { status, answer } = await ask({ route: `GET ${ENTRY}`, ...about, keep: true });
  if (status !== 200) return;
  const forget = () => void waiting.splice(waiting.indexOf(entryId), 1);
  if (answer.status === 'offered') {
    forget();
    const { compositeId, partySize, offer } = answer;
    const { holdId, slot } = offer;
    const next = pick(['take', 'take', 'take', 'leave', 'release', 'nothing'] as const);
    if (next === 'take') {
      const { answer: held } = await ask({ route: `GET ${HOLD}`, params: { holdId }, keep: true });
      const { offerToken } = held ?? {};
      if (offerToken)
        await use(caller, { id: holdId, slot: { compositeId, partySize, ...slot }, offerToken });
    }
    if (next === 'leave') await ask({ route: `DELETE ${ENTRY}`, ...about });
    if (next === 'release') await ask({ route: `DELETE ${HOLD}`, params: { holdId } });
  } else if (answer.status !== 'waiting') forget();
  else if (chance(0.1)) {
    forget();
    await insist(caller, { route: `DELETE ${ENTRY}`, ...about });
  }
}
