/** The operator's desk and partners at the same tables in the same moment, with a control that shows that it can fail. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ProductId, partsOfVenueId, venueOfProduct } from '../../src/kernel/ids.ts';
import { createConfigCache } from '../../src/tms/house/config-cache.ts';
import { createHouse } from '../../src/tms/house/connector.ts';
import { type Answer, startTestApp, type TestApp } from '../support/app.ts';
import { repeats } from '../support/repeats.ts';
import { deadlocks, imbalances } from './balance.ts';
import { create, inParallel, tally } from './storm.ts';
import { addRoom, type Start, startsApart } from './venues.ts';

const ROUNDS = repeats(200, 40);
const AT_WORK = 6;

let maitred: TestApp;
let unlocked: TestApp;
before(async () => {
  maitred = await startTestApp();
  unlocked = await startTestApp({
    deps: {
      builtIn: (notifications) => [
        createHouse({ configs: createConfigCache(notifications), lock: async () => {} }),
      ],
    },
  });
  await unlocked.sql`alter table house_allocation drop constraint house_allocation_table_id_during_excl`;
});
after(async () => {
  assert.deepEqual(await imbalances(maitred.sql), []);
  assert.equal(await deadlocks(maitred.sql), 0);
  await Promise.all([maitred.close(), unlocked.close()]);
});

const desk = ({ call }: TestApp, path: string, method: 'POST' | 'PUT', body: unknown) =>
  call(`/manage/${path}`, { method, as: 'demo-admin', body });
const operatorOf = (productId: ProductId) => partsOfVenueId(venueOfProduct(productId)).operatorId;
const bookingPath = (productId: ProductId, id: string) => `operators/${operatorOf(productId)}/bookings/${id}`;

const take = (app: TestApp, productId: ProductId, body: object) =>
  desk(app, `venues/${encodeURIComponent(venueOfProduct(productId))}/bookings`, 'POST', {
    productKey: 'place',
    origin: 'phone',
    partySize: 2,
    guest: { lastName: 'Hopper' },
    ...body,
  });

async function made(answer: Promise<Answer>): Promise<string> {
  const { status, json, text } = await answer;
  assert.equal(status, 201, text);
  return json.id;
}

async function tablesOf({ call }: TestApp, productId: ProductId): Promise<number[]> {
  const path = `/manage/venues/${encodeURIComponent(venueOfProduct(productId))}/tables`;
  const { json } = await call(path, { as: 'demo-admin' });
  return json.data.map(({ id }: { id: number }) => id);
}

/** How often each outcome came, over rounds that share nothing. */
async function rounds(race: (start: Start) => Promise<Answer[]>): Promise<Record<string, number>> {
  const answers: Answer[] = [];
  await inParallel(startsApart(ROUNDS), AT_WORK, async (start) => {
    answers.push(...(await race(start)));
  });
  return tally(answers);
}

/** The operator chooses the last table while a partner books it. */
async function lastTable(app: TestApp): Promise<Record<string, number>> {
  const productId = await addRoom(app.sql, 1);
  const [table] = await tablesOf(app, productId);
  return rounds((start) =>
    Promise.all([
      take(app, productId, {
        ...start,
        tableIds: [table],
        overrides: ['notice', 'pacing', 'covers', 'hours'],
      }),
      create(app.call, productId, { ...start, partySize: 2 }),
    ]),
  );
}

test('of operator and partner on the last table one gets it, whatever is overridden', async () => {
  assert.deepEqual(await lastTable(maitred), { 201: ROUNDS, '409 AVAIL-N-005': ROUNDS });
});

/** Two hosts move two parties to one free table. */
async function oneTable(app: TestApp): Promise<Record<string, number>> {
  const productId = await addRoom(app.sql, 3);
  const [a, b, free] = await tablesOf(app, productId);
  return rounds(async (start) => {
    const ids = await Promise.all([
      made(take(app, productId, { ...start, tableIds: [a] })),
      made(take(app, productId, { ...start, tableIds: [b] })),
    ]);
    return Promise.all(
      ids.map((id) => desk(app, `${bookingPath(productId, id)}/tables`, 'PUT', { tableIds: [free] })),
    );
  });
}

test('of two parties that are moved to one table one gets there', async () => {
  assert.deepEqual(await oneTable(maitred), { 200: ROUNDS, '409 AVAIL-N-005': ROUNDS });
});

test('a swap of parties one of which is cancelled happens before that or not at all', async () => {
  const productId = await addRoom(maitred.sql, 2);
  const [a, b] = await tablesOf(maitred, productId);
  let swaps = 0;
  await inParallel(startsApart(ROUNDS), AT_WORK, async (start) => {
    const own = await made(take(maitred, productId, { ...start, tableIds: [a] }));
    const partners = await made(create(maitred.call, productId, { ...start, partySize: 2 }));
    const [swapped, cancelled] = await Promise.all([
      desk(maitred, `${bookingPath(productId, own)}/swap`, 'POST', { bookingId: partners }),
      maitred.call(`/venues/bookings/${partners}`, { method: 'DELETE' }),
    ]);
    assert.equal(cancelled.status, 204, cancelled.text);
    const [row] = await maitred.sql<[{ id: number }]>`
      select table_id as id from house_allocation where reservation_id = ${own}`;
    if (swapped.status === 200) swaps += 1;
    else assert.equal(swapped.json.code, 'BOOK-N-014', swapped.text);
    assert.equal(row.id, swapped.status === 200 ? b : a);
  });
  assert.ok(swaps <= ROUNDS);
});

test('two swaps of the same parties from either side leave each at one table', async () => {
  const productId = await addRoom(maitred.sql, 2);
  const [a, b] = await tablesOf(maitred, productId);
  await inParallel(startsApart(ROUNDS), AT_WORK, async (start) => {
    const ids = await Promise.all([
      made(take(maitred, productId, { ...start, tableIds: [a] })),
      made(take(maitred, productId, { ...start, tableIds: [b] })),
    ]);
    const [one, other] = ids as [string, string];
    const answers = await Promise.all([
      desk(maitred, `${bookingPath(productId, one)}/swap`, 'POST', { bookingId: other }),
      desk(maitred, `${bookingPath(productId, other)}/swap`, 'POST', { bookingId: one }),
    ]);
    assert.deepEqual(tally(answers), { 200: 2 });
  });
});

test('without the locks both races give a table away twice', async () => {
  const [both, { 200: moved = 0 }] = [await lastTable(unlocked), await oneTable(unlocked)];
  assert.ok((both[201] ?? 0) > ROUNDS || moved > ROUNDS, JSON.stringify([both, moved]));
  assert.match((await imbalances(unlocked.sql)).join('\n'), /is taken twice/);
});
