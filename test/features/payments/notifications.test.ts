/** What the provider sends by itself: it is believed in nothing but which payment to ask about. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { signatureOf } from '../../support/payment-provider/connector.ts';
import { A_WHILE_SECONDS, providerApp } from './provider-app.ts';
import { bookTickets, cancel, paid, pay, readBooking, tracesOf } from './support.ts';

const { app, server, passSeconds, returnToNow, dieOnce } = providerApp();

afterEach(() => {
  server().forgetPlans();
  returnToNow();
});

interface Notice {
  id?: string;
  paymentId?: string;
  provider?: string;
  signature?: string;
}

function notify({ id = crypto.randomUUID(), paymentId, provider = 'loopback', signature }: Notice) {
  const body = JSON.stringify({ id, ...(paymentId && { reference: `P-${paymentId}` }) });
  const headers = { 'content-type': 'application/json', 'x-signature': signature ?? signatureOf(body) };
  return app().call(`/payments/${provider}`, {
    method: 'POST',
    as: null,
    headers,
    body: Buffer.from(body),
  });
}

async function waiting() {
  const booking = await bookTickets(app(), 1);
  server().plan('authorise', 'wait');
  const { id } = await paid(app(), booking.id);
  return { bookingId: booking.id as string, paymentId: id as string };
}

function completeAtProvider(paymentId: string) {
  const intent = server().intents.get(paymentId);
  assert.ok(intent);
  intent.status = 'succeeded';
}

const statusOf = async (bookingId: string) => (await readBooking(app(), bookingId)).payments[0].status;

test('a payment that the guest has completed is settled when the provider says so, once', async () => {
  const { bookingId, paymentId } = await waiting();
  completeAtProvider(paymentId);
  const id = crypto.randomUUID();
  assert.equal((await notify({ id, paymentId })).status, 200);
  assert.equal(await statusOf(bookingId), 'succeeded');
  const traces = await tracesOf(app(), bookingId);
  const asked = server().calls('find');
  for (const _ of [1, 2, 3]) assert.equal((await notify({ id, paymentId })).status, 200);
  assert.equal(server().calls('find'), asked, 'one that was worked off is not asked about again');
  assert.deepEqual(await tracesOf(app(), bookingId), traces);
});

test('a notification that claims too much changes nothing: the provider is asked', async () => {
  const { bookingId, paymentId } = await waiting();
  assert.equal((await notify({ paymentId })).status, 200);
  assert.equal(await statusOf(bookingId), 'requires_action');
});

test('two notifications of different things at once settle one payment once', async () => {
  const { bookingId, paymentId } = await waiting();
  completeAtProvider(paymentId);
  const answers = await Promise.all([...Array(6)].map(() => notify({ paymentId })));
  for (const { status } of answers) assert.equal(status, 200);
  const [counted] = await app()
    .sql`select count(*) as entries from ledger_entry where payment_id = ${paymentId}`;
  assert.equal(counted?.entries, 1);
  assert.equal(await statusOf(bookingId), 'succeeded');
});

test('one that comes before the answer to the request settles the payment, and the request agrees', async () => {
  const booking = await bookTickets(app(), 1);
  const asked = server().calls('authorise');
  server().plan('authorise', 'answer late');
  const paying = paid(app(), booking.id);
  await eventually(() => server().calls('authorise') > asked);
  const [{ id: paymentId }] = (await readBooking(app(), booking.id)).payments;
  assert.equal((await notify({ paymentId })).status, 200);
  assert.equal(await statusOf(booking.id), 'succeeded');
  server().release();
  assert.equal((await paying).status, 'succeeded');
  const [counted] = await app()
    .sql`select count(*) as entries from ledger_entry where payment_id = ${paymentId}`;
  assert.equal(counted?.entries, 1);
});

test('one about a payment that was begun and not charged yet leaves the request its time', async () => {
  const { id } = await bookTickets(app(), 1);
  dieOnce('before charging');
  assertProblem(await pay(app(), id, { option: 'full' }), 500, 'HTTP-R-500');
  const [payment] = (await readBooking(app(), id)).payments;
  assert.equal((await notify({ paymentId: payment.id })).status, 200);
  assert.equal(await statusOf(id), 'processing');
  assert.equal(server().intents.get(payment.id)?.status, 'open');
});

test('money that came in for a payment that was given up counts after all', async () => {
  const { bookingId, paymentId } = await waiting();
  await app().sql`update payment set status = 'failed' where id = ${paymentId}`;
  completeAtProvider(paymentId);
  assert.equal((await notify({ paymentId })).status, 200);
  assert.equal(await statusOf(bookingId), 'succeeded');
});

test('a payment that was given up here is cancelled there when it is heard of', async () => {
  const { bookingId, paymentId } = await waiting();
  await app().sql`update payment set status = 'failed' where id = ${paymentId}`;
  assert.equal((await notify({ paymentId })).status, 200);
  assert.equal(server().intents.get(paymentId)?.status, 'cancelled');
  assert.equal(await statusOf(bookingId), 'failed');
});

test('while the provider cannot be asked it is told to send the notification again', async () => {
  const { bookingId, paymentId } = await waiting();
  completeAtProvider(paymentId);
  const id = crypto.randomUUID();
  server().plan('find', 'down');
  assertProblem(await notify({ id, paymentId }), 503, 'PAYM-R-001');
  assert.equal(await statusOf(bookingId), 'requires_action');
  assert.equal((await notify({ id, paymentId })).status, 200);
  assert.equal(await statusOf(bookingId), 'succeeded');
});

test('a refund that is on its way is asked about as soon as the provider has news of it', async () => {
  const { id } = await bookTickets(app(), 1);
  const payment = await paid(app(), id);
  await cancel(app(), id);
  server().plan('refund', 'pending');
  const { payments } = app().services;
  assert.equal((await payments.settleRefunds()).pending, 1);
  for (const refund of server().refunds.values()) refund.isPending = false;
  assert.equal((await payments.settleRefunds()).done, 0);
  assert.equal((await notify({ paymentId: payment.id })).status, 200);
  assert.equal((await payments.settleRefunds()).done, 1);
  assert.equal(await statusOf(id), 'refunded');
});

test('a forged notification, and one of a provider that is not connected, change and store nothing', async () => {
  const { bookingId, paymentId } = await waiting();
  completeAtProvider(paymentId);
  const before = await tracesOf(app(), bookingId);
  const { errors } = assertProblem(await notify({ paymentId, signature: 'x' }), 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(errors), ['signature']);
  for (const provider of ['stripe', 'sandbox', 'nobody'])
    assertProblem(await notify({ paymentId, provider }), 404, 'HTTP-N-404');
  assert.deepEqual(await tracesOf(app(), bookingId), before);
  assert.equal(await statusOf(bookingId), 'requires_action');
  const stored = await app().sql`select from payment_notification where handled_at is null`;
  assert.equal(stored.length, 0);
});

test('a notification about nothing of ours is received and left at that', async () => {
  assert.equal((await notify({})).status, 200);
  assert.equal((await notify({ paymentId: crypto.randomUUID() })).status, 200);
});

test('a body that is too large is not read', async () => {
  const body = Buffer.alloc(65 * 1024, 'x');
  const answer = await app().call('/payments/loopback', {
    method: 'POST',
    as: null,
    headers: { 'content-type': 'application/json', 'x-signature': signatureOf(body) },
    body,
  });
  assertProblem(answer, 413, 'HTTP-N-413');
});

test('what was notified of is forgotten after a month', async () => {
  const id = crypto.randomUUID();
  await notify({ id });
  const find = () => app().sql`select from payment_notification where id = ${id}`;
  passSeconds(A_WHILE_SECONDS);
  await app().services.payments.forgetNotifications();
  assert.equal((await find()).length, 1);
  passSeconds(31 * 86_400);
  await app().services.payments.forgetNotifications();
  assert.equal((await find()).length, 0);
});
