import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import {
  assertRefused,
  type Body,
  book,
  booked,
  bookingsApp,
  freeDay,
  jazzDay,
  STANDARD,
  traces,
  VIP,
} from '../support.ts';

const app = bookingsApp();
const tickets = (body: Body, productId = STANDARD) => book(app(), { time: '20:00', ...body }, { productId });
const bought = (body: Body, productId = STANDARD) => booked(app(), { time: '20:00', ...body }, { productId });

async function soldOn(date: string, productId = STANDARD): Promise<number> {
  const [row] = await app().sql<{ sold: number }[]>`
    select coalesce(sum(sold), 0)::int as sold from ticket_stock join ticket_occurrence o on o.id = occurrence_id
    where date = ${date} and product_id = ${productId}`;
  return row?.sold ?? 0;
}

test('adults and children are so many tickets, at the price of the day', async () => {
  const date = jazzDay(0);
  const booking = await bought({ date, partySize: 2, children: 3 });
  assert.equal(booking.status, 'confirmed');
  assert.equal(booking.duration, 180);
  assert.equal(booking.time, '20:00');
  assert.equal(booking.productName, 'Standard ticket');
  assert.equal(booking.compositeId, STANDARD);
  assert.ok(booking.operatorBookingId);
  assert.equal(await soldOn(date), 5);
  await app().sql`update ticket_type set price_pence = 9900 where product_id = ${STANDARD}`;
  const [row] = await app().sql<{ price: number; tables: string[] }[]>`
    select price_per_guest_pence as price, tables from booking where id = ${booking.id}`;
  assert.deepEqual({ ...row }, { price: 2400, tables: [] });
});

test('what is sold out is refused and the last tickets are sold', async () => {
  const date = jazzDay(1);
  for (const partySize of [4, 4, 3]) await bought({ date, partySize }, VIP);
  await assertRefused(app(), () => tickets({ date, partySize: 2 }, VIP), 409, 'AVAIL-N-005');
  await assertRefused(app(), () => tickets({ date, partySize: 1, children: 1 }, VIP), 409, 'AVAIL-N-005');
  assert.equal((await bought({ date, partySize: 1 }, VIP)).status, 'confirmed');
  assert.equal(await soldOn(date, VIP), 12);
  assert.equal((await bought({ date, partySize: 4 })).status, 'confirmed', 'another type is not concerned');
});

test('more at once than are sold to one is refused, however many are left', async () => {
  const date = jazzDay(2);
  await assertRefused(app(), () => tickets({ date, partySize: 5 }, VIP), 409, 'AVAIL-N-005');
  await assertRefused(app(), () => tickets({ date, partySize: 4, children: 5 }), 409, 'AVAIL-N-005');
});

test('a day without the event, another hour, another length and a space are refused', async () => {
  const date = jazzDay(2);
  await assertRefused(app(), () => tickets({ date: freeDay(5) }), 422, 'AVAIL-N-004');
  await assertRefused(app(), () => tickets({ date, time: '20:30' }), 409, 'AVAIL-N-005');
  await assertRefused(app(), () => tickets({ date, duration: 90 }), 422, 'AVAIL-N-006');
  await assertRefused(app(), () => tickets({ date, spaceId: 101 }), 404, 'BOOK-N-010');
  assert.equal((await bought({ date, duration: 180 })).duration, 180);
});

test('an enquiry about tickets takes none', async () => {
  const date = jazzDay(3);
  const before = await traces(app().sql);
  const enquiry = await bought({ date, type: 'request', partySize: 4 }, VIP);
  assert.deepEqual([enquiry.status, enquiry.operatorBookingId, enquiry.duration], ['pending', null, 180]);
  assert.equal(await soldOn(date, VIP), 0);
  assert.deepEqual(await traces(app().sql), {
    ...before,
    bookings: before.bookings + 1,
    events: before.events + 1,
  });
});

test('a ticket type that the system does not know is EVENT-N-002', async () => {
  const date = jazzDay(4);
  await app().sql`delete from ticket_type where product_id = ${VIP}`;
  await eventually(async () => (await tickets({ date }, VIP)).status === 404);
  for (const type of ['book', 'request'])
    await assertRefused(app(), () => tickets({ date, type }, VIP), 404, 'EVENT-N-002');
});
