import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callNow, standingClock } from '../bookings/amend/amending.ts';
import { type Body, bookingsApp } from '../bookings/support.ts';
import { ada, dinner, remains } from './support.ts';

const time = standingClock();
const app = bookingsApp({ deps: { clock: time.clock } });

const send = (body: Body, key?: string) =>
  callNow(app(), '/v1/orders', {
    method: 'POST',
    body,
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });

test('a key is remembered for a day, and then begins anew', async () => {
  const body = { ...ada, items: [dinner()] };
  const other = { ...ada, items: [dinner()] };
  const first = await send(body, 'daily');
  assert.equal(first.status, 200, first.text);

  time.move({ hours: 23, minutes: 59 });
  assert.equal((await send(body, 'daily')).text, first.text);
  assert.equal((await send(other, 'daily')).status, 400);

  time.move({ minutes: 2 });
  const anew = await send(other, 'daily');
  assert.equal(anew.status, 200, anew.text);
  assert.notEqual(anew.json.orderId, first.json.orderId);
  assert.equal((await send(other, 'daily')).text, anew.text);
  assert.equal((await callNow(app(), `/v1/orders/${first.json.orderId}`)).json.status, 'complete');
});

test('the same request after a day is another order', async () => {
  const body = { ...ada, items: [dinner()] };
  const first = await send(body, 'same');
  time.move({ hours: 24, minutes: 1 });
  assert.notEqual((await send(body, 'same')).json.orderId, first.json.orderId);
});

test('a partnerOrderId is never free again', async () => {
  const body = { ...ada, partnerOrderId: 'for ever', items: [dinner()] };
  const first = await send(body, 'with a key');
  time.move({ hours: 24 * 30 });
  const past = await remains(app().sql);
  assert.equal((await send(body)).json.orderId, first.json.orderId);
  const refused = await send({ ...body, items: [dinner()] });
  assert.equal(refused.status, 400, refused.text);
  assert.equal(refused.json.code, 'BOOK-N-002');
  assert.deepEqual(await remains(app().sql), past);
});
