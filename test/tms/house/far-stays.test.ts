import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAST_TRADING_DAY } from '../../../src/kernel/zone-time.ts';
import { booked, bookingsApp } from '../../features/bookings/support.ts';
import { addRoom } from '../../race/venues.ts';

const app = bookingsApp();

test('the last day there is can be booked, and be asked about afterwards', async () => {
  const productId = await addRoom(app().sql, 2);
  await booked(app(), { date: LAST_TRADING_DAY, time: '20:00' }, { productId });
  const path = `/venues/${encodeURIComponent(productId)}/availability?date=${LAST_TRADING_DAY}&partySize=2`;
  const answer = await app().call(path);
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.json.times.length > 0);
});
