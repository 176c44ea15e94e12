import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Payout } from '../../../src/features/payments/payout.ts';
import { paymentJobs } from '../../../src/features/payments/service.ts';
import { eventually } from '../../support/eventually.ts';
import { metricOf } from '../../support/metrics.ts';
import { providerApp } from './provider-app.ts';
import { bookTickets, cancel, paid, refundsOf } from './support.ts';

const { app, server, passSeconds, returnToNow } = providerApp();
const payOut = (signal?: AbortSignal) => app().services.payments.settleRefunds(signal);
const payout = (counts: Partial<Payout>): Payout => ({
  done: 0,
  pending: 0,
  failed: 0,
  stuck: 0,
  ...counts,
});

/** Longer than any refund waits for its next attempt. */
const HALF_A_DAY_SECONDS = 43_200;

beforeEach(() => {
  returnToNow();
  server().forgetPlans();
  server().refunds.clear();
});

/** A booking that was paid and cancelled, so that what was paid is owed. */
async function owing(quantity = 1): Promise<string> {
  const { id } = await bookTickets(app(), quantity);
  await paid(app(), id);
  await cancel(app(), id);
  return id;
}

const statusOf = async (id: string) => (await refundsOf(app(), id))[0]?.status;
const repaid = () => [...server().refunds.values()].map(({ amountPence }) => amountPence);

test('what is owed is paid out once', async () => {
  const id = await owing(2);
  assert.deepEqual(await payOut(), payout({ done: 1 }));
  const [refund] = await refundsOf(app(), id);
  assert.equal(refund?.status, 'done');
  assert.deepEqual([...server().refunds.values()], [{ paymentId: refund?.paymentId, amountPence: 4800 }]);
  const asked = server().calls('refund');
  passSeconds(HALF_A_DAY_SECONDS);
  assert.deepEqual(await payOut(), payout({}));
  assert.equal(server().calls('refund'), asked);
});

test('a refund that cannot be paid out stays owed, and does not keep others waiting', async () => {
  const first = await owing();
  server().plan('refund', 'down');
  assert.deepEqual(await payOut(), payout({ failed: 1 }));
  const second = await owing(2);
  assert.deepEqual(await payOut(), payout({ done: 1 }));
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['due', 'done']);
  passSeconds(60);
  assert.deepEqual(await payOut(), payout({ done: 1 }));
  assert.equal(await statusOf(first), 'done');
  assert.deepEqual(repaid(), [4800, 2400]);
});

test('payments and attempts to pay out are counted by their outcome', async () => {
  const names = [
    'payments_total{outcome="succeeded"}',
    'refunds_total{outcome="done"}',
    'refunds_total{outcome="failed"}',
  ];
  const counts = () => Promise.all(names.map(async (name) => (await metricOf(app(), name)) ?? 0));
  const [payments = 0, done = 0, failed = 0] = await counts();
  await owing();
  server().plan('refund', 'down');
  await payOut();
  assert.deepEqual(await counts(), [payments + 1, done, failed + 1]);
  passSeconds(60);
  await payOut();
  assert.deepEqual(await counts(), [payments + 1, done + 1, failed + 1]);
});

test('a refund that was paid out unheard is asked for again under the same id, and paid once', async () => {
  const id = await owing();
  server().plan('refund', 'cut-after');
  assert.deepEqual(await payOut(), payout({ failed: 1 }));
  assert.equal(await statusOf(id), 'due');
  passSeconds(60);
  assert.deepEqual(await payOut(), payout({ done: 1 }));
  assert.equal(await statusOf(id), 'done');
  assert.deepEqual(repaid(), [2400]);
});

test('while one node pays a refund out, another leaves it alone', async () => {
  await owing();
  const asked = server().calls('refund');
  server().plan('refund', 'hold');
  const first = payOut();
  await eventually(() => server().calls('refund') > asked);
  assert.deepEqual(await payOut(), payout({}));
  assert.equal(server().calls('refund'), asked + 1);
  server().release();
  assert.deepEqual(await first, payout({ done: 1 }));
});

test('several are paid out at a time, and no transaction is open meanwhile', async () => {
  for (const _ of [1, 2, 3]) {
    await owing();
    server().plan('refund', 'hold');
  }
  const asked = server().calls('refund');
  const paying = payOut();
  await eventually(() => server().calls('refund') === asked + 3);
  const open = await app().sql`
    select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
  server().release();
  assert.equal(open.length, 0);
  assert.deepEqual(await paying, payout({ done: 3 }));
});

test('a refund that fails is tried ever later, and never given up', async () => {
  const id = await owing();
  for (const minutes of [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256]) {
    server().plan('refund', 'down');
    assert.equal((await payOut()).failed, 1);
    passSeconds(60 * minutes - 30);
    assert.deepEqual(await payOut(), payout({}), `within ${minutes} minutes`);
    passSeconds(30);
  }
  assert.deepEqual(await payOut(), payout({ done: 1 }));
  assert.equal(await statusOf(id), 'done');
});

test('a refund that has failed many times is reported with every further attempt', async () => {
  const jobs = paymentJobs(app().services.payments);
  const job = jobs.find(({ name }) => name === 'payments.settle-refunds');
  assert.ok(job);
  const reports: object[] = [];
  const log = { error: () => assert.fail(), warn: (details: object) => void reports.push(details) };
  await owing();
  for (let attempt = 1; attempt <= 11; attempt += 1) {
    server().plan('refund', 'down');
    for (const _ of [1, 2]) await job.handle(new AbortController().signal, log);
    assert.equal(reports.length, Math.max(0, attempt - 9), `after ${attempt} attempts`);
    passSeconds(HALF_A_DAY_SECONDS);
  }
  assert.deepEqual(reports, [{ stuck: 1 }, { stuck: 1 }]);
  assert.deepEqual(await payOut(), payout({ done: 1 }));
});

test('a round that is told to stop leaves the rest for the next one', async () => {
  for (let count = 0; count < 12; count += 1) {
    await owing();
    server().plan('refund', 'hold');
  }
  const asked = server().calls('refund');
  const stopping = new AbortController();
  const paying = payOut(stopping.signal);
  await eventually(() => server().calls('refund') > asked);
  stopping.abort();
  const { done, failed } = await paying;
  assert.equal(done, 0);
  assert.ok(failed > 0 && failed < 12, `${failed}`);
  server().forgetPlans();
  server().release();
  passSeconds(60);
  assert.equal((await payOut()).done, 12);
});
