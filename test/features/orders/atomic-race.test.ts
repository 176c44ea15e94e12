/** Orders of all or nothing that want the same last places in the same moment, in whichever order they name them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { type ProductId, type VenueId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { codeOf } from '../../../src/kernel/problem.ts';
import { lockDays } from '../../../src/tms/house/store.ts';
import { type SecondNode, startSecondNode } from '../../abuse/support/second-node.ts';
import { deadlocks, imbalances } from '../../race/balance.ts';
import { addGig, addRoom, FIRST_DAY, type Start, startsApart } from '../../race/venues.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Body, traces } from '../bookings/support.ts';
import { ada, wordsOf } from './support.ts';

const ROUNDS = 5;
const AT_ONCE = 20;

let first: TestApp;
let second: SecondNode;
before(async () => {
  first = await startTestApp();
  second = await startSecondNode(first);
});
after(async () => {
  assert.deepEqual(await imbalances(first.sql), []);
  await second.close();
  await first.close();
});

/** Sent at once, every other one to the other node. */
async function storm(bodies: Body[]): Promise<Body[]> {
  const authorization = `Bearer ${await first.token('demo-partner')}`;
  const answers = await Promise.all(
    bodies.map((body, index) =>
      (index % 2 === 0 ? first : second).app.inject({
        method: 'POST',
        url: '/v1/orders',
        headers: { authorization },
        payload: { ...ada, atomic: true, ...body },
      }),
    ),
  );
  for (const { statusCode, body } of answers) assert.equal(statusCode, 200, body);
  return answers.map(({ body }) => JSON.parse(body));
}

const at = (compositeId: ProductId, start: Start, quantity = 1) => ({ compositeId, quantity, ...start });

/** Each is booked whole or not at all; says how many were. */
function wonBy(orders: Body[]): number {
  for (const made of orders) {
    const stands = made.items.filter(({ status }: Body) => status === 'booked').length;
    assert.ok(stands === 0 || stands === made.items.length, `half booked: ${wordsOf(made)}`);
    if (stands > 0) continue;
    const codes = new Set(made.items.map(({ error }: Body) => error.code));
    assert.ok(codes.isSubsetOf(new Set(['AVAIL-N-005', 'ORDER-N-010'])), wordsOf(made).join());
    assert.ok(codes.has('AVAIL-N-005'));
  }
  return orders.filter(({ status }) => status === 'complete').length;
}

test('of twenty that want the last tables of two venues, named in either order, one has both', async () => {
  const [left, right] = [await addRoom(first.sql, 1), await addRoom(first.sql, 1)];
  for (const start of startsApart(ROUNDS)) {
    const past = await traces(first.sql);
    const made = await storm(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const items = [at(left, start), at(right, start)];
        return { items: index % 2 === 0 ? items : items.toReversed() };
      }),
    );
    assert.equal(wonBy(made), 1);
    const now = await traces(first.sql);
    assert.deepEqual(
      [now.bookings - past.bookings, now.tables - past.tables, now.events - past.events],
      [2, 2, 2],
    );
  }
});

test('of twenty that want tables and tickets, three of which there are, three have all', async () => {
  const starts = startsApart(ROUNDS);
  const [room, gig] = [await addRoom(first.sql, 3), await addGig(first.sql, 6, starts)];
  for (const start of starts) {
    const past = await traces(first.sql);
    const made = await storm(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const items = [at(gig, start), at(room, start), at(gig, start)];
        return { items: index % 2 === 0 ? items : items.toReversed() };
      }),
    );
    assert.equal(wonBy(made), 3);
    const now = await traces(first.sql);
    assert.equal(now.bookings - past.bookings, 9);
    assert.equal(Number(now.tickets) - Number(past.tickets), 6);
  }
});

test('with evenings of one venue in opposite order nobody is left waiting for another', async () => {
  const room = await addRoom(first.sql, 1);
  const starts = startsApart(30).filter(({ time }) => time === '20:00');
  const made = await storm(
    Array.from({ length: AT_ONCE }, (_, index) => {
      const items = starts.map((start) => at(room, start));
      return { items: index % 2 === 0 ? items : items.toReversed() };
    }),
  );
  assert.equal(wonBy(made), 1);
});

test('none of these has been in a deadlock', async () => {
  assert.equal(await deadlocks(first.sql), 0);
});

test('names that cross each other deadlock in the database, and the caller does not notice', async () => {
  for (const [round, start] of startsApart(ROUNDS).entries()) {
    const [a, b, c, d] = [
      await addRoom(first.sql, 1),
      await addRoom(first.sql, 1),
      await addRoom(first.sql, 1),
      await addRoom(first.sql, 1),
    ];
    const [x, y] = [`x ${round}`, `y ${round}`];
    const made = await storm([
      {
        items: [
          { ...at(a, start), partnerBookingId: x },
          { ...at(c, start), partnerBookingId: y },
        ],
      },
      {
        items: [
          { ...at(b, start), partnerBookingId: y },
          { ...at(d, start), partnerBookingId: x },
        ],
      },
    ]);
    assert.deepEqual(made.map(({ status }) => status).toSorted(), ['complete', 'failed']);
    const refused = made.find(({ status }) => status === 'failed');
    assert.ok(refused && wordsOf(refused).includes('failed BOOK-N-002'), JSON.stringify(refused));
  }
});

test('control: who locks these venues in the order of the request is caught in a deadlock', async () => {
  const [left, right] = [await addRoom(first.sql, 1), await addRoom(first.sql, 1)];
  const { promise: bothHold, resolve } = Promise.withResolvers<void>();
  let holding = 0;
  const lockInOrder = (...products: [ProductId, ProductId]) =>
    inTransaction(first.sql, async (tx) => {
      const [one, other] = products.map(venueOfProduct) as [VenueId, VenueId];
      await lockDays(tx, [{ venueId: one, date: FIRST_DAY }]);
      holding += 1;
      if (holding === 2) resolve();
      await bothHold;
      await lockDays(tx, [{ venueId: other, date: FIRST_DAY }]);
    });
  const outcomes = await Promise.allSettled([lockInOrder(left, right), lockInOrder(right, left)]);
  const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? codeOf(outcome.reason) : []));
  assert.deepEqual(codes, ['40P01']);
});
