import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { providerApp } from './provider-app.ts';
import { bookTickets, cancel, paid, refundsOf } from './support.ts';

const { app, server } = providerApp();
const payOut = () => app().services.payments.settleRefunds();

beforeEach(async () => {
  await payOut();
  server().refunds.clear();
});

/** A booking that was paid and cancelled, so that what was paid is owed. */
async function owing(quantity = 1): Promise<string> {
  const { id } = await bookTickets(app(), quantity);
  await paid(app(), id);
  await cancel(app(), id);
  return id;
}

const repaid = () => [...server().refunds.values()].map(({ amountPence }) => amountPence);

test('what is owed is paid out once', async () => {
  const id = await owing(2);
  assert.equal(await payOut(), 1);
  const [refund] = await refundsOf(app(), id);
  assert.equal(refund?.status, 'done');
  assert.deepEqual([...server().refunds.values()], [{ paymentId: refund?.paymentId, amountPence: 4800 }]);
  const asked = server().calls('refund');
  assert.equal(await payOut(), 0);
  assert.equal(server().calls('refund'), asked);
});

test('a refund that cannot be paid out stays owed, and does not keep others waiting', async () => {
  const [first, second] = [await owing(), await owing(2)];
  server().plan('refund', 'down');
  assert.equal(await payOut(), 1);
  assert.equal((await refundsOf(app(), first))[0]?.status, 'due');
  assert.equal((await refundsOf(app(), second))[0]?.status, 'done');
  assert.equal(await payOut(), 1);
  assert.equal((await refundsOf(app(), first))[0]?.status, 'done');
  assert.deepEqual(repaid(), [4800, 2400]);
});

test('a refund that was paid out unheard is asked for again under the same id, and paid once', async () => {
  const id = await owing();
  server().plan('refund', 'cut-after');
  assert.equal(await payOut(), 0);
  assert.equal((await refundsOf(app(), id))[0]?.status, 'due');
  assert.equal(await payOut(), 1);
  assert.equal((await refundsOf(app(), id))[0]?.status, 'done');
  assert.deepEqual(repaid(), [2400]);
});

test('while one node pays a refund out, another leaves it alone', async () => {
  await owing();
  const asked = server().calls('refund');
  server().plan('refund', 'hold');
  const first = payOut();
  await eventually(() => server().calls('refund') > asked);
  assert.equal(await payOut(), 0);
  assert.equal(server().calls('refund'), asked + 1);
  server().release();
  assert.equal(await first, 1);
});
