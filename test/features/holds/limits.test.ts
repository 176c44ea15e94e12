/** A partner keeps at most twenty places at a venue, however it asks for them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../src/http/auth/caller.ts';
import type { ProductId } from '../../../src/kernel/ids.ts';
import { addGig, addRoom, startsApart } from '../../race/venues.ts';
import { assertProblem } from '../../support/app.ts';
import { metricOf } from '../../support/metrics.ts';
import { bookingsApp, DINNER, freeDay, jazzDay, VIP } from '../bookings/support.ts';
import { bookHeld, held, hold, release, stoppedClock } from './support.ts';

const MOST = 20;
const { clock, pass } = stoppedClock();
const app = bookingsApp({ deps: { clock } });
const at = () => ({ date: freeDay(), time: '19:00' });

const fill = (count: number) => Promise.all(Array.from({ length: count }, () => held(app(), at())));
/** Longer than a hold lasts. */
const ended = () => pass(301);

test('the twenty-first is refused until one of them ends, is used or is released', async () => {
  const kept = await fill(MOST);
  assertProblem(await hold(app(), at()), 409, 'HOLD-N-004');
  assert.equal((await release(app(), kept[0].id)).status, 204);
  assert.equal((await hold(app(), at())).status, 201);
  assertProblem(await hold(app(), at()), 409, 'HOLD-N-004');
  assert.equal((await bookHeld(app(), kept[1])).status, 201);
  assert.equal((await hold(app(), at())).status, 201);
  ended();
  assert.equal((await hold(app(), at())).status, 201);
  ended();
});

test('of thirty at once twenty are made', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => hold(app(), at())));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, MOST);
  for (const answer of answers) if (!made.includes(answer)) assertProblem(answer, 409, 'HOLD-N-004');
  ended();
});

test('of thirty at once who want the last place those who get none are told so, and nothing of the limit', async () => {
  const [start] = startsApart(1);
  for (const productId of [await addRoom(app().sql, 1), await addGig(app().sql, 1, startsApart(1))]) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => hold(app(), { ...start, partySize: 1 }, { productId })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 29);
    for (const answer of refused) assertProblem(answer, 409, 'AVAIL-N-005');
  }
  ended();
});

test('other partners and other venues are counted by themselves', async () => {
  await fill(MOST);
  assert.equal((await hold(app(), at(), { as: 'other-partner' })).status, 201);
  assert.equal((await hold(app(), { date: jazzDay(), time: '20:00' }, { productId: VIP })).status, 201);
  ended();
});

test('reservations of the OCTO channel count like holds', async () => {
  await fill(MOST - 1);
  const product = { productId: DINNER, optionId: 'DEFAULT' };
  const date = freeDay();
  const days = { localDateStart: date, localDateEnd: date, units: [{ id: 'guest', quantity: 2 }] };
  const post = (path: string, body: object) => app().call(path, { method: 'POST', body });
  const [start] = (await post('/octo/availability', { ...product, ...days })).json;
  const reserve = () =>
    post('/octo/bookings', {
      ...product,
      availabilityId: start.id,
      unitItems: [{ unitId: 'guest' }, { unitId: 'guest' }],
      expirationMinutes: 1,
    });
  const reserved = await reserve();
  assert.equal(reserved.status, 200, reserved.text);
  assertProblem(await hold(app(), at()), 409, 'HOLD-N-004');
  const refused = await reserve();
  assert.deepEqual([refused.status, refused.json.code], [400, 'HOLD-N-004'], refused.text);
  ended();
});

test('what the service holds of its own accord counts too, and is written with what belongs to it', async () => {
  await fill(MOST - 1);
  const caller: Caller = {
    kind: 'partner',
    clientId: 'demo-partner',
    partner: { id: 1, reference: 'demo-partner', name: 'Demo Partner' },
    scopes: new Set(),
  };
  const { bookings } = app().services;
  const asked = { productId: DINNER as ProductId, ttlSeconds: 900 };
  let written: string | undefined;
  const kept = await bookings.makeHold(caller, {
    ...asked,
    body: { partySize: 2, ...at() },
    written: async (_, { id }) => {
      written = id;
    },
  });
  assert.equal(written, kept.id);
  assertProblem(await hold(app(), at()), 409, 'HOLD-N-004');
  assert.equal((await release(app(), kept.id)).status, 204);
  const failing = async () => {
    throw new Error('What belongs to it cannot be written.');
  };
  const date = freeDay();
  await assert.rejects(
    bookings.makeHold(caller, { ...asked, body: { partySize: 2, date, time: '19:00' }, written: failing }),
  );
  const [{ left }] = await app().sql<[{ left: number }]>`
    select count(*)::int as left from house_hold where trading_day = ${date}`;
  assert.equal(left, 0, 'and then the place is not kept either');
  pass(901);
});

test('holds are measured', async () => {
  await held(app(), at());
  assert.equal(await metricOf(app(), 'holds_open'), 1);
  for (const outcome of ['made', 'used', 'released', 'refused'])
    assert.ok(Number(await metricOf(app(), `holds_total{outcome="${outcome}"}`)) > 0, outcome);
});
