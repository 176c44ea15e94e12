/** A partner, or an agent for one, who books, changes, pays and cancels, and asks again when the answer is cut off. */
import type { Caller, Told } from './caller.ts';
import type { Spot } from './world.ts';

const CREATE = 'POST /venues/{compositeId}/booking';
const BOOKING = '/venues/bookings/{bookingId}';
const TRIES = 5;
const FOLLOWED = 0.6;

let marks = 0;

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
  marks += 1;
  const name = `${caller.name}-${marks}`;
  const names = caller.pick(['none', 'key', 'id', 'both'] as const);
  const partnerBookingId = names === 'id' || names === 'both' ? name : null;
  return {
    mark: marks,
    spot,
    key: names === 'key' || names === 'both' ? name : null,
    partnerBookingId,
    body: {
      type: caller.chance(0.25) ? 'request' : 'book',
      partySize: caller.pick([1, 2]),
      ...caller.pick(spot.starts),
      ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      depositAmount: marks / MARKS_IN_A_PENNY,
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

const isOpen = ({ status }: Told) => status === null || status === 503 || status === 429;

/** The id of what was made, where anybody said so. */
async function create(caller: Caller, draft: BookingDraft): Promise<string | undefined> {
  const { key, mark, body, spot, partnerBookingId } = draft;
  const ask = () => caller.ask({ route: CREATE, params: { compositeId: spot.productId }, key, mark, body });
  let told = await ask();
  const isNamed = key !== null || partnerBookingId !== null;
  for (let count = 1; isOpen(told) && isNamed && count < TRIES && !caller.stage.isOver(); count += 1) {
    await caller.rest(300);
    told = await ask();
  }
  if (told.status === 201 && key !== null && caller.chance(0.15)) await ask();
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
  let told = await caller.ask(request);
  for (let count = 1; isOpen(told) && count < TRIES && !caller.stage.isOver(); count += 1) {
    await caller.rest(300);
    told = await caller.ask(request);
  }
  return isKnown(told);
}
