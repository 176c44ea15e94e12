import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator } from '../../../src/features/venues/service.ts';
import { addDays } from '../../../src/kernel/zone-time.ts';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { club } from '../availability/club.ts';
import { expression, rulesApp, underRules } from '../booking-rules/support.ts';
import { type Body, booked, CELLAR, COPPER_ROOM, freeDay, PRIVATE } from '../bookings/support.ts';
import { managerOf, parlour, UNKNOWN } from './support.ts';

const app = rulesApp();
const { read, post, put, remove, made, auditLogOf } = managerOf(app);

const OVERRIDES = `spaces/${COPPER_ROOM}/minimum-spend-overrides`;
const on = (date: string, more: Body = {}): Body => ({
  startDate: date,
  endDate: date,
  startTime: '12:00',
  endTime: '00:00',
  amount: 50_000,
  ...more,
});

/** What availability asks for a party of twelve in the room at that time; undefined: it is not offered. */
async function asked(date: string, time: string, more = '', spaceId = COPPER_ROOM) {
  const query = `date=${date}&startTime=${time}&endTime=${time}&partySize=12${more}`;
  const { json } = await app().call(`/venues/${encodeURIComponent(PRIVATE)}/availability?${query}`);
  const space = json.times[0]?.product.spaces.find(({ id }: Body) => id === spaceId);
  return space?.policies.minimumSpend.map(({ amount }: Body) => amount) as number[] | undefined;
}

test('an override is made, read, changed and removed, and the audit log says so', async () => {
  const date = freeDay();
  const override = await made(OVERRIDES, on(date));
  assert.deepEqual(override, { id: override.id, ...on(date), reason: null });
  assert.deepEqual((await read(OVERRIDES)).json, { data: [override] });
  const { headers, json } = await read(`${OVERRIDES}/${override.id}`);
  assert.deepEqual(json, override);
  const tag = { headers: { 'if-match': String(headers.etag) } };
  const dearer = on(date, { amount: 90_000, reason: 'The fair' });
  const changed = await put(`${OVERRIDES}/${override.id}`, dearer, tag);
  assert.deepEqual(changed.json, { id: override.id, ...dearer });
  assertProblem(await put(`${OVERRIDES}/${override.id}`, on(date), tag), 412, 'HTTP-N-412');
  assertProblem(await remove(`${OVERRIDES}/${override.id}`, tag), 412, 'HTTP-N-412');
  assert.deepEqual((await read(OVERRIDES)).json, { data: [changed.json] });
  assert.equal((await remove(`${OVERRIDES}/${override.id}`)).status, 204);
  assertProblem(await read(`${OVERRIDES}/${override.id}`), 404, 'HTTP-N-404');
  const entries = await auditLogOf(`minimum-spend override ${override.id} of space ${COPPER_ROOM}`);
  assert.deepEqual(
    entries.map(({ before: was, after: is }) => [was, is]),
    [
      [changed.json, null],
      [override, changed.json],
      [null, override],
    ],
  );
});

test('availability asks for what holds on the date, in its answer and in its filter', async () => {
  const date = freeDay(6);
  const weekly = await asked(date, '18:00');
  assert.deepEqual(weekly, [120_000, 180_000]);
  const { id } = await made(OVERRIDES, on(date));
  await eventually(async () => (await asked(date, '18:00'))?.length === 1);
  assert.deepEqual(await asked(date, '18:00'), [50_000]);
  assert.deepEqual(await asked(date, '18:00', '&minimumSpend=50000'), [50_000]);
  assert.equal(await asked(date, '18:00', '&minimumSpend=49999'), undefined);
  assert.deepEqual(await asked(addDays(date, 7), '18:00'), weekly, 'a week later the bands hold');
  await put(`${OVERRIDES}/${id}`, on(date, { amount: 0 }));
  await eventually(async () => (await asked(date, '18:00'))?.length === 0);
  assert.deepEqual(await asked(date, '18:00', '&minimumSpend=0'), []);
  await put(`${OVERRIDES}/${id}`, on(date, { startTime: '20:00' }));
  await eventually(async () => (await asked(date, '18:00'))?.[1] === 50_000);
  assert.deepEqual(await asked(date, '18:00'), [120_000, 50_000], 'the first band as ever');
  await put(`${OVERRIDES}/${id}`, on(date, { startTime: '21:00', amount: 1 }));
  await eventually(async () => (await asked(date, '18:00'))?.length === 3);
  assert.deepEqual(await asked(date, '18:00'), [120_000, 180_000, 1], 'part of the second is left');
  await remove(`${OVERRIDES}/${id}`);
  await eventually(async () => (await asked(date, '18:00'))?.length === 2);
  const venue = (await app().call('/venues/1%7Chouse%7Csoho-grill')).json;
  const [space] = venue.products.find(({ compositeId }: Body) => compositeId === PRIVATE).spaces;
  assert.deepEqual(Object.keys(space.policies).includes('minimumSpendOverrides'), false);
});

test('rules about payments see what holds on the date of the booking', async () => {
  const total = {
    reduce: [{ var: 'payment.bands' }, { '+': [{ var: 'accumulator' }, { var: 'current.amount' }] }, 0],
  };
  const rule = {
    ...expression(true, { set: { fact: 'payment.finalBalance', value: total } }),
    hook: 'payment',
  };
  const date = freeDay(6);
  const room = { type: 'request', partySize: 12, spaceId: COPPER_ROOM, date, time: '18:00' };
  const { id } = await booked(app(), room, { productId: PRIVATE });
  const balance = async () => (await app().call(`/venues/bookings/${id}/payment-options`)).json.finalBalance;
  await underRules(app(), [rule], async () => {
    assert.equal(await balance(), 300_000);
    const override = await made(OVERRIDES, on(date, { startTime: '20:00', endTime: '02:00' }));
    assert.equal(await balance(), 170_000);
    await remove(`${OVERRIDES}/${override.id}`);
    assert.equal(await balance(), 300_000);
  });
});

test('windows that cannot be used are refused', async () => {
  const date = freeDay();
  for (const [wrong, field] of [
    [{ endDate: addDays(date, -1) }, 'endDate'],
    [{ endTime: '12:00' }, 'endTime'],
    [{ startTime: 'noon' }, 'startTime'],
    [{ endTime: '24:01' }, 'endTime'],
    [{ endDate: '9999-12-31' }, 'endDate'],
  ] as const) {
    const { errors } = assertProblem(await post(OVERRIDES, on(date, wrong)), 400, 'VENUE-N-006');
    assert.deepEqual(Object.keys(errors), [field]);
  }
  for (const wrong of [
    { startDate: '2026-02-30' },
    { startDate: '0000-01-01' },
    { amount: -1 },
    { amount: 2 ** 31 },
    { reason: 'x'.repeat(301) },
    { weekdays: [1] },
    { startTime: undefined },
  ])
    assertProblem(await post(OVERRIDES, on(date, wrong)), 400, 'VALID-N-001');
  const { data } = (await read(OVERRIDES)).json;
  assert.deepEqual(data, []);
});

test('two overrides of a space never hold at a time, also past midnight, and may follow each other', async () => {
  const date = freeDay();
  const space = `spaces/${(await made('spaces', parlour)).id}/minimum-spend-overrides`;
  const night = on(date, { endDate: addDays(date, 2), startTime: '18:00', endTime: '02:00' });
  const { id } = await made(space, night);
  for (const other of [
    night,
    on(date, { startTime: '17:00', endTime: '18:01' }),
    on(addDays(date, -5), { endDate: addDays(date, 9), startTime: '23:00', endTime: '23:30' }),
    on(addDays(date, 3), { startTime: '01:59', endTime: '05:00' }),
    on(addDays(date, -1), { startTime: '22:00', endTime: '21:00' }),
  ])
    assert.match(
      assertProblem(await post(space, other), 409, 'VENUE-N-007').detail,
      new RegExp(`^Override ${id} `),
    );
  const others = [
    on(date, { startTime: '02:00', endTime: '18:00' }),
    on(addDays(date, 3), { startTime: '02:00', endTime: '05:00' }),
    on(addDays(date, 4), { startTime: '00:00', endTime: '24:00' }),
  ];
  for (const other of others) await made(space, other);
  const { data } = (await read(space)).json;
  assert.deepEqual(
    data.map(({ startTime, endTime }: Body) => [startTime, endTime]),
    [
      ['02:00', '18:00'],
      ['18:00', '02:00'],
      ['02:00', '05:00'],
      ['00:00', '24:00'],
    ],
  );
  const first = data[0];
  assertProblem(await put(`${space}/${first.id}`, night), 409, 'VENUE-N-007');
  assert.equal((await put(`${space}/${first.id}`, { ...others[0], amount: 7 })).status, 200);
});

test('of many who set the same hours at once one succeeds', async () => {
  const date = freeDay();
  const cellar = `spaces/${CELLAR}/minimum-spend-overrides`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => post(cellar, on(date, { startTime: `1${index}:00` }))),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 409, 'VENUE-N-007');
  assert.equal((await read(cellar)).json.data.length, 1);
});

test('overrides belong to a space of the operator', async () => {
  const date = freeDay();
  assertProblem(await read(`spaces/${UNKNOWN}/minimum-spend-overrides`), 404, 'VENUE-N-004');
  assertProblem(await post(`spaces/${UNKNOWN}/minimum-spend-overrides`, on(date)), 404, 'VENUE-N-004');
  assertProblem(await put(`${OVERRIDES}/${UNKNOWN}`, on(date)), 404, 'HTTP-N-404');
  const { id } = await made(OVERRIDES, on(date));
  assertProblem(await remove(`spaces/${CELLAR}/minimum-spend-overrides/${id}`), 404, 'HTTP-N-404');
  const elsewhere = { venueId: '1|house|garden-room' };
  assertProblem(await post(OVERRIDES, on(addDays(date, 1)), elsewhere), 404, 'VENUE-N-004');
  assertProblem(await read(OVERRIDES, { venueId: '2|house|night-owl' }), 403, 'OPRTR-N-002');
  assert.equal((await remove(`${OVERRIDES}/${id}`)).status, 204);
});

test('overrides go with their space, and the audit log tells each of them', async () => {
  const space = await made('spaces', parlour);
  const override = await made(`spaces/${space.id}/minimum-spend-overrides`, on(freeDay()));
  assert.equal((await remove(`spaces/${space.id}`)).status, 204);
  assertProblem(await read(`spaces/${space.id}/minimum-spend-overrides`), 404, 'VENUE-N-004');
  const [gone] = await auditLogOf(`minimum-spend override ${override.id} of space ${space.id}`);
  assert.deepEqual([gone?.action, gone?.before], ['minimum-spend-override.remove', override]);
});

test('a document brings its overrides along, and tables that are put away', async () => {
  const [first] = club.spaces ?? [];
  assert.ok(first && club.house);
  const override = { startDate: '2030-01-04', endDate: '2030-01-05', startTime: '22:00', endTime: '03:00' };
  const spaces = [{ ...first, minimumSpendOverrides: [{ ...override, amount: 700, reason: 'Fair' }] }];
  const zone = { id: 960_001, name: 'Z', areas: [{ id: 960_001, name: 'A', tables: [] as never[] }] };
  const table = { id: 960_001, name: 'T', maxCovers: 2, isActive: false };
  const house = { zones: [{ ...zone, areas: [{ ...zone.areas[0], tables: [table] }] }], products: [] };
  await inTransaction(app().sql, (tx) =>
    importOperator(tx, {
      id: 950,
      name: 'Clubs',
      systems: ['house'],
      venues: [{ ...club, spaces, products: [], house: house as never }],
    }),
  );
  const options = { venueId: '950|house|club', as: 'demo-admin' };
  const { data } = (await read(`spaces/${first.id}/minimum-spend-overrides`, options)).json;
  assert.deepEqual(data, [{ id: data[0].id, ...override, amount: 700, reason: 'Fair' }]);
  assert.equal((await read('tables', options)).json.data[0].isActive, false);
});
