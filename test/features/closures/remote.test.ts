/** Closures of venues whose tables are in somebody else's system. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { venueOfProduct } from '../../../src/kernel/ids.ts';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  DAY,
  ordered,
  read,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { closingOf } from './support.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 3 });
});
afterEach(() => bistros.wind(0));
after(() => bistros.close());

const closing = ({ productId }: Bistro) => closingOf(() => bistros.app, venueOfProduct(productId));
const AWAY = { kind: 'status', status: 503 } as const;
const cancelAll = { from: DAY, to: DAY, bookings: 'cancel' };
const statuses = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await read(bistros, id)).status));

test('bookings are cancelled in their system too', async () => {
  const bistro = bistros.next();
  const ids = [await ordered(bistros, bistro), await ordered(bistros, bistro, { time: '20:00' })];
  const { id } = await closing(bistro).closed(cancelAll);
  const done = await closing(bistro).work(id);
  assert.deepEqual([done.state, done.cancelled], ['done', 2]);
  assert.deepEqual(await statuses(ids), ['cancelled', 'cancelled']);
  await assertAgreed(bistros, bistro);
});

test('a system that is away is tried again for a while, and then the booking counts as failed', async () => {
  const bistro = bistros.next();
  const ids = [await ordered(bistros, bistro), await ordered(bistros, bistro, { time: '20:00' })];
  const { id } = await closing(bistro).closed(cancelAll);
  bistro.system.faults.plan(AWAY, { times: 1000, operations: ['cancel'] });
  const waiting = await closing(bistro).work(id);
  assert.deepEqual([waiting.state, waiting.cancelled, waiting.failed], ['running', 0, []]);
  let seconds = 0;
  for (let round = 0; round < 10; round += 1) {
    seconds += 120;
    bistros.wind(seconds);
    await closing(bistro).work(id);
  }
  const failed = await closing(bistro).read(id);
  assert.equal(failed.state, 'done');
  assert.deepEqual(
    failed.failed.map(({ bookingId }: { bookingId: string }) => bookingId).sort(),
    ids.toSorted(),
  );
  assert.match(failed.failed[0].code, /^BOOK-R-00\d$/);
  assert.deepEqual(await statuses(ids), ['confirmed', 'confirmed']);
});

test('a system that comes back in time is done with', async () => {
  const bistro = bistros.next();
  const ids = [await ordered(bistros, bistro)];
  const { id } = await closing(bistro).closed(cancelAll);
  bistro.system.faults.plan(AWAY, { times: 1, operations: ['cancel'] });
  assert.equal((await closing(bistro).work(id)).state, 'running');
  bistros.wind(300);
  const done = await closing(bistro).work(id);
  assert.deepEqual([done.state, done.cancelled, done.failed], ['done', 1, []]);
  assert.deepEqual(await statuses(ids), ['cancelled']);
  await bistros.settle();
  await assertAgreed(bistros, bistro);
});
