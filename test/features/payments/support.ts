/** What the tests of payments share: bookings that cost something, and the two requests about them. */
import assert from 'node:assert/strict';
import type { Answer, TestApp } from '../../support/app.ts';
import { atEachFile } from '../../support/per-file.ts';
import {
  type Body,
  BRUNCH,
  booked,
  COMPANY,
  freeDay,
  HIDDEN,
  jazzDay,
  STANDARD,
} from '../bookings/support.ts';

export const TICKET_PENCE = 2400;

export interface Asking {
  as?: string | null;
  key?: string;
  headers?: Record<string, string>;
}

/** With a token that the sandbox knows, unless the body says otherwise. */
export function pay(app: TestApp, bookingId: string, body: Body, asking: Asking = {}): Promise<Answer> {
  const { as = 'demo-partner', key, headers = {} } = asking;
  return app.call(`/venues/bookings/${bookingId}/payments`, {
    method: 'POST',
    as,
    headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
    body: { token: 'tok_success', ...body },
  });
}

/** The same, and it must be taken. */
export async function paid(
  app: TestApp,
  bookingId: string,
  body: Body = { option: 'full' },
  asking?: Asking,
) {
  const answer = await pay(app, bookingId, body, asking);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

export function askOptions(app: TestApp, bookingId: string, as = 'demo-partner'): Promise<Answer> {
  return app.call(`/venues/bookings/${bookingId}/payment-options`, { as });
}

export async function optionsOf(app: TestApp, bookingId: string, as?: string) {
  const answer = await askOptions(app, bookingId, as);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export async function readBooking(app: TestApp, bookingId: string, as = 'demo-partner') {
  const answer = await app.call(`/venues/bookings/${bookingId}`, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

let week: number;
atEachFile(() => {
  week = 2;
});

/** Standard tickets for a jazz night, each time for another one, so that they last. */
export function bookTickets(app: TestApp, quantity: number, overrides: Body = {}) {
  week = week >= 20 ? 2 : week + 1;
  const body = { date: jazzDay(week), time: '20:00', partySize: quantity, ...overrides };
  return booked(app, body, { productId: STANDARD });
}

/** Brunch: for each guest a package of 2400 and a dish of 700, and a deposit of 1000. */
export function bookBrunch(app: TestApp, guests: number, overrides: Body = {}) {
  const preorders = {
    packages: [{ id: 112, quantity: guests }],
    menus: [{ id: 111, items: [{ id: 11101, quantity: guests }] }],
  };
  const body = {
    date: freeDay(),
    time: '11:00',
    partySize: guests,
    company: COMPANY,
    preorders,
    ...overrides,
  };
  return booked(app, body, { productId: BRUNCH });
}

/** Dinner for six at a counter that wants 2500 of each guest and nothing is ordered ahead. */
export function bookCounter(app: TestApp) {
  const body = { date: freeDay(), time: '19:00', partySize: 6 };
  return booked(app, body, { productId: HIDDEN, as: 'other-partner' });
}

export async function cancel(app: TestApp, bookingId: string): Promise<void> {
  const answer = await app.call(`/venues/bookings/${bookingId}`, { method: 'DELETE' });
  assert.equal(answer.status, 204, answer.text);
}

export interface StoredRefund {
  paymentId: string;
  reason: string;
  status: string;
  amountPence: number;
}

/** What is owed or was given back for a booking, in the order in which it was written. */
export async function refundsOf({ sql }: TestApp, bookingId: string): Promise<StoredRefund[]> {
  const rows = await sql<StoredRefund[]>`
    select payment_id as "paymentId", reason, status, amount_pence as "amountPence"
    from refund where booking_id = ${bookingId} order by id`;
  return rows.map((row) => ({ ...row }));
}

/** How many payments the database has for a booking, and what it last told of it. */
export async function tracesOf({ sql, services }: TestApp, bookingId: string) {
  const [counted] = await sql`select count(*) as payments from payment where booking_id = ${bookingId}`;
  const events = await services.events.listOfBooking(sql, bookingId);
  const [booking] = await sql`select last_update::text as at from booking where id = ${bookingId}`;
  return { payments: counted?.payments, events: events.length, lastUpdate: booking?.at };
}
