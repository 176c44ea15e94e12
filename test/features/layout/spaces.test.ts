import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { type Body, booked, COPPER_ROOM, freeDay, PRIVATE } from '../bookings/support.ts';
import { COPPER_ZONE, managerOf, parlour, RESTAURANT, SOHO, UNKNOWN, withBands } from './support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());
const { read, post, put, remove, made, auditLogOf } = managerOf(() => maitred);

const copperRoom = async () => (await read(`spaces/${COPPER_ROOM}`)).json;
const changed = (space: Body, changes: Body): Body => {
  const { id: _, ...document } = space;
  return { ...document, ...changes };
};

test('spaces are read as they are kept, and what is read can be sent back', async () => {
  const { data } = (await read('spaces')).json;
  assert.deepEqual(
    data.map(({ name }: Body) => name),
    ['The Copper Room', 'The Cellar'],
  );
  assert.deepEqual(await copperRoom(), data[0]);
  assert.deepEqual(data[0].zoneIds, [COPPER_ZONE]);
  const answer = await put(`spaces/${COPPER_ROOM}`, changed(data[0], {}));
  assert.deepEqual(answer.json, data[0]);
});

test('a space that is made needs little, comes last and can be removed', async () => {
  const space = await made('spaces', parlour);
  assert.deepEqual(space, {
    id: space.id,
    name: 'The Parlour',
    description: null,
    floorLocation: null,
    facilities: [],
    capacities: {},
    policies: parlour.policies,
    zoneIds: [],
  });
  assert.equal((await read('spaces')).json.data.at(-1).id, space.id);
  const { headers } = await read(`spaces/${space.id}`);
  const tag = { headers: { 'if-match': String(headers.etag) } };
  const placed = await put(`spaces/${space.id}`, { ...parlour, zoneIds: [RESTAURANT] }, tag);
  assert.deepEqual(placed.json, { ...space, zoneIds: [RESTAURANT] });
  assertProblem(await put(`spaces/${space.id}`, parlour, tag), 412, 'HTTP-N-412');
  assertProblem(await remove(`spaces/${space.id}`, tag), 412, 'HTTP-N-412');
  assert.deepEqual((await read(`spaces/${space.id}`)).json, placed.json);
  assert.deepEqual((await put(`spaces/${space.id}`, parlour)).json, space);
  assert.equal((await remove(`spaces/${space.id}`)).status, 204);
  assertProblem(await read(`spaces/${space.id}`), 404, 'VENUE-N-004');
  const entries = await auditLogOf(`space ${space.id}`);
  assert.deepEqual(
    entries.map(({ action, before: was, after: is }) => [action, was, is]),
    [
      ['space.remove', space, null],
      ['space.change', placed.json, space],
      ['space.change', space, placed.json],
      ['space.create', null, space],
    ],
  );
});

test('partners see what a space has become', async () => {
  const space = await copperRoom();
  const seen = async () => {
    const { json } = await maitred.call(`/venues/${encodeURIComponent(SOHO)}`);
    const product = json.products.find(({ compositeId }: Body) => compositeId === PRIVATE);
    return product.spaces.find(({ id }: Body) => id === COPPER_ROOM);
  };
  const capacities = { ...space.capacities, banquet: { min: 5, max: 25 } };
  await put(`spaces/${COPPER_ROOM}`, changed(space, { name: 'The Tin Room', capacities }));
  await eventually(async () => (await seen()).spaceName === 'The Tin Room');
  assert.deepEqual((await seen()).capacityBanquet, { min: 5, max: 25 });
  await put(`spaces/${COPPER_ROOM}`, changed(space, {}));
  await eventually(async () => (await seen()).spaceName === space.name);
});

test('a space, a zone or a venue that is not there is said to be missing', async () => {
  assertProblem(await read(`spaces/${UNKNOWN}`), 404, 'VENUE-N-004');
  assertProblem(await put(`spaces/${UNKNOWN}`, parlour), 404, 'VENUE-N-004');
  assertProblem(await remove(`spaces/${UNKNOWN}`), 404, 'VENUE-N-004');
  const elsewhere = { venueId: '1|house|garden-room' };
  assertProblem(await read(`spaces/${COPPER_ROOM}`, elsewhere), 404, 'VENUE-N-004');
  assertProblem(await put(`spaces/${COPPER_ROOM}`, parlour, elsewhere), 404, 'VENUE-N-004');
  assertProblem(await post('spaces', { ...parlour, zoneIds: [UNKNOWN] }), 404, 'VENUE-N-003');
  const foreign = (await read('layout', elsewhere)).json.zones[0].id;
  assertProblem(await post('spaces', { ...parlour, zoneIds: [foreign] }), 404, 'VENUE-N-003');
  assertProblem(await read('spaces', { venueId: '1|house|nowhere' }), 404, 'VENUE-N-001');
  assertProblem(await read('spaces', { venueId: '2|house|night-owl' }), 403, 'OPRTR-N-002');
  assert.equal((await read('spaces')).json.data.length, 2);
});

test('the house seats a space in one zone, and other systems in none', async () => {
  const two = { ...parlour, zoneIds: [RESTAURANT, COPPER_ZONE] };
  const tooMany = assertProblem(await post('spaces', two), 400, 'VENUE-N-008');
  assert.match(tooMany.detail, /house takes one zone for a space, or none; 2 were sent/);
  const tickets = { venueId: '2|tickets|jazz-night', as: 'demo-admin' };
  const one = { ...parlour, zoneIds: [RESTAURANT] };
  assert.match(assertProblem(await post('spaces', one, tickets), 400, 'VENUE-N-008').detail, /no zones/);
  assert.equal((await post('spaces', parlour, tickets)).status, 201);
});

test('a space that is offered keeps its zone, and may have another', async () => {
  const space = await copperRoom();
  const refusal = await put(`spaces/${COPPER_ROOM}`, changed(space, { zoneIds: [] }));
  assert.match(assertProblem(refusal, 422, 'VENUE-N-005').detail, /Private dining/);
  assert.deepEqual(await copperRoom(), space);
  const moved = await put(`spaces/${COPPER_ROOM}`, changed(space, { zoneIds: [RESTAURANT] }));
  assert.deepEqual(moved.json.zoneIds, [RESTAURANT]);
  assert.equal((await put(`spaces/${COPPER_ROOM}`, changed(space, {}))).status, 200);
});

test('a space that is offered, was booked or is named by a rule is not removed', async () => {
  const offered = assertProblem(await remove(`spaces/${COPPER_ROOM}`), 400, 'VALID-N-001');
  assert.match(offered.detail, /offered by Private dining/);
  const space = await made('spaces', { ...parlour, zoneIds: [RESTAURANT] });
  const { sql } = maitred;
  await sql`insert into product_space (product_id, venue_id, space_id) values (${PRIVATE}, ${SOHO}, ${space.id})`;
  await booked(
    maitred,
    { type: 'request', partySize: 12, spaceId: space.id, date: freeDay(), time: '19:00' },
    { productId: PRIVATE },
  );
  await sql`delete from product_space where space_id = ${space.id}`;
  const was = assertProblem(await remove(`spaces/${space.id}`), 400, 'VALID-N-001');
  assert.match(was.detail, /it has 1 booking\./);
  const other = await made('spaces', parlour);
  await sql`insert into availability_rule (venue_id, space_id, type, definition)
    values (${SOHO}, ${other.id}, 'specific_dates', '{"dates": ["2030-01-01"]}')`;
  const ruled = assertProblem(await remove(`spaces/${other.id}`), 400, 'VALID-N-001');
  assert.match(ruled.detail, /1 availability rule names it/);
});

const band = (startTime: string, endTime: string, weekdays = [5, 6]) => ({
  weekdays,
  startTime,
  endTime,
  amount: 100,
});

test('bands whose times cannot be used are refused', async () => {
  for (const [startTime, endTime, field] of [
    ['18:00', '18:00', 'endTime'],
    ['25:00', '18:00', 'startTime'],
    ['18:00', '18:60', 'endTime'],
    ['6pm', '23:00', 'startTime'],
    ['24:00', '02:00', 'startTime'],
    ['', '02:00', 'startTime'],
  ] as const) {
    const refusal = await post('spaces', withBands(band('10:00', '11:00'), band(startTime, endTime)));
    const { errors } = assertProblem(refusal, 400, 'VENUE-N-006');
    assert.deepEqual(Object.keys(errors), [`policies.minimumSpend.1.${field}`]);
  }
});

test('bands hold one after the other on a weekday, and a whole day is written to its end', async () => {
  const early = band('17:00', '21:00');
  for (const other of [band('20:59', '22:00', [6]), band('16:00', '02:00', [1, 5]), band('17:00', '21:00')])
    assertProblem(await post('spaces', withBands(early, other)), 409, 'VENUE-N-007');
  assertProblem(
    await post('spaces', withBands(band('00:00', '24:00'), band('03:00', '04:00'))),
    409,
    'VENUE-N-007',
  );
  const fitting = withBands(
    early,
    band('21:00', '03:00'),
    band('17:00', '21:00', [7]),
    band('00:00', '24:00', [3]),
  );
  const space = await made('spaces', fitting);
  assert.deepEqual(space.policies, fitting.policies);
  assert.deepEqual((await put(`spaces/${space.id}`, changed(space, {}))).json, space);
});

test('documents that are no space are refused, and nothing is kept of them', async () => {
  const before = (await read('spaces')).json;
  for (const wrong of [
    {},
    { ...parlour, name: '' },
    { ...parlour, colour: 'red' },
    { ...parlour, capacities: { seated: { min: 5, max: 4 } } },
    { ...parlour, capacities: { lying: { min: 1, max: 4 } } },
    { ...parlour, zoneIds: [RESTAURANT, RESTAURANT] },
    { ...parlour, description: 'x\u0000' },
    withBands({ ...band('18:00', '19:00'), amount: -1 }),
    withBands({ ...band('18:00', '19:00'), weekdays: [8] }),
    withBands({ ...band('18:00', '19:00'), weekdays: [] }),
    withBands(...Array.from({ length: 51 }, () => band('18:00', '19:00'))),
  ])
    assertProblem(await post('spaces', wrong), 400, 'VALID-N-001');
  assert.deepEqual((await read('spaces')).json, before);
});
