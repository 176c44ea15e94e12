import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { callTool, connect } from '../../channels/mcp/support.ts';
import { ADA, resellerOf, units } from '../../channels/octo-support.ts';
import { bookingsApp, DINNER, freeDay, jazzDay, STANDARD, traces } from '../bookings/support.ts';

const app = bookingsApp();
const reseller = resellerOf(app);

const octo = (path: string, body: object, fault: string | null) =>
  app().call(`/octo${path}`, {
    method: 'POST',
    body,
    ...(fault !== null && { headers: { 'x-sandbox-fault': fault } }),
  });

for (const [productId, date] of [
  [DINNER, freeDay()],
  [STANDARD, jazzDay(3)],
] as const) {
  test(`OCTO meets them for ${productId}, in its own form, and the same call then succeeds`, async () => {
    const start = await reseller.firstStart(productId, date);
    const uuid = randomUUID();
    const reservation = {
      ...{ uuid, productId, optionId: 'DEFAULT', availabilityId: start.id },
      unitItems: units(productId, 2),
    };
    const limited = await octo('/bookings', reservation, 'hold=rate-limited');
    assert.deepEqual([limited.status, limited.json.code], [503, 'BOOK-R-001'], limited.text);
    const taken = await octo('/bookings', reservation, 'hold=taken');
    assert.deepEqual([taken.status, taken.json.code], [400, 'AVAIL-N-005'], taken.text);
    assert.equal((await octo('/bookings', reservation, null)).status, 200);

    const more = { unitItems: units(productId, 3) };
    const kept = await reseller.get(`/bookings/${uuid}`);
    const moved = await app().call(`/octo/bookings/${uuid}`, {
      method: 'PATCH',
      body: more,
      headers: { 'x-sandbox-fault': 'cancel=unavailable' },
    });
    assert.deepEqual([moved.status, moved.json.code], [503, 'BOOK-R-002'], moved.text);
    assert.deepEqual(await reseller.get(`/bookings/${uuid}`), kept);

    const confirmation = { contact: ADA };
    const before = await traces(app().sql);
    const away = await octo(`/bookings/${uuid}/confirm`, confirmation, 'booking=unavailable');
    assert.deepEqual([away.status, away.json.code], [503, 'BOOK-R-002'], away.text);
    assert.deepEqual(await traces(app().sql), before);
    const lost = await octo(`/bookings/${uuid}/confirm`, confirmation, 'booking=unknown-applied');
    assert.deepEqual([lost.status, lost.json.isOutcomeKnown], [503, false], lost.text);
    const found = await octo(`/bookings/${uuid}/confirm`, confirmation, null);
    assert.deepEqual([found.status, found.json.status], [200, 'CONFIRMED'], found.text);
    assert.equal(Number((await traces(app().sql)).bookings), Number(before.bookings) + 1);

    const cancelled = await octo(`/bookings/${uuid}/cancel`, {}, 'cancel=rejected');
    assert.deepEqual([cancelled.status, cancelled.json.code], [400, 'BOOK-N-009'], cancelled.text);
    assert.equal((await reseller.get(`/bookings/${uuid}`)).status, 'CONFIRMED');
  });
}

test('a tool of MCP is told of them as of any other refusal', async () => {
  const client = await connect(app(), { headers: { 'x-sandbox-fault': 'booking=taken' } });
  const args = { compositeId: DINNER, partySize: 2, date: freeDay(), time: '19:00' };
  const { isError, text } = await callTool(client, 'create_venue_booking', {
    ...args,
    firstName: 'Ada',
    lastName: 'Lovelace',
  });
  assert.ok(isError);
  assert.match(text, /^AVAIL-N-005: /);
});
