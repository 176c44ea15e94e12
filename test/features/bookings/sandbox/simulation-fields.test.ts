import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paid, refundsOf } from '../../payments/support.ts';
import { demoPartner, operator } from '../amend/amending.ts';
import {
  BOOTH,
  type Body,
  BRUNCH,
  booked,
  COMPANY,
  freeDay,
  HIDDEN,
  jazzDay,
  STANDARD,
  tablesOf,
  VIP,
} from '../support.ts';
import { simulatingApp } from './simulating.ts';

const { maitred, simulated, assertImpossible } = simulatingApp();

test('a change that no booking could have is refused as a whole', async () => {
  const { id } = await booked(maitred(), { date: freeDay(), time: '19:00' });
  const cases: [Body, RegExp][] = [
    [{ partySize: 900 }, /party of this size/],
    [{ time: '04:00' }, /cannot start/],
    [{ time: '19:07' }, /cannot start/],
    [{ duration: 1 }, /./],
    [{ date: '2020-01-06' }, /./],
    [{ date: '0001-01-01' }, /./],
    [{ compositeId: BRUNCH }, /The booking is at/],
    [{ compositeId: HIDDEN }, /The booking is at/],
    [{ compositeId: '1|house|soho-grill|nothing' }, /no product/],
    [{ preorders: { packages: [{ id: 1, quantity: 1 }] } }, /preorders\.packages\.0\.id is not offered/],
    [{ preorderMenus: [{ id: 1, items: [] }] }, /preorders\.menus\.0\.id is not offered/],
  ];
  for (const [changes, detail] of cases) {
    const problem = await assertImpossible(id, { notes: 'Never', firstName: 'Nobody', ...changes });
    assert.match(problem.detail, detail);
  }
  const night = await booked(maitred(), {}, { productId: BOOTH });
  const { detail } = await assertImpossible(night.id, { date: '2027-03-28', time: '01:30' });
  assert.match(detail, /skip 01:30|cannot start/);
});

test('what is said of guests and visits is written as it is, and null clears what can be cleared', async () => {
  const before = await booked(maitred(), { comments: 'Quiet', labels: ['vip'], admin_notes: 'Regular' });
  const guest = {
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@example.com',
    phone: '12345',
    notes: 'Loud',
  };
  const visit = { actualGuests: 3, actualSpend: 12_345, reference: 'ABC', source: 'portal' };
  const after = await simulated(before.id, { ...guest, ...visit });
  const { firstName, lastName, email, phone, notes } = after;
  assert.deepEqual({ firstName, lastName, email, phone, notes }, guest);
  assert.deepEqual([after.operatorBookingId, after.labels], ['ABC', ['vip']]);
  const path = '/venues/bookings?operatorBookingId=ABC';
  const [listed] = (await maitred().call(path, { as: 'demo-operator' })).json.data;
  assert.deepEqual([listed.actualGuests, listed.actualSpend, listed.admin_notes], [3, 12_345, 'Regular']);
  const record = await maitred().services.bookings.getRecord(demoPartner, before.id);
  assert.equal(record.source, 'portal');
  const nothing = { email: null, phone: null, notes: null, actualGuests: null, actualSpend: null };
  const cleared = await simulated(before.id, { ...nothing, reference: null });
  assert.deepEqual(
    [cleared.email, cleared.phone, cleared.notes, cleared.reference],
    [null, null, null, null],
  );
  assert.equal((await tablesOf(maitred().sql, before.id)).length, 1);
});

test('a forgotten guest does not come back, and the rest can still be changed', async () => {
  const { id } = await booked(maitred());
  await maitred().services.bookings.forgetGuest(operator(1), id);
  await assertImpossible(id, { firstName: 'Ada' });
  const after = await simulated(id, { status: 'pending' });
  assert.deepEqual([after.status, after.firstName], ['pending', null]);
});

test('pre-orders are replaced by the part that is named, and the product asks for none', async () => {
  const order = {
    packages: [{ id: 112, quantity: 2 }],
    menus: [{ id: 111, items: [{ id: 11108, quantity: 2 }] }],
  };
  const body = { date: freeDay(), time: '11:00', company: COMPANY, preorders: order };
  const { id } = await booked(maitred(), body, { productId: BRUNCH });
  const quantities = ({ preorders: { packages, menus } }: Body) => [
    packages.map(({ quantity }: Body) => quantity),
    menus.map(({ items }: Body) => items[0].quantity),
  ];
  const preorders = { packages: [{ id: 112, quantity: 3 }] };
  assert.deepEqual(quantities(await simulated(id, { preorders })), [[3], [2]]);
  const preorderMenus = [{ id: 111, items: [{ id: 11108, quantity: 5 }] }];
  assert.deepEqual(quantities(await simulated(id, { preorderMenus })), [[3], [5]]);
  assert.deepEqual(quantities(await simulated(id, { preorders: { packages: [] } })), [[], [5]]);
  assert.deepEqual(quantities(await simulated(id, { preorderMenus: [] })), [[], []]);
});

test('tickets are sold and given back, and an existing booking gets no further ones', async () => {
  const sold = async () => {
    const [row] = await maitred().sql`select coalesce(sum(sold), 0)::int as sold from ticket_stock`;
    return row?.sold;
  };
  const at = { date: jazzDay(), time: '20:00', partySize: 4 };
  const before = await sold();
  const { id } = await booked(maitred(), at, { productId: VIP });
  await simulated(id, { status: 'cancelled' });
  assert.equal(await sold(), before);
  await simulated(id, { status: 'confirmed' });
  assert.equal(await sold(), before + 4);
  await simulated(id, { partySize: 3 });
  assert.equal(await sold(), before + 3);
  const { detail } = await assertImpossible(id, { partySize: 4 });
  assert.match(detail, /has 3 tickets/);
  await assertImpossible(id, { compositeId: STANDARD, date: freeDay(1) });
});

test('whatever was paid for a booking that the venue calls off goes back', async () => {
  const at = { date: jazzDay(3), time: '20:00', partySize: 1 };
  const { id } = await booked(maitred(), at, { productId: VIP });
  await paid(maitred(), id);
  await simulated(id, { status: 'cancelled' });
  await simulated(id, { status: 'cancelled' });
  const refunds = await refundsOf(maitred(), id);
  assert.deepEqual(
    refunds.map(({ amountPence, reason }) => [amountPence, reason]),
    [[6000, 'cancelled']],
  );
});
