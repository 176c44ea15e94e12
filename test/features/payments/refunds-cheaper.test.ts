import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operator } from '../bookings/amend/amending.ts';
import { booked, bookingsApp, DINNER, jazzDay, PRIVATE, STANDARD, VIP } from '../bookings/support.ts';
import { bookBrunch, bookCounter, bookTickets, optionsOf, paid, refundsOf, TICKET_PENCE } from './support.ts';

const maitred = bookingsApp();

const patch = (id: string, body: object[]) =>
  maitred().call(`/venues/bookings/${id}`, { method: 'PATCH', body });

test('tickets that are asked for anew keep their price until they are accepted', async () => {
  const { id } = await bookTickets(maitred(), 3, { date: jazzDay(10) });
  const payment = await paid(maitred(), id);
  const asked = await patch(id, [
    { op: 'replace', path: '/type', value: 'request' },
    { op: 'replace', path: '/date', value: jazzDay(11) },
  ]);
  assert.deepEqual([asked.status, asked.json.status], [200, 'pending'], asked.text);
  assert.deepEqual(await refundsOf(maitred(), id), []);
  const { finalBalance, due } = await optionsOf(maitred(), id);
  assert.deepEqual([finalBalance, due], [7200, 0]);
  await maitred().sql`update ticket_type set price_pence = 2000 where product_id = ${STANDARD}`;
  await maitred().services.bookings.accept(operator(2), id);
  await maitred().sql`update ticket_type set price_pence = ${TICKET_PENCE} where product_id = ${STANDARD}`;
  const owed = { paymentId: payment.id, reason: 'cheaper', status: 'due', amountPence: 1200 };
  assert.deepEqual(await refundsOf(maitred(), id), [owed]);
});

const orderOf = (packages: number, dishes: number) => ({
  packages: [{ id: 112, quantity: packages }],
  menus: [{ id: 111, items: [{ id: 11101, quantity: dishes }] }],
});

test('a smaller pre-order gives back what was paid beyond it', async () => {
  const { id } = await bookBrunch(maitred(), 2, { preorders: orderOf(2, 5) });
  const payment = await paid(maitred(), id);
  assert.equal(payment.amount, 8300);
  const patched = await patch(id, [{ op: 'replace', path: '/preorders', value: orderOf(2, 2) }]);
  assert.equal(patched.status, 200, patched.text);
  const owed = { paymentId: payment.id, reason: 'cheaper', status: 'due', amountPence: 2100 };
  assert.deepEqual(await refundsOf(maitred(), id), [owed]);
  const { finalBalance, paid: sum, due } = await optionsOf(maitred(), id);
  assert.deepEqual([finalBalance, sum, due], [6200, 6200, 0]);
});

test('a cheaper product gives back the difference', async () => {
  const { id } = await booked(maitred(), { date: jazzDay(4), time: '20:00' }, { productId: VIP });
  const payment = await paid(maitred(), id);
  const patched = await patch(id, [{ op: 'replace', path: '/compositeId', value: STANDARD }]);
  assert.equal(patched.status, 200, patched.text);
  const owed = { paymentId: payment.id, reason: 'cheaper', status: 'due', amountPence: 7200 };
  assert.deepEqual(await refundsOf(maitred(), id), [owed]);
});

test('the deposit of the product stays, and that of fewer guests is less', async () => {
  const as = 'other-partner';
  const { id } = await bookCounter(maitred());
  const payment = await paid(maitred(), id, { option: 'deposit' }, { as });
  assert.equal(payment.amount, 15_000);
  const body = [{ op: 'replace', path: '/partySize', value: 5 }];
  const patched = await maitred().call(`/venues/bookings/${id}`, { method: 'PATCH', as, body });
  assert.equal(patched.status, 200, patched.text);
  const owed = { paymentId: payment.id, reason: 'cheaper', status: 'due', amountPence: 2500 };
  assert.deepEqual(await refundsOf(maitred(), id), [owed]);
});

test('a product that asks for no deposit gives back that of the one before', async (t) => {
  const { sql } = maitred();
  const rule = { amount: 1000, currency: 'GBP', per: 'guest' };
  const everybody = { minPartySize: null, maxPartySize: null, weekdays: null };
  const setRules = (rules: object[]) =>
    sql`update product set payment_rules = ${sql.json(rules as never)} where id = ${DINNER}`;
  const [before] = await sql`select payment_rules as rules from product where id = ${DINNER}`;
  t.after(() => setRules(before?.rules));
  await setRules([{ ...rule, ...everybody }]);
  const { id } = await booked(maitred(), { partySize: 8 });
  const payment = await paid(maitred(), id, { option: 'deposit' });
  assert.equal(payment.amount, 8000);
  const patched = await patch(id, [
    { op: 'replace', path: '/compositeId', value: PRIVATE },
    { op: 'replace', path: '/type', value: 'request' },
    { op: 'replace', path: '/partySize', value: 12 },
  ]);
  assert.equal(patched.status, 200, patched.text);
  const owed = { paymentId: payment.id, reason: 'cheaper', status: 'due', amountPence: 8000 };
  assert.deepEqual(await refundsOf(maitred(), id), [owed]);
});

test('a change that makes nothing cheaper gives nothing back', async () => {
  const { id } = await bookTickets(maitred(), 2, { date: jazzDay(12) });
  await paid(maitred(), id);
  const patched = await patch(id, [
    { op: 'replace', path: '/depositAmount', value: 4800 },
    { op: 'replace', path: '/firstName', value: 'Grace' },
  ]);
  assert.equal(patched.status, 200, patched.text);
  assert.deepEqual(await refundsOf(maitred(), id), []);
});
