/** What users of the old version have made by the time of the upgrade, over its HTTP interface. */
import { randomUUID } from 'node:crypto';
import { tokenOf } from '../../bench/caller.ts';
import type { Sql } from '../../src/db/database.ts';

export const OPERATOR = '/manage/operators/1';
export const DINNER = '1|house|soho-grill|dinner';
export const TICKET = '2|tickets|jazz-night|standard';
export const PEOPLE = { email: 'owner@lamp.example', password: 'demo-password-please-change' };
export const guest = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
};

const TIMES = ['17:00', '17:30', '18:00', '18:30', '19:00', '19:30', '20:00', '20:30', '21:00'];
const FIRST_DAY = Temporal.Now.plainDateISO('Europe/London').add({ days: 14 });
const DAYS = 150;
let taken = 0;

/** Days in turn, then starts; where all are taken, another table at the same. */
export function nextPlace(): { date: string; time: string } {
  const number = taken++;
  return {
    date: FIRST_DAY.add({ days: number % DAYS }).toString(),
    time: TIMES[Math.floor(number / DAYS) % TIMES.length] ?? '',
  };
}

export const bookingPath = (productId: string) => `/venues/${encodeURIComponent(productId)}/booking`;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
export type Json = any;
export type Ask = (method: string, path: string, body?: object, key?: string) => Promise<Json>;

/** Calls a node as that client and throws where the answer is a refusal. */
export async function askerOf(address: string, clientId: string): Promise<Ask> {
  const token = await tokenOf({ address }, clientId);
  return async (method, path, body, key) => {
    const response = await fetch(new URL(path, address), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

export interface World {
  /** Bookings of tables, some of them changed or cancelled; as last answered. */
  bookings: Json[];
  /** Bookings of tickets of which nothing is paid. */
  unpaid: string[];
  /** Of the bookings that are made to lie in the past. */
  past: string[];
  session: string;
  secret: string;
}

const BOOKINGS = 120;
const PAST = 20;
const UNPAID = 60;

export async function makeWorld(address: string, receiver: string): Promise<World> {
  const partner = await askerOf(address, 'demo-partner');
  const operator = await askerOf(address, 'demo-operator');
  const platform = await askerOf(address, 'demo-admin');
  const { secretKey: secret } = await partner('POST', '/webhooks/subscriptions', {
    callbackUrl: receiver,
    label: 'upgrade',
  });
  const bookings = await bookTables(partner);
  const past = await bookTables(partner, PAST);
  await askAndAnswer(partner, operator);
  await orderAndPay(partner);
  await keepHouse(operator, platform);
  const unpaid: string[] = [];
  while (unpaid.length < UNPAID) unpaid.push((await bookTicket(partner, unpaid.length)).id);
  const { token: session } = await partner('POST', '/manage/sessions', PEOPLE);
  return { bookings, unpaid, past: past.map(({ id }) => id), session, secret };
}

async function bookTables(partner: Ask, count = BOOKINGS): Promise<Json[]> {
  const bookings: Json[] = [];
  for (let number = 0; number < count; number += 1) {
    const body = { type: 'book', ...nextPlace(), partySize: 2, partnerBookingId: randomUUID(), ...guest };
    let booking = await partner('POST', bookingPath(DINNER), body, randomUUID());
    const path = `/venues/bookings/${booking.id}`;
    if (count === BOOKINGS && number % 4 === 0)
      booking = await partner('PATCH', path, [{ op: 'replace', path: '/partySize', value: 1 }]);
    if (count === BOOKINGS && number % 7 === 0) {
      await partner('DELETE', path);
      booking = await partner('GET', path);
    }
    bookings.push(booking);
  }
  return bookings;
}

/** There is a night each week, and each has room for some. */
function bookTicket(partner: Ask, number: number): Promise<Json> {
  const first = FIRST_DAY.add({ days: (11 - FIRST_DAY.dayOfWeek) % 7 });
  const date = first.add({ weeks: number % 3 }).toString();
  const body = { type: 'book', date, time: '20:00', partySize: 1, ...guest };
  return partner('POST', bookingPath(TICKET), body, randomUUID());
}

async function askAndAnswer(partner: Ask, operator: Ask): Promise<void> {
  for (const decision of ['accept', 'reject', 'take-up', undefined]) {
    const body = { type: 'request', ...nextPlace(), partySize: 2, ...guest };
    const { id } = await partner('POST', bookingPath(DINNER), body);
    const path = `${OPERATOR}/bookings/${id}`;
    await operator('POST', `${path}/messages`, { text: 'A quiet table?', replyTo: 'desk@lamp.example' });
    if (decision) await operator('POST', `${path}/${decision}`);
  }
}

async function orderAndPay(partner: Ask): Promise<void> {
  for (let number = 0; number < 10; number += 1) {
    await partner('POST', '/v1/orders', {
      partnerOrderId: randomUUID(),
      ...guest,
      items: [0, 1].map(() => ({ compositeId: DINNER, quantity: 2, ...nextPlace() })),
    });
    const { id } = await bookTicket(partner, number);
    const option = number % 2 === 0 ? 'full' : 'deposit_25';
    await partner('POST', `/venues/bookings/${id}/payments`, { option }, randomUUID());
    // What was paid goes back.
    if (number % 5 === 0) await partner('DELETE', `/venues/bookings/${id}`);
  }
}

async function keepHouse(operator: Ask, platform: Ask): Promise<void> {
  await operator('POST', `${OPERATOR}/booking-rules`, {
    effect: 'party_size_limit',
    name: 'Large parties by telephone',
    venueIds: ['1|house|garden-room'],
    params: { max: 30 },
  });
  await operator('POST', `${OPERATOR}/invites`, { email: 'new@lamp.example', role: 'staff' });
  await platform('POST', '/manage/operators', { name: 'A second house' });
  const { id } = await platform('POST', '/manage/partners', { reference: 'third', name: 'Third Partner' });
  await platform('POST', '/manage/clients', { kind: 'partner', partnerId: id });
}

/** Nobody can book in the past, so these are moved there: evenings of last year, each at its table. */
export async function endVisits(sql: Sql, operator: Ask, { past }: World): Promise<void> {
  const days = 14 + DAYS + 200;
  await sql`
    update booking set trading_day = trading_day - ${days}::int, starts_at = starts_at - make_interval(days => ${days})
    where id = any(${past}::uuid[])`;
  await sql`
    update house_reservation set trading_day = trading_day - ${days}::int,
      starts_at = starts_at - make_interval(days => ${days}) where id = any(${past}::uuid[])`;
  await sql`
    update house_allocation set during = tstzrange(
      lower(during) - make_interval(days => ${days}), upper(during) - make_interval(days => ${days}))
    where reservation_id = any(${past}::uuid[])`;
  for (const id of past) {
    await operator('POST', `${OPERATOR}/bookings/${id}/complete`);
    await operator('PUT', `${OPERATOR}/bookings/${id}/actuals`, { guests: 2, spendPence: 8250 });
  }
}
