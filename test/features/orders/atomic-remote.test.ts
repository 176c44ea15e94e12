/** Orders of all or nothing over remote systems that can hold a place, and over ours. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  countIntents,
  DAY,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { type Body, traces } from '../bookings/support.ts';
import { ada, cancel, dinner, done, order, ordered, read, tickets, wordsOf } from './support.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 20 });
});
after(() => bistros.close());

const app = () => bistros.app;
const supper = ({ productId }: Bistro, overrides: Body = {}): Body => ({
  compositeId: productId,
  quantity: 2,
  date: DAY,
  time: '19:00',
  ...overrides,
});
const atomic = { atomic: true };
const held = ({ system }: Bistro) => [...system.book.holds.keys()];

test('places there and here are held, then confirmed, and are one order', async () => {
  const [one, two] = [bistros.next(), bistros.next()];
  const made = await ordered(app(), [supper(one), dinner(), tickets(), supper(two)], atomic);
  assert.deepEqual(wordsOf(made), ['booked', 'booked', 'booked', 'booked'], JSON.stringify(made));
  for (const item of made.items) assert.deepEqual(item.trail, ['held', 'confirmed']);
  for (const bistro of [one, two]) {
    assert.equal((await assertAgreed(bistros, bistro)).length, 1);
    assert.deepEqual([bistro.system.calls('book'), bistro.system.calls('confirm')], [0, 1]);
    assert.deepEqual(held(bistro), []);
  }
  assert.equal(await countIntents(app()), 0);
  assert.equal((await done(cancel(app(), made.orderId))).status, 'cancelled');
  for (const bistro of [one, two]) assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('one that cannot be held gives all the others back, there and here', async () => {
  const [full, free] = [bistros.next(), bistros.next()];
  for (let party = 0; party < 3; party += 1) await ordered(app(), [supper(full)]);
  const before = await traces(app().sql);
  const day = dinner();
  const made = await ordered(app(), [supper(free), day, supper(full)], atomic);
  assert.deepEqual(wordsOf(made), ['failed ORDER-N-010', 'failed ORDER-N-010', 'failed AVAIL-N-005']);
  assert.deepEqual(made.items[0].trail, ['held', 'released']);
  assert.deepEqual(held(free), []);
  assert.deepEqual(await assertAgreed(bistros, free), []);
  assert.equal(await countIntents(app()), 0);
  const now = await traces(app().sql);
  assert.deepEqual([now.bookings, now.tables], [before.bookings, before.tables]);
  assert.equal((await ordered(app(), [day])).status, 'complete');
});

test('a place of ours that is taken gives those there back', async () => {
  const bistro = bistros.next();
  const jazz = tickets({ quantity: 1000 });
  const made = await ordered(app(), [supper(bistro), jazz], atomic);
  assert.equal(made.status, 'failed', JSON.stringify(made));
  assert.deepEqual(held(bistro), []);
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('one that is refused while others are confirmed undoes those', async () => {
  const [one, two] = [bistros.next(), bistros.next()];
  two.system.faults.plan({ kind: 'refuse', reason: 'taken' }, { operations: ['confirm'] });
  const made = await ordered(app(), [supper(one), dinner(), supper(two)], atomic);
  assert.deepEqual(wordsOf(made), ['failed ORDER-N-010', 'failed ORDER-N-010', 'failed AVAIL-N-005']);
  assert.equal(one.system.calls('confirm'), 1);
  assert.deepEqual(await assertAgreed(bistros, one), []);
  assert.deepEqual(await assertAgreed(bistros, two), []);
  assert.equal(await countIntents(app()), 0);
});

test('an undo that fails is made up for', async () => {
  const [one, two] = [bistros.next(), bistros.next()];
  two.system.faults.plan({ kind: 'refuse', reason: 'taken' }, { operations: ['confirm'] });
  one.system.faults.plan({ kind: 'status', status: 500 }, { operations: ['cancel'] });
  const made = await ordered(app(), [supper(one), supper(two)], atomic);
  assert.equal(made.status, 'failed');
  assert.equal(one.system.book.bookings.size, 1);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, one), []);
});

test('one in doubt is resolved before the order says anything final', async () => {
  const [one, two] = [bistros.next(), bistros.next()];
  two.system.faults.plan({ kind: 'cut-after-commit' }, { operations: ['confirm'] });
  two.system.faults.plan({ kind: 'status', status: 503 }, { operations: ['find'] });
  const body = { ...ada, ...atomic, partnerOrderId: 'doubted', items: [supper(one), dinner(), supper(two)] };
  const asked = await order(app(), body);
  assert.equal(asked.status, 503, asked.text);
  assert.equal(asked.json.code, 'HTTP-R-503');
  // The sender repeats it, as 503 says; what was confirmed is adopted.
  const made = await done(order(app(), body));
  assert.deepEqual(wordsOf(made), ['booked', 'booked', 'booked']);
  for (const bistro of [one, two]) {
    assert.equal((await assertAgreed(bistros, bistro)).length, 1);
    assert.equal(bistro.system.calls('confirm'), 1, 'it was confirmed once');
  }
  await bistros.settle();
  for (const bistro of [one, two]) assert.equal((await assertAgreed(bistros, bistro)).length, 1);
  assert.deepEqual(await done(read(app(), made.orderId)), made);
});

test('one in doubt that is not sent again is undone', async () => {
  const [one, two] = [bistros.next(), bistros.next()];
  two.system.faults.plan({ kind: 'cut-after-commit' }, { operations: ['confirm'] });
  two.system.faults.plan({ kind: 'status', status: 503 }, { times: 2, operations: ['find'] });
  const day = dinner();
  assert.equal(
    (await order(app(), { ...ada, ...atomic, items: [supper(one), day, supper(two)] })).status,
    503,
  );
  await bistros.settle();
  for (const bistro of [one, two]) assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('of ten that want the last places of two systems one has both', async () => {
  const [one, two] = [bistros.next(), bistros.next()];
  for (const bistro of [one, two])
    for (let party = 0; party < 2; party += 1) await ordered(app(), [supper(bistro)]);
  const items = [supper(one), supper(two)];
  const orders = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      ordered(app(), index % 2 === 0 ? items : items.toReversed(), atomic),
    ),
  );
  const complete = orders.filter(({ status }) => status === 'complete');
  assert.ok(complete.length <= 1, 'no place is given twice');
  for (const made of orders)
    if (made.status !== 'complete') assert.equal(made.status, 'failed', wordsOf(made).join());
  for (const bistro of [one, two]) {
    assert.equal((await assertAgreed(bistros, bistro)).length, 2 + complete.length);
    assert.deepEqual(held(bistro), []);
  }
});
