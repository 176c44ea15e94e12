/** Orders that were cut off: the database refuses to write the bookings of one product until a test lets it again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { lockDays } from '../../../src/tms/house/store.ts';
import { type Answer, assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { standingClock, taken } from '../bookings/amend/amending.ts';
import { BOOTH, type Body, bookingsApp, DINNER, freeDay } from '../bookings/support.ts';
import {
  ada,
  breakDown,
  cancel,
  dinner,
  done,
  makeBreakable,
  mendAll,
  order,
  read,
  remains,
  tickets,
  wordsOf,
} from './support.ts';

const time = standingClock();
const app = bookingsApp({ deps: { clock: time.clock } }, ({ sql }) => makeBreakable(sql));
const orders = () => app().services.orders;

const MIDDLE = BOOTH;
const mend = () => mendAll(app().sql);

/** An order whose second item breaks down; the clock stands, so that its bookings are those of one moment. */
async function cutOff(root: Body, headers = {}): Promise<{ body: Body; headers: object; orderId: string }> {
  await breakDown(app().sql, MIDDLE);
  const night = { compositeId: MIDDLE, quantity: 2, date: freeDay(), time: '20:00' };
  const body = { ...ada, ...root, items: [dinner(), night, tickets()] };
  const answer = await order(app(), body, { headers });
  assert.equal(answer.status, 500, answer.text);
  return { body, headers, orderId: await newestOrder() };
}

async function newestOrder(): Promise<string> {
  const [row] = await app().sql<{ id: string }[]>`
    select id from booking_order order by created_at desc, id desc limit 1`;
  assert.ok(row);
  return row.id;
}

for (const [name, root, headers] of [
  ['partnerOrderId', { partnerOrderId: 'cut' }, {}],
  ['Idempotency-Key', {}, { 'idempotency-key': 'cut' }],
] as const)
  test(`an order that was cut off goes on where it was when it is sent again with its ${name}`, async () => {
    const { body, orderId } = await cutOff(root, headers);
    const halfway = await taken(read(app(), orderId));
    assert.equal(halfway.status, 'pending');
    assert.deepEqual(wordsOf(halfway), ['booked', 'pending', 'booked']);
    assert.deepEqual([halfway.items[1].bookingId, halfway.items[1].error], [null, undefined]);
    assert.equal((await order(app(), body, { headers })).status, 500, 'while it is broken it stays so');

    await mend();
    const past = await remains(app().sql);
    const made = await taken(order(app(), body, { headers }));
    assert.equal(made.orderId, orderId);
    assert.deepEqual(wordsOf(made), ['booked', 'booked', 'booked']);
    assert.equal(made.status, 'complete');
    assert.deepEqual(
      [made.items[0], made.items[2]],
      [halfway.items[0], halfway.items[2]],
      'not booked again',
    );
    const now = await remains(app().sql);
    assert.deepEqual([now.orders, now.bookings - past.bookings], [past.orders, 1]);
    assert.deepEqual(await taken(read(app(), orderId)), made);
  });

test('an order that nobody can send again is closed, and says what was not booked', async () => {
  const { orderId } = await cutOff({});
  await mend();
  assert.equal(await orders().closeAbandoned(), 1);
  const closed = await taken(read(app(), orderId));
  assert.equal(closed.status, 'partial');
  assert.deepEqual(wordsOf(closed), ['booked', 'failed BOOK-R-002', 'booked']);
  assert.equal(await orders().closeAbandoned(), 0);
});

test('an order that cannot be closed is named, and keeps no other from being closed', async () => {
  const { sql } = app();
  const [stuck, other] = [(await cutOff({})).orderId, (await cutOff({})).orderId];
  await mend();
  await sql.unsafe(
    `alter table booking_order add constraint stuck check (settled_at is null or id <> '${stuck}')`,
  );
  await assert.rejects(orders().closeAbandoned(), ({ message }: Error) => message.includes(stuck));
  assert.equal((await taken(read(app(), other))).status, 'partial');
  await sql`alter table booking_order drop constraint stuck`;
  assert.equal(await orders().closeAbandoned(), 1);
  assert.equal((await taken(read(app(), stuck))).status, 'partial');
});

test('an order that its sender can name waits for it, but not for ever', async () => {
  const { body, orderId } = await cutOff({ partnerOrderId: 'forgotten' });
  await mend();
  time.move({ minutes: 14, seconds: 59 });
  assert.equal(await orders().closeAbandoned(), 0);
  time.move({ seconds: 2 });
  assert.equal(await orders().closeAbandoned(), 1);
  const closed = await taken(read(app(), orderId));
  assert.deepEqual(wordsOf(closed), ['booked', 'failed BOOK-R-002', 'booked']);
  assert.deepEqual(await taken(order(app(), body)), closed, 'sent again later, it is not taken up any more');
});

/** An order for one table that waits for its day until `work` is done. */
async function heldUp(root: Body, work: (orderId: string, body: Body) => Promise<void>): Promise<Answer> {
  const { sql } = app();
  const date = freeDay();
  const body = { ...ada, ...root, items: [dinner({ date, time: '19:00' })] };
  const { answer } = await sql.begin(async (tx) => {
    await lockDays(tx, [{ venueId: venueOfProduct(parseProductId(DINNER)), date }]);
    const { orders: past } = await remains(sql);
    const sent = order(app(), body);
    await eventually(async () => (await remains(sql)).orders > past);
    await work(await newestOrder(), body);
    return { answer: sent };
  });
  return answer;
}

test('an order that is being worked on is not closed, nor one that is done', async () => {
  const answer = await heldUp({}, async () => assert.equal(await orders().closeAbandoned(), 0));
  assert.deepEqual(wordsOf(await done(Promise.resolve(answer))), ['booked']);
  time.move({ minutes: 16 });
  assert.equal(await orders().closeAbandoned(), 0);
});

test('who is too slow loses the order to whoever sends it again, and books nothing any more', async () => {
  const past = await remains(app().sql);
  let again: Promise<Answer> | undefined;
  const answer = await heldUp({ partnerOrderId: 'slow' }, async (orderId, body) => {
    const leaseOf = async () =>
      (await app().sql`select lease from booking_order where id = ${orderId}`)[0]?.lease;
    const lease = await leaseOf();
    time.move({ seconds: 21 });
    again = order(app(), body);
    await eventually(async () => (await leaseOf()) !== lease);
  });
  assertProblem(answer, 503, 'HTTP-R-503');
  assert.ok(again);
  assert.deepEqual(wordsOf(await done(again)), ['booked']);
  const now = await remains(app().sql);
  assert.deepEqual(
    [now.orders - past.orders, now.bookings - past.bookings, now.tables - past.tables],
    [1, 1, 1],
  );
});

test('an order that was cut off and is cancelled as a whole is over, also for whoever sends it again', async () => {
  const { orderId, body } = await cutOff({ partnerOrderId: 'cancelled halfway' });
  await mend();
  const [row] = await app().sql<{ id: string }[]>`
    select booking_id as id from booking_order_item where order_id = ${orderId} and status = 'waiting'`;
  const unknown = await done(cancel(app(), orderId, { bookingIds: [row?.id] }));
  assert.deepEqual(wordsOf(unknown), ['failed BOOK-N-006']);
  const gone = await done(cancel(app(), orderId));
  assert.deepEqual(wordsOf(gone), ['cancelled', 'cancelled']);
  assert.equal(gone.status, 'cancelled');
  const again = await done(order(app(), body));
  assert.deepEqual(wordsOf(again), ['cancelled', 'failed BOOK-R-002', 'cancelled']);
});

test('an atomic order that breaks down leaves nothing but itself, and is whole when it is sent again', async () => {
  const past = await remains(app().sql);
  await breakDown(app().sql, DINNER);
  const body = { ...ada, atomic: true, partnerOrderId: 'atomic cut', items: [dinner(), tickets()] };
  assert.equal((await order(app(), body)).status, 500);
  assert.deepEqual(await remains(app().sql), { ...past, orders: past.orders + 1, items: past.items + 2 });
  await mend();
  assert.deepEqual(wordsOf(await done(order(app(), body))), ['booked', 'booked']);
});
