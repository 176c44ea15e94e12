/** Operators see what partners hold at their venues and can end it; partners are told what has expired. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { BOOTH, bookingsApp, freeDay } from '../bookings/support.ts';
import { bookHeld, held, readHold, release, stoppedClock } from './support.ts';

const { clock, pass } = stoppedClock();
const app = bookingsApp({ deps: { clock } });
const at = () => ({ date: freeDay(), time: '19:00' });
const as = 'demo-admin';

const list = (query = '', operatorId = 1) =>
  app().call(`/manage/operators/${operatorId}/holds${query}`, { as });
const end = (id: string, operatorId = 1) =>
  app().call(`/manage/operators/${operatorId}/holds/${id}`, { method: 'DELETE', as });

test('an operator lists the open holds at its venues, those first that end first', async () => {
  const late = await held(app(), { ...at(), ttlSeconds: 600 });
  const soon = await held(app(), at(), { as: 'other-partner' });
  await held(app(), { date: freeDay(6), time: '22:00' }, { productId: BOOTH });
  const { data, meta } = (await list()).json;
  assert.deepEqual([data[0].id, data[1].id, meta.totalItems], [soon.id, late.id, 2]);
  assert.equal(data[0].partner.name, 'Other Partner');
  assert.deepEqual(data[1].slot, late.slot);
  const soho = encodeURIComponent('1|house|soho-grill');
  assert.equal((await list(`?venueId=${soho}`)).json.meta.totalItems, 2);
  assert.equal((await list(`?venueId=${encodeURIComponent('1|house|garden-room')}`)).json.meta.totalItems, 0);
  pass(601);
  assert.equal((await list()).json.meta.totalItems, 0);
  assert.equal((await list('?status=expired')).json.meta.totalItems, 2);
});

test('an operator ends a hold, which is in its audit log', async () => {
  const kept = await held(app(), at());
  assertProblem(await end(kept.id, 2), 404, 'HOLD-N-001');
  assertProblem(await end('none'), 404, 'HOLD-N-001');
  for (let time = 0; time < 2; time += 1) assert.equal((await end(kept.id)).status, 204);
  assert.equal((await readHold(app(), kept.id)).json.status, 'released');
  assertProblem(await bookHeld(app(), kept), 410, 'HOLD-N-002');
  const entries = (await app().call('/manage/operators/1/audit', { as })).json.data;
  const [entry] = entries.filter(({ action }: { action: string }) => action === 'hold.release');
  assert.equal(entry.subject, `hold ${kept.id}`);
});

test('a hold that a booking has used is not ended', async () => {
  const kept = await held(app(), at());
  assert.equal((await bookHeld(app(), kept)).status, 201);
  assertProblem(await end(kept.id), 410, 'HOLD-N-002');
});

test('what has expired is told once, and only where it is asked for by name', async () => {
  const subscribe = async (eventTypes: string[] | null) => {
    const body = { callbackUrl: 'https://93.184.215.14/holds', ...(eventTypes && { eventTypes }) };
    return (await app().call('/webhooks/subscriptions', { method: 'POST', body })).json.webhookId;
  };
  pass(600);
  await app().services.bookings.sweepHolds();
  const [named, everything] = [await subscribe(['hold.expired']), await subscribe(null)];
  const [expired, released, used] = [
    await held(app(), at()),
    await held(app(), at()),
    await held(app(), at()),
  ];
  assert.equal((await release(app(), released.id)).status, 204);
  assert.equal((await bookHeld(app(), used)).status, 201);
  pass(306);
  const { bookings } = app().services;
  const [one, two] = await Promise.all([bookings.sweepHolds(), bookings.sweepHolds()]);
  assert.equal(one + two, 1);
  assert.equal(await bookings.sweepHolds(), 0);
  const { data } = (await app().call('/webhooks/events?eventType=hold.expired')).json;
  const told = data.filter(({ body }: { body: { holds: { id: string }[] } }) =>
    body.holds.some(({ id }) => id === expired.id),
  );
  assert.equal(told.length, 1);
  const deliveries = await app().sql<{ webhookId: string }[]>`
    select webhook_id as "webhookId" from delivery where event_id = ${told[0].id}`;
  assert.deepEqual(
    deliveries.map(({ webhookId }) => webhookId),
    [named],
  );
  assert.notEqual(named, everything);
});

test('a hold can be read for seven days', async () => {
  const kept = await held(app(), at());
  // Tokens do not last that long.
  const isKept = async () => (await app().sql`select from hold where id = ${kept.id}`).length > 0;
  pass(7 * 24 * 3600);
  await app().services.bookings.sweepHolds();
  assert.equal(await isKept(), true);
  pass(600);
  await app().services.bookings.sweepHolds();
  assert.equal(await isKept(), false);
});
