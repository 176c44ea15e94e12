/** People at the desk of a venue: the telephone, the door, moves, swaps, blocks, and the list of those who wait. */
import type { Spot } from '../world.ts';
import { type Caller, insist } from './caller.ts';

const BOOKINGS = '/manage/operators/{operatorId}/bookings';
const ONE = `${BOOKINGS}/{bookingId}`;
const VENUE = '/manage/venues/{venueId}';
/** Its bookings have a mandate that the house does not know, so the desk leaves them as they are. */
export const AGENCY = 'Storm agency';

type Deed = (caller: Caller, spot: Spot) => Promise<unknown>;

export async function keepDesk(caller: Caller, spot: Spot): Promise<void> {
  while (!caller.stage.isOver()) {
    await caller.pick(DEEDS)(caller, spot);
    await caller.rest(150);
  }
}

const guestOf = (caller: Caller) => ({
  ...{ firstName: 'Hilda', lastName: `House ${Math.floor(caller.random() * 1e6)}` },
  phone: '+44 20 7946 0018',
});
const keyOf = (caller: Caller) => `${caller.name}-${Math.floor(caller.random() * 1e9)}`;

const takeBooking: Deed = async (caller, { venueId, starts }) => {
  const { ask, chance, pick } = caller;
  const { date, time } = pick(starts);
  const partySize = pick([1, 2]);
  const params = { venueId };
  if (chance(0.3)) await ask({ route: `GET ${VENUE}/starts`, params, query: { date, partySize } });
  const origin = pick(['phone', 'email', 'website', 'other']);
  const body = { productKey: 'place', origin, date, time, partySize, guest: guestOf(caller) };
  const told = await insist(caller, { route: `POST ${VENUE}/bookings`, params, key: keyOf(caller), body });
  if (told.status === 201 && chance(0.3)) await ask({ ...again(told), key: told.key, body });
};

const again = ({ route, path }: { route: string; path: string }) => ({
  route,
  params: { venueId: decodeURIComponent(path.split('/')[3] ?? '') },
});

interface Listed {
  id: string;
  partner: { name: string } | null;
  date: string;
}

/** A booking that the desk may change, and another one of its day. */
async function find(caller: Caller, { operatorId, starts }: Spot): Promise<Listed[]> {
  const { date } = caller.pick(starts);
  const query = { status: 'confirmed', from: date, to: date, pageSize: 50 };
  const told = await caller.ask({ route: `GET ${BOOKINGS}`, params: { operatorId }, query });
  const found: Listed[] = told.status === 200 ? told.answer.data : [];
  return found.filter(({ partner }) => partner?.name !== AGENCY);
}

const editBooking: Deed = async (caller, spot) => {
  const { ask, pick, chance } = caller;
  const found = await find(caller, spot);
  if (found.length === 0) return;
  const about = { params: { operatorId: spot.operatorId, bookingId: pick(found).id } };
  const body = pick([{ ...pick(spot.starts) }, { partySize: pick([1, 2]) }, { notes: 'By the window' }]);
  if (chance(0.3)) await ask({ route: `PATCH ${ONE}`, ...about, body, query: { dryRun: 'true' } });
  await ask({ route: `PATCH ${ONE}`, ...about, body });
  if (chance(0.3)) await ask({ route: `GET ${ONE}/history`, ...about });
};

const moveBooking: Deed = async (caller, spot) => {
  const { ask, pick, chance } = caller;
  const found = await find(caller, spot);
  const tables = await tablesOf(caller, spot);
  if (found.length === 0 || tables.length === 0) return;
  const about = { params: { operatorId: spot.operatorId, bookingId: pick(found).id } };
  const body = { tableIds: [pick(tables)] };
  if (chance(0.2)) await ask({ route: `PUT ${ONE}/tables`, ...about, body, query: { dryRun: 'true' } });
  await ask({ route: `PUT ${ONE}/tables`, ...about, body });
};

const swapBookings: Deed = async (caller, spot) => {
  const { ask, pick, chance } = caller;
  const found = await find(caller, spot);
  if (found.length < 2) return;
  const about = { params: { operatorId: spot.operatorId, bookingId: pick(found).id } };
  const body = { bookingId: pick(found).id };
  if (chance(0.2)) await ask({ route: `POST ${ONE}/swap`, ...about, body, query: { dryRun: 'true' } });
  await ask({ route: `POST ${ONE}/swap`, ...about, body });
};

const callOff: Deed = async (caller, spot) => {
  const found = await find(caller, spot);
  if (found.length === 0) return;
  const params = { operatorId: spot.operatorId, bookingId: caller.pick(found).id };
  await caller.ask({ route: `POST ${ONE}/cancel`, params });
};

async function tablesOf({ ask }: Caller, { venueId }: Spot): Promise<number[]> {
  const told = await ask({ route: `GET ${VENUE}/tables`, params: { venueId } });
  return told.status === 200 ? told.answer.data.map(({ id }: { id: number }) => id) : [];
}

const blockTable: Deed = async (caller, spot) => {
  const { ask, pick } = caller;
  const tables = await tablesOf(caller, spot);
  if (tables.length === 0) return;
  const { date, time } = pick(spot.starts);
  const body = { from: `${date}T${time}`, to: `${date}T22:00`, tableIds: [pick(tables)], reason: 'A leg' };
  const params = { venueId: spot.venueId };
  const made = await ask({ route: `POST ${VENUE}/blocks`, params, body });
  if (made.status !== 201) return;
  const one = { params: { ...params, blockId: made.answer.id } };
  await ask({ route: `GET ${VENUE}/blocks`, params });
  await ask({ route: `GET ${VENUE}/blocks/{blockId}`, ...one });
  await ask({ route: `PUT ${VENUE}/blocks/{blockId}`, ...one, body: { ...body, reason: 'Two legs' } });
  await insist(caller, { route: `DELETE ${VENUE}/blocks/{blockId}`, ...one });
};

const endHold: Deed = async ({ ask, pick }, { operatorId }) => {
  const list = await ask({ route: 'GET /manage/operators/{operatorId}/holds', params: { operatorId } });
  const found: { id: string }[] = list.status === 200 ? list.answer.data : [];
  if (found.length === 0) return;
  const params = { operatorId, holdId: pick(found).id };
  await ask({ route: 'DELETE /manage/operators/{operatorId}/holds/{holdId}', params });
};

const keepWaiting: Deed = async (caller, { venueId, starts }) => {
  const { ask, pick } = caller;
  const params = { venueId };
  const { date, time } = pick(starts);
  const body = { productKey: 'place', date, from: time, to: time, partySize: 2, lastName: 'Waiter' };
  await insist(caller, {
    route: `POST ${VENUE}/waitlist`,
    params,
    key: keyOf(caller),
    body: { ...body, phone: '+44 20 7946 0018' },
  });
  const list = await ask({ route: `GET ${VENUE}/waitlist`, params, query: { date, pageSize: 50 } });
  const found: { id: string; status: string }[] = list.status === 200 ? list.answer.data : [];
  const standing = found.filter(({ status }) => status === 'waiting' || status === 'offered');
  if (standing.length === 0) return;
  const { id: entryId, status } = pick(standing);
  const one = { params: { venueId, entryId } };
  const entry = `${VENUE}/waitlist/{entryId}`;
  await ask({ route: `GET ${entry}`, ...one });
  if (status === 'offered') await ask({ route: `POST ${entry}/book`, ...one });
  else
    switch (pick(['order', 'order', 'offer', 'offer', 'remove', 'nothing'] as const)) {
      case 'order':
        return ask({ route: `PATCH ${entry}`, ...one, body: { before: null } });
      case 'offer':
        return ask({ route: `POST ${entry}/offer`, ...one, body: { time } });
      case 'remove':
        return ask({ route: `DELETE ${entry}`, ...one });
      case 'nothing':
    }
};

const lookAround: Deed = async ({ ask, pick }, { venueId, operatorId, starts }) => {
  const { date } = pick(starts);
  await ask({ route: `GET ${VENUE}/diary`, params: { venueId }, query: { date } });
  const report = { params: { operatorId }, query: { from: date, to: date } };
  await ask({ route: 'GET /manage/operators/{operatorId}/reports/covers', ...report });
  await ask({ route: 'GET /manage/operators/{operatorId}/reports/bookings.csv', ...report });
};

const DEEDS: readonly Deed[] = [
  ...[takeBooking, takeBooking, takeBooking, editBooking, editBooking, moveBooking, swapBookings],
  ...[callOff, blockTable, endHold, keepWaiting, keepWaiting, lookAround],
];

/** Hours of the house do not bind who stands at the door, and neither does notice. */
const OVERRIDES = ['hours', 'notice', 'pacing'];
const VISITS = ['expected', 'arrived', 'seated', 'seated', 'left', 'left', 'no_show'];

/** The door of a room that is open today: parties walk in, sit down, move and leave. */
export async function keepDoor(caller: Caller, spot: Spot): Promise<void> {
  const { ask, pick, chance } = caller;
  const { operatorId, venueId } = spot;
  const present: string[] = [];
  while (!caller.stage.isOver()) {
    const body = { productKey: 'place', origin: 'walk_in', partySize: pick([1, 2]), duration: 60 };
    const told = await insist(caller, {
      ...{ route: `POST ${VENUE}/bookings`, params: { venueId }, key: keyOf(caller) },
      body: { ...body, overrides: OVERRIDES },
    });
    if (told.status === 201) present.push(told.answer.id);
    for (let count = 0; count < 3 && present.length > 0; count += 1) {
      const bookingId = pick(present);
      const about = { params: { operatorId, bookingId } };
      const state = pick(VISITS);
      await ask({ route: `PUT ${ONE}/visit`, ...about, body: { state } });
      if (chance(0.2))
        await ask({ route: `PUT ${ONE}/actuals`, ...about, body: { guests: 2, spendPence: 4200 } });
      if (chance(0.1)) await ask({ route: `GET ${ONE}`, ...about });
      const [table] = await tablesOf(caller, spot);
      if (chance(0.2) && table)
        await ask({ route: `PUT ${ONE}/tables`, ...about, body: { tableIds: [table] } });
      if (state === 'left' && chance(0.4)) {
        present.splice(present.indexOf(bookingId), 1);
        await ask({ route: `POST ${ONE}/forget-guest`, ...about });
      }
      await caller.rest(100);
    }
    await caller.rest(400);
  }
}
