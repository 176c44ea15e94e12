/** A partner, or an agent for one, who books, changes, pays and cancels, and asks again when the answer is cut off. */

import type { Spot } from '../world.ts';
import { type Caller, insist, type Told } from './caller.ts';

const CREATE = 'POST /venues/{compositeId}/booking';
const BOOKING = '/venues/bookings/{bookingId}';
const FOLLOWED = 0.6;

let marks = 0;
/** A number that no other booking request has. */
export const nextMark = () => ++marks;

/** Sent as a deposit far below a penny, so that every wish is found in the database whatever became of it. */
export const MARKS_IN_A_PENNY = 1_000_000;

interface BookingDraft {
  mark: number;
  spot: Spot;
  key: string | null;
  partnerBookingId: string | null;
  body: Record<string, unknown>;
}

export async function keepBooking(caller: Caller, spots: readonly Spot[]): Promise<void> {
  while (!caller.stage.isOver()) {
    const draft = newWish(caller, caller.pick(spots));
    if (caller.chance(0.3)) await askForTimes(caller, draft);
    const id = await create(caller, draft);
    while (id !== undefined && caller.chance(FOLLOWED) && !caller.stage.isOver())
      if (!(await follow(caller, draft, id))) break;
    await caller.rest();
  }
}

function newWish(caller: Caller, spot: Spot): BookingDraft {
  const mark = nextMark();
  const name = `${caller.name}-${mark}`;
  const names = caller.pick(['none', 'key', 'id', 'both'] as const);
  const partnerBookingId = names === 'id' || names === 'both' ? name : null;
  return {
    mark,
    spot,
    key: names === 'key' || names === 'both' ? name : null,
    partnerBookingId,
    body: {
      type: caller.chance(0.25) ? 'request' : 'book',
      partySize: caller.pick([1, 2]),
      ...caller.pick(spot.starts),
      ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      depositAmount: mark / MARKS_IN_A_PENNY,
      ...(partnerBookingId !== null && { partnerBookingId }),
    },
  };
}

const askForTimes = ({ ask }: Caller, { spot, body }: BookingDraft) =>
  ask({
    route: 'GET /venues/{compositeId}/availability',
    params: { compositeId: spot.productId },
    query: { date: String(body.date), partySize: Number(body.partySize) },
  });

/** The id of what was made, where anybody said so. */
async function create(caller: Caller, draft: BookingDraft): Promise<string | undefined> {
  const { key, mark, body, spot, partnerBookingId } = draft;
  const wanted = { route: CREATE, params: { compositeId: spot.productId }, key, mark, body };
  const isNamed = key !== null || partnerBookingId !== null;
  const told = isNamed ? await insist(caller, wanted) : await caller.ask(wanted);
  if (told.status === 201 && key !== null && caller.chance(0.15)) await caller.ask(wanted);
  if (told.code === 'BOOK-N-002') return (await listed(caller, draft)).answer?.data?.[0]?.id;
  return told.status === 201 ? told.answer.id : undefined;
}

const listed = ({ ask }: Caller, { partnerBookingId }: BookingDraft) =>
  ask({
    route: 'GET /venues/bookings',
    query: partnerBookingId === null ? { pageSize: 5 } : { partnerBookingId },
  });

/** One more thing with a booking; false: there is nothing more to do with it. */
async function follow(caller: Caller, draft: BookingDraft, bookingId: string): Promise<boolean> {
  const { ask } = caller;
  const { mark, spot } = draft;
  const about = { params: { bookingId }, mark };
  const ruleEffects = [
    'read',
    'patch',
    'patch',
    'put',
    'cancel',
    'list',
    ...(spot.kind === 'gig' ? PAYING : []),
  ];
  switch (caller.pick(ruleEffects)) {
    case 'read':
      return (await ask({ route: `GET ${BOOKING}`, ...about })).status === 200;
    case 'patch':
      return isKnown(await ask({ route: `PATCH ${BOOKING}`, ...about, body: patchOf(caller, draft) }));
    case 'put': {
      const body = { ...draft.body, compositeId: spot.productId, ...caller.pick(spot.starts) };
      return isKnown(await ask({ route: `PUT ${BOOKING}`, ...about, body }));
    }
    case 'cancel':
      await ask({ route: `DELETE ${BOOKING}`, ...about });
      return false;
    case 'list':
      return (await listed(caller, draft)).status === 200;
    default:
      return pay(caller, draft, bookingId);
  }
}

const PAYING = ['pay', 'pay', 'pay'];

/** Whoever was cut off does not know what the booking is now, and leaves it alone. */
const isKnown = ({ status }: Told) => status !== null;

function patchOf(caller: Caller, { spot }: BookingDraft) {
  const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
  if (caller.chance(0.3)) return [replace('/phone', `+44 20 ${Math.floor(caller.random() * 1e7)}`)];
  if (caller.chance(0.3)) return [replace('/partySize', 1)];
  const { date, time } = caller.pick(spot.starts);
  return [replace('/date', date), replace('/time', time)];
}

async function pay(caller: Caller, { mark, body }: BookingDraft, bookingId: string): Promise<boolean> {
  const about = { params: { bookingId }, mark };
  const { answer } = await caller.ask({ route: `GET ${BOOKING}/payment-options`, ...about });
  const offered: { id: string }[] = answer?.options ?? [];
  if (offered.length === 0) return true;
  const key = `pay-${body.depositAmount}-${Math.floor(caller.random() * 1e6)}`;
  const request = {
    route: `POST ${BOOKING}/payments`,
    ...about,
    key,
    body: { option: caller.pick(offered).id, token: 'tok_success' },
  };
  return isKnown(await insist(caller, request));
}
