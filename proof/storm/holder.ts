/** A partner that keeps places for a moment, and parties that wait and think better of it. */
import type { Caller } from './caller.ts';
import type { Spot } from './world.ts';

const HOLD = '/venues/holds/{holdId}';
const ENTRY = '/venues/waitlist/{entryId}';

export async function keepHolding(caller: Caller, spots: readonly Spot[]): Promise<void> {
  while (!caller.stage.isOver()) {
    const { productId: compositeId, starts } = caller.pick(spots);
    const start = caller.pick(starts);
    await holdOnce(caller, compositeId, start);
    await waitOnce(caller, compositeId, start);
    await caller.rest(200);
  }
}

async function holdOnce({ ask, chance, pick }: Caller, compositeId: string, start: object): Promise<void> {
  const body = { ...start, partySize: pick([1, 2]), ttlSeconds: 60 };
  const { answer } = await ask({ route: 'POST /venues/{compositeId}/holds', params: { compositeId }, body });
  if (typeof answer?.expiresAt !== 'string') return;
  const params = { holdId: String(answer.id) };
  if (chance(0.5)) await ask({ route: `GET ${HOLD}`, params });
  if (chance(0.5)) await ask({ route: `POST ${HOLD}/extend`, params, body: {} });
  await ask({ route: `DELETE ${HOLD}`, params });
}

async function waitOnce(
  { ask, chance }: Caller,
  compositeId: string,
  { date, time }: { date: string; time: string },
): Promise<void> {
  const params = { compositeId };
  const route = '/venues/{compositeId}/waitlist';
  const guest = { firstName: 'Ada', lastName: 'Lovelace' };
  const body = { date, from: time, to: time, partySize: 2, ...guest };
  const { answer } = await ask({ route: `POST ${route}`, params, body });
  if (chance(0.3)) await ask({ route: `GET ${route}`, params, query: { date } });
  if (typeof answer?.id !== 'string') return;
  const entry = { entryId: answer.id };
  if (chance(0.5)) await ask({ route: `GET ${ENTRY}`, params: entry });
  await ask({ route: `DELETE ${ENTRY}`, params: entry });
}
