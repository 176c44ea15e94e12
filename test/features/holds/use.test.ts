/** A hold is used by one booking, and only by the booking that it is for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import {
  assertRefused,
  BRUNCH,
  bookingsApp,
  CELLAR,
  COPPER_ROOM,
  freeDay,
  jazzDay,
  PRIVATE,
  STANDARD,
} from '../bookings/support.ts';
import { bookHeld, extend, held, readHold, release, stoppedClock } from './support.ts';

const { clock, pass } = stoppedClock();
const app = bookingsApp(
  { deps: { clock } },
  ({ sql }) => sql`update house_product set is_request_only = false where product_id = ${PRIVATE}`,
);
const hire = { productId: PRIVATE };

const others: Record<string, [overrides: object, field: string]> = {
  'a larger party': [{ partySize: 13 }, 'partySize'],
  'a smaller party': [{ partySize: 11 }, 'partySize'],
  'more children': [{ children: 1 }, 'children'],
  'another time': [{ time: '19:30' }, 'time'],
  'another date': [{ date: '2027-03-03' }, 'date'],
  'another instant': [
    { date: undefined, time: undefined, dateTime: '2027-03-03T19:00:00+00:00' },
    'dateTime',
  ],
  'another duration': [{ duration: 60 }, 'duration'],
  'another space': [{ spaceId: CELLAR }, 'spaceId'],
  'an enquiry': [{ type: 'request' }, 'type'],
};

for (const [what, [overrides, field]] of Object.entries(others)) {
  test(`a hold is not for ${what}`, async () => {
    const at = { partySize: 12, spaceId: COPPER_ROOM, date: freeDay(), time: '19:00' };
    const kept = await held(app(), at, hire);
    const refusal = await assertRefused(app(), () => bookHeld(app(), kept, overrides), 422, 'HOLD-N-003');
    assert.ok(refusal.detail.includes(field), refusal.detail);
    assert.equal((await readHold(app(), kept.id)).json.status, 'open');
    const booking = await bookHeld(app(), kept);
    assert.equal(booking.status, 201, booking.text);
    assert.equal(booking.json.spaceId, COPPER_ROOM);
  });
}

test('a hold is not for another product', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00' });
  const refusal = await assertRefused(
    app(),
    () => bookHeld(app(), kept, {}, { productId: BRUNCH }),
    422,
    'HOLD-N-003',
  );
  assert.ok(refusal.detail.includes('compositeId'));
});

test('to other partners a hold is not there, and an unknown one is not either', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00' });
  const as = 'other-partner';
  assertProblem(await readHold(app(), kept.id, as), 404, 'HOLD-N-001');
  assertProblem(await extend(app(), kept.id, undefined, as), 404, 'HOLD-N-001');
  assertProblem(await release(app(), kept.id, as), 404, 'HOLD-N-001');
  await assertRefused(app(), () => bookHeld(app(), kept, {}, { as }), 404, 'HOLD-N-001');
  for (const holdId of ['none', '018f6d2e-7d3a-7c11-9a3b-2f1e0d9c8b7a'])
    await assertRefused(app(), () => bookHeld(app(), kept, { holdId }), 404, 'HOLD-N-001');
  assert.equal((await readHold(app(), kept.id)).json.status, 'open');
});

test('a hold is used once, and says by which booking', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00' });
  assert.equal((await bookHeld(app(), kept)).status, 201);
  const again = await assertRefused(app(), () => bookHeld(app(), kept), 410, 'HOLD-N-002');
  assert.equal(again.bookingId, kept.id);
  assertProblem(await release(app(), kept.id), 410, 'HOLD-N-002');
});

test('of bookings with one hold at once one is made', async () => {
  for (const headers of [{}, { 'x-booking-source': 'chatbot' }]) {
    const kept = await held(app(), { date: freeDay(), time: '19:00' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => bookHeld(app(), kept, {}, { headers })),
    );
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, 1);
    for (const answer of answers)
      if (answer !== made[0]) assert.equal(assertProblem(answer, 410, 'HOLD-N-002').bookingId, kept.id);
  }
});

test('and of a hold of tickets, which are sold once', async () => {
  const kept = await held(app(), { date: jazzDay(5), time: '20:00' }, { productId: STANDARD });
  const answers = await Promise.all(Array.from({ length: 8 }, () => bookHeld(app(), kept)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(410)]);
  const [row] = await app().sql`
    select (select count(*)::int from ticket_reservation where id = ${kept.id}) as sold,
      (select count(*)::int from booking where id = ${kept.id} and status = 'confirmed') as booked`;
  assert.deepEqual({ ...row }, { sold: 1, booked: 1 });
});

test('a booking of a hold that is sent again under its key is answered alike', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00' });
  const keyed = { headers: { 'idempotency-key': `use-${kept.id}` } };
  const [one, two] = [await bookHeld(app(), kept, {}, keyed), await bookHeld(app(), kept, {}, keyed)];
  assert.deepEqual([one.status, two.status], [201, 201]);
  assert.deepEqual(two.json, one.json);
});

test('what is left out of the booking is what is held', async () => {
  const at = { partySize: 12, children: 1, spaceId: COPPER_ROOM, date: freeDay(), time: '19:00' };
  const kept = await held(app(), at, hire);
  const booking = await bookHeld(app(), kept, { children: undefined });
  assert.equal(booking.status, 201, booking.text);
  assert.deepEqual([booking.json.children, booking.json.spaceId], [1, COPPER_ROOM]);
});

test('the token of the offer is checked where it is sent', async () => {
  const at = { time: '19:00' };
  const kept = await held(app(), { ...at, date: freeDay() });
  const another = await held(app(), { ...at, date: freeDay() });
  const [head, payload, signature] = kept.offerToken.split('.');
  const changed = JSON.parse(Buffer.from(payload, 'base64url').toString());
  changed.offer.deposit = 1;
  const tampered = [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
  const access = await app().token('demo-partner');
  for (const offerToken of ['none', tampered, another.offerToken, access])
    await assertRefused(app(), () => bookHeld(app(), kept, { offerToken }), 422, 'HOLD-N-003');
  const agent = { as: 'demo-agent', headers: { 'x-partner-reference': 'demo-partner' } };
  const { offerToken } = kept;
  await assertRefused(app(), () => bookHeld(app(), kept, { offerToken }, agent), 422, 'HOLD-N-003');
  assert.equal((await bookHeld(app(), kept, { offerToken })).status, 201);
});

test('a token ends with the hold that it was given with', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00', ttlSeconds: 60 });
  const longer = await extend(app(), kept.id, { ttlSeconds: 600 });
  pass(61);
  const { offerToken } = kept;
  await assertRefused(app(), () => bookHeld(app(), kept, { offerToken }), 422, 'HOLD-N-003');
  assert.equal((await bookHeld(app(), kept, { offerToken: longer.json.offerToken })).status, 201);
});

test('anybody can check an offer with our public keys', async () => {
  const kept = await held(app(), { date: freeDay(), time: '19:00' });
  const { createLocalJWKSet, jwtVerify } = await import('jose');
  const keys = createLocalJWKSet((await app().call('/.well-known/jwks.json', { as: null })).json);
  const { payload, protectedHeader } = await jwtVerify(kept.offerToken, keys, {
    currentDate: new Date(clock().epochMilliseconds),
  });
  assert.deepEqual([payload.jti, payload.aud, protectedHeader.alg], [kept.id, 'demo-partner', 'ES256']);
  assert.deepEqual(payload.offer, { ...kept.offer, slot: kept.slot });
  assert.equal((payload.exp ?? 0) * 1000, Date.parse(kept.expiresAt));
});
