import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../../support/app.ts';

const apps: TestApp[] = [];
let live: TestApp;
let staging: TestApp;
before(async () => {
  live = await startTestApp({ config: { environment: 'live' } });
  staging = await startTestApp({ config: { environment: 'staging' } });
  apps.push(live, staging);
});
after(() => Promise.all(apps.map((app) => app.close())));

const send = (app: TestApp, body: unknown) => app.call('/webhooks/test', { method: 'POST', body });

test('in live nothing but a ping can be sent, whatever else the test says', async () => {
  for (const eventType of ['booking.updated', 'message.received', 'venue.updated']) {
    assertProblem(await send(live, { eventType }), 422, 'WHK-N-006');
    assertProblem(await send(live, { eventType, bookingId: 'x', venueId: 'x' }), 422, 'WHK-N-006');
  }
  assert.deepEqual((await send(live, { eventType: 'webhook.ping' })).json, { deliveries: [] });
  assertProblem(await send(live, { eventType: 'booking.created' }), 400, 'WHK-N-005');
});

test('staging is no production', async () => {
  for (const eventType of ['booking.updated', 'message.received', 'venue.updated', 'webhook.ping'])
    assert.equal((await send(staging, { eventType })).status, 200);
});
