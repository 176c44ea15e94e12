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
  server().plan('authorise', 'wait');
  return { id: booking.id as string, payment: await paid(app(), booking.id) };
}

/** What the guest no longer needs. */
const OVER = {
  nextActionUrl: null,
  checkoutUrl: null,
  clientSecret: null,
  publishableKey: null,
  account: null,
};

/** The guest has paid, or has not been able to. */
function conclude(paymentId: string, status: 'succeeded' | 'cancelled') {
  const held = server().intents.get(paymentId);
  assert.ok(held);
  held.status = status;
}

afterEach(async () => {
  for (const held of server().intents.values()) if (held.status === 'waiting') held.status = 'cancelled';
  passSeconds(A_WHILE_SECONDS);
  await settle();
});

test('the provider is told what to charge, under the id of the payment', async () => {
  const booking = await bookTickets(app(), 2);
  const returnUrl = 'https://partner.example/thanks';
  const payment = await paid(app(), booking.id, { option: 'full', method: 'card', returnUrl });
  assert.equal(payment.status, 'succeeded');
  assert.deepEqual(server().intents.get(payment.id), {
    status: 'succeeded',
    amountPence: 4800,
    currency: 'GBP',
    bookingId: booking.id,
    method: 'card',
    account: null,
    capture: 'at_once',
    token: 'tok_success',
    returnUrl,
  });
});

test('a payment that waits for the guest says where to go, and counts as paid meanwhile', async () => {
  const { id, payment } = await pendingPayment();
  assert.equal(payment.status, 'requires_action');
  assert.equal(payment.nextActionUrl, `https://pay.example/${payment.id}`);
  assert.equal(payment.checkoutUrl, payment.nextActionUrl);
  assert.equal(payment.clientSecret, `secret-${payment.id}`);
  assert.equal(payment.publishableKey, 'pk_loopback');
  assert.deepEqual(await paymentsOf(id), [{ ...payment, clientSecret: null, publishableKey: null }]);
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
  conclude(payment.id, 'succeeded');
  await settle();
  assert.deepEqual(await paymentsOf(id), [{ ...payment, ...OVER, status: 'succeeded' }]);
  const settled = await tracesOf(app(), id);
  assert.equal(settled.events, waiting.events + 1);
  assert.notEqual(settled.lastUpdate, waiting.lastUpdate);
  await settle();
  assert.deepEqual(await tracesOf(app(), id), settled, 'it is settled once');
});

test('a payment that the guest does not complete fails, and what it was for is due again', async () => {
  const { id, payment } = await pendingPayment();
  conclude(payment.id, 'cancelled');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  assert.deepEqual(await paymentsOf(id), [{ ...payment, ...OVER, status: 'failed' }]);
  assert.equal((await optionsOf(app(), id)).due, 4800);
  assert.equal((await paid(app(), id)).status, 'succeeded');
});

test('however many are pending, one round goes through them all', async () => {
  const pending = [];
  for (let count = 0; count < 23; count += 1) pending.push(await pendingPayment(1));
  for (const { payment } of pending) conclude(payment.id, 'succeeded');
  passSeconds(A_WHILE_SECONDS);
  assert.ok((await settle()) >= pending.length);
  for (const { id } of pending) assert.equal((await paymentsOf(id))[0].status, 'succeeded');
});

test('a payment that cannot be settled keeps no other waiting', async () => {
  const pending = [];
  for (let count = 0; count < 12; count += 1) pending.push(await pendingPayment(1));
  for (const { payment } of pending) conclude(payment.id, 'succeeded');
  const [first, ...others] = pending;
  const { sql } = app();
  const [row] = await sql`select guest from booking where id = ${first?.id ?? ''}`;
  await sql`update booking set guest = 'damaged' where id = ${first?.id ?? ''}`;
  passSeconds(A_WHILE_SECONDS);
  await assert.rejects(settle());
  for (const { id } of others) assert.deepEqual(await statusesOf(id), ['succeeded']);
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
  assert.equal(begun.payments[0].status, 'processing');
  assert.ok(Temporal.Instant.compare(begun.lastUpdate, lastUpdate) > 0);
  assert.equal((await tracesOf(app(), id)).events, before.events + 1);
  await paid(app(), id, { option: 'full' }, { key: `told-${id}` });
  assert.equal((await tracesOf(app(), id)).events, before.events + 2);
});

test('a payment that was begun and of which nothing more is known is told of once', async () => {
  const { id } = await bookTickets(app(), 1);
  const before = await tracesOf(app(), id);
  server().plan('authorise', 'cut-before');
  assert.equal((await paid(app(), id)).status, 'processing');
  assert.equal((await tracesOf(app(), id)).events, before.events + 1);
});

test('the provider is told the id of the booking as it is, however it was written in the request', async () => {
  const { id } = await bookTickets(app(), 1);
  const payment = await paid(app(), id.toUpperCase());
  assert.equal(server().intents.get(payment.id)?.bookingId, id);
});

test('a declined payment is PAYM-N-001 in the words of the provider, and nothing is paid', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('authorise', 'decline');
  const body = assertProblem(await pay(app(), id, { option: 'full' }), 402, 'PAYM-N-001');
  assert.equal(body.detail, REASON);
  const [payment] = await paymentsOf(id);
  assert.deepEqual([payment.status, payment.failureReason], ['failed', REASON]);
  assert.equal(server().intents.get(payment.id)?.status, 'cancelled', 'it can never succeed later');
  const { paid: sum, due } = await optionsOf(app(), id);
  assert.deepEqual([sum, due], [0, 2400]);
  assert.equal((await paid(app(), id)).status, 'succeeded');
});

test('a declined payment with a key is declined again without asking the provider', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('authorise', 'decline');
  const first = await pay(app(), id, { option: 'full' }, { key: `declined-${id}` });
  const asked = server().calls('authorise');
  const second = await pay(app(), id, { option: 'full' }, { key: `declined-${id}` });
  assert.equal(assertProblem(first, 402, 'PAYM-N-001').detail, REASON);
  assert.equal(assertProblem(second, 402, 'PAYM-N-001').detail, REASON);
  assert.equal(server().calls('authorise'), asked);
});

for (const conduct of ['cut-after', 'cut-before'] as const) {
  const isCharged = conduct === 'cut-after';
  test(`a payment cut off ${isCharged ? 'after' : 'before'} charging is pending until the provider is asked`, async () => {
    const { id } = await bookTickets(app(), 1);
    server().plan('authorise', conduct);
    const payment = await paid(app(), id);
    assert.equal(payment.status, 'processing');
    assert.equal(payment.checkoutUrl, null);
    assertProblem(await pay(app(), id, { option: 'full' }), 409, 'BOOK-N-014');
    await settle();
    assert.equal((await paymentsOf(id))[0].status, 'processing', 'it is too early to judge');
    passSeconds(A_WHILE_SECONDS);
    server().plan('find', 'down');
    await settle();
    assert.equal((await paymentsOf(id))[0].status, 'processing', 'the provider did not say');
    await settle();
    assert.equal((await paymentsOf(id))[0].status, isCharged ? 'succeeded' : 'failed');
    assert.equal((await optionsOf(app(), id)).due, isCharged ? 0 : 2400);
  });
}

test('while the provider is down payments are refused for the moment, and what was begun has failed', async () => {
  const { id } = await bookTickets(app(), 1);
  server().plan('authorise', 'down');
  const answer = await pay(app(), id, { option: 'full' }, { key: `down-${id}` });
  assert.equal(assertProblem(answer, 503, 'PAYM-R-001').isRetryable, true);
  assert.ok(Number(answer.headers['retry-after']) >= 1);
  assert.deepEqual(await statusesOf(id), ['failed']);
  assert.equal((await optionsOf(app(), id)).due, 2400);
  const again = await paid(app(), id, { option: 'full' }, { key: `down-${id}` });
  assert.equal(again.status, 'succeeded');
  assert.deepEqual(await statusesOf(id), ['failed', 'succeeded']);
});

test('a node that dies after charging leaves a payment that the job settles', async () => {
  const { id } = await bookTickets(app(), 1);
  dieOnce('after charging');
  assertProblem(await pay(app(), id, { option: 'full' }), 500, 'HTTP-R-500');
  assert.equal((await paymentsOf(id))[0].status, 'processing');
  assertProblem(await pay(app(), id, { option: 'full' }), 409, 'BOOK-N-014');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  assert.equal((await paymentsOf(id))[0].status, 'succeeded');
});

test('a node that dies before charging leaves a payment that fails, and nobody is charged', async () => {
  const { id } = await bookTickets(app(), 1);
  dieOnce('before charging');
  assertProblem(await pay(app(), id, { option: 'full' }), 500, 'HTTP-R-500');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  const [payment] = await paymentsOf(id);
  assert.equal(payment.status, 'failed');
  assert.equal(server().intents.get(payment.id)?.status, 'cancelled');
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
    assert.deepEqual([payment.id, payment.status], [begun.id, 'succeeded']);
    assert.deepEqual(await paid(app(), id, { option: 'full' }, asking), payment);
    assert.equal([...server().intents.values()].filter(({ bookingId }) => bookingId === id).length, 1);
  });
}

test('a payment that comes in after the booking was cancelled goes back in full', async () => {
  const { id, payment } = await pendingPayment();
  await cancel(app(), id);
  assert.deepEqual(await refundsOf(app(), id), [], 'nothing was taken yet');
  conclude(payment.id, 'succeeded');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  const owed = { paymentId: payment.id, reason: 'cancelled', status: 'due', amountPence: 4800 };
  assert.deepEqual(await refundsOf(app(), id), [owed]);
  assert.equal((await paymentsOf(id))[0].refunded, 4800);
});

test('a booking can be cancelled while it is being charged, and then the charge goes back', async () => {
  const { id } = await bookTickets(app(), 2);
  const asked = server().calls('authorise');
  server().plan('authorise', 'hold');
  const paying = paid(app(), id);
  await eventually(() => server().calls('authorise') > asked);
  await cancel(app(), id);
  server().release();
  const { status, amount, refunded } = await paying;
  assert.deepEqual([status, amount, refunded], ['succeeded', 4800, 4800]);
});

test('a charge that comes through after it was given up charges nobody, and the caller is told so', async () => {
  const { id } = await bookTickets(app(), 1);
  const asked = server().calls('authorise');
  server().plan('authorise', 'hold');
  const paying = pay(app(), id, { option: 'full' });
  await eventually(() => server().calls('authorise') > asked);
  passSeconds(A_WHILE_SECONDS);
  await settle();
  assert.deepEqual(await statusesOf(id), ['failed']);
  server().release();
  assertProblem(await paying, 503, 'PAYM-R-001');
  assert.deepEqual(await statusesOf(id), ['failed']);
  assert.equal((await optionsOf(app(), id)).due, 2400);
});

test('a payment that was given up before its reference was stored is not charged', async () => {
  const { id } = await bookTickets(app(), 1);
  const [opened, asked] = [server().calls('open'), server().calls('authorise')];
  server().plan('open', 'answer late');
  const paying = pay(app(), id, { option: 'full' });
  await eventually(() => server().calls('open') > opened);
  passSeconds(A_WHILE_SECONDS);
  await settle();
  server().release();
  assertProblem(await paying, 503, 'PAYM-R-001');
  assert.deepEqual(await statusesOf(id), ['failed']);
  assert.equal(server().calls('authorise'), asked);
});

test('tickets that were given back while their payment was pending are given back when it comes in', async () => {
  const { id, payment } = await pendingPayment(4);
  const body = [{ op: 'replace', path: '/partySize', value: 2 }];
  const patched = await app().call(`/venues/bookings/${id}`, { method: 'PATCH', body });
  assert.equal(patched.status, 200, patched.text);
  assert.deepEqual(await refundsOf(app(), id), []);
  conclude(payment.id, 'succeeded');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  const owed = { paymentId: payment.id, reason: 'overpaid', status: 'due', amountPence: 4800 };
  assert.deepEqual(await refundsOf(app(), id), [owed]);
});
