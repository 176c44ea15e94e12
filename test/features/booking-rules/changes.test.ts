import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { type Body, booked, COPPER_ROOM, freeDay, PRIVATE } from '../bookings/support.ts';
import { expression, rulesApp, underRules } from './support.ts';

/** What rules do to bookings that partners amend, cancel and pay for. */

const app = rulesApp();

const pathOf = (id: string) => `/venues/bookings/${id}`;
const read = async (id: string, as = 'demo-partner') => (await app().call(pathOf(id), { as })).json;
const patch = (id: string, ...operations: Body[]) =>
  app().call(pathOf(id), { method: 'PATCH', body: operations });
const replaceParty = (partySize: number) => ({ op: 'replace', path: '/partySize', value: partySize });
const rename = { op: 'replace', path: '/lastName', value: 'Byron' };
const cancel = (id: string, as = 'demo-partner') => app().call(pathOf(id), { method: 'DELETE', as });

test('an amendment is checked like a creation, and a refused one changes nothing', () =>
  underRules(app(), [{ effect: 'party_size_limit', params: { max: 3 } }], async ({ id: ruleId }) => {
    const { id } = await booked(app());
    const before = await read(id);
    const problem = assertProblem(await patch(id, replaceParty(4)), 400, 'BKRUL-N-005');
    assert.deepEqual(problem.violations, [{ ruleId }]);
    assert.deepEqual(await read(id), before);
    assert.equal((await patch(id, replaceParty(3))).status, 200);
  }));

test('a deposit is demanded when a booking is made, not when it is amended', async () => {
  const { id } = await booked(app());
  await underRules(app(), [{ effect: 'require_deposit', params: { amount: 100 } }], async () => {
    assert.equal((await patch(id, replaceParty(3))).status, 200);
  });
});

test('expressions of the amendment hook see amendments and no creations', () => {
  const rule = {
    ...expression({ '>': [{ var: 'booking.guests' }, 3] }, { reject: { message: 'No more than three.' } }),
    hook: 'booking.amend',
  };
  return underRules(app(), [rule], async ({ id: ruleId }) => {
    const { id } = await booked(app(), { partySize: 4 });
    const { violations } = assertProblem(await patch(id, replaceParty(5)), 400, 'BKRUL-N-100');
    assert.equal(violations[0].ruleId, ruleId);
    assert.equal((await patch(id, replaceParty(3))).status, 200);
  });
});

const notice = { minNoticeHours: 24 * 20 };
const horizon = { maxHorizonDays: 20 };
const windows = [
  { what: 'before the start as it was', from: 10, to: 40, params: notice },
  { what: 'before the start as it would be', from: 40, to: 10, params: notice },
  { what: 'as far ahead as it was', from: 41, to: 11, params: horizon },
  { what: 'as far ahead as it would be', from: 11, to: 41, params: horizon },
];

for (const { what, from, to, params } of windows) {
  test(`a window for amendments holds ${what}`, async () => {
    const dayIn = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();
    const { id } = await booked(app(), { date: dayIn(from), time: '20:00' });
    const rule = { effect: 'booking_window', params: { action: 'amend', ...params } };
    const move = { op: 'replace', path: '/date', value: dayIn(to) };
    await underRules(app(), [rule], async () => {
      assertProblem(await patch(id, move), 400, 'BKRUL-N-003');
    });
    assert.equal((await patch(id, move)).status, 200);
  });
}

test('a rule that routes makes an enquiry of a booking that moves, and leaves alone what stays where it is', async () => {
  const { id } = await booked(app());
  await underRules(app(), [{ effect: 'route_to_enquiry' }], async () => {
    assert.equal((await patch(id, rename)).json.status, 'confirmed');
    assert.equal(
      (await patch(id, { op: 'replace', path: '/date', value: freeDay() })).json.status,
      'pending',
    );
  });
});

test('a window for cancelling holds for the partner and not for the operator', async () => {
  const rule = { effect: 'booking_window', params: { action: 'cancel', minNoticeHours: 24 * 300 } };
  const { id } = await booked(app());
  await underRules(app(), [rule], async ({ id: ruleId }) => {
    const { violations } = assertProblem(await cancel(id), 400, 'BKRUL-N-004');
    assert.deepEqual(violations, [{ ruleId }]);
    assert.equal((await read(id)).status, 'confirmed');
    assert.equal((await patch(id, rename)).status, 200);
  });
  assert.equal((await cancel(id)).status, 204);
});

test('a window for cancelling looks at categories, products and conditions like any other rule', async () => {
  const { id } = await booked(app());
  const window = { effect: 'booking_window', params: { action: 'cancel', minNoticeHours: 24 * 300 } };
  const rules = [
    { ...window, productSlugs: ['private-dining'] },
    { ...window, conditions: [{ field: 'partySize', operator: 'gt', value: 2 }] },
    { ...window, conditions: [{ field: 'category', operator: 'ne', value: 'dinner' }] },
  ];
  await underRules(app(), rules, async () => {
    assert.equal((await cancel(id)).status, 204);
  });
});

const BANDS = {
  reduce: [{ var: 'payment.bands' }, { '+': [{ var: 'accumulator' }, { var: 'current.amount' }] }, 0],
};
const minimumSpend: Body = {
  ...expression(true, { set: { fact: 'payment.finalBalance', value: BANDS } }),
  hook: 'payment',
};
const room = { type: 'request', partySize: 12, spaceId: COPPER_ROOM };
const options = async (id: string) => (await app().call(`${pathOf(id)}/payment-options`)).json;

/** The bands that live availability shows for the stay, added up. */
async function shownSpend(date: string, time: string): Promise<number> {
  const query = `date=${date}&startTime=${time}&endTime=${time}&partySize=12`;
  const { json } = await app().call(`/venues/${encodeURIComponent(PRIVATE)}/availability?${query}`);
  const space = json.times[0].product.spaces.find(({ id }: Body) => id === COPPER_ROOM);
  return space.policies.minimumSpend.reduce((sum: number, { amount }: Body) => sum + amount, 0);
}

test('a payment rule makes the balance the sum of the bands that the stay overlaps', async () => {
  const date = freeDay(6);
  const time = '16:00';
  const preorders = { packages: [{ id: 101, quantity: 12 }] };
  const { id } = await booked(app(), { ...room, date, time, preorders }, { productId: PRIVATE });
  assert.equal((await options(id)).finalBalance, 12 * 6500);
  const spend = await shownSpend(date, time);
  assert.ok(spend > 0 && spend !== 12 * 6500);
  await underRules(app(), [minimumSpend], async () => {
    const offered = await options(id);
    assert.equal(offered.finalBalance, spend);
    const quarter = offered.options.find((option: Body) => option.id === 'deposit_25');
    assert.equal(quarter.amount, Math.round(spend / 4));
    const paid = await app().call(`${pathOf(id)}/payments`, {
      method: 'POST',
      body: { option: 'full', token: 'tok_success' },
    });
    assert.equal(paid.json.amount, spend);
    // What was asked for by a rule is no surplus that goes back, neither at once nor with the next change.
    assert.equal((await patch(id, rename)).status, 200);
    const { payments } = await read(id);
    assert.deepEqual(
      payments.map(({ amount, status }: Body) => [amount, status]),
      [[spend, 'succeeded']],
    );
    const [{ owed }] = await app().sql<[{ owed: number }]>`
      select count(*) as owed from refund where booking_id = ${id}`;
    assert.equal(owed, 0);
    assert.equal((await options(id)).due, 0);
  });
});

test('when a stay that was paid for by its bands gets cheaper, the rest goes back', () =>
  underRules(app(), [minimumSpend], async () => {
    const date = freeDay(6);
    const { id } = await booked(app(), { ...room, date, time: '19:00' }, { productId: PRIVATE });
    const { finalBalance } = await options(id);
    await app().call(`${pathOf(id)}/payments`, {
      method: 'POST',
      body: { option: 'full', token: 'tok_success' },
    });
    const weekday = freeDay(2);
    const moved = await patch(
      id,
      { op: 'replace', path: '/date', value: weekday },
      { op: 'replace', path: '/time', value: '12:00' },
    );
    assert.equal(moved.status, 200, moved.text);
    const after = await options(id);
    assert.ok(after.finalBalance < finalBalance);
    const [{ refunded }] = await app().sql<[{ refunded: number }]>`
      select coalesce(sum(amount_pence), 0)::bigint as refunded from refund where booking_id = ${id}`;
    assert.equal(refunded, finalBalance - after.finalBalance);
    assert.equal(after.due, 0);
  }));

test('without a space there are no bands, and the balance stays what was ordered', () =>
  underRules(app(), [minimumSpend], async () => {
    const preorders = { packages: [{ id: 101, quantity: 12 }] };
    const { id } = await booked(app(), { ...room, spaceId: null, preorders }, { productId: PRIVATE });
    assert.equal((await options(id)).finalBalance, 12 * 6500);
  }));

test('payment rules see what those before them have written, and an impossible amount skips its rule', () => {
  const double = { '*': [{ var: 'payment.finalBalance' }, 2] };
  const half = { '/': [{ var: 'payment.finalBalance' }, 0.000_000_7] };
  const set = (value: unknown, priority: number) => ({
    ...expression(true, { set: { fact: 'payment.finalBalance', value } }),
    hook: 'payment',
    priority,
  });
  return underRules(
    app(),
    [set(double, 1), set(1000, 0), set(half, 2), set({ '-': [0, 5] }, 3)],
    async () => {
      const { id } = await booked(app(), room, { productId: PRIVATE });
      assert.equal((await options(id)).finalBalance, 2000);
    },
  );
});

test('a balance is as large as a rule makes it', () => {
  const most = 9_007_199_254_740_991;
  const rule = {
    ...expression(true, { set: { fact: 'payment.finalBalance', value: most } }),
    hook: 'payment',
  };
  return underRules(app(), [rule], async () => {
    const { id } = await booked(app(), room, { productId: PRIVATE });
    assert.equal((await options(id)).finalBalance, most);
    const paid = await app().call(`${pathOf(id)}/payments`, {
      method: 'POST',
      body: { option: 'full', token: 'tok_success' },
    });
    assert.deepEqual([paid.status, paid.json.amount], [201, most]);
    assert.equal((await patch(id, rename)).status, 200);
    assert.equal((await options(id)).due, 0);
  });
});
