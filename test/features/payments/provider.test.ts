import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { paymentJobs } from '../../../src/features/payments/service.ts';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { REASON } from '../../support/payment-provider/server.ts';
import { A_WHILE_SECONDS, providerApp } from './provider-app.ts';
import { bookTickets, cancel, optionsOf, paid, pay, readBooking, refundsOf, tracesOf } from './support.ts';

const { app, server, passSeconds, dieOnce } = providerApp();
const settle = () => app().services.payments.settlePending();
const paymentsOf = async (id: string) => (await readBooking(app(), id)).payments;
const statusesOf = async (id: string) =>
  (await paymentsOf(id)).map(({ status }: { status: string }) => status);

/** Tickets whose payment waits for the guest at the provider's page. */
async function pendingPayment(quantity = 2) {
  const booking = await bookTickets(app(), quantity);
  server().plan('charge', 'wait');
  return { id: booking.id as string, payment: await paid(app(), booking.id) };
}

/** The guest has paid, or has not been able to. */
function conclude(paymentId: string, status: 'paid' | 'declined') {
  const held = server().charges.get(paymentId);
  assert.ok(held);
  held.status = status;
}

afterEach(async () => {
  for (const held of server().charges.values()) if (held.status === 'pending') held.status = 'declined';
  passSeconds(A_WHILE_SECONDS);
  await settle();
});

test('the provider is told what to charge, under the id of the payment', async () => {
  const booking = await bookTickets(app(), 2);
  const returnUrl = 'https://partner.example/thanks';
  const payment = await paid(app(), booking.id, { option: 'full', method: 'card', returnUrl });
  assert.equal(payment.status, 'paid');
  assert.deepEqual(server().charges.get(payment.id), {
    status: 'paid',
    amountPence: 4800,
    currency: 'GBP',
    bookingId: booking.id,
    method: 'card',
    returnUrl,
  });
});

test('a payment that waits for the guest says where to go, and counts as paid meanwhile', async () => {
  const { id, payment } = await pendingPayment();
  assert.equal(payment.status, 'pending');
  assert.equal(payment.checkoutUrl, `https://pay.example/${payment.id}`);
  assert.deepEqual(await paymentsOf(id), [payment]);
  const { paid: sum, due, options } = await optionsOf(app(), id);
  assert.deepEqual([sum, due, options], [4800, 0, []]);
  assertProblem(await pay(app(), id, { option: 'full' }), 409, 'BOOK-N-014');
});

test('a payment that the guest completes is settled by the job, with one event', async () => {
  const { id, payment } = await pendingPayment();
  passSeconds(A_WHILE_SECONDS);
  const waiting = await tracesOf(app(), id);
  await settle();
  assert.deepEqual(await tracesOf(app(), id), waiting, 'nothing has happened yet');
  conclude(payment.id, 'paid');
  await settle();
  assert.deepEqual(await paymentsOf(id), [{ ...payment, status: 'paid', checkoutUrl: null }]);
  const settled = await tracesOf(app(), id);
  assert.equal(settled.events, waiting.events + 1);
  assert.notEqual(settled.lastUpdate, waiting.lastUpdate);
  await settle();
  assert.deepEqual(await tracesOf(app(), id), settled, 'it is settled once');
});

test('a payment that the guest does not complete fails, and what it was for is due again', async () => {
  const { id, payment } = await pendingPayment();
  conclude(payment.id, 'declined');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  assert.deepEqual(await paymentsOf(id), [{ ...payment, status: 'failed', checkoutUrl: null }]);
  assert.equal((await optionsOf(app(), id)).due, 4800);
  assert.equal((await paid(app(), id)).status, 'paid');
});

test('however many are pending, one round goes through them all', async () => {
  const pending = [];
  for (let count = 0; count < 23; count += 1) pending.push(await pendingPayment(1));
  for (const { payment } of pending) conclude(payment.id, 'paid');
  passSeconds(A_WHILE_SECONDS);
  assert.ok((await settle()) >= pending.length);
  for (const { id } of pending) assert.equal((await paymentsOf(id))[0].status, 'paid');
});

test('a payment that cannot be settled keeps no other waiting', async () => {
  const pending = [];
  for (let count = 0; count < 12; count += 1) pending.push(await pendingPayment(1));
  for (const { payment } of pending) conclude(payment.id, 'paid');
  const [first, ...others] = pending;
  const { sql } = app();
  const [row] = await sql`select guest from booking where id = ${first?.id ?? ''}`;
  await sql`update booking set guest = 'damaged' where id = ${first?.id ?? ''}`;
  passSeconds(A_WHILE_SECONDS);
  await assert.rejects(settle());
  for (const { id } of others) assert.deepEqual(await statusesOf(id), ['paid']);
  await sql`update booking set guest = ${row?.guest} where id = ${first?.id ?? ''}`;
  assert.equal(await settle(), 1);
});

test('a round that is told to stop leaves the rest for the next one', async () => {
  const pending = [];
  for (let count = 0; count < 12; count += 1) pending.push(await pendingPayment(1));
  for (const _ of pending) server().plan('find', 'hold');
  passSeconds(A_WHILE_SECONDS);
  const asked = server().calls('find');
  const stopping = new AbortController();
  const [job] = paymentJobs(app().services.payments);
  assert.equal(job?.name, 'payments.settle-pending');
  const log = { error: () => assert.fail(), warn: () => assert.fail() };
  const run = job.handle(stopping.signal, log);
  await eventually(() => server().calls('find') > asked);
  stopping.abort();
  await run;
  assert.ok(server().calls('find') < asked + pending.length);
  server().forgetPlans();
  server().release();
});

test('the beginning of a payment is told of, and so is its end', async () => {
  const { id, lastUpdate } = await bookTickets(app(), 1);
  const before = await tracesOf(app(), id);
  dieOnce('before charging');
  assertProblem(await pay(app(), id, { option: 'full' }, { key: `told-${id}` }), 500, 'HTTP-R-500');
  const begun = await readBooking(app(), id);
  assert.equal(begun.payments[0].status, 'pending');
  assert.ok(Temporal.Instant.compare(begun.lastUpdate, lastUpdate) > 0);
  assert.equal((await tracesOf(app(), id)).events, before.events + 1);
  await paid(app(), id, { option: 'full' }, { key: `told-${id}` });
  assert.equal((await tracesOf(app(), id)).events, before.events + 2);
});

test('a payment that was begun and of which nothing more is known is told of once', async () => {
  const { id } = await bookTickets(app(), 1);
  const before = await tracesOf(app(), id);
  server().plan('charge', 'cut-before');
  assert.equal((await paid(app(), id)).status, 'pending');
  assert.equal((await tracesOf(app(), id)).events, before.events + 1);
});

test('the provider is told the id of the booking as it is, however it was written in the request', async () => {
  const { id } = await bookTickets(app(), 1);
  const payment = await paid(app(), id.toUpperCase());
  assert.equal(server().charges.get(payment.id)?.bookingId, id);
});

test('a declined payment is BOOK-N-009 in the words of the provider, and nothing is paid', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('charge', 'decline');
  const body = assertProblem(await pay(app(), id, { option: 'full' }), 422, 'BOOK-N-009');
  assert.equal(body.detail, REASON);
  const [payment] = await paymentsOf(id);
  assert.equal(payment.status, 'failed');
  const { paid: sum, due } = await optionsOf(app(), id);
  assert.deepEqual([sum, due], [0, 2400]);
  assert.equal((await paid(app(), id)).status, 'paid');
});

test('a declined payment with a key is declined again without asking the provider', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('charge', 'decline');
  const first = await pay(app(), id, { option: 'full' }, { key: `declined-${id}` });
  const asked = server().calls('charge');
  const second = await pay(app(), id, { option: 'full' }, { key: `declined-${id}` });
  assert.equal(assertProblem(first, 422, 'BOOK-N-009').detail, REASON);
  assert.equal(assertProblem(second, 422, 'BOOK-N-009').detail, REASON);
  assert.equal(server().calls('charge'), asked);
});

for (const conduct of ['cut-after', 'cut-before'] as const) {
  const isCharged = conduct === 'cut-after';
  test(`a payment cut off ${isCharged ? 'after' : 'before'} charging is pending until the provider is asked`, async () => {
    const { id } = await bookTickets(app(), 1);
    server().plan('charge', conduct);
    const payment = await paid(app(), id);
    assert.equal(payment.status, 'pending');
    assert.equal(payment.checkoutUrl, null);
    assertProblem(await pay(app(), id, { option: 'full' }), 409, 'BOOK-N-014');
    await settle();
    assert.equal((await paymentsOf(id))[0].status, 'pending', 'it is too early to judge');
    passSeconds(A_WHILE_SECONDS);
    server().plan('find', 'down');
    await settle();
    assert.equal((await paymentsOf(id))[0].status, 'pending', 'the provider did not say');
    await settle();
    assert.equal((await paymentsOf(id))[0].status, isCharged ? 'paid' : 'failed');
    assert.equal((await optionsOf(app(), id)).due, isCharged ? 0 : 2400);
  });
}

test('while the provider is down payments are refused for the moment, and what was begun has failed', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('charge', 'down');
  const answer = await pay(app(), id, { option: 'full' }, { key: `down-${id}` });
  assert.equal(assertProblem(answer, 503, 'BOOK-R-002').isRetryable, true);
  assert.ok(Number(answer.headers['retry-after']) >= 1);
  assert.deepEqual(await statusesOf(id), ['failed']);
  assert.equal((await optionsOf(app(), id)).due, 2400);
  const again = await paid(app(), id, { option: 'full' }, { key: `down-${id}` });
  assert.equal(again.status, 'paid');
  assert.deepEqual(await statusesOf(id), ['failed', 'paid']);
});

test('a node that dies after charging leaves a payment that the job settles', async () => {
  const { id } = await bookTickets(app(), 1);
  dieOnce('after charging');
  assertProblem(await pay(app(), id, { option: 'full' }), 500, 'HTTP-R-500');
  assert.equal((await paymentsOf(id))[0].status, 'pending');
  assertProblem(await pay(app(), id, { option: 'full' }), 409, 'BOOK-N-014');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  assert.equal((await paymentsOf(id))[0].status, 'paid');
});

test('a node that dies before charging leaves a payment that fails, and nobody is charged', async () => {
  const { id } = await bookTickets(app(), 1);
  dieOnce('before charging');
  assertProblem(await pay(app(), id, { option: 'full' }), 500, 'HTTP-R-500');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  const [payment] = await paymentsOf(id);
  assert.equal(payment.status, 'failed');
  assert.equal(server().charges.has(payment.id), false);
  assert.equal((await optionsOf(app(), id)).due, 2400);
});

for (const when of ['before charging', 'after charging', 'after charging, settled meanwhile'] as const) {
  test(`sent again with its key, a payment whose node died ${when} carries on and charges once`, async () => {
    const { id } = await bookTickets(app(), 1);
    const asking = { key: `died-${id}` };
    dieOnce(when === 'before charging' ? when : 'after charging');
    assertProblem(await pay(app(), id, { option: 'full' }, asking), 500, 'HTTP-R-500');
    const [begun] = await paymentsOf(id);
    if (when.endsWith('meanwhile')) {
      passSeconds(A_WHILE_SECONDS);
      await settle();
    }
    const payment = await paid(app(), id, { option: 'full' }, asking);
    assert.deepEqual([payment.id, payment.status], [begun.id, 'paid']);
    assert.deepEqual(await paid(app(), id, { option: 'full' }, asking), payment);
    assert.equal([...server().charges.values()].filter(({ bookingId }) => bookingId === id).length, 1);
  });
}

test('a payment that comes in after the booking was cancelled goes back in full', async () => {
  const { id, payment } = await pendingPayment();
  await cancel(app(), id);
  assert.deepEqual(await refundsOf(app(), id), [], 'nothing was taken yet');
  conclude(payment.id, 'paid');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  const owed = { paymentId: payment.id, reason: 'cancelled', status: 'due', amountPence: 4800 };
  assert.deepEqual(await refundsOf(app(), id), [owed]);
  assert.equal((await paymentsOf(id))[0].refunded, 4800);
});

test('a booking can be cancelled while it is being charged, and then the charge goes back', async () => {
  const { id } = await bookTickets(app(), 2);
  const asked = server().calls('charge');
  server().plan('charge', 'hold');
  const paying = paid(app(), id);
  await eventually(() => server().calls('charge') > asked);
  await cancel(app(), id);
  server().release();
  const { status, amount, refunded } = await paying;
  assert.deepEqual([status, amount, refunded], ['paid', 4800, 4800]);
});

for (const isPaidAnew of [false, true]) {
  const end = isPaidAnew ? 'goes back where the guest has paid anew' : 'counts after all';
  test(`a charge that comes through after it was given up ${end}`, async () => {
    const { id } = await bookTickets(app(), 1);
    const asked = server().calls('charge');
    server().plan('charge', 'hold');
    const paying = paid(app(), id);
    await eventually(() => server().calls('charge') > asked);
    passSeconds(A_WHILE_SECONDS);
    await settle();
    assert.equal((await paymentsOf(id))[0].status, 'failed');
    if (isPaidAnew) await paid(app(), id);
    server().release();
    const late = await paying;
    assert.deepEqual([late.status, late.refunded], ['paid', isPaidAnew ? 2400 : 0]);
    const { paid: sum, due } = await optionsOf(app(), id);
    assert.deepEqual([sum, due], [2400, 0]);
  });
}

test('tickets that were given back while their payment was pending are given back when it comes in', async () => {
  const { id, payment } = await pendingPayment(4);
  const body = [{ op: 'replace', path: '/partySize', value: 2 }];
  const patched = await app().call(`/venues/bookings/${id}`, { method: 'PATCH', body });
  assert.equal(patched.status, 200, patched.text);
  assert.deepEqual(await refundsOf(app(), id), []);
  conclude(payment.id, 'paid');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  const owed = { paymentId: payment.id, reason: 'overpaid', status: 'due', amountPence: 4800 };
  assert.deepEqual(await refundsOf(app(), id), [owed]);
});
