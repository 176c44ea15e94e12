/** Orders of which a part is in a remote system. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RemoteConnector } from '../../../src/tms/remote.ts';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  DAY,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import type { Body } from '../bookings/support.ts';
import {
  ada,
  assertRefusedWhole,
  cancel,
  change,
  dinner,
  done,
  order,
  ordered,
  read,
  tickets,
  wordsOf,
} from './support.ts';

const withoutHolds = ({ holds: _, ...connector }: RemoteConnector): RemoteConnector => connector;

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 8, around: withoutHolds });
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

test('tables there and here, and tickets, are one order; each is changed and cancelled where it is', async () => {
  const [one, two] = [bistros.next(), bistros.next()];
  const made = await ordered(app(), [supper(one), dinner(), supper(two), tickets()]);
  assert.equal(made.status, 'complete');
  const ids = made.items.map(({ bookingId }: Body) => bookingId);
  assert.deepEqual(await assertAgreed(bistros, one), [`${ids[0]} ${DAY} 1140 2`]);
  assert.deepEqual(await assertAgreed(bistros, two), [`${ids[2]} ${DAY} 1140 2`]);
  const moved = await done(change(app(), made.orderId, [{ bookingId: ids[0], time: '20:00', quantity: 3 }]));
  assert.deepEqual(wordsOf(moved), ['booked']);
  assert.deepEqual(await assertAgreed(bistros, one), [`${ids[0]} ${DAY} 1200 3`]);
  const gone = await done(cancel(app(), made.orderId));
  assert.equal(gone.status, 'cancelled');
  for (const bistro of [one, two]) assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('a system that does not answer fails its own items, and none of the others', async () => {
  const [broken, sound] = [bistros.next(), bistros.next()];
  broken.system.faults.plan({ kind: 'status', status: 503 }, { times: 10 });
  const made = await ordered(app(), [supper(broken), supper(sound), dinner()]);
  assert.deepEqual(
    made.items.map(({ status }: Body) => status),
    ['failed', 'booked', 'booked'],
  );
  const { error } = made.items[0];
  assert.equal(error.status, 503);
  assert.equal(error.isRetryable, true);
  broken.system.faults.clear();
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, broken), []);
  assert.deepEqual(await done(read(app(), made.orderId)), made);
});

test('what is in doubt is not applied in the end, as its item says', async () => {
  const bistro = bistros.next();
  bistro.system.faults.plan({ kind: 'cut-after-commit' }, { operations: ['book'] });
  bistro.system.faults.plan({ kind: 'status', status: 503 }, { times: 5, operations: ['book', 'find'] });
  const made = await ordered(app(), [supper(bistro), dinner()], { partnerOrderId: 'in doubt' });
  assert.deepEqual(wordsOf(made), ['failed BOOK-R-002', 'booked']);
  assert.equal(bistro.system.book.bookings.size, 1, 'it was applied at first');
  bistro.system.faults.clear();
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
  assert.deepEqual(await done(read(app(), made.orderId)), made);
});

test('what the system refuses is asked for where no type was given and it can still be had', async () => {
  const bistro = bistros.next();
  bistro.system.faults.plan({ kind: 'refuse', reason: 'taken' }, { times: 2, operations: ['book'] });
  const made = await ordered(app(), [supper(bistro), supper(bistro, { type: 'book' }), supper(bistro)]);
  assert.deepEqual(wordsOf(made), ['requested', 'failed AVAIL-N-005', 'booked']);
  const full = await ordered(app(), [supper(bistro), supper(bistro), supper(bistro)]);
  assert.deepEqual(wordsOf(full), ['booked', 'booked', 'failed AVAIL-N-005']);
});

test('an atomic order with an item of a system that cannot hold is refused whole', async () => {
  const bistro = bistros.next();
  const attempt = (items: Body[]) => () => order(app(), { ...ada, atomic: true, items });
  const { detail } = await assertRefusedWhole(app(), attempt([dinner(), supper(bistro)]), 'ORDER-N-009');
  assert.match(detail, /^items\.1: /);
  await assertRefusedWhole(app(), attempt([supper(bistro, { type: 'request' })]), 'ORDER-N-009');
  assert.equal(bistro.system.calls('book'), 0);
  assert.equal((await ordered(app(), [dinner(), tickets()], { atomic: true })).status, 'complete');
});
