/** Bookings of the same moment, which share a transaction: each has its own outcome, as if it had come alone. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { imbalances } from '../../../race/balance.ts';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import { BOOTH, book, booked, bookingsApp, DINNER, freeDay, traces } from '../support.ts';

let seatsForTwo = 0;
const app = bookingsApp({}, async (maitred) => {
  const when = { date: freeDay(), time: '19:00' };
  while ((await book(maitred, when)).status === 201) seatsForTwo += 1;
  assert.ok(seatsForTwo >= 3);
});

/** How many of these were written by how many transactions. */
async function written(ids: readonly string[]): Promise<{ bookings: number; transactions: number }> {
  const [row] = await app().sql<[{ bookings: number; transactions: number }]>`
    select count(*) as bookings, count(distinct xmin::text) as transactions from booking
    where id = any(${ids as string[]}::uuid[])`;
  return row;
}

/** Until the node knows the venue as it is. */
beforeEach(() => eventually(async () => (await book(app())).status === 201));

test('those of one moment share a transaction, and no table is given twice', async () => {
  const when = { date: freeDay(), time: '19:00' };
  const answers = await Promise.all(Array.from({ length: seatsForTwo + 5 }, () => book(app(), when)));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, seatsForTwo);
  for (const answer of answers.filter(({ status }) => status !== 201))
    assertProblem(answer, 409, 'AVAIL-N-005');
  const { bookings, transactions } = await written(made.map(({ json }) => json.id));
  assert.equal(bookings, seatsForTwo);
  assert.ok(transactions < bookings, `${bookings} bookings in ${transactions} transactions`);
  assert.deepEqual(await imbalances(app().sql), []);
});

test('of several venues, each gives its own tables to its own guests', async () => {
  const dates = [freeDay(), freeDay()];
  const requested = dates.flatMap((date) =>
    [DINNER, BOOTH, DINNER, BOOTH].map((productId) => ({
      productId,
      date,
      time: productId === BOOTH ? '22:00' : '19:00',
    })),
  );
  const ask = ({ productId, ...when }: (typeof requested)[number]) => book(app(), when, { productId });
  // Until the node has read all of them.
  await eventually(async () => {
    const made = await Promise.all(requested.slice(0, 2).map((draft) => ask({ ...draft, date: freeDay() })));
    return made.every(({ status }) => status === 201);
  });
  const answers = await Promise.all(requested.map(ask));
  for (const [index, { status, text, json }] of answers.entries()) {
    assert.equal(status, 201, text);
    const [row] = await app().sql`
      select b.product_id, b.starts_at = r.starts_at as "isThen", b.tables, b.area_name as "areaName",
        array_agg(t.name order by t.id) as given, min(a.name) as area, count(*) filter (where t.venue_id <> b.venue_id) as foreign
      from booking b join house_reservation r on r.id = b.id join house_allocation l on l.reservation_id = b.id
        join house_table t on t.id = l.table_id join house_area a on a.id = t.area_id
      where b.id = ${json.id} group by b.id, r.id`;
    const { given, area, ...booked } = row ?? {};
    const { productId } = requested[index] ?? {};
    assert.deepEqual(booked, {
      product_id: productId,
      isThen: true,
      tables: given,
      areaName: area,
      foreign: 0,
    });
  }
  assert.deepEqual(await imbalances(app().sql), []);
});

test('one that cannot be written takes nobody else with it', async () => {
  await booked(app(), { date: freeDay(), time: '19:00', partnerBookingId: 'used before' });
  const days = [...Array(12).keys()].map(() => freeDay());
  const before = await traces(app().sql);
  const answers = await Promise.all(
    days.map((date, index) =>
      book(app(), {
        date,
        time: '19:00',
        partnerBookingId: index % 4 === 0 ? 'used before' : `new ${index}`,
      }),
    ),
  );
  for (const [index, answer] of answers.entries()) {
    if (index % 4 === 0) assertProblem(answer, 409, 'BOOK-N-002');
    else assert.equal(answer.status, 201, answer.text);
  }
  const after = await traces(app().sql);
  assert.notDeepEqual(after, before);
  assert.deepEqual(await imbalances(app().sql), []);
  const [events] = await app().sql`
    select count(*) as count from event where booking_id = any(${answers.flatMap(({ json }) => json.id ?? [])}::uuid[])`;
  assert.equal(events?.count, 9);
});

test('of equal partnerBookingIds in one batch one is booked', async () => {
  const days = [...Array(6).keys()].map(() => freeDay());
  const answers = await Promise.all(
    days.map((date) => book(app(), { date, time: '19:00', partnerBookingId: 'one of six' })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
  const rows = await app().sql`select from booking where partner_booking_id = 'one of six'`;
  assert.equal(rows.length, 1);
  assert.deepEqual(await imbalances(app().sql), []);
});

test('keys of their own keep answers of their own', async () => {
  const requested = [...Array(8).keys()].map((index) => ({
    draft: { date: freeDay(), time: '19:00', partySize: 1 + (index % 2) },
    options: { productId: DINNER, headers: { 'idempotency-key': `together ${index}` } },
  }));
  const ask = () => Promise.all(requested.map(({ draft, options }) => book(app(), draft, options)));
  const [first, second] = [await ask(), await ask()];
  for (const answer of first) assert.equal(answer.status, 201, answer.text);
  assert.deepEqual(
    second.map(({ json }) => json),
    first.map(({ json }) => json),
  );
});

test('when the house is full nothing is taken a second time, and nothing is left behind', async () => {
  const when = { date: freeDay(), time: '19:00' };
  for (let count = 0; (await book(app(), when)).status === 201; count += 1) assert.ok(count < 100);
  const before = await traces(app().sql);
  const refused = await book(app(), when);
  assertProblem(refused, 409, 'AVAIL-N-005');
  assert.deepEqual(await traces(app().sql), before);
});

test('a partner that has used its id before is told so, and its second table is free again', async () => {
  const when = { date: freeDay(), time: '19:00', partnerBookingId: 'twice' };
  await booked(app(), when);
  const before = await traces(app().sql);
  assertProblem(await book(app(), when), 409, 'BOOK-N-002');
  assert.deepEqual(await traces(app().sql), before);
});

test('a change of the venue a moment ago is noticed by the batch itself', async () => {
  // The node hears of it later than it books.
  await app().sql`update product set name = 'Supper' where id = ${DINNER}`;
  const answers = await Promise.all(
    [...Array(4)].map(() => booked(app(), { date: freeDay(), time: '19:00' })),
  );
  for (const { productName } of answers) assert.equal(productName, 'Supper');
});
