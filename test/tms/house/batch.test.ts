/** Several requests in one call: the same outcomes as one after the other. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { inTransaction } from '../../../src/db/database.ts';
import type { ProductId } from '../../../src/kernel/ids.ts';
import type { LocalConnector, Outcome, PlaceRequest, SystemBooking } from '../../../src/tms/contract.ts';
import { hour } from './books.ts';
import { granted, oversold, reasonOf, request, room, startTestHouse, type TestHouse } from './venue.ts';

let tested: TestHouse;
before(async () => {
  tested = await startTestHouse();
});
after(() => tested.close());

const bookAll = (requests: readonly PlaceRequest[], house: LocalConnector = tested.house) =>
  inTransaction(tested.sql, (tx) => house.book(tx, requests));

test('two for the last table of a venue: the first has it, and a third at another venue has its own', async () => {
  const [one, other] = [await tested.addVenue(room(2)), await tested.addVenue(room(2))];
  const outcomes = await bookAll([one, one, other].map((product) => request(product, hour(19))));
  assert.deepEqual(outcomes.map(reasonOf), ['ok', 'taken', 'ok']);
  assert.equal(await oversold(tested.sql), 0);
});

test('guests per start count across a batch', async () => {
  const product = await tested.addVenue(room(2, 2, 2, 2), { product: { coversPerStart: 5 } });
  const outcomes = await bookAll([...Array(4)].map(() => request(product, hour(19))));
  assert.deepEqual(outcomes.map(reasonOf), ['ok', 'ok', 'taken', 'taken']);
});

test('a booking id twice in a batch, or made before, books once', async () => {
  const product = await tested.addVenue(room(2, 2, 2));
  const [early, late] = [request(product, hour(19)), request(product, hour(19))];
  const before = granted(await tested.book(early));
  const [again, first, second] = await bookAll([early, late, late]);
  assert.deepEqual(again && granted(again), before);
  assert.deepEqual(first, second);
  const rows = await tested.sql`select from house_reservation where product_id = ${product}`;
  assert.equal(rows.length, 2);
});

test('a reference that two of a batch draw is drawn again for one of them', async () => {
  const product = await tested.addVenue(room(2, 2));
  const draws = [...Array(12).fill(5), ...Array(6).fill(7)];
  const house = tested.createHouse({ random: () => draws.shift() ?? 0 });
  const outcomes = await bookAll([request(product, hour(19)), request(product, hour(19))], house);
  assert.deepEqual(
    new Set(outcomes.map((outcome) => granted(outcome).reference)),
    new Set(['H-555555', 'H-777777']),
  );
});

/** The position of each table in its room, which is the same in rooms that are alike. */
const placesOf = (outcomes: readonly Outcome<SystemBooking>[], first: number) =>
  outcomes.map((outcome) =>
    outcome.kind === 'ok'
      ? outcome.value.tables.map((name) => Number(name.slice(1)) - first)
      : reasonOf(outcome),
  );

test('whatever is asked for, a batch gives the seats that one call after the other gives', async () => {
  const draft = fc.record({
    adults: fc.integer({ min: 1, max: 6 }),
    minute: fc.integer({ min: 36, max: 44 }).map((half) => half * 30),
    durationMinutes: fc.constantFrom(null, 60, 90, 7),
  });
  const add = async (): Promise<[ProductId, number]> => {
    const layout = room(2, 2, 4, 6);
    const combinations = [{ tableIds: layout.tableIds.slice(0, 2), minCovers: 3, maxCovers: 4 }];
    const product = await tested.addVenue({ ...layout, combinations }, { product: { coversPerStart: 9 } });
    return [product, layout.tableIds[0] ?? 0];
  };
  await fc.assert(
    fc.asyncProperty(fc.array(draft, { minLength: 1, maxLength: 20 }), async (requested) => {
      const [[together, first], [alone, firstAlone]] = [await add(), await add()];
      const asked = (product: ProductId) =>
        requested.map(({ minute, ...rest }) => request(product, minute, rest));
      const one: Outcome<SystemBooking>[] = [];
      for (const each of asked(alone)) one.push(await tested.book(each));
      assert.deepEqual(placesOf(await bookAll(asked(together)), first), placesOf(one, firstAlone));
    }),
    { numRuns: 25 },
  );
  assert.equal(await oversold(tested.sql), 0);
});

test('batches that want the same days in any order never deadlock, and never share a table', async () => {
  const products = [await tested.addVenue(room(2, 2)), await tested.addVenue(room(2, 2))];
  const dates = ['2030-07-02', '2030-07-03'];
  const places = products.flatMap((product) => dates.map((date) => ({ product, date })));
  const batches = [...Array(16).keys()].map((turn) =>
    places.map((_, index) => {
      const { product, date } = places[(index + turn) % places.length] as (typeof places)[number];
      return request(product, hour(19), { date });
    }),
  );
  const outcomes = (await Promise.all(batches.map((batch) => bookAll(batch)))).flat();
  assert.equal(outcomes.filter(({ kind }) => kind === 'ok').length, 8);
  assert.equal(await oversold(tested.sql), 0);
});
