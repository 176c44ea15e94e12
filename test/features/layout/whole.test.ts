/** The whole layout of a venue in one request. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { venueOfProduct } from '../../../src/kernel/ids.ts';
import { addRoom, startsApart } from '../../race/venues.ts';
import { type Answer, assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { type Body, booked, tablesOf } from '../bookings/support.ts';
import { openVenue } from '../venues/keeping.ts';
import { COPPER_ZONE, managerOf, RESTAURANT, SOHO, UNKNOWN } from './support.ts';

let maitred: TestApp;
let venueId: string;
before(async () => {
  maitred = await startTestApp();
  venueId = (await openVenue(maitred, 'whole')).id;
});
after(() => maitred.close());
const { read, put, auditLogOf } = managerOf(() => maitred);

const layout = async (venue = venueId): Promise<Body> =>
  (await read('layout', { venueId: venue, as: 'demo-admin' })).json;
const replace = (body: Body, { query = '', venue = venueId, headers = {} } = {}): Promise<Answer> =>
  put(`layout${query}`, body, { venueId: venue, as: 'demo-admin', headers });

async function replaced(body: Body, venue?: string): Promise<Body> {
  const answer = await replace(body, venue === undefined ? {} : { venue });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const place = { x: 40, y: 20, width: 120, height: 80, shape: 'rectangle', rotation: 45 };
const nowhere = { x: null, y: null, width: null, height: null, shape: null, rotation: null };

test('zones, areas, tables and combinations that name each other are made with one request', async () => {
  const made = await replaced({
    zones: [{ ref: 'ground', name: 'Ground floor' }],
    areas: [
      { ref: 'window', zoneId: 'ground', name: 'Window' },
      { ref: 'bar', zoneId: 'ground', name: 'Bar' },
    ],
    tables: [
      { ref: 'w1', areaId: 'window', name: 'W1', maxCovers: 4, ...place },
      { ref: 'w2', areaId: 'window', name: 'W2', minCovers: 2, maxCovers: 6 },
      { areaId: 'bar', name: 'B1', maxCovers: 2, isActive: false },
    ],
    combinations: [{ tableIds: ['w2', 'w1'] }],
  });
  const [zone] = made.zones;
  const [window, bar] = made.areas;
  const [w1, w2, b1] = made.tables;
  assert.deepEqual(made, {
    zones: [{ id: zone.id, name: 'Ground floor' }],
    areas: [
      { id: window.id, zoneId: zone.id, name: 'Window' },
      { id: bar.id, zoneId: zone.id, name: 'Bar' },
    ],
    tables: [
      { id: w1.id, areaId: window.id, name: 'W1', minCovers: 1, maxCovers: 4, isActive: true, ...place },
      { id: w2.id, areaId: window.id, name: 'W2', minCovers: 2, maxCovers: 6, isActive: true, ...nowhere },
      { id: b1.id, areaId: bar.id, name: 'B1', minCovers: 1, maxCovers: 2, isActive: false, ...nowhere },
    ],
    combinations: [{ id: made.combinations[0].id, tableIds: [w1.id, w2.id], minCovers: 7, maxCovers: 10 }],
  });
  assert.deepEqual(await layout(), made);
  const single = (await read(`tables/${w1.id}`, { venueId, as: 'demo-admin' })).json;
  assert.deepEqual(single, made.tables[0]);
  const [entry] = await auditLogOf(`layout ${venueId}`);
  assert.deepEqual([entry?.action, entry?.after], ['layout.change', made]);
  assert.equal(entry?.before.tables.length, 0);
});

test('what was read can be sent back, and changes nothing', async () => {
  for (const venue of [venueId, SOHO]) {
    const before = await layout(venue);
    const preview = await replace(before, { query: '?dryRun=true', venue });
    assert.deepEqual(preview.json, {
      isDryRun: true,
      changes: [],
      refusal: null,
      bookings: [],
      bookingCount: 0,
    });
    assert.deepEqual(await replaced(before, venue), before);
  }
});

test('parts are changed, moved, added and removed together, and a dry run says which', async () => {
  const before = await layout();
  const [zone] = before.zones;
  const [w1, w2, b1] = before.tables;
  const [joined] = before.combinations;
  const [window, bar] = before.areas;
  const body = {
    zones: [zone, { ref: 'up', name: 'Upstairs' }],
    areas: [{ ...window, zoneId: 'up', name: 'Gallery' }],
    tables: [
      w1,
      { ...w2, maxCovers: 8, x: 10, y: 10 },
      { ref: 'new', areaId: window.id, name: 'W3', maxCovers: 2 },
    ],
    combinations: [{ tableIds: [w1.id, 'new'] }],
  };
  const preview = await replace(body, { query: '?dryRun=true' });
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(preview.json, {
    isDryRun: true,
    changes: [
      { part: 'zone', action: 'add', id: null, name: 'Upstairs', fields: [] },
      { part: 'area', action: 'change', id: window.id, name: 'Gallery', fields: ['zoneId', 'name'] },
      { part: 'area', action: 'remove', id: bar.id, name: 'Bar', fields: [] },
      { part: 'table', action: 'change', id: w2.id, name: 'W2', fields: ['maxCovers', 'x', 'y'] },
      { part: 'table', action: 'add', id: null, name: 'W3', fields: [] },
      { part: 'table', action: 'remove', id: b1.id, name: 'B1', fields: [] },
      { part: 'combination', action: 'add', id: null, name: 'W1 + W3', fields: [] },
      { part: 'combination', action: 'remove', id: joined.id, name: 'W1 + W2', fields: [] },
    ],
    refusal: null,
    bookings: [],
    bookingCount: 0,
  });
  assert.deepEqual(await layout(), before);

  const after = await replaced(body);
  const upstairs = after.zones[1].id;
  assert.deepEqual(after.areas, [{ id: window.id, zoneId: upstairs, name: 'Gallery' }]);
  assert.deepEqual(
    after.tables.map(({ name, maxCovers, x }: Body) => [name, maxCovers, x]),
    [
      ['W1', 4, 40],
      ['W2', 8, 10],
      ['W3', 2, null],
    ],
  );
  assert.deepEqual(after.combinations[0].tableIds, [w1.id, after.tables[2].id]);
});

test('what is changed is what was read, or nothing is', async () => {
  const { headers, json } = await read('layout', { venueId, as: 'demo-admin' });
  const guarded = { headers: { 'if-match': String(headers.etag) } };
  const renamed = { ...json, zones: json.zones.map((zone: Body) => ({ ...zone, name: `${zone.name}!` })) };
  assert.equal((await replace(renamed, guarded)).status, 200);
  const now = await layout();
  assertProblem(await replace(json, guarded), 412, 'HTTP-N-412');
  assertProblem(await replace(json, { ...guarded, query: '?dryRun=true' }), 412, 'HTTP-N-412');
  assert.deepEqual(await layout(), now);
});

test('what cannot be is refused with its place, and nothing changes', async () => {
  const before = await layout();
  const foreign = await layout(SOHO);
  const [zone] = before.zones;
  const [area] = before.areas;
  const [table] = before.tables;
  const added = (more: Body) => ({
    ...before,
    tables: [...before.tables, { areaId: area.id, name: 'N', maxCovers: 2, ...more }],
  });
  const at = `tables.${before.tables.length}`;
  const wrong: [string, Body][] = [
    ['zones.0.id', { ...before, zones: [{ ...zone, id: foreign.zones[0].id }, ...before.zones] }],
    ['tables.0.id', { ...before, tables: [{ ...table, id: foreign.tables[0].id }, ...before.tables] }],
    ['areas.1.id', { ...before, areas: [area, { ...area, id: UNKNOWN }] }],
    ['areas.1.id', { ...before, areas: [area, area] }],
    ['zones.2.ref', { ...before, zones: [zone, { ref: 'a', name: 'A' }, { ref: 'a', name: 'B' }] }],
    [`${at}.areaId`, added({ areaId: 'attic' })],
    [`${at}.areaId`, added({ areaId: foreign.areas[0].id })],
    [`${at}.maxCovers`, added({ minCovers: 4 })],
    [`${at}.x`, added({ x: -1 })],
    [`${at}.rotation`, added({ rotation: 360 })],
    [`${at}.shape`, added({ shape: 'blob' })],
    [`${at}.seats`, added({ seats: 4 })],
    ['tables.0.areaId', { ...before, areas: [{ zoneId: zone.id, name: 'Elsewhere' }] }],
    ['combinations.0.tableIds', { ...before, combinations: [{ tableIds: [table.id, UNKNOWN] }] }],
    ['combinations.0.tableIds.1', { ...before, combinations: [{ tableIds: [table.id, 'none'] }] }],
    [
      'combinations.1.tableIds',
      { ...before, combinations: [...before.combinations, { tableIds: before.combinations[0].tableIds }] },
    ],
    ['combinations', { zones: before.zones, areas: before.areas, tables: before.tables }],
  ];
  for (const [field, body] of wrong) {
    for (const query of ['', '?dryRun=true']) {
      const { errors } = assertProblem(await replace(body, { query }), 400, 'VALID-N-001');
      assert.deepEqual(Object.keys(errors), [field], JSON.stringify(errors));
    }
  }
  const lost = { ...before, areas: [{ ...area, zoneId: UNKNOWN }] };
  assertProblem(await replace(lost), 404, 'VENUE-N-003');
  assert.deepEqual(await layout(), before);
  assert.deepEqual(await layout(SOHO), foreign);
});

test('a table with a booking is not removed, and keeps it when it is moved', async () => {
  const productId = await addRoom(maitred.sql, 2);
  const venue = venueOfProduct(productId);
  const { id } = await booked(maitred, { ...startsApart(1)[0], partySize: 2 }, { productId });
  const [taken] = await tablesOf(maitred.sql, id);
  const before = await layout(venue);
  const without = {
    ...before,
    tables: before.tables.filter((table: Body) => table.id !== taken),
    combinations: [],
  };
  const problem = assertProblem(await replace(without, { venue }), 400, 'VALID-N-001');
  assert.match(problem.detail, /has 1 booking, of which 1 not over/);
  const { refusal, bookings } = (await replace(without, { venue, query: '?dryRun=true' })).json;
  assert.deepEqual(refusal, { code: 'VALID-N-001', detail: problem.detail });
  assert.deepEqual(
    bookings.map(({ loses, ...booking }: Body) => [booking.id, booking.guestName, loses[0].reason]),
    [[id, 'Ada Lovelace', 'removed']],
  );
  assert.deepEqual(await layout(venue), before);
  const after = await replaced(
    {
      ...before,
      areas: [...before.areas, { ref: 'yard', zoneId: before.zones[0].id, name: 'Yard' }],
      tables: before.tables.map((table: Body) => (table.id === taken ? { ...table, areaId: 'yard' } : table)),
      combinations: [],
    },
    venue,
  );
  assert.equal(after.tables.find((table: Body) => table.id === taken)?.areaId, after.areas.at(-1)?.id);
  assert.deepEqual(await tablesOf(maitred.sql, id), [taken]);
});

test('a zone that a space or a product names is not removed, alone or with the others that it names', async () => {
  const before = await layout(SOHO);
  const without = (...zoneIds: number[]) => {
    const areas = before.areas.filter(({ zoneId }: Body) => !zoneIds.includes(zoneId));
    const areaIds = areas.map(({ id }: Body) => id);
    const tables = before.tables.filter(({ areaId }: Body) => areaIds.includes(areaId));
    const zones = before.zones.filter(({ id }: Body) => !zoneIds.includes(id));
    return { zones, areas, tables, combinations: [] };
  };
  assert.match(
    assertProblem(await replace(without(COPPER_ZONE), { venue: SOHO }), 422, 'VENUE-N-005').detail,
    /The Copper Room/,
  );
  const { id } = (
    await maitred.call(`/manage/venues/${encodeURIComponent(SOHO)}/zones`, {
      ...{ method: 'POST', as: 'demo-admin', body: { name: 'Terrace' } },
    })
  ).json;
  const path = `products/dinner`;
  const { compositeId: _, key: __, ...dinner } = (await read(path)).json;
  const both = { ...dinner, house: { ...dinner.house, zoneIds: [RESTAURANT, id] } };
  assert.equal((await put(path, both)).status, 200);
  const refusal = await replace(without(RESTAURANT), { venue: SOHO });
  assert.match(assertProblem(refusal, 422, 'VENUE-N-005').detail, /Dinner/);
  // The product loses one of two, and its audit log says so.
  await replaced(before, SOHO);
  assert.deepEqual((await read(path)).json.house.zoneIds, [RESTAURANT]);
  const [entry] = await auditLogOf('product 1|house|soho-grill|dinner');
  assert.equal(entry?.action, 'product.change');
});

test('requests for one layout at once come one after the other', async () => {
  const before = await layout();
  const answers = await Promise.all(
    [1, 2, 3].map((number) => replace({ ...before, zones: [...before.zones, { name: `Zone ${number}` }] })),
  );
  for (const { status, text } of answers) assert.equal(status, 200, text);
  const { zones } = await layout();
  assert.equal(zones.length, before.zones.length + 1, 'the last one left out what the others had added');
});

test('a dry run names the bookings to come that lose their tables, and storing it leaves them there', async () => {
  const productId = await addRoom(maitred.sql, 3);
  const venue = venueOfProduct(productId);
  const [start] = startsApart(1);
  const first = await booked(maitred, { ...start, partySize: 2 }, { productId });
  const second = await booked(maitred, { ...start, partySize: 2 }, { productId });
  await booked(maitred, { ...start, partySize: 2 }, { productId });
  const [[off], [small]] = [await tablesOf(maitred.sql, first.id), await tablesOf(maitred.sql, second.id)];
  const before = await layout(venue);
  const changed = (table: Body) =>
    table.id === off
      ? { ...table, isActive: false }
      : table.id === small
        ? { ...table, minCovers: 1, maxCovers: 1 }
        : { ...table, name: `${table.name}!` };
  const body = { ...before, tables: before.tables.map(changed), combinations: [] };
  const { json, text } = await replace(body, { venue, query: '?dryRun=true' });
  assert.equal(json.refusal, null, text);
  assert.equal(json.bookingCount, 2);
  const lost = json.bookings.map(({ id, loses }: Body) => [id, loses[0].tableId, loses[0].reason]);
  assert.deepEqual(
    lost.toSorted(),
    [
      [first.id, off, 'inactive'],
      [second.id, small, 'too_small'],
    ].toSorted(),
  );
  assert.deepEqual([json.bookings[0].date, json.bookings[0].time], [start?.date, start?.time]);
  await replaced(body, venue);
  assert.deepEqual(await tablesOf(maitred.sql, first.id), [off]);
});
