import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, startTestApp } from '../../support/app.ts';
import { type Body, booked, bookingsApp } from '../bookings/support.ts';
import {
  askOptions,
  bookBrunch,
  bookCounter,
  bookTickets,
  cancel,
  optionsOf,
  paid,
  pay,
  readBooking,
  TICKET_PENCE,
  tracesOf,
} from './support.ts';

const maitred = bookingsApp();
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

test('tickets can be paid in full or by a quarter, and the labels say how much that is', async () => {
  const { id } = await bookTickets(maitred(), 3);
  assert.deepEqual(await optionsOf(maitred(), id), {
    finalBalance: 7200,
    currency: 'GBP',
    paid: 0,
    due: 7200,
    options: [
      { id: 'full', amount: 7200, label: 'Pay in full: £72.00' },
      { id: 'deposit_25', amount: 1800, label: 'Pay a 25% deposit: £18.00' },
    ],
    provider: { name: 'sandbox', publishableKey: null, account: null },
    message: 'Payments are taken through sandbox.',
  });
});

test('where the product asks for a deposit it is a third way to pay', async () => {
  const { id } = await bookBrunch(maitred(), 4);
  const { finalBalance, options } = await optionsOf(maitred(), id);
  assert.equal(finalBalance, 4 * (2400 + 700));
  assert.deepEqual(
    options.map(({ id: option, amount }: Body) => [option, amount]),
    [
      ['full', 12_400],
      ['deposit_25', 3100],
      ['deposit', 4000],
    ],
  );
});

test('a deposit is asked for even where nothing else costs anything, and then it can be paid', async () => {
  const { id } = await bookCounter(maitred());
  const { finalBalance, due, options } = await optionsOf(maitred(), id, 'other-partner');
  assert.deepEqual([finalBalance, due], [0, 0]);
  assert.deepEqual(options, [{ id: 'deposit', amount: 15_000, label: 'Pay the deposit: £150.00' }]);
  const payment = await paid(maitred(), id, { option: 'deposit' }, { as: 'other-partner' });
  assert.equal(payment.amount, 15_000);
  assert.equal(payment.refunded, 0);
  assert.deepEqual((await optionsOf(maitred(), id, 'other-partner')).options, []);
});

test('what the partner has taken counts as paid', async () => {
  const { id } = await bookTickets(maitred(), 2, { depositAmount: 1000 });
  const { paid: sum, due, options } = await optionsOf(maitred(), id);
  assert.deepEqual([sum, due], [1000, 3800]);
  assert.deepEqual(
    options.map(({ id: option, amount }: Body) => [option, amount]),
    [
      ['full', 3800],
      ['deposit_25', 200],
    ],
  );
});

test('a payment is made, settled and shown on the booking', async () => {
  const { id } = await bookTickets(maitred(), 2);
  const payment = await paid(maitred(), id, {
    option: 'deposit_25',
    method: 'card',
    returnUrl: 'https://partner.example/thanks?for=you',
  });
  const { id: paymentId, createdAt, ...rest } = payment;
  assert.match(paymentId, UUID_V7);
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
  assert.deepEqual(rest, {
    status: 'succeeded',
    amount: 1200,
    refunded: 0,
    currency: 'GBP',
    option: 'deposit_25',
    method: 'card',
    nextActionUrl: null,
    checkoutUrl: null,
    clientSecret: null,
    publishableKey: null,
    account: null,
    failureReason: null,
  });
  assert.deepEqual((await readBooking(maitred(), id)).payments, [payment]);
  const { paid: sum, due, options } = await optionsOf(maitred(), id);
  assert.deepEqual([sum, due], [1200, 3600]);
  assert.deepEqual(options, [{ id: 'full', amount: 3600, label: 'Pay the rest: £36.00' }]);
  const rest2 = await paid(maitred(), id, { option: 'full', method: null, returnUrl: null });
  assert.equal(rest2.amount, 3600);
  assert.deepEqual((await readBooking(maitred(), id)).payments, [payment, rest2]);
});

test('a payment moves lastUpdate on and appends an event when it begins and when it is made', async () => {
  const booking = await bookTickets(maitred(), 1);
  const before = await tracesOf(maitred(), booking.id);
  await paid(maitred(), booking.id);
  const { lastUpdate } = await readBooking(maitred(), booking.id);
  const events = await maitred().services.events.listOfBooking(maitred().sql, booking.id);
  assert.equal(events.length, before.events + 2);
  assert.ok(
    Temporal.Instant.compare(Temporal.Instant.from(lastUpdate), Temporal.Instant.from(booking.lastUpdate)) >
      0,
  );
  assert.equal(JSON.parse(events.at(-1)?.body ?? '').bookings[0].lastUpdate, lastUpdate);
});

test('the answers can be had as TOON', async () => {
  const { id } = await bookTickets(maitred(), 1);
  const headers = { accept: 'text/toon' };
  const options = await maitred().call(`/venues/bookings/${id}/payment-options`, { headers });
  assert.match(options.text, /^finalBalance: 2400$/m);
  const payment = await pay(maitred(), id, { option: 'full' }, { headers });
  assert.equal(payment.status, 201);
  assert.match(payment.text, /^status: succeeded$/m);
});

test('what is paid in full, and what costs nothing, is BOOK-N-014', async () => {
  const tickets = await bookTickets(maitred(), 1);
  await paid(maitred(), tickets.id);
  const dinner = await booked(maitred());
  for (const { id } of [tickets, dinner]) {
    const before = await tracesOf(maitred(), id);
    for (const option of ['full', 'deposit_25', 'deposit'])
      assertProblem(await pay(maitred(), id, { option }), 409, 'BOOK-N-014');
    assert.deepEqual(await tracesOf(maitred(), id), before);
  }
});

test('a cancelled booking offers nothing and takes nothing', async () => {
  const { id } = await bookTickets(maitred(), 1);
  await cancel(maitred(), id);
  const { finalBalance, paid: sum, options } = await optionsOf(maitred(), id);
  assert.deepEqual([finalBalance, sum, options], [TICKET_PENCE, 0, []]);
  assertProblem(await pay(maitred(), id, { option: 'full' }), 409, 'BOOK-N-014');
});

test('a rejected enquiry offers nothing and takes nothing', async () => {
  const { id } = await bookBrunch(maitred(), 2, { type: 'request' });
  await maitred().services.bookings.reject(
    { kind: 'operator', operatorId: 1, clientId: 'demo-operator', scopes: new Set() },
    id,
  );
  assert.deepEqual((await optionsOf(maitred(), id)).options, []);
  assertProblem(await pay(maitred(), id, { option: 'full' }), 409, 'BOOK-N-014');
});

test('at a venue that has closed the options can be read, but nothing is taken', async () => {
  const { id } = await bookBrunch(maitred(), 2);
  const close = (at: string | null) =>
    maitred().sql`update venue set closed_at = ${at} where id = '1|house|garden-room'`;
  await close('2026-01-01T00:00:00Z');
  try {
    const { due, options } = await optionsOf(maitred(), id);
    assert.deepEqual([due, options], [6200, []]);
    assertProblem(await pay(maitred(), id, { option: 'full' }), 409, 'VENUE-N-009');
  } finally {
    await close(null);
  }
});

test('an option that is not offered now is refused by its name, with those that are', async () => {
  const { id } = await bookTickets(maitred(), 2);
  const body = assertProblem(await pay(maitred(), id, { option: 'deposit' }), 400, 'VALID-N-001');
  assert.deepEqual(body.errors, { option: ['must be one of full, deposit_25 now'] });
  await paid(maitred(), id, { option: 'deposit_25' });
  const again = await pay(maitred(), id, { option: 'deposit_25' });
  assert.deepEqual(Object.keys(assertProblem(again, 400, 'VALID-N-001').errors), ['option']);
});

const WRONG: [string, Body, string[]][] = [
  ['no option', {}, ['option']],
  ['an unknown option', { option: 'half' }, ['option']],
  ['an unknown field', { option: 'full', price: 1 }, ['price']],
  ['an amount that is no number of pence', { option: 'full', amount: 24.5 }, ['amount']],
  ['another currency', { option: 'full', amount: 2400, currency: 'EUR' }, ['currency']],
  ['a card number as token', { option: 'full', token: '4242424242424242' }, ['token']],
  ['offSession that is no boolean', { option: 'full', offSession: 'yes' }, ['offSession']],
  ['a method that is no text', { option: 'full', method: 7 }, ['method']],
  ['an empty method', { option: 'full', method: '' }, ['method']],
  ['a method that is too long', { option: 'full', method: 'x'.repeat(51) }, ['method']],
  ['an address that is none', { option: 'full', returnUrl: 'thanks' }, ['returnUrl']],
  ['an address that runs a script', { option: 'full', returnUrl: 'javascript:alert(1)' }, ['returnUrl']],
  ['an address of a file', { option: 'full', returnUrl: 'file:///etc/passwd' }, ['returnUrl']],
  ['an address without a host', { option: 'full', returnUrl: 'https://' }, ['returnUrl']],
  [
    'an address that is too long',
    { option: 'full', returnUrl: `https://a.example/${'x'.repeat(2000)}` },
    ['returnUrl'],
  ],
  ['several faults', { option: 'half', method: 7 }, ['option', 'method']],
];

test('a body that is wrong is refused with every field that is, and nothing is taken', async (t) => {
  const { id } = await bookTickets(maitred(), 1);
  const before = await tracesOf(maitred(), id);
  for (const [name, body, fields] of WRONG) {
    await t.test(name, async () => {
      const refused = assertProblem(await pay(maitred(), id, body), 400, 'VALID-N-001');
      assert.deepEqual(Object.keys(refused.errors), fields);
    });
  }
  assert.deepEqual(await tracesOf(maitred(), id), before);
});

test('bookings that do not exist, and those of others, are neither read nor paid', async () => {
  const { id } = await bookTickets(maitred(), 1);
  for (const unknown of [crypto.randomUUID(), 'nonsense']) {
    assertProblem(await askOptions(maitred(), unknown), 404, 'BOOK-N-006');
    assertProblem(await pay(maitred(), unknown, { option: 'full' }), 404, 'BOOK-N-006');
  }
  assertProblem(await askOptions(maitred(), id, 'other-partner'), 403, 'PMAP-N-003');
  const foreign = await pay(maitred(), id, { option: 'full' }, { as: 'other-partner' });
  assertProblem(foreign, 403, 'PMAP-N-003');
});

test('an agent pays for the partner that it names, and the platform for anybody', async () => {
  const headers = { 'x-partner-reference': 'demo-partner' };
  const first = await bookTickets(maitred(), 1);
  assert.equal(
    (await paid(maitred(), first.id, { option: 'full' }, { as: 'demo-agent', headers })).status,
    'succeeded',
  );
  const second = await bookTickets(maitred(), 1);
  assert.equal(
    (await paid(maitred(), second.id, { option: 'full' }, { as: 'demo-admin' })).status,
    'succeeded',
  );
});

test('both need the scope for changing bookings, which operators and narrowed tokens lack', async () => {
  const { id } = await bookTickets(maitred(), 1);
  assertProblem(await askOptions(maitred(), id, 'demo-operator'), 403, 'USER-N-009');
  const byOperator = await pay(maitred(), id, { option: 'full' }, { as: 'demo-operator' });
  assertProblem(byOperator, 403, 'USER-N-009');
  const narrowed = await maitred().call('/oauth/token', {
    method: 'POST',
    as: null,
    body: {
      grant_type: 'client_credentials',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
      audience: 'maitred',
      scope: 'venue-booking:read',
    },
  });
  const headers = { authorization: `Bearer ${narrowed.json.access_token}` };
  const read = await maitred().call(`/venues/bookings/${id}/payment-options`, { as: null, headers });
  assertProblem(read, 403, 'USER-N-009');
  assertProblem(await pay(maitred(), id, { option: 'full' }, { as: null, headers }), 403, 'USER-N-009');
  assertProblem(await pay(maitred(), id, { option: 'full' }, { as: null }), 401, 'IDENT-N-001');
});

test('in live, where no provider is connected, nothing can be paid, and the options say so', async () => {
  const live = await startTestApp({ config: { environment: 'live' } });
  try {
    const { id } = await bookTickets(live, 1);
    const before = await tracesOf(live, id);
    assertProblem(await pay(live, id, { option: 'full' }), 422, 'PAYM-N-003');
    const { due, options, provider, message } = await optionsOf(live, id);
    assert.deepEqual([due, options, provider], [TICKET_PENCE, [], null]);
    assert.match(message, /No payment provider is connected/);
    assert.deepEqual(await tracesOf(live, id), before);
  } finally {
    await live.close();
  }
});

test('an amount that the guest was shown and that has changed is PAYM-N-004, and nothing is taken', async () => {
  const { id } = await bookTickets(maitred(), 2);
  const before = await tracesOf(maitred(), id);
  const refusal = await pay(maitred(), id, { option: 'full', amount: TICKET_PENCE, currency: 'GBP' });
  assert.match(assertProblem(refusal, 409, 'PAYM-N-004').detail, /4800/);
  assert.deepEqual(await tracesOf(maitred(), id), before);
  const shown = { option: 'full', amount: 2 * TICKET_PENCE, currency: 'GBP' };
  assert.equal((await paid(maitred(), id, shown)).status, 'succeeded');
});
