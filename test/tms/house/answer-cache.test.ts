import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import type { AvailabilityQuery, ProductAvailability } from '../../../src/tms/contract.ts';
import { createAnswerCache } from '../../../src/tms/house/answer-cache.ts';
import type { HouseProduct } from '../../../src/tms/house/book.ts';
import type { HoldingState } from '../../../src/tms/house/holds/held.ts';

const MINUTE = 60_000;
const productId = parseProductId('1|house|x|dinner');
const query: AvailabilityQuery = {
  productId,
  venueId: venueOfProduct(productId),
  zone: 'Europe/London',
  dates: ['2030-07-02'],
  adults: 2,
  children: 0,
  nowMs: 10 * MINUTE + 1,
};
const product = {} as HouseProduct;
const live = (): HoldingState => ({
  stays: { tableIds: [], startsMs: [], endsMs: [] },
  guestsByStartMs: new Map(),
  holds: [],
});
const answer = (): ProductAvailability => ({
  bounds: { minMinutes: 1, maxMinutes: 2, stepMinutes: 1 },
  policy: null,
  cancellationPolicy: null,
  days: [],
});

test('the same question on the same stays is answered with the same object', () => {
  const answerFor = createAnswerCache();
  const state = live();
  const first = answerFor(query, product, state, answer);
  assert.equal(answerFor(query, product, { ...state }, answer), first);
  assert.equal(
    answerFor({ ...query, nowMs: 11 * MINUTE }, product, state, answer),
    first,
    'within the minute',
  );
});

for (const [what, change] of [
  ['another party', { adults: 3 }],
  ['another day', { dates: ['2030-07-03'] }],
  ['another duration', { durationMinutes: 60 }],
  ['another zone', { zone: 'Europe/Paris' }],
  ['the next minute', { nowMs: 11 * MINUTE + 1 }],
] as const) {
  test(`${what} is worked out anew`, () => {
    const answerFor = createAnswerCache();
    const state = live();
    const first = answerFor(query, product, state, answer);
    assert.notEqual(answerFor({ ...query, ...change }, product, state, answer), first);
  });
}

test('other stays, other paces or another configuration are worked out anew', () => {
  const answerFor = createAnswerCache();
  const state = live();
  const first = answerFor(query, product, state, answer);
  assert.notEqual(answerFor(query, product, { ...state, stays: live().stays }, answer), first);
  const second = answerFor(query, product, state, answer);
  assert.notEqual(answerFor(query, product, { ...state, guestsByStartMs: new Map() }, answer), second);
  const third = answerFor(query, product, state, answer);
  assert.notEqual(answerFor(query, {} as HouseProduct, state, answer), third);
});

test('an answer is worked out anew when a hold has ended since, within the same minute', () => {
  const answerFor = createAnswerCache();
  const expiresMs = query.nowMs + 1000;
  const hold = { bookingId: 'b', tableIds: [1], startMs: 0, endMs: 1, expiresMs, guests: 2 };
  const state = { ...live(), holds: [hold] };
  const first = answerFor(query, product, state, answer);
  assert.equal(answerFor({ ...query, nowMs: expiresMs - 1 }, product, state, answer), first);
  assert.notEqual(answerFor({ ...query, nowMs: expiresMs }, product, state, answer), first);
});
