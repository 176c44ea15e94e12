import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { book, bookingsApp, freeDay, jazzDay, VIP } from '../bookings/support.ts';
import { bookHeld, extend, held, hold, readHold, release } from './support.ts';

const START = Temporal.Now.instant().round('second').epochMilliseconds;
let nowMs = START;
const clock = () => Temporal.Instant.fromEpochMilliseconds(nowMs);
const pass = (seconds: number) => {
  nowMs += seconds * 1000;
};
const app = bookingsApp({ deps: { clock } });

test('a hold keeps the place, and its booking has its id', async () => {
  const date = freeDay();
  const kept = await held(app(), { date, time: '19:00' });
  assert.equal(kept.status, 'open');
  assert.equal(Date.parse(kept.expiresAt), nowMs + 300_000);
  assert.deepEqual((await readHold(app(), kept.id)).json.slot, kept.slot);
  const booking = await bookHeld(app(), kept);
  assert.equal(booking.status, 201, booking.text);
  assert.equal(booking.json.id, kept.id);
  const used = (await readHold(app(), kept.id)).json;
  assert.deepEqual([used.status, used.bookingId, used.offerToken], ['used', kept.id, null]);
  const again = assertProblem(await bookHeld(app(), kept), 410, 'HOLD-N-002');
  assert.equal(again.bookingId, kept.id);
});

test('a hold ends by clock, without any job', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00', ttlSeconds: 60 });
  pass(60);
  assert.equal((await readHold(app(), kept.id)).json.status, 'expired');
  assertProblem(await bookHeld(app(), kept), 410, 'HOLD-N-002');
});

test('a hold is extended once', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00', ttlSeconds: 60 });
  pass(30);
  const longer = await extend(app(), kept.id, { ttlSeconds: 120 });
  assert.equal(longer.status, 200, longer.text);
  assert.equal(Date.parse(longer.json.expiresAt), nowMs + 120_000);
  assertProblem(await extend(app(), kept.id), 409, 'HOLD-N-006');
  pass(100);
  assert.equal((await bookHeld(app(), kept)).status, 201);
});

test('a released place is free again, and releasing it twice is no mistake', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00' });
  assert.equal((await release(app(), kept.id)).status, 204);
  assert.equal((await release(app(), kept.id)).status, 204);
  assertProblem(await bookHeld(app(), kept), 410, 'HOLD-N-002');
  assertProblem(await extend(app(), kept.id), 410, 'HOLD-N-002');
});

test('held tickets are sold at the price at which they were held', async () => {
  const kept = await held(app(), { date: jazzDay(), time: '20:00' }, { productId: VIP });
  assert.ok(kept.offer.pricePerGuest > 0);
  assert.equal(kept.offer.balance, 2 * kept.offer.pricePerGuest);
  assert.equal((await bookHeld(app(), kept)).status, 201);
});

test('what does not match the hold is refused', async () => {
  const date = freeDay();
  const kept = await held(app(), { date, time: '19:00' });
  assertProblem(await bookHeld(app(), kept, { partySize: 3 }), 422, 'HOLD-N-003');
  assertProblem(await readHold(app(), kept.id, 'other-partner'), 404, 'HOLD-N-001');
  void hold;
  void book;
});
