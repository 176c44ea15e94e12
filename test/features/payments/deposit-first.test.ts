import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, assertProblem, type TestApp } from '../../support/app.ts';
import {
  assertRefused,
  type Body,
  BRUNCH,
  book,
  booked,
  bookingsApp,
  COMPANY,
  DINNER,
  freeDay,
} from '../bookings/support.ts';
import { ada, brunch, dinner, order } from '../orders/support.ts';
import { bookBrunch, cancel, optionsOf, readBooking } from './support.ts';

/** Guests of these venues pay before their booking is confirmed. */
const maitred = bookingsApp(
  {},
  ({ sql }) =>
    sql`update venue_mapping set deposit = 'before_confirmation'
    where venue_id in ('1|house|garden-room', '2|tickets|jazz-night', '1|house|soho-grill')`,
);

const bookingPath = (id: string) => `/venues/bookings/${id}`;

/** All tables of the brunch at one start, so that one more does not fit. */
async function fill(app: TestApp, date: string): Promise<Body[]> {
  const made: Body[] = [];
  for (;;) {
    const answer = await tryBrunch(app, date);
    if (answer.status !== 201) {
      assertProblem(answer, 409, 'AVAIL-N-005');
      return made;
    }
    made.push(answer.json);
  }
}

function tryBrunch(app: TestApp, date: string, overrides: Body = {}): Promise<Answer> {
  const preorders = {
    packages: [{ id: 112, quantity: 2 }],
    menus: [{ id: 111, items: [{ id: 11101, quantity: 2 }] }],
  };
  const body = { date, time: '11:00', partySize: 2, company: COMPANY, preorders, ...overrides };
  return book(app, body, { productId: BRUNCH });
}

test('a booking with a deposit is pending and says what is to be paid, and until when', async () => {
  const booking = await bookBrunch(maitred(), 4);
  assert.equal(booking.status, 'pending');
  const { option, amount, currency, until } = booking.paymentDue;
  assert.deepEqual({ option, amount, currency }, { option: 'deposit', amount: 4000, currency: 'GBP' });
  const minutes = (Date.parse(until) - Date.parse(booking.createdDate)) / 60_000;
  assert.ok(minutes > 9 && minutes <= 10, String(minutes));
  assert.deepEqual(await readBooking(maitred(), booking.id), booking);
  const { options } = await optionsOf(maitred(), booking.id);
  assert.ok(options.some(({ id, amount: asked }: Body) => id === 'deposit' && asked === 4000));
});

test('a booking without a deposit is confirmed at once', async () => {
  const { status, paymentDue } = await booked(maitred(), {}, { productId: DINNER });
  assert.deepEqual([status, paymentDue], ['confirmed', null]);
});

test('its place is kept for it, and free again once it is cancelled', async () => {
  const date = freeDay();
  const made = await fill(maitred(), date);
  assert.ok(made.length > 0);
  const [first] = made;
  await cancel(maitred(), first?.id);
  assert.equal((await readBooking(maitred(), first?.id)).paymentDue, null);
  const again = await tryBrunch(maitred(), date);
  assert.equal(again.status, 201, again.text);
});

test('a repeated request is answered with the same booking, and only one place is kept', async () => {
  const key = crypto.randomUUID();
  const date = freeDay();
  const send = () => {
    const body = { date, time: '11:00', partySize: 6, company: COMPANY, preorders: sixBrunches };
    return book(maitred(), body, { productId: BRUNCH, headers: { 'idempotency-key': key } });
  };
  const [first, second] = [await send(), await send()];
  assert.equal(first.status, 201, first.text);
  assert.deepEqual(second.json, first.json);
});

const sixBrunches = {
  packages: [{ id: 112, quantity: 6 }],
  menus: [{ id: 111, items: [{ id: 11101, quantity: 6 }] }],
};

test('what guests pay here cannot be declared', async () => {
  const date = freeDay();
  const attempt = () => tryBrunch(maitred(), date, { depositAmount: 2000 });
  const { errors } = await assertRefused(maitred(), attempt, 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(errors as object), ['depositAmount']);
});

test('an unpaid booking cannot be amended', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  const patch = [{ op: 'replace', path: '/notes', value: 'By the window' }];
  const answer = await maitred().call(bookingPath(id), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json-patch+json' },
    body: patch,
  });
  assertProblem(answer, 409, 'BOOK-N-014');
});

test('an enquiry does not become a booking without the deposit', async () => {
  const { id, status, paymentDue } = await bookBrunch(maitred(), 2, { type: 'request' });
  assert.deepEqual([status, paymentDue], ['pending', null]);
  const answer = await maitred().call(bookingPath(id), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json-patch+json' },
    body: [{ op: 'replace', path: '/type', value: 'book' }],
  });
  const { detail } = assertProblem(answer, 409, 'BOOK-N-014');
  assert.match(String(detail), /deposit/);
});

test('operators do not answer it like an enquiry', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  const path = `/manage/operators/1/bookings/${id}/accept`;
  const answer = await maitred().call(path, { method: 'POST', as: 'demo-operator' });
  assertProblem(answer, 409, 'BOOK-N-014');
});

test('an order that is all or nothing does not wait for a payment', async () => {
  const answer = await order(maitred(), { ...ada, atomic: true, items: [brunch()] });
  assert.equal(answer.json.items?.[0]?.error?.code, 'BOOK-N-008', answer.text);
});

test('in another order it is an item that is pending', async () => {
  const { json } = await order(maitred(), { ...ada, items: [brunch({ type: 'book' }), dinner()] });
  assert.deepEqual(
    [json.status, json.items?.map(({ status }: Body) => status)],
    ['pending', ['pending', 'booked']],
  );
});
