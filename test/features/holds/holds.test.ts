import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { book, bookingsApp, COPPER_ROOM, freeDay, jazzDay, PRIVATE, VIP } from '../bookings/support.ts';
import { bookHeld, extend, held, hold, readHold, release, stoppedClock } from './support.ts';

const { clock, nowMs, pass } = stoppedClock();
// By itself the house lets its rooms only after an enquiry.
const app = bookingsApp(
  { deps: { clock } },
  ({ sql }) => sql`update house_product set is_request_only = false where product_id = ${PRIVATE}`,
);

const room = { partySize: 12, spaceId: COPPER_ROOM };
const hire = { productId: PRIVATE };

test('a hold keeps the place, and its booking has its id', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00' });
  assert.equal(kept.status, 'open');
  assert.equal(Date.parse(kept.expiresAt), nowMs() + 300_000);
  assert.deepEqual((await readHold(app(), kept.id)).json, kept);
  const booking = await bookHeld(app(), kept);
  assert.equal(booking.status, 201, booking.text);
  assert.equal(booking.json.id, kept.id);
  const used = (await readHold(app(), kept.id)).json;
  assert.deepEqual([used.status, used.bookingId, used.offerToken], ['used', kept.id, null]);
});

test('what is held is taken for everybody else, and free again from its end on, without any job', async () => {
  const at = { ...room, date: freeDay(), time: '19:00' };
  const kept = await held(app(), { ...at, ttlSeconds: 60 }, hire);
  assertProblem(await hold(app(), at, hire), 409, 'AVAIL-N-005');
  assertProblem(await book(app(), at, hire), 409, 'AVAIL-N-005');
  assertProblem(await book(app(), at, { ...hire, as: 'other-partner' }), 409, 'AVAIL-N-005');
  pass(60);
  assert.equal((await readHold(app(), kept.id)).json.status, 'expired');
  assertProblem(await bookHeld(app(), kept, {}, hire), 410, 'HOLD-N-002');
  assertProblem(await extend(app(), kept.id), 410, 'HOLD-N-002');
  assert.equal((await release(app(), kept.id)).status, 204);
  assert.equal((await book(app(), at, hire)).status, 201);
});

test('a released place is free at once, and releasing it twice is no mistake', async () => {
  const at = { ...room, date: freeDay(), time: '19:00' };
  const kept = await held(app(), at, hire);
  for (let time = 0; time < 2; time += 1) assert.equal((await release(app(), kept.id)).status, 204);
  assert.equal((await readHold(app(), kept.id)).json.status, 'released');
  assertProblem(await bookHeld(app(), kept), 410, 'HOLD-N-002');
  assert.equal((await hold(app(), at, hire)).status, 201);
});

test('a hold is extended once, and the place with it', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00', ttlSeconds: 60 });
  pass(30);
  const longer = await extend(app(), kept.id, { ttlSeconds: 120 });
  assert.equal(longer.status, 200, longer.text);
  assert.equal(Date.parse(longer.json.expiresAt), nowMs() + 120_000);
  assert.deepEqual(longer.json.offer, kept.offer);
  assert.notEqual(longer.json.offerToken, kept.offerToken);
  assertProblem(await extend(app(), kept.id), 409, 'HOLD-N-006');
  pass(100);
  assert.equal((await bookHeld(app(), kept)).status, 201);
});

test('an extension never ends a hold earlier', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00', ttlSeconds: 600 });
  assert.equal((await extend(app(), kept.id, { ttlSeconds: 1 })).json.expiresAt, kept.expiresAt);
});

test('of two extensions at once one counts', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00' });
  const answers = await Promise.all([extend(app(), kept.id), extend(app(), kept.id)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('the same request under the same key is one hold', async () => {
  const at = { date: freeDay(), time: '19:00' };
  const keyed = { headers: { 'idempotency-key': `hold-${nowMs()}` } };
  const [one, two] = [await held(app(), at, keyed), await held(app(), at, keyed)];
  assert.deepEqual(two, one);
  assertProblem(await hold(app(), { ...at, partySize: 3 }, keyed), 400, 'VALID-N-001');
});

test('held tickets are sold at the price at which they were held', async () => {
  const kept = await held(app(), { date: jazzDay(), time: '20:00' }, { productId: VIP });
  const { pricePerGuest, balance } = kept.offer;
  assert.ok(pricePerGuest > 0);
  assert.equal(balance, 2 * pricePerGuest);
  await app().sql`update ticket_type set price_pence = price_pence + 1000 where product_id = ${VIP}`;
  assert.equal((await bookHeld(app(), kept)).status, 201);
  const options = await app().call(`/venues/bookings/${kept.id}/payment-options`);
  assert.equal(options.json.finalBalance, balance);
});

test('what cannot be booked cannot be held, for the same reason', async () => {
  const date = freeDay();
  const at = { date, time: '19:00' };
  const off = assertProblem(await hold(app(), { date, time: '19:07' }), 409, 'AVAIL-N-005');
  assert.ok(off.nearestTimes.length > 0);
  assertProblem(await hold(app(), { ...at, partySize: 1000 }), 409, 'AVAIL-N-005');
  assertProblem(await hold(app(), { ...at, spaceId: 999_999 }), 404, 'BOOK-N-010');
  assertProblem(await hold(app(), { date }), 400, 'BOOK-N-019');
  assertProblem(await hold(app(), { ...at, ttlSeconds: 601 }), 400, 'VALID-N-001');
  assertProblem(await hold(app(), at, { productId: '3|house|hidden-kitchen|dinner' }), 403, 'PMAP-N-001');
  assertProblem(await hold(app(), at, { as: 'demo-operator' }), 403, 'USER-N-009');
});
