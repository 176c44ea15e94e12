/** A manager who closes days of a venue with all their bookings, waits until that is done, and opens them again. */
import type { Spot } from '../world.ts';
import { type Caller, insist } from './caller.ts';

export const CLOSURES = '/manage/venues/{venueId}/closures';
const BOOKINGS = 'GET /manage/operators/{operatorId}/bookings';
const PAUSE_MS = 9000;
const MOST_LOOKS = 60;

export async function keepClosing(caller: Caller, spot: Spot, faults: string[]): Promise<void> {
  while (!caller.stage.isOver()) {
    await caller.rest(PAUSE_MS);
    if (!caller.stage.isOver()) await closeDay(caller, spot, faults);
  }
}

async function closeDay(
  caller: Caller,
  { venueId, operatorId, starts }: Spot,
  faults: string[],
): Promise<void> {
  const { ask, pick, chance } = caller;
  const { date } = pick(starts);
  const params = { venueId };
  const isWhole = chance(0.6);
  const body = {
    ...(isWhole ? { from: date, to: date } : { from: `${date}T13:00`, to: `${date}T17:00` }),
    ...{ bookings: 'cancel', reason: 'A pipe has burst', message: 'We are very sorry.' },
  };
  await ask({ route: `POST ${CLOSURES}`, params, body, query: { dryRun: 'true' } });
  const made = await ask({ route: `POST ${CLOSURES}`, params, body });
  await ask({ route: `GET ${CLOSURES}`, params });
  // A closure whose answer was cut off stays, and is lifted with the others below.
  if (made.status === 202) {
    const one = { params: { venueId, closureId: made.answer.id } };
    const done = await progressOf(caller, one);
    if (done && isWhole) {
      const query = { status: 'confirmed', from: date, to: date, venueId, pageSize: 100 };
      const left = await ask({ route: BOOKINGS, params: { operatorId }, query });
      const failed = new Set(done.failed.map(({ bookingId }) => bookingId));
      const found: { id: string }[] = left.status === 200 ? left.answer.data : [];
      for (const { id } of found)
        if (!failed.has(id)) faults.push(`booking ${id} stands on ${date}, which ${venueId} is closed on`);
    }
  }
  await reopen(caller, params);
}

async function reopen(caller: Caller, params: { venueId: string }): Promise<void> {
  const list = await caller.ask({ route: `GET ${CLOSURES}`, params });
  const found: { id: string }[] = list.status === 200 ? list.answer.data : [];
  for (const { id: closureId } of found)
    await insist(caller, { route: `DELETE ${CLOSURES}/{closureId}`, params: { ...params, closureId } });
}

interface Progress {
  state: string;
  affected: number;
  cancelled: number;
  failed: { bookingId: string }[];
}

/** How it ended; undefined: the storm was over before it had. */
async function progressOf(
  caller: Caller,
  one: { params: Record<string, string> },
): Promise<Progress | undefined> {
  for (let looks = 0; looks < MOST_LOOKS && !caller.stage.isOver(); looks += 1) {
    const told = await caller.ask({ route: `GET ${CLOSURES}/{closureId}`, ...one, keep: true });
    if (told.status === 200 && told.answer.state === 'done') return told.answer;
    await caller.rest(1000);
  }
  return undefined;
}
