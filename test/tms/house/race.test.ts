import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import type { ProductId } from '../../../src/kernel/ids.ts';
import type { LocalConnector } from '../../../src/tms/contract.ts';
import { hour } from './books.ts';
import { oversold, request, room, settle, startTestHouse, type TestHouse } from './venue.ts';

let tested: TestHouse;
before(async () => {
  tested = await startTestHouse();
});
after(() => tested.close());

const BOOKERS = 32;
const STARTS = [hour(18), hour(18, 30), hour(19), hour(19, 30)];

/** Parties of two to four who all want to come at about the same time; how many got a table. */
async function rush(product: ProductId, house: LocalConnector): Promise<number> {
  const outcomes = await Promise.all(
    Array.from({ length: BOOKERS }, (_, index) =>
      tested.book(request(product, STARTS[index % STARTS.length] ?? 0, { adults: 2 + (index % 3) }), house),
    ),
  );
  assert.ok(outcomes.every(({ kind }) => kind === 'ok' || kind === 'refused'));
  return outcomes.filter(({ kind }) => kind === 'ok').length;
}

const guestsAtOnce = async (product: ProductId) => {
  const [row] = await tested.sql<{ guests: number }[]>`
    select sum(guests)::int as guests from house_reservation where product_id = ${product}
    group by starts_at order by 1 desc limit 1`;
  return row?.guests ?? 0;
};

function joinable() {
  const layout = room(2, 2, 4);
  return { ...layout, combinations: [{ tableIds: layout.tableIds.slice(0, 2), minCovers: 3, maxCovers: 4 }] };
}

test('thirty-two bookers at once never share a table', async () => {
  const product = await tested.addVenue(joinable());
  const booked = await rush(product, tested.house);
  assert.ok(booked >= 2 && booked <= 6, `${booked} were booked`);
  assert.equal(await oversold(tested.sql), 0);
});

test('bookers and amendments at once never exceed the pace of the kitchen', async () => {
  const product = await tested.addVenue(room(...Array(20).fill(4)), { product: { coversPerStart: 6 } });
  const late = Array.from({ length: 3 }, () => request(product, hour(21), { adults: 2 }));
  for (const each of late) assert.equal((await tested.book(each)).kind, 'ok');
  const [booked, ...amended] = await Promise.all([
    rush(product, tested.house),
    ...late.map(({ bookingId }) =>
      settle(tested.sql, (tx) => tested.house.amend(tx, request(product, hour(18), { bookingId }))),
    ),
  ]);
  assert.ok(booked > 0);
  assert.ok(amended.every(({ kind }) => kind === 'ok' || kind === 'refused'));
  assert.ok((await guestsAtOnce(product)) <= 6);
  assert.equal(await oversold(tested.sql), 0);
});

test('stays of two trading days that meet after midnight are decided one after the other', async () => {
  const periods = [
    { opens: '22:00', closes: '03:00' },
    { opens: '00:00', closes: '06:00' },
  ];
  const hours = { weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7] as never, periods }] };
  const product = await tested.addVenue(room(2), { catalogue: { hours } });
  const asked = Array.from({ length: BOOKERS }, (_, index) =>
    index % 2 === 0 ? request(product, hour(23, 30)) : request(product, hour(0, 30), { date: '2030-07-03' }),
  );
  const outcomes = await Promise.all(asked.map((each) => tested.book(each)));
  assert.equal(outcomes.filter(({ kind }) => kind === 'ok').length, 1);
  assert.ok(outcomes.every(({ kind }) => kind === 'ok' || kind === 'refused'));
});

test('bookings that change places between days never wait for each other', async () => {
  const product = await tested.addVenue(room(...Array(8).fill(2)));
  const dates = ['2030-07-02', '2030-07-03'] as const;
  const asked = Array.from({ length: 8 }, (_, index) =>
    request(product, hour(19), { date: dates[index % 2] ?? '' }),
  );
  for (const each of asked) assert.equal((await tested.book(each)).kind, 'ok');
  for (let round = 0; round < 4; round += 1) {
    const outcomes = await Promise.all(
      asked.map(({ bookingId }, index) => {
        const moved = request(product, hour(19), { bookingId, date: dates[(index + round + 1) % 2] ?? '' });
        return settle(tested.sql, (tx) => tested.house.amend(tx, moved));
      }),
    );
    assert.ok(outcomes.every(({ kind }) => kind === 'ok' || kind === 'refused'));
  }
  assert.equal(await oversold(tested.sql), 0);
});

test('the lock alone keeps tables apart; without it the same rush sells them twice and breaks the pace', async () => {
  const unlocked = tested.createHouse({ lock: async () => {} });
  const paced = { product: { coversPerStart: 6 } };
  await inTransaction(
    tested.sql,
    (tx) => tx`alter table house_allocation drop constraint house_allocation_table_id_during_excl`,
  );
  await rush(await tested.addVenue(joinable()), tested.house);
  assert.equal(await oversold(tested.sql), 0);
  // A single rush can go well by luck, ten cannot.
  let mostAtOnce = 0;
  for (let round = 0; round < 10; round += 1) {
    await rush(await tested.addVenue(joinable()), unlocked);
    const kitchen = await tested.addVenue(room(...Array(20).fill(4)), paced);
    await rush(kitchen, unlocked);
    mostAtOnce = Math.max(mostAtOnce, await guestsAtOnce(kitchen));
    if (mostAtOnce > 6 && (await oversold(tested.sql)) > 0) break;
  }
  assert.ok((await oversold(tested.sql)) > 0, 'tables were sold twice');
  assert.ok(mostAtOnce > 6, 'the kitchen got more than its pace');
});
