import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../bookings/amend/amending.ts';
import { BOOTH, type Body, bookingsApp, freeDay } from '../bookings/support.ts';
import { assertRefusedWhole, brunch, change, done, ordered, plates, tickets, wordsOf } from './support.ts';

const app = bookingsApp();

const BOTTLE = { id: 201, slug: 'house-bottle' };
const TRAY = { id: 202, slug: 'nightcap-tray' };
const booth = (packages: Body[]) => ({
  compositeId: BOOTH,
  quantity: 2,
  date: freeDay(),
  time: '20:00',
  preorders: { packages },
});
const bottle = { id: 201, quantity: 1 };
const tray = { id: 202, quantity: 2 };

const heldBy = ({ preorders }: Body) => ({
  packages: preorders.packages.map(({ id, quantity }: Body) => [id, quantity]),
  menus: preorders.menus.map(({ id, items }: Body) => [
    id,
    ...items.map((item: Body) => [item.id, item.quantity]),
  ]),
});

/** What a booking has ordered ahead after a change, or why it could not be changed. */
async function after(item: Body, changes: Body): Promise<Body | string> {
  const made = await ordered(app(), [item]);
  const [{ bookingId }] = made.items;
  const past = await rowsOf(app().sql, bookingId);
  const answer = await done(change(app(), made.orderId, [{ bookingId, ...changes }]));
  const [result] = answer.items;
  if (result.booking) return heldBy(result.booking);
  assert.deepEqual(await rowsOf(app().sql, bookingId), past);
  return result.error.code;
}

const packagesAfter = async (packages: Body[], changes: Body) => {
  const held = await after(booth(packages), changes);
  return typeof held === 'string' ? held : held.packages;
};

test('preorders replaces everything, absent or null keeps it, empty lists clear it', async () => {
  assert.deepEqual(await packagesAfter([bottle, tray], {}), [
    [201, 1],
    [202, 2],
  ]);
  assert.deepEqual(await packagesAfter([bottle, tray], { preorders: null }), [
    [201, 1],
    [202, 2],
  ]);
  assert.deepEqual(await packagesAfter([bottle], { preorders: { packages: [tray] } }), [[202, 2]]);
  assert.deepEqual(await packagesAfter([bottle], { preorders: { packages: [], menus: [] } }), []);
  assert.deepEqual(await packagesAfter([bottle], { preorders: {} }), []);
});

test('preorderChanges adds and removes, by number and by slug', async () => {
  assert.deepEqual(await packagesAfter([bottle], { preorderChanges: { add: { packages: [tray] } } }), [
    [201, 1],
    [202, 2],
  ]);
  for (const named of [{ id: BOTTLE.id }, { slug: BOTTLE.slug }, BOTTLE]) {
    const remove = { packages: [named] };
    assert.deepEqual(await packagesAfter([bottle, tray], { preorderChanges: { remove } }), [[202, 2]]);
    const add = { packages: [{ slug: TRAY.slug, quantity: 2 }] };
    assert.deepEqual(await packagesAfter([bottle], { preorderChanges: { add, remove } }), [[202, 2]]);
  }
});

test('what is added takes the place of what is there, so that a change can be sent twice', async () => {
  for (const named of [{ id: BOTTLE.id }, { slug: BOTTLE.slug }]) {
    const add = { packages: [{ ...named, quantity: 3 }] };
    assert.deepEqual(await packagesAfter([bottle, tray], { preorderChanges: { add } }), [
      [202, 2],
      [201, 3],
    ]);
  }
  const remove = { packages: [{ id: TRAY.id }, { slug: 'no-such-package' }] };
  assert.deepEqual(
    await packagesAfter([bottle], { preorderChanges: { remove } }),
    [[201, 1]],
    'nothing to remove',
  );
  for (const nothing of [
    {},
    { add: null, remove: null },
    { add: {}, remove: {} },
    { remove: { packages: [] } },
  ])
    assert.deepEqual(await packagesAfter([bottle], { preorderChanges: nothing }), [[201, 1]]);
});

test('packages and menus are changed without each other', async () => {
  const flowers = { slug: 'flowers-on-the-table', quantity: 1 };
  const menus = [[111, [11106, 2]]];
  assert.deepEqual(await after(brunch(), { preorderChanges: { add: { packages: [flowers] } } }), {
    packages: [
      [112, 2],
      [113, 1],
    ],
    menus,
  });
  const other = { slug: 'brunch-plates', items: [{ id: 11105, quantity: 2 }] };
  assert.deepEqual(await after(brunch(), { preorderChanges: { add: { menus: [other] } } }), {
    packages: [[112, 2]],
    menus: [[111, [11105, 2]]],
  });
  const more = {
    preorders: { ...plates, menus: [...plates.menus, { id: 112, items: [{ id: 11202, quantity: 1 }] }] },
  };
  assert.deepEqual(await after(brunch(more), { preorderChanges: { remove: { menus: [{ id: 112 }] } } }), {
    packages: [[112, 2]],
    menus,
  });
});

test('what remains must be enough, and what is added must be offered', async () => {
  assert.equal(
    await after(brunch(), { preorderChanges: { remove: { packages: [{ id: 112 }] } } }),
    'BOOK-N-007',
  );
  assert.equal(await after(brunch(), { preorders: { packages: [], menus: [] } }), 'BOOK-N-007');
  assert.equal(await after(brunch(), { quantity: 3 }), 'BOOK-N-007');
  assert.equal(
    await after(brunch(), { preorderChanges: { add: { packages: [{ id: 201, quantity: 1 }] } } }),
    'VALID-N-001',
  );
  assert.equal(
    await packagesAfter([bottle], { preorderChanges: { add: { packages: [tray, tray] } } }),
    'VALID-N-001',
  );
});

test('both ways at once refuse the whole request, and name the item', async () => {
  const made = await ordered(app(), [brunch(), booth([bottle])]);
  const [one, two] = made.items.map(({ bookingId }: Body) => bookingId);
  const both = { preorders: { packages: [] }, preorderChanges: { add: { packages: [tray] } } };
  for (const fault of [both, { preorders: {}, preorderChanges: {} }]) {
    const items = [
      { bookingId: one, firstName: 'Grace' },
      { bookingId: two, ...fault },
    ];
    const { detail } = await assertRefusedWhole(
      app(),
      () => change(app(), made.orderId, items),
      'ORDER-N-008',
    );
    assert.match(detail, /^items\.1: /);
  }
  const answer = await done(
    change(app(), made.orderId, [{ bookingId: two, preorders: {}, preorderChanges: null }]),
  );
  assert.deepEqual(wordsOf(answer), ['booked']);
});

test('with tickets neither does anything, and the rest of the change is made', async () => {
  for (const ignored of [
    { preorders: { packages: [bottle] } },
    { preorders: { packages: [], menus: [] } },
    { preorderChanges: { add: { packages: [bottle] }, remove: { menus: [{ id: 1 }] } } },
  ]) {
    const made = await ordered(app(), [tickets()]);
    const [{ bookingId }] = made.items;
    const answer = await done(change(app(), made.orderId, [{ bookingId, firstName: 'Grace', ...ignored }]));
    const { booking, status } = answer.items[0];
    assert.deepEqual(
      [status, booking.firstName, heldBy(booking)],
      ['booked', 'Grace', { packages: [], menus: [] }],
    );
  }
});

test('an entry that names nothing refuses the whole request', async () => {
  const made = await ordered(app(), [booth([bottle])]);
  const [{ bookingId }] = made.items;
  for (const preorderChanges of [
    { remove: { packages: [{}] } },
    { remove: { menus: [{ id: null, slug: null }] } },
  ])
    await assertRefusedWhole(
      app(),
      () => change(app(), made.orderId, [{ bookingId, preorderChanges }]),
      'VALID-N-001',
    );
});
