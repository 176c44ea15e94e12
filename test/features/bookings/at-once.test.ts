/** A booking in one statement: the same as the long way in everything but the number of statements. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Notifications } from '../../../src/db/notifications.ts';
import type { LocalConnector } from '../../../src/tms/contract.ts';
import { keepBooks } from '../../../src/tms/house/books.ts';
import { createHouse } from '../../../src/tms/house/connector.ts';
import { createTickets } from '../../../src/tms/tickets/connector.ts';
import { imbalances } from '../../race/balance.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { BOOTH, book, booked, DINNER, freeDay, PRIVATE, traces } from './support.ts';

/** How often a seat was taken within a statement. */
let taken = 0;

const house = (notifications: Notifications) => createHouse({ books: keepBooks(notifications) });

function counting(notifications: Notifications): LocalConnector[] {
  const { taking, ...rest } = house(notifications);
  return [
    {
      ...rest,
      taking(request) {
        const found = taking?.(request);
        if (found) taken += 1;
        return found;
      },
    },
    createTickets(),
  ];
}

function theLongWay(notifications: Notifications): LocalConnector[] {
  const { taking: _, ...rest } = house(notifications);
  return [rest, createTickets()];
}

let short: TestApp;
let long: TestApp;
before(async () => {
  [short, long] = await Promise.all([
    startTestApp({ deps: { builtIn: counting } }),
    startTestApp({ deps: { builtIn: theLongWay } }),
  ]);
});
after(() => Promise.all([short.close(), long.close()]));

/** Whole numbers below a bound, the same ones for the same seed. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** What one is told, without what differs from one time to the next. */
function toldOf({ status, json }: Awaited<ReturnType<typeof book>>) {
  if (status !== 201) return { status, code: json.code, detail: json.detail };
  const { id, createdDate, tmsCreatedDate, lastUpdate, operatorBookingId, reference, ...rest } = json;
  return { status, ...rest };
}

/** Where the guests of a booking sit, in the booking and in the house's own book. */
async function seatOf({ sql }: TestApp, bookingId: string | undefined) {
  if (bookingId === undefined) return undefined;
  const [seat] = await sql`
    select b.tables, b.area_id, b.area_name, b.operator_booking_id = r.reference as "isSame", r.space_id, r.guests,
      r.trading_day, array(select table_id from house_allocation a where a.reservation_id = r.id order by 1) as "tableIds"
    from booking b join house_reservation r on r.id = b.id where b.id = ${bookingId}`;
  return seat && { ...seat };
}

test('whoever comes, both ways give the same seat to the same guest, and refuse with the same words', async () => {
  const seed = Number(process.env.AT_ONCE_SEED ?? Math.floor(Math.random() * 1e6));
  const pick = numbers(seed);
  const days = [freeDay(), freeDay(), freeDay(6)];
  const products = [DINNER, DINNER, DINNER, PRIVATE, BOOTH];
  const seen = new Set<number>();
  for (let step = 0; step < 250; step += 1) {
    const productId = products[pick(products.length)] ?? DINNER;
    const wish = {
      date: days[pick(days.length)],
      time: `${String(17 + pick(6)).padStart(2, '0')}:${['00', '15', '30'][pick(3)]}`,
      partySize: 1 + pick(9),
      children: pick(3),
      ...(pick(4) === 0 && { duration: 60 + 15 * pick(8) }),
      ...(productId === PRIVATE && pick(2) === 0 && { spaceId: 101 + pick(3) }),
      partnerBookingId: `order ${pick(220)}`,
    };
    const [one, other] = [await book(short, wish, { productId }), await book(long, wish, { productId })];
    assert.deepEqual(
      toldOf(one),
      toldOf(other),
      `AT_ONCE_SEED=${seed}, step ${step}: ${JSON.stringify(wish)}`,
    );
    assert.deepEqual(
      await seatOf(short, one.json.id),
      await seatOf(long, other.json.id),
      `AT_ONCE_SEED=${seed}`,
    );
    seen.add(one.status);
  }
  assert.ok(taken > 50, `only ${taken} were taken at once`);
  assert.ok(seen.has(201) && seen.has(409), [...seen].join());
  for (const { sql } of [short, long]) assert.deepEqual(await imbalances(sql), []);
});

test('when the house is full nothing is taken a second time, and nothing is left behind', async () => {
  const when = { date: freeDay(), time: '19:00' };
  for (let count = 0; (await book(short, when)).status === 201; count += 1) assert.ok(count < 100);
  const before = await traces(short.sql);
  const refused = await book(short, when);
  assert.equal(refused.json.code, 'AVAIL-N-005');
  assert.deepEqual(await traces(short.sql), before);
});

test('a partner that has used its id before is told so, and its second table is free again', async () => {
  const when = { date: freeDay(), time: '19:00', partnerBookingId: 'twice' };
  await booked(short, when);
  const before = await traces(short.sql);
  const again = await book(short, when);
  assert.equal(again.json.code, 'BOOK-N-002');
  assert.deepEqual(await traces(short.sql), before);
});

test('what changed a moment ago is noticed by the statement itself', async () => {
  await booked(short);
  // The node hears of it later than we book.
  await short.sql`update product set name = 'Supper' where id = ${DINNER}`;
  const { productName } = await booked(short);
  assert.equal(productName, 'Supper');
});

test('with a key the answer is kept in the same statement, and given again', async () => {
  const wish = { date: freeDay(), time: '20:00' };
  const headers = { 'idempotency-key': 'at-once-1' };
  const before = taken;
  const first = await booked(short, wish, { headers });
  assert.equal(taken, before + 1);
  assert.deepEqual(await booked(short, wish, { headers }), first);
});
