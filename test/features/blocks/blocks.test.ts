/** Tables that take no new bookings for a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { create, patchStart } from '../../race/storm.ts';
import { addRoom } from '../../race/venues.ts';
import { assertProblem } from '../../support/app.ts';
import { patch, replacing } from '../bookings/amend/amending.ts';
import { taken } from '../bookings/operator/desk-support.ts';
import { type Body, bookingsApp, freeDay, tablesOf } from '../bookings/support.ts';
import { FEED_URL, follow, makerOf } from '../feed/support.ts';
import { blocksOf, timesOn } from './support.ts';

const maitred = bookingsApp({ config: { feedUrl: FEED_URL } });

async function room(tableCount: number) {
  const productId = await addRoom(maitred().sql, tableCount);
  const api = blocksOf(maitred, venueOfProduct(productId));
  const tables = (await api.layout('tables')).map(({ id }) => id as number);
  const [area] = await api.layout('areas');
  assert.ok(area);
  return { productId, api, tables, area };
}

async function booked(productId: ProductId, date: string, time: string): Promise<string> {
  const answer = await create(maitred().call, productId, { date, time });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
}

const EVENING = ['18:00', '20:00'] as const;
const during = (date: string, [from, to]: readonly [string, string] = EVENING) => ({
  from: `${date}T${from}`,
  to: `${date}T${to}`,
});

test('a blocked table is offered to no one and can be had again when the block is lifted', async () => {
  const { productId, api, tables } = await room(1);
  const date = freeDay();
  const open = await timesOn(maitred(), productId, date);
  const block = await api.blocked({ ...during(date), tableIds: tables, reason: 'Wobbly leg' });
  assert.deepEqual(
    [block.from, block.to, block.tableIds, block.areaIds, block.reason],
    [`${date}T18:00`, `${date}T20:00`, tables, null, 'Wobbly leg'],
  );
  assert.deepEqual([block.bookings, block.bookingCount], [[], 0]);
  // Stays last ninety minutes.
  const left = open.filter((time) => time <= '16:30' || time >= '20:00');
  assert.deepEqual(await timesOn(maitred(), productId, date), left);
  assertProblem(await create(maitred().call, productId, { date, time: '18:00' }), 409, 'AVAIL-N-005');
  await booked(productId, date, '16:30');
  await booked(productId, date, '20:00');
  const lifted = await api.lift(block.id);
  assert.equal(lifted.status, 204, lifted.text);
  await booked(productId, date, '18:00');
  assertProblem(await api.lift(block.id), 404, 'HTTP-N-404');
});

test('a block of many days holds on each of them, also in the feed', async () => {
  const { productId, api, tables } = await room(1);
  const days = [freeDay(), freeDay(), freeDay(), freeDay(), freeDay()] as const;
  const maker = makerOf(maitred());
  const venueId = venueOfProduct(productId);
  await maker.make(venueId);
  const { json } = await maitred().call(`/venues/${encodeURIComponent(venueId)}`);
  const fed = async () => {
    await maker.make(venueId);
    const { shards } = follow(maker.files, json.products[0].feedUrl);
    return days.map((day) => shards.get(day)?.slots.some(({ type }: Body) => type === 'book') ?? false);
  };
  assert.deepEqual(await fed(), [true, true, true, true, true]);
  const block = await api.blocked({ from: `${days[1]}T00:00`, to: `${days[4]}T00:00`, tableIds: tables });
  const isOpen = async () =>
    Promise.all(days.map(async (day) => (await timesOn(maitred(), productId, day)).length > 0));
  const expected = [true, false, false, false, true];
  assert.deepEqual(await isOpen(), expected);
  assert.deepEqual(await fed(), expected);
  await api.lift(block.id);
  assert.deepEqual(await fed(), [true, true, true, true, true]);
});

test('bookings inside a block stay, are listed, and may be changed but not moved within it', async () => {
  const { productId, api, tables } = await room(2);
  const date = freeDay();
  const inside = await booked(productId, date, '18:00');
  const [own] = await tablesOf(maitred().sql, inside);
  const outside = await booked(productId, date, '14:00');
  const block = await api.blocked({ ...during(date), tableIds: tables });
  assert.equal(block.bookingCount, 1);
  const [listed] = block.bookings;
  assert.deepEqual(
    [listed.id, listed.start.slice(0, 16), listed.end.slice(0, 16), listed.guests, listed.guestName],
    [inside, `${date}T18:00`, `${date}T19:30`, 1, 'Ada Lovelace'],
  );
  assert.equal(listed.tables.length, 1);
  assert.deepEqual((await api.read(block.id)).json.bookings, block.bookings);
  assert.deepEqual(await tablesOf(maitred().sql, inside), [own]);

  const noted = await patch(maitred(), inside, [replacing('/notes', 'By the window')]);
  assert.equal(noted.status, 200, noted.text);
  for (const [id, time] of [
    [inside, '18:30'],
    [outside, '18:00'],
  ] as const)
    assertProblem(await patchStart(maitred().call, id, { date, time }), 409, 'AVAIL-N-005');
  const moved = await patchStart(maitred().call, inside, { date, time: '20:00' });
  assert.equal(moved.status, 200, moved.text);
  assert.equal((await api.read(block.id)).json.bookingCount, 0);
});

test('an enquiry finds no place at a blocked table', async () => {
  const { productId, api, tables } = await room(1);
  const date = freeDay();
  const enquiry = await create(maitred().call, productId, { date, time: '18:00', type: 'request' });
  await api.blocked({ ...during(date), tableIds: tables });
  const operatorId = productId.split('|')[0];
  const path = `/manage/operators/${operatorId}/bookings/${enquiry.json.id}/accept`;
  assertProblem(await maitred().call(path, { method: 'POST', as: 'demo-admin' }), 409, 'AVAIL-N-005');
});

test('an area or a zone is blocked with the tables that it has, and gets later', async () => {
  const { productId, api, area, tables } = await room(1);
  const date = freeDay();
  const byArea = await api.blocked({ ...during(date), areaIds: [area.id] });
  assert.deepEqual(
    byArea.tables.map(({ id }: Body) => id),
    tables,
  );
  const { manager, options } = api;
  const added = await manager.made('tables', { areaId: area.id, name: 'New', maxCovers: 2 }, options);
  assertProblem(await create(maitred().call, productId, { date, time: '18:00' }), 409, 'AVAIL-N-005');
  const other = await manager.made('areas', { zoneId: area.zoneId, name: 'Terrace' }, options);
  const { id, ...table } = added;
  const moved = await manager.put(`tables/${id}`, { ...table, areaId: other.id }, options);
  assert.equal(moved.status, 200, moved.text);
  await booked(productId, date, '18:00');
  await api.lift(byArea.id);

  const byZone = await api.blocked({ ...during(freeDay()), zoneIds: [area.zoneId] });
  assert.deepEqual(byZone.tables.map((each: Body) => each.id).sort(), [...tables, id].sort());
});

test('blocks are listed by day and page, in the order of their beginning', async () => {
  const { api, tables } = await room(1);
  const [first, second, third] = [freeDay(), freeDay(), freeDay()];
  const ids: string[] = [];
  for (const date of [third, first, second])
    ids.push((await api.blocked({ ...during(date), tableIds: tables })).id);
  const all = (await api.list()).json;
  assert.deepEqual(
    all.data.map(({ id }: Body) => id),
    [ids[1], ids[2], ids[0]],
  );
  const found = (await api.list(`?from=${second}&to=${second}`)).json;
  assert.deepEqual([found.meta.totalItems, found.data[0].id], [1, ids[2]]);
  assert.equal((await api.list('?pageSize=1&pageNumber=3')).json.data[0].id, ids[0]);
  assertProblem(await api.list(`?from=${third}&to=${first}`), 400, 'VALID-N-001');
  assert.ok(!('bookings' in all.data[0]));
});

test('a block is changed as a whole, by callers that have read what it is', async () => {
  const { productId, api, tables } = await room(2);
  const date = freeDay();
  const { id } = await api.blocked({ ...during(date), tableIds: [tables[0]] });
  const read = await api.read(id);
  const etag = String(read.headers.etag);
  const same = await api.change(id, read.json, { 'if-match': etag });
  assert.equal(same.status, 200, same.text);
  const body = { ...during(date, ['12:00', '22:00']), tableIds: tables, reason: null };
  const changed = await api.change(id, body, { 'if-match': etag });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(await timesOn(maitred(), productId, date), []);
  assertProblem(await api.change(id, body, { 'if-match': etag }), 412, 'HTTP-N-412');
  assertProblem(await api.lift(id, { 'if-match': etag }), 412, 'HTTP-N-412');
  assertProblem(await api.change(id, { ...body, to: body.from }), 400, 'VALID-N-001');
  assert.deepEqual((await api.read(id)).json, changed.json);
});

test('a block that is over can be sent back and given another reason, and ends at no other past time', async () => {
  const { api, tables } = await room(1);
  const { id } = await api.blocked({ ...during(freeDay()), tableIds: tables });
  await maitred().sql`
    update house_block
       set during = tstzrange(lower(during) - interval '2 years', upper(during) - interval '2 years')
     where id = ${id}`;
  const { json: over } = await api.read(id);
  const same = await api.change(id, over);
  assert.equal(same.status, 200, same.text);
  assert.deepEqual(same.json, over);
  assert.equal((await api.change(id, { ...over, reason: 'Mended' })).json.reason, 'Mended');
  const earlier = await api.change(id, { ...over, to: over.to.replace('T20:00', 'T19:00') });
  assert.deepEqual(Object.keys(assertProblem(earlier, 400, 'VALID-N-001').errors), ['to']);
});

test('everything done with blocks is in the audit log, without guests', async () => {
  const { productId, api, tables } = await room(1);
  const date = freeDay();
  await booked(productId, date, '18:00');
  const { id } = await api.blocked({ ...during(date), tableIds: tables });
  await api.change(id, { ...during(date, ['18:00', '21:00']), tableIds: tables });
  await api.lift(id);
  const path = `/manage/operators/${productId.split('|')[0]}/audit?subject=${encodeURIComponent(`block ${id}`)}`;
  const { data } = (await maitred().call(path, { as: 'demo-admin' })).json;
  assert.deepEqual(
    data.map(({ action }: Body) => action),
    ['block.remove', 'block.change', 'block.create'],
  );
  assert.doesNotMatch(JSON.stringify(data), /Lovelace/);
  assert.equal(data[1].after.to, `${date}T21:00`);
});

test('guests inside a block are named as far as the house knows them', async () => {
  const { productId, api, tables } = await room(2);
  const [date, venueId] = [freeDay(), venueOfProduct(productId)];
  const productKey = productId.slice(venueId.length + 1);
  const call = { venueId, as: 'demo-admin' };
  const guest = { lastName: 'Hopper' };
  await taken(maitred(), { productKey, date, time: '18:00', guest }, call);
  await taken(maitred(), { productKey, date, time: '18:30', guest: undefined, origin: 'walk_in' }, call);
  const block = await api.blocked({ ...during(date), tableIds: tables });
  assert.deepEqual(
    block.bookings.map(({ guestName }: Body) => guestName),
    ['Hopper', null],
  );
});
