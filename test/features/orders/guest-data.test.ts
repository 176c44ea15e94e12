import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callNow, standingClock } from '../bookings/amend/amending.ts';
import { BOOTH, type Body, BRUNCH, bookingsApp, freeDay } from '../bookings/support.ts';
import {
  breakDown,
  cancel,
  change,
  dinner,
  done,
  makeBreakable,
  order,
  plates,
  tickets,
  wordsOf,
} from './support.ts';

const time = standingClock();
const lines: string[] = [];
const app = bookingsApp(
  {
    config: { logLevel: 'trace' },
    deps: { clock: time.clock, logStream: { write: (line) => void lines.push(line) } },
  },
  ({ sql }) => makeBreakable(sql),
);

/** Words that stand nowhere else, so that one of them found anywhere is a leak. */
const PERSON = {
  firstName: 'Wilhelmina',
  lastName: 'Featherstonehaugh',
  email: 'minnie.f@quagmire.example',
  phone: '+44 7700 900461',
  company: 'Zyzzyva Holdings',
};
const NOTES = 'Allergic to persimmon';
const SECRETS = [...Object.values(PERSON), NOTES, 'quagmire', '900461', 'persimmon', 'Augustina'];
const holds = (text: string) => SECRETS.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()));

/** Every value of both tables, as text and as bytes. */
async function everyByte(): Promise<string> {
  const { sql } = app();
  const rows = [
    ...(await sql`select o::text as row, ''::bytea as content from booking_order o`),
    ...(await sql`select i::text as row, coalesce(content, '') as content from booking_order_item i`),
    ...(await sql`select k::text as row, coalesce(answer, '') as content from idempotency_key k`),
  ];
  return rows.map(({ row, content }) => `${row} ${content.toString('latin1')}`).join('\n');
}

const contents = async (orderId: string) =>
  (
    await app().sql<{ kept: boolean }[]>`
      select content is not null as kept from booking_order_item where order_id = ${orderId} order by position`
  ).map(({ kept }) => kept);

/** A table, a meal that the list of companies does not allow, tickets. */
const basket = (root: Body = {}) => ({
  ...PERSON,
  ...root,
  items: [
    dinner({ notes: NOTES }),
    { compositeId: BRUNCH, quantity: 2, date: freeDay(), time: '11:00', preorders: plates },
    tickets({ firstName: 'Augustina' }),
  ],
});

test('of an order that is at work, done or failed the database has nothing of the guest in clear', async () => {
  const headers = { 'idempotency-key': 'sealed' };
  const body = basket({ partnerOrderId: 'sealed-basket' });
  const made = await done(order(app(), body, { headers }));
  assert.deepEqual(wordsOf(made), ['booked', 'failed BOOK-N-015', 'booked']);
  assert.match(made.items[1].error.detail, /Zyzzyva/, 'the caller is told what it said');
  await breakDown(app().sql, BOOTH);
  const booth = { compositeId: BOOTH, quantity: 2, date: freeDay(), time: '20:00', notes: NOTES };
  assert.equal((await order(app(), { ...PERSON, items: [booth] })).status, 500);
  await done(change(app(), made.orderId, [{ bookingId: made.items[0].bookingId, firstName: 'Augustina' }]));
  await done(cancel(app(), made.orderId));
  const bytes = await everyByte();
  assert.ok(bytes.includes('sealed-basket') && bytes.includes('night-owl') && bytes.includes('waiting'));
  assert.deepEqual(holds(bytes), []);
});

test('the log has nothing of the guest', async () => {
  await order(app(), { ...basket(), email: `${PERSON.email}\0` });
  await app().call(`/v1/orders/${encodeURIComponent(PERSON.email)}`);
  await app().call('/v1/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"email":"${PERSON.email}`,
  });
  assert.ok(lines.filter((line) => line.includes('/v1/orders')).length > 5, 'it was written');
  assert.deepEqual(holds(lines.join('\n')), []);
});

test('what was asked for is gone once it is booked, in atomic orders too', async () => {
  const made = await done(order(app(), basket()));
  assert.deepEqual(await contents(made.orderId), [false, true, false], 'what is said of a failure is kept');
  const together = await done(order(app(), { ...basket(), atomic: true, items: [dinner(), tickets()] }));
  assert.deepEqual(await contents(together.orderId), [false, false]);
});

test('what was sealed for one item cannot be opened as that of another', async () => {
  const [made, other] = [await done(order(app(), basket())), await done(order(app(), basket()))];
  await app().sql`
    update booking_order_item i set content = o.content from booking_order_item o
    where i.order_id = ${made.orderId} and o.order_id = ${other.orderId} and i.position = 1 and o.position = 1`;
  assert.equal((await app().call(`/v1/orders/${made.orderId}`)).status, 500);
});

test('what was said of failures is forgotten after a while, and that they failed is not', async () => {
  const forgetOld = () => app().services.orders.forgetOld(30);
  const made = await done(order(app(), basket()));
  time.move({ hours: 24 * 30 - 1 });
  await forgetOld();
  assert.deepEqual(await contents(made.orderId), [false, true, false]);
  time.move({ hours: 2 });
  assert.ok((await forgetOld()) >= 1);
  assert.equal(await forgetOld(), 0);
  assert.deepEqual(await contents(made.orderId), [false, false, false]);
  const later = await done(callNow(app(), `/v1/orders/${made.orderId}`));
  assert.deepEqual(wordsOf(later), wordsOf(made));
  assert.deepEqual(holds(JSON.stringify(later.items[1])), []);
  assert.ok(later.items[1].error.detail);
});
