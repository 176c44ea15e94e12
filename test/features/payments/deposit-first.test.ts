import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { blocksOf } from '../../docs/blocks.ts';
import { assertAlike } from '../../docs/shown.ts';
import { type Answer, assertProblem, type TestApp } from '../../support/app.ts';
import { storageOf } from '../../support/rule-storage.ts';
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
  STANDARD,
} from '../bookings/support.ts';
import { ada, brunch, dinner, order } from '../orders/support.ts';
import {
  bookBrunch,
  bookTickets,
  cancel,
  optionsOf,
  paid,
  pay,
  readBooking,
  refundsOf,
  TICKET_PENCE,
} from './support.ts';

/** Guests of these venues pay before their booking is confirmed. */
let passedSeconds = 0;
const clock = () => Temporal.Now.instant().add({ seconds: passedSeconds });
/** What a test leaves unpaid is given up, so that the next one is below the limit of places that wait. */
afterEach(async () => {
  await work(30 * 60);
  passedSeconds = 0;
});
const maitred = bookingsApp(
  { deps: { clock } },
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

test('the answer that the guide shows is one of these', async () => {
  const shown = blocksOf('docs/payments.md').find(({ text }) => text.includes('paymentDue'));
  const { status, paymentDue } = await bookBrunch(maitred(), 2);
  assertAlike({ status, paymentDue }, JSON.parse(shown?.text ?? ''), 'booking');
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

test('a system that does not release the place leaves it unpaid and kept', async () => {
  const booking = await bookBrunch(maitred(), 2);
  const refused = await maitred().call(bookingPath(booking.id), {
    method: 'DELETE',
    headers: { 'x-sandbox-fault': 'cancel=rejected' },
  });
  assertProblem(refused, 422, 'BOOK-N-009');
  assert.deepEqual(await readBooking(maitred(), booking.id), booking);
  await cancel(maitred(), booking.id);
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

test('places that wait for a payment count towards the limit of holds', async () => {
  for (let made = 0; made < 20; made += 1) await bookBrunch(maitred(), 2);
  const attempt = () => tryBrunch(maitred(), freeDay());
  await assertRefused(maitred(), attempt, 409, 'HOLD-N-004');
  assertProblem(await holdBrunch(freeDay()), 409, 'HOLD-N-004');
});

test('a larger party owes a larger deposit, which stays agreed when it becomes smaller', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  await paid(maitred(), id, deposit('tok_success'));
  // Two have paid 2000; four owe 4000, and that stays agreed when two of them stay away.
  for (const guests of [4, 2]) {
    const preorders = {
      packages: [{ id: 112, quantity: guests }],
      menus: [{ id: 111, items: [{ id: 11101, quantity: guests }] }],
    };
    const answer = await maitred().call(bookingPath(id), {
      method: 'PATCH',
      headers: { 'content-type': 'application/json-patch+json' },
      body: [
        { op: 'replace', path: '/partySize', value: guests },
        { op: 'replace', path: '/preorders', value: preorders },
      ],
    });
    assert.equal(answer.status, 200, answer.text);
    const { options } = await optionsOf(maitred(), id);
    const asked = options.find(({ id: option }: Body) => option === 'deposit')?.amount ?? 0;
    assert.equal(asked, 2000, `${guests} guests`);
    assert.equal(answer.json.payments[0].refunded, 0);
  }
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

const deposit = (token: string) => ({ option: 'deposit', token });

/** The guest says yes on the page of the bank. */
async function authenticate(url: string): Promise<void> {
  const { pathname } = new URL(url);
  const answer = await maitred().call(pathname, { method: 'POST', as: null, body: { answer: 'pay' } });
  assert.ok(answer.status < 500, answer.text);
}

/** What the jobs of some minutes do. */
async function work(seconds: number): Promise<void> {
  passedSeconds += seconds;
  const { payments } = maitred().services;
  await payments.settlePending();
  await payments.finishUnpaid();
  await payments.settleRefunds();
}

test('the payment confirms it, at the place that was kept', async () => {
  const date = freeDay();
  const [first, ...others] = await fill(maitred(), date);
  const payment = await paid(maitred(), first?.id, deposit('tok_success'));
  assert.deepEqual([payment.status, payment.amount], ['succeeded', 2000]);
  const booking = await readBooking(maitred(), first?.id);
  assert.deepEqual([booking.status, booking.paymentDue], ['confirmed', null]);
  assert.ok(booking.operatorBookingId);
  assert.ok(others.length > 0);
  assertProblem(await tryBrunch(maitred(), date), 409, 'AVAIL-N-005');
  await work(11 * 60);
  assert.equal((await readBooking(maitred(), first?.id)).status, 'confirmed');
  for (const { id } of others) assert.equal((await readBooking(maitred(), id)).status, 'cancelled');
});

test('only the deposit can be paid before, and only once', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  assertProblem(await pay(maitred(), id, { option: 'full', token: 'tok_success' }), 400, 'VALID-N-001');
  await paid(maitred(), id, deposit('tok_success'));
  assertProblem(await pay(maitred(), id, deposit('tok_success')), 400, 'VALID-N-001');
  const { options } = await optionsOf(maitred(), id);
  assert.deepEqual(
    options.map(({ id: option }: Body) => option),
    ['full'],
  );
});

test('declined, it can be paid in another way until its time is up', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  assertProblem(await pay(maitred(), id, deposit('tok_insufficient_funds')), 402, 'PAYM-N-001');
  assert.equal((await readBooking(maitred(), id)).status, 'pending');
  await paid(maitred(), id, deposit('tok_success'));
  assert.equal((await readBooking(maitred(), id)).status, 'confirmed');
});

test('unpaid, it is given up, and its place with it', async () => {
  const date = freeDay();
  const made = await fill(maitred(), date);
  await work(9 * 60);
  assertProblem(await tryBrunch(maitred(), date), 409, 'AVAIL-N-005');
  await work(2 * 60);
  for (const { id } of made) assert.equal((await readBooking(maitred(), id)).status, 'cancelled');
  const again = await tryBrunch(maitred(), date);
  assert.equal(again.status, 201, again.text);
  const late = await pay(maitred(), made[0]?.id, deposit('tok_success'));
  assertProblem(late, 409, 'BOOK-N-014');
});

test('a payment that is begun too late takes nothing', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  passedSeconds = 10 * 60 + 1;
  assertProblem(await pay(maitred(), id, deposit('tok_success')), 409, 'BOOK-N-014');
});

test('a guest who authenticates in time has the table', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  const payment = await paid(maitred(), id, deposit('tok_authenticate'));
  assert.equal(payment.status, 'requires_action');
  await authenticate(payment.nextActionUrl);
  await work(61);
  const { status, payments } = await readBooking(maitred(), id);
  assert.deepEqual([status, payments[0].status], ['confirmed', 'succeeded']);
});

test('a guest who authenticates after the end pays nothing', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  const payment = await paid(maitred(), id, deposit('tok_authenticate'));
  await work(14 * 60);
  await authenticate(payment.nextActionUrl);
  await work(61);
  const { status, payments } = await readBooking(maitred(), id);
  assert.deepEqual([status, payments[0].status], ['cancelled', 'failed']);
  assert.deepEqual(await takenAtProvider(), await takenInLedger());
});

test('an answer that was lost is found out, and the booking confirmed', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  const payment = await paid(maitred(), id, deposit('tok_doubt_succeeded'));
  assert.equal(payment.status, 'processing');
  assert.equal((await readBooking(maitred(), id)).status, 'pending');
  await work(61);
  assert.equal((await readBooking(maitred(), id)).status, 'confirmed');
});

test('an answer that was lost before anything was taken leaves the guest free to pay again', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  await paid(maitred(), id, deposit('tok_doubt_failed'));
  await work(61);
  assert.equal((await readBooking(maitred(), id)).payments[0].status, 'failed');
  await paid(maitred(), id, deposit('tok_success'));
  assert.equal((await readBooking(maitred(), id)).status, 'confirmed');
});

test('cancelled after it was paid, the deposit goes back by the terms', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  await paid(maitred(), id, deposit('tok_success'));
  await cancel(maitred(), id);
  const { status, payments } = await readBooking(maitred(), id);
  assert.deepEqual([status, payments[0].refunded], ['cancelled', 2000]);
});

test('what a rule demands is paid here too, and does not refuse the booking', async () => {
  const rules = storageOf(maitred());
  const rule = await rules.create(1, {
    effect: 'require_deposit',
    name: 'Deposit',
    venueIds: ['1|house|soho-grill'],
    params: { amount: 1500, per: 'guest' },
  });
  try {
    const { id, status, paymentDue } = await booked(maitred(), { partySize: 2 }, { productId: DINNER });
    assert.deepEqual([status, paymentDue.amount], ['pending', 3000]);
    await paid(maitred(), id, deposit('tok_success'));
    const { status: then, payments } = await readBooking(maitred(), id);
    assert.deepEqual([then, payments[0].refunded], ['confirmed', 0]);
  } finally {
    await rules.retire(1, rule.id);
  }
});

function holdBrunch(date: string): Promise<Answer> {
  const path = `/venues/${encodeURIComponent(BRUNCH)}/holds`;
  return maitred().call(path, { method: 'POST', body: { date, time: '11:00', partySize: 2 } });
}

test('a booking from a hold keeps that place until it is paid, on the terms of the hold', async () => {
  const date = freeDay();
  const held = await holdBrunch(date);
  assert.equal(held.status, 201, held.text);
  const { id: holdId, offer } = held.json;
  assert.equal(offer.deposit, 2000);
  await maitred().sql`update product set payment_rules = '[]' where id = ${BRUNCH}`;
  try {
    const { json } = await tryBrunch(maitred(), date, { holdId });
    assert.deepEqual([json.id, json.status, json.paymentDue.amount], [holdId, 'pending', 2000]);
    assertProblem(await tryBrunch(maitred(), date, { holdId }), 410, 'HOLD-N-002');
    passedSeconds = 8 * 60;
    await paid(maitred(), holdId, deposit('tok_success'));
    assert.equal((await readBooking(maitred(), holdId)).status, 'confirmed');
  } finally {
    const rules = [
      { amount: 1000, currency: 'GBP', per: 'guest', minPartySize: null, maxPartySize: null, weekdays: null },
    ];
    await maitred()
      .sql`update product set payment_rules = ${maitred().sql.json(rules as never)} where id = ${BRUNCH}`;
  }
});

async function takenAtProvider(): Promise<unknown> {
  const [row] = await maitred().sql`
    select coalesce(sum(amount_pence), 0)::int as pence from sandbox_payment where status = 'succeeded'`;
  return row?.pence;
}

async function takenInLedger(): Promise<unknown> {
  const [row] = await maitred().sql`
    select coalesce(sum(amount_pence), 0)::int as pence from ledger_entry where kind = 'payment' and provider = 'sandbox'`;
  return row?.pence;
}

test('of a deposit for tickets no more stays than the tickets that are left cost', async (t) => {
  const { sql } = maitred();
  const deposit = { amount: 1000, currency: 'GBP', per: 'guest', minPartySize: null, maxPartySize: null };
  const setRules = (rules: object[]) =>
    sql`update product set payment_rules = ${sql.json(rules as never)} where id = ${STANDARD}`;
  await setRules([{ ...deposit, weekdays: null }]);
  t.after(() => setRules([]));
  const { id, paymentDue } = await bookTickets(maitred(), 4);
  assert.equal(paymentDue.amount, 4000);
  await paid(maitred(), id, { option: 'deposit' });
  const body = [{ op: 'replace', path: '/partySize', value: 1 }];
  const patched = await maitred().call(bookingPath(id), { method: 'PATCH', body });
  assert.equal(patched.status, 200, patched.text);
  const [refund] = await refundsOf(maitred(), id);
  assert.deepEqual([refund?.amountPence, refund?.reason], [4000 - TICKET_PENCE, 'fewer_tickets']);
});
