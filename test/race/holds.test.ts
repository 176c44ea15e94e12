/** Places that are held, seen from outside: over HTTP they are taken, and nothing shows them as bookings. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '../../src/db/database.ts';
import { type ProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { dayClock, minuteOfDay } from '../../src/kernel/zone-time.ts';
import type { LocalConnector, PlaceRequest } from '../../src/tms/contract.ts';
import { LOCAL_SYSTEMS } from '../../src/tms/systems.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { deadlocks, imbalances } from './balance.ts';
import { create, tally } from './storm.ts';
import { addGig, addRoom, type Start, startsApart } from './venues.ts';

const ZONE = 'Europe/London';
const RACERS = 20;
const TTL_MS = 5 * 60_000;

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(async () => {
  assert.deepEqual(await imbalances(maitred.sql), []);
  assert.equal(await deadlocks(maitred.sql), 0);
  await maitred.close();
});

/** The system as another node has it. */
function systemOf(productId: ProductId): LocalConnector {
  const system = LOCAL_SYSTEMS.find(({ slug }) => productId.includes(`|${slug}|`));
  assert.ok(system);
  return system.connect();
}

function requestFor(productId: ProductId, { date, time }: Start): PlaceRequest {
  const minute = minuteOfDay(time);
  return {
    bookingId: randomUUID(),
    productId,
    venueId: venueOfProduct(productId),
    zone: ZONE,
    date,
    minute,
    startMs: dayClock(ZONE, date).epochMsOf(minute) ?? Number.NaN,
    adults: 1,
    children: 0,
    durationMinutes: null,
    spaceId: null,
    nowMs: Date.now(),
  };
}

const hold = (request: PlaceRequest, ttlMs = TTL_MS) =>
  inTransaction(maitred.sql, async (tx) => {
    const outcome = await systemOf(request.productId).holds?.hold(tx, request, request.nowMs + ttlMs);
    assert.ok(outcome);
    return outcome;
  });
const release = ({ productId, bookingId }: PlaceRequest) =>
  inTransaction(maitred.sql, async (tx) => systemOf(productId).holds?.release(tx, bookingId));

async function offered(productId: ProductId, { date, time }: Start): Promise<boolean> {
  const path = `/venues/${encodeURIComponent(productId)}/availability?date=${date}&partySize=1`;
  const { status, text, json } = await maitred.call(path);
  assert.equal(status, 200, text);
  const times = json.times as { time: string; type: string }[];
  return times.some((slot) => slot.time === time && slot.type === 'book');
}

const [first, second, third] = startsApart(3) as [Start, Start, Start];
const products = async () => [
  await addRoom(maitred.sql, 1),
  await addGig(maitred.sql, 1, [first, second, third]),
];

test('a held place is taken for partners until it is released, and the diary shows no booking', async () => {
  for (const productId of await products()) {
    assert.equal(await offered(productId, first), true);
    const request = requestFor(productId, first);
    assert.equal((await hold(request)).kind, 'ok');
    assert.equal(await offered(productId, first), false);
    assert.deepEqual(tally([await create(maitred.call, productId, first)]), { '409 AVAIL-N-005': 1 });
    const diary = `/manage/venues/${encodeURIComponent(venueOfProduct(productId))}/diary?date=${first.date}`;
    const { status, json } = await maitred.call(diary, { as: 'demo-admin' });
    assert.equal(status, 200);
    assert.deepEqual(json.bookings, []);
    await release(request);
    assert.deepEqual(tally([await create(maitred.call, productId, first)]), { 201: 1 });
  }
});

test('a hold ends by clock, although it was not swept', async () => {
  for (const productId of await products()) {
    assert.equal((await hold(requestFor(productId, second), 1500)).kind, 'ok');
    assert.deepEqual(tally([await create(maitred.call, productId, second)]), { '409 AVAIL-N-005': 1 });
    await sleep(1600);
    assert.deepEqual(tally([await create(maitred.call, productId, second)]), { 201: 1 });
  }
});

test('of twenty who hold and book the last place at once one wins', async () => {
  for (const productId of await products()) {
    const wins = await Promise.all(
      Array.from({ length: RACERS }, async (_, index) =>
        index % 2 === 0
          ? (await hold(requestFor(productId, third))).kind === 'ok'
          : (await create(maitred.call, productId, third)).status === 201,
      ),
    );
    assert.equal(wins.filter(Boolean).length, 1);
  }
});

test('the job that sweeps leaves holds that are open', async () => {
  const [productId] = await products();
  assert.ok(productId);
  await hold(requestFor(productId, first));
  await maitred.services.sweepHolds(new AbortController().signal);
  assert.deepEqual(tally([await create(maitred.call, productId, first)]), { '409 AVAIL-N-005': 1 });
  await maitred.sql`update house_hold set expires_at = now() - interval '61 minutes'`;
  await maitred.services.sweepHolds(new AbortController().signal);
  assert.equal((await maitred.sql`select from house_hold`).length, 0);
});
