import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { type Body, booked, freeDay, tablesOf } from '../bookings/support.ts';
import { COPPER_ZONE, managerOf, RESTAURANT, UNKNOWN } from './support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());
const manager = managerOf(() => maitred);
const { read, post, put, remove, made, auditLogOf } = manager;

const layout = async () => (await read('layout')).json;
const areaIn = (zoneId = RESTAURANT, name = 'Terrace') => made('areas', { zoneId, name });
const tableIn = (areaId: number, more: Body = {}) =>
  made('tables', { areaId, name: 'N1', minCovers: 1, maxCovers: 4, ...more });

test('a layout is read whole, and each list of it by itself', async () => {
  const whole = await layout();
  assert.equal(whole.zones.length, 3);
  for (const list of ['zones', 'areas', 'tables', 'combinations']) {
    assert.ok(whole[list].length > 0);
    assert.deepEqual((await read(list)).json, { data: whole[list] });
    const [first] = whole[list];
    assert.deepEqual((await read(`${list}/${first.id}`)).json, first);
  }
});

test('a zone, an area, tables and their combination are made', async () => {
  const zone = await made('zones', { name: 'Yard' });
  assert.deepEqual(zone, { id: zone.id, name: 'Yard' });
  const area = await areaIn(zone.id, 'Long benches');
  assert.deepEqual(area, { id: area.id, zoneId: zone.id, name: 'Long benches' });
  const left = await made('tables', { areaId: area.id, name: 'B1', maxCovers: 9 });
  assert.deepEqual(left, {
    id: left.id,
    areaId: area.id,
    name: 'B1',
    minCovers: 1,
    maxCovers: 9,
    isActive: true,
    ...{ x: null, y: null, width: null, height: null, shape: null, rotation: null },
  });
  const right = await tableIn(area.id, { maxCovers: 8, isActive: false });
  const joined = await made('combinations', { tableIds: [right.id, left.id] });
  assert.deepEqual(joined, {
    id: joined.id,
    tableIds: [left.id, right.id],
    minCovers: 10,
    maxCovers: 17,
  });
  const { tables } = await layout();
  assert.deepEqual(
    tables.filter(({ areaId }: Body) => areaId === area.id),
    [left, right],
  );
});

test('an area is renamed, moved to another zone and taken away, and each step is in the audit log', async () => {
  const [ground, upstairs] = [await made('zones', { name: 'Court' }), await made('zones', { name: 'Roof' })];
  const before = await areaIn(ground.id, 'Under the tree');
  const path = `areas/${before.id}`;
  const { json: moved } = await put(path, { zoneId: upstairs.id, name: 'Under the sky' });
  assert.deepEqual(moved, { id: before.id, zoneId: upstairs.id, name: 'Under the sky' });
  assert.deepEqual((await read(path)).json, moved);
  assert.equal((await remove(path)).status, 204);
  assertProblem(await read(path), 404, 'HTTP-N-404');
  const [removed, changed] = await auditLogOf(`area ${before.id}`);
  assert.deepEqual([removed?.before, removed?.after], [moved, null]);
  assert.deepEqual([changed?.before, changed?.after], [before, moved]);
});

test('what is changed is what was read, or nothing is', async () => {
  const zone = await made('zones', { name: 'Roof' });
  const { headers } = await read(`zones/${zone.id}`);
  const etag = String(headers.etag);
  const renamed = await put(`zones/${zone.id}`, { name: 'Roof garden' }, { headers: { 'if-match': etag } });
  assert.deepEqual(renamed.json, { id: zone.id, name: 'Roof garden' });
  const stale = { headers: { 'if-match': etag } };
  assertProblem(await put(`zones/${zone.id}`, { name: 'Attic' }, stale), 412, 'HTTP-N-412');
  assertProblem(await remove(`zones/${zone.id}`, stale), 412, 'HTTP-N-412');
  assert.equal((await read(`zones/${zone.id}`)).json.name, 'Roof garden');
  assert.equal((await remove(`zones/${zone.id}`)).status, 204);
  const [gone, changed, created] = await auditLogOf(`zone ${zone.id}`);
  assert.deepEqual([gone?.action, gone?.before, gone?.after], ['zone.remove', renamed.json, null]);
  assert.deepEqual([changed?.action, changed?.before, changed?.after], ['zone.change', zone, renamed.json]);
  assert.deepEqual([created?.action, created?.before, created?.after], ['zone.create', null, zone]);
  assert.deepEqual(created?.actor, { kind: 'client', id: 'demo-operator', name: 'demo-operator' });
});

test('what a part refers to must be there', async () => {
  assertProblem(await post('areas', { zoneId: UNKNOWN, name: 'A' }), 404, 'VENUE-N-003');
  const table = { areaId: UNKNOWN, name: 'T', maxCovers: 2 };
  assert.ok(assertProblem(await post('tables', table), 400, 'VALID-N-001').errors.areaId);
  const joined = { tableIds: [UNKNOWN, UNKNOWN + 1] };
  assert.ok(assertProblem(await post('combinations', joined), 400, 'VALID-N-001').errors.tableIds);
  const foreign = (await read('layout', { venueId: '1|house|garden-room' })).json;
  const zoneId = foreign.zones[0].id;
  assertProblem(await post('areas', { zoneId, name: 'A' }), 404, 'VENUE-N-003');
  assertProblem(await put(`zones/${zoneId}`, { name: 'Mine' }), 404, 'VENUE-N-003');
  assertProblem(await remove(`tables/${foreign.tables[0].id}`), 404, 'HTTP-N-404');
  assert.deepEqual((await read('layout', { venueId: '1|house|garden-room' })).json, foreign);
});

test('what is not there is said to be missing', async () => {
  assertProblem(await read(`zones/${UNKNOWN}`), 404, 'VENUE-N-003');
  for (const list of ['areas', 'tables', 'combinations']) {
    assertProblem(await read(`${list}/${UNKNOWN}`), 404, 'HTTP-N-404');
    assertProblem(await remove(`${list}/${UNKNOWN}`), 404, 'HTTP-N-404');
  }
  const elsewhere = { venueId: '1|house|nowhere' };
  assertProblem(await read('layout', elsewhere), 404, 'VENUE-N-001');
  assertProblem(await post('zones', { name: 'Z' }, elsewhere), 404, 'VENUE-N-001');
  assertProblem(await read(`zones/${2 ** 31}`), 400, 'VALID-N-001');
});

test('only the house is laid out here', async () => {
  const tickets = { venueId: '2|tickets|jazz-night', as: 'demo-admin' };
  const answers = [
    await read('layout', tickets),
    await read('tables', tickets),
    await post('zones', { name: 'Z' }, tickets),
  ];
  for (const answer of answers)
    assert.match(assertProblem(answer, 400, 'VALID-N-001').detail, /tickets keeps its own layout/);
});

test('another operator’s layout is not there to be read or changed', async () => {
  const foreign = { venueId: '2|house|night-owl' };
  assertProblem(await read('layout', foreign), 403, 'OPRTR-N-002');
  assertProblem(await post('zones', { name: 'Z' }, foreign), 403, 'OPRTR-N-002');
  assertProblem(await read('layout', { as: 'demo-partner' }), 403, 'USER-N-009');
  assert.equal((await read('layout', { ...foreign, as: 'demo-admin' })).status, 200);
});

test('covers that cannot be are refused', async () => {
  const area = await areaIn();
  const table = { areaId: area.id, name: 'T', maxCovers: 2 };
  for (const wrong of [
    { minCovers: 3 },
    { maxCovers: 0 },
    { maxCovers: 32_768 },
    { maxCovers: 1.5 },
    { name: ' ' },
    { name: 'x'.repeat(101) },
    { areaId: 'x' },
    { seats: 2 },
  ])
    assertProblem(await post('tables', { ...table, ...wrong }), 400, 'VALID-N-001');
  const [one, other] = [
    await tableIn(area.id, { maxCovers: 32_767 }),
    await tableIn(area.id, { maxCovers: 32_767 }),
  ];
  const tableIds = [one.id, other.id];
  const tooLarge = assertProblem(await post('combinations', { tableIds }), 400, 'VALID-N-001');
  assert.ok(tooLarge.errors.maxCovers);
  const least = { tableIds, minCovers: 9, maxCovers: 8 };
  assertProblem(await post('combinations', least), 400, 'VALID-N-001');
  const twice = { tableIds: [one.id, one.id] };
  assertProblem(await post('combinations', twice), 400, 'VALID-N-001');
  assertProblem(await post('combinations', { tableIds: [one.id] }), 400, 'VALID-N-001');
  const { tables } = await layout();
  assert.equal(tables.filter(({ areaId }: Body) => areaId === area.id).length, 2);
});

test('only tables of one area are joined, and the same ones once', async () => {
  const [here, there] = [await areaIn(), await areaIn(COPPER_ZONE, 'Alcove')];
  const [one, two, far] = [await tableIn(here.id), await tableIn(here.id), await tableIn(there.id)];
  assertProblem(await post('combinations', { tableIds: [one.id, far.id] }), 400, 'VALID-N-001');
  const joined = await made('combinations', { tableIds: [one.id, two.id] });
  assertProblem(await post('combinations', { tableIds: [two.id, one.id] }), 400, 'VALID-N-001');
  const wider = await put(`combinations/${joined.id}`, { tableIds: [one.id, two.id], minCovers: 4 });
  assert.deepEqual(wider.json, { ...joined, minCovers: 4 });
  const moved = await put(`tables/${one.id}`, { areaId: there.id, name: 'N1', maxCovers: 4 });
  assert.ok(assertProblem(moved, 400, 'VALID-N-001').errors.areaId);
  assert.equal((await remove(`combinations/${joined.id}`)).status, 204);
  assert.equal((await put(`tables/${one.id}`, { areaId: there.id, name: 'N1', maxCovers: 4 })).status, 200);
});

test('two who join the same tables at once do it once', async () => {
  const area = await areaIn();
  const tableIds = [(await tableIn(area.id)).id, (await tableIn(area.id)).id];
  const answers = await Promise.all(Array.from({ length: 6 }, () => post('combinations', { tableIds })));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [201, 400, 400, 400, 400, 400]);
});

test('a zone goes with everything in it, and the audit log tells each of them', async () => {
  const zone = await made('zones', { name: 'Cellar bar' });
  const area = await areaIn(zone.id, 'Snug');
  const tables = [await tableIn(area.id), await tableIn(area.id)];
  const joined = await made('combinations', { tableIds: tables.map(({ id }) => id) });
  assert.equal((await remove(`zones/${zone.id}`)).status, 204);
  for (const gone of [`areas/${area.id}`, `tables/${tables[0]?.id}`, `combinations/${joined.id}`])
    assertProblem(await read(gone), 404, 'HTTP-N-404');
  assert.deepEqual((await auditLogOf(`table ${tables[1]?.id}`))[0]?.before, tables[1]);
  assert.deepEqual((await auditLogOf(`combination ${joined.id}`))[0]?.before, joined);
  assert.equal((await auditLogOf(`area ${area.id}`))[0]?.action, 'area.remove');
});

test('a product that also has other zones loses the one that goes, and its audit log says so', async () => {
  const zone = await made('zones', { name: 'Terrace' });
  const { compositeId, key, ...dinner } = (await read('products/dinner')).json;
  const zoneIds = [...dinner.house.zoneIds, zone.id];
  const wider = await put('products/dinner', { ...dinner, house: { ...dinner.house, zoneIds } });
  assert.equal(wider.status, 200, wider.text);
  assert.equal((await remove(`zones/${zone.id}`)).status, 204);
  const left = (await read('products/dinner')).json;
  assert.deepEqual(left, { compositeId, key, ...dinner });
  const [entry] = await auditLogOf(`product ${compositeId}`);
  assert.deepEqual([entry?.action, entry?.before, entry?.after], ['product.change', wider.json, left]);
});

test('a table goes with its combinations, and the others of them stay', async () => {
  const area = await areaIn();
  const [one, two, three] = [await tableIn(area.id), await tableIn(area.id), await tableIn(area.id)];
  const [left, right] = [
    await made('combinations', { tableIds: [one.id, two.id] }),
    await made('combinations', { tableIds: [two.id, three.id] }),
  ];
  assert.equal((await remove(`tables/${one.id}`)).status, 204);
  assertProblem(await read(`combinations/${left.id}`), 404, 'HTTP-N-404');
  assert.deepEqual((await read(`combinations/${right.id}`)).json, right);
});

test('a zone in which a space is placed, or a product has its only seats, stays', async () => {
  const before = await layout();
  const ofRoom = assertProblem(await remove(`zones/${COPPER_ZONE}`), 422, 'VENUE-N-005');
  assert.match(ofRoom.detail, /The Copper Room/);
  const ofProduct = assertProblem(await remove(`zones/${RESTAURANT}`), 422, 'VENUE-N-005');
  assert.match(ofProduct.detail, /Dinner/);
  assert.deepEqual(await layout(), before);
});

test('a venue has only so many zones', async () => {
  const venueId = '1|house|closed-cafe';
  const { zones } = (await read('layout', { venueId })).json;
  await maitred.sql`insert into house_zone (venue_id, name)
    select ${venueId}, 'Zone ' || n from generate_series(1, ${200 - zones.length}::int) n`;
  assertProblem(await post('zones', { name: 'One more' }, { venueId }), 400, 'VALID-N-001');
});

test('the covers of a table change for those who come, not for those who are booked', async () => {
  const booking = await booked(maitred, { date: freeDay(), time: '19:00', partySize: 2 });
  const [tableId] = await tablesOf(maitred.sql, booking.id);
  const { id, ...table } = (await read(`tables/${tableId}`)).json;
  assert.equal((await put(`tables/${id}`, { ...table, minCovers: 5, maxCovers: 6 })).status, 200);
  assert.deepEqual(await tablesOf(maitred.sql, booking.id), [id]);
  assert.equal((await put(`tables/${id}`, table)).status, 200);
});
