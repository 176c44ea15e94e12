import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { addRoom, startsApart } from '../../race/venues.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { type Body, book, booked, tablesOf } from '../bookings/support.ts';
import { managerOf } from './support.ts';

/** Tables that somebody has. */

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());
const { read, put, remove, made } = managerOf(() => maitred);
const start = { ...startsApart(1)[0], partySize: 2 };

async function roomWith(tables: number) {
  const productId = await addRoom(maitred.sql, tables);
  const options = { venueId: venueOfProduct(productId), as: 'demo-admin' };
  const layout = (await read('layout', options)).json;
  return { productId, options, tables: layout.tables as Body[], layout };
}

const typesOf = async (productId: ProductId) => {
  const query = `date=${start.date}&partySize=2`;
  const { json } = await maitred.call(`/venues/${encodeURIComponent(productId)}/availability?${query}`);
  return new Set(json.times.map(({ type }: Body) => type));
};

test('a table with a booking stays, and so do its area and its zone', async () => {
  const { productId, options, tables, layout } = await roomWith(1);
  const { id } = await booked(maitred, start, { productId });
  for (const part of [
    `tables/${tables[0]?.id}`,
    `areas/${layout.areas[0].id}`,
    `zones/${layout.zones[0].id}`,
  ]) {
    const refusal = assertProblem(await remove(part, options), 400, 'VALID-N-001');
    assert.match(
      refusal.detail,
      new RegExp(`Table ${tables[0]?.name} .* has 1 booking, of which 1 not over`),
    );
    assert.deepEqual(Object.keys(refusal.errors), ['tableId']);
  }
  assert.deepEqual((await read('layout', options)).json, layout);
  assert.deepEqual(await tablesOf(maitred.sql, id), [tables[0]?.id]);
});

test('a stay that is over keeps its table too, and one that is cancelled does not', async () => {
  const { productId, options, tables } = await roomWith(2);
  const [past, cancelled] = [
    await booked(maitred, start, { productId }),
    await booked(maitred, start, { productId }),
  ];
  const [pastTable] = await tablesOf(maitred.sql, past.id);
  const other = tables.find(({ id }) => id !== pastTable)?.id;
  await maitred.sql`update house_allocation set during = tstzrange(now() - interval '2 hours', now() - interval '1 hour')
    where reservation_id = ${past.id}`;
  const refusal = assertProblem(await remove(`tables/${pastTable}`, options), 400, 'VALID-N-001');
  assert.match(refusal.detail, /of which 0 not over/);
  assert.equal((await maitred.call(`/venues/bookings/${cancelled.id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await remove(`tables/${other}`, options)).status, 204);
  assert.equal((await maitred.call(`/venues/bookings/${past.id}`)).status, 200);
});

test('a table that is put away keeps its booking and takes no other, until it is taken out again', async () => {
  const { productId, options, tables } = await roomWith(1);
  const [table] = tables;
  const { id } = await booked(maitred, start, { productId });
  const { id: tableId, ...document } = table ?? {};
  assert.deepEqual(await typesOf(productId), new Set(['book', 'request']));
  const away = await put(`tables/${tableId}`, { ...document, isActive: false }, options);
  assert.deepEqual(away.json, { ...table, isActive: false });
  assert.deepEqual(await typesOf(productId), new Set());
  const later = { ...start, time: '21:00' };
  assert.equal((await book(maitred, later, { productId })).status, 409);
  assert.deepEqual(await tablesOf(maitred.sql, id), [tableId]);
  assert.equal((await maitred.call(`/venues/bookings/${id}`)).json.status, 'confirmed');
  assert.equal((await put(`tables/${tableId}`, document, options)).json.isActive, true);
  assert.equal((await book(maitred, { ...start, time: '20:30' }, { productId })).status, 201);
});

test('tables that are joined with one that is put away are joined no longer', async () => {
  const { productId, options, tables } = await roomWith(2);
  const tableIds = tables.map(({ id }) => id);
  await made('combinations', { tableIds }, options);
  await maitred.sql`update house_product set max_guests = 4 where product_id = ${productId}`;
  const four = { ...start, partySize: 4 };
  await booked(maitred, four, { productId });
  const { id, ...document } = tables[1] ?? {};
  assert.equal((await put(`tables/${id}`, { ...document, isActive: false }, options)).status, 200);
  assert.notEqual((await book(maitred, { ...four, time: '14:00' }, { productId })).status, 201);
  assert.equal((await book(maitred, { ...start, time: '14:00' }, { productId })).status, 201);
});

test('a table that is made, and tables that are joined, take guests at once', async () => {
  const { productId, options, layout } = await roomWith(1);
  await maitred.sql`update house_product set max_guests = 6 where product_id = ${productId}`;
  const six = { ...start, partySize: 6 };
  const answers = [await book(maitred, six, { productId })];
  await booked(maitred, start, { productId });
  answers.push(await book(maitred, start, { productId }));
  for (const answer of answers) assert.equal(answer.status, 409, answer.text);
  const table = { areaId: layout.areas[0].id, name: 'New', maxCovers: 3 };
  const one = await made('tables', table, options);
  await booked(maitred, start, { productId });
  const other = await made('tables', table, options);
  await made('combinations', { tableIds: [one.id, other.id] }, options);
  const seated = await booked(maitred, { ...six, time: '16:00' }, { productId });
  assert.deepEqual(await tablesOf(maitred.sql, seated.id), [one.id, other.id]);
});
