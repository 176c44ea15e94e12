/** Several at work on one payment: requests with the same key, of which one took over from the other, and the job. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Answer, assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { A_WHILE_SECONDS, providerApp } from './provider-app.ts';
import { bookTickets, optionsOf, paid, pay, readBooking } from './support.ts';

const { app, server, passSeconds, dieOnce } = providerApp();
const settle = () => app().services.payments.settlePending();
const statusesOf = async (id: string) =>
  (await readBooking(app(), id)).payments.map(({ status }: { status: string }) => status);

/** Longer than a request holds its key. */
const LEASE_SECONDS = 16;

afterEach(() => server().forgetPlans());

/** A request that cannot charge, and learns that only after its key is free for others. */
async function slowRequest(id: string, key: string): Promise<{ answer: Promise<Answer> }> {
  const asked = server().calls('authorise');
  server().plan('authorise', 'hold, then down');
  const answer = pay(app(), id, { option: 'full' }, { key });
  await eventually(() => server().calls('authorise') > asked);
  passSeconds(LEASE_SECONDS);
  return { answer };
}

test('a request that could not charge does not undo the payment of the one that took over', async () => {
  const { id } = await bookTickets(app(), 1);
  const key = `held-${id}`;
  const first = await slowRequest(id, key);
  const asked = server().calls('authorise');
  server().plan('authorise', 'hold');
  const second = paid(app(), id, { option: 'full' }, { key });
  await eventually(() => server().calls('authorise') > asked);
  server().release(1);
  assert.equal((await first.answer).status, 503);
  assert.deepEqual(await statusesOf(id), ['processing'], 'the second may have charged it');
  server().release();
  const payment = await second;
  assert.equal(payment.status, 'succeeded');
  assert.deepEqual((await readBooking(app(), id)).payments, [payment]);
  assert.equal((await optionsOf(app(), id)).due, 0);
});

for (const end of ['was cut off', 'died'] as const) {
  test(`nor when the one that took over charged and ${end}`, async () => {
    const { id } = await bookTickets(app(), 1);
    const key = `held-${id}`;
    const first = await slowRequest(id, key);
    if (end === 'died') dieOnce('after charging');
    else server().plan('authorise', 'cut-after');
    const second = await pay(app(), id, { option: 'full' }, { key });
    assert.equal(second.status, end === 'died' ? 500 : 201);
    server().release();
    await first.answer;
    passSeconds(A_WHILE_SECONDS);
    await settle();
    assert.deepEqual(await statusesOf(id), ['succeeded']);
  });
}

test('a repeated payment of which the provider says nothing stays pending, for it may have been charged', async () => {
  const { id } = await bookTickets(app(), 1);
  const asking = { key: `doubt-${id}` };
  dieOnce('after charging');
  await pay(app(), id, { option: 'full' }, asking);
  server().plan('open', 'down');
  assert.equal((await paid(app(), id, { option: 'full' }, asking)).status, 'processing');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  assert.deepEqual(await statusesOf(id), ['succeeded']);
});

test('a repeated payment stays pending when the provider no longer takes such payments', async () => {
  const { id } = await bookTickets(app(), 1);
  const asking = { key: `unsupported-${id}` };
  dieOnce('after charging');
  assertProblem(await pay(app(), id, { option: 'full' }, asking), 500, 'HTTP-R-500');
  server().plan('open', 'unsupported');
  assert.equal((await paid(app(), id, { option: 'full' }, asking)).status, 'processing');
  passSeconds(A_WHILE_SECONDS);
  await settle();
  assert.deepEqual(await statusesOf(id), ['succeeded']);
});

test('a charge that was given up, comes through late and is cut off has taken nothing', async () => {
  const { id } = await bookTickets(app(), 1);
  const asked = server().calls('authorise');
  server().plan('authorise', 'hold, then cut-after');
  const paying = pay(app(), id, { option: 'full' });
  await eventually(() => server().calls('authorise') > asked);
  passSeconds(A_WHILE_SECONDS);
  await settle();
  server().release();
  assertProblem(await paying, 503, 'PAYM-R-001');
  assert.deepEqual(await statusesOf(id), ['failed']);
});

test('the job does not give up a payment that a repeated request has set out to charge meanwhile', async () => {
  const { id } = await bookTickets(app(), 1);
  const asking = { key: `meanwhile-${id}` };
  dieOnce('before charging');
  assertProblem(await pay(app(), id, { option: 'full' }, asking), 500, 'HTTP-R-500');
  passSeconds(A_WHILE_SECONDS);
  const found = server().calls('find');
  server().plan('find', 'answer late');
  const settling = settle();
  await eventually(() => server().calls('find') > found);
  dieOnce('after charging');
  assertProblem(await pay(app(), id, { option: 'full' }, asking), 500, 'HTTP-R-500');
  server().release();
  await settling;
  assert.deepEqual(await statusesOf(id), ['succeeded'], 'the provider does not cancel what it has taken');
});
