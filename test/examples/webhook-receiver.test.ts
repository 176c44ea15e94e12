/** The receiver in examples/, as a process of its own that a node posts to. */
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { signWebhook } from '@maitred/client';
import { tryPort } from '../../src/kernel/network.ts';
import { cancel } from '../features/bookings/amend/amending.ts';
import { booked } from '../features/bookings/support.ts';
import { startTestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/pages/console.ts';
import { startExample } from './support.ts';

const RECEIVER = 'webhook-receiver.ts';

const started = new AsyncDisposableStack();
after(() => started.disposeAsync());

test('the example accepts what the node sends, once, and refuses what it did not send', async () => {
  const maitred = await startTestApp({ config: { webhookAllowLoopback: true } });
  started.defer(() => maitred.close());
  const port = await tryPort('127.0.0.1', 0);
  const callbackUrl = `http://127.0.0.1:${port}/maitred`;
  const subscribed = await maitred.call('/webhooks/subscriptions', { method: 'POST', body: { callbackUrl } });
  const { webhookId, secretKey } = subscribed.json;
  const { lines } = startExample(started, RECEIVER, {
    env: { PORT: String(port), WEBHOOK_SECRET: secretKey },
  });
  await eventually(() => lines().includes(`Listening on port ${port}`));
  const dispatcher = maitred.services.webhooks.startDispatcher();
  started.defer(() => dispatcher.stop());

  const { id } = await booked(maitred);
  await eventually(() => lines().includes(`accepted: booking.updated, booking ${id} is confirmed`));
  await cancel(maitred, id);
  await eventually(() => lines().includes(`accepted: booking.updated, booking ${id} is cancelled`));

  const { data } = (await maitred.call('/webhooks/events')).json;
  const replay = { method: 'POST', body: { eventId: data[0].id } } as const;
  assert.equal((await maitred.call(`/webhooks/subscriptions/${webhookId}/replay`, replay)).status, 202);
  await eventually(() => lines().includes(`had already: ${data[0].id}`));

  const ping = { method: 'POST', body: { eventType: 'webhook.ping' } } as const;
  const { deliveries } = (await maitred.call('/webhooks/test', ping)).json;
  assert.equal(deliveries[0].statusCode, 204);
  await eventually(() => lines().includes('test: webhook.ping'));

  const post = { id: randomUUID(), body: JSON.stringify({ eventType: 'webhook.ping' }), secrets: secretKey };
  const headers = await signWebhook(post);
  const atOnce = Array.from({ length: 8 }, () =>
    fetch(callbackUrl, { method: 'POST', headers, body: post.body }),
  );
  for (const { status } of await Promise.all(atOnce)) assert.equal(status, 204);
  await eventually(() => lines().filter((line) => line === `had already: ${post.id}`).length === 7);
  assert.equal(lines().filter((line) => line === 'accepted: webhook.ping').length, 1);

  const before = lines().length;
  for (const forged of forgeries(secretKey)) {
    const { status } = await fetch(callbackUrl, { method: 'POST', ...forged });
    assert.equal(status, 401);
  }
  await eventually(() => lines().length === before + forgeries(secretKey).length);
  assert.deepEqual(new Set(lines().slice(before)), new Set(['refused: not signed with our secret']));
});

test('without a secret the example subscribes, and ends the subscription when it ends', async () => {
  const maitred = await startTestApp({ config: { webhookAllowLoopback: true } });
  started.defer(() => maitred.close());
  const address = await listen(maitred);
  const port = await tryPort('127.0.0.1', 0);
  const example = startExample(started, RECEIVER, { env: { PORT: String(port), MAITRED_URL: address } });
  await eventually(() => example.lines().includes(`Listening on port ${port}`));
  const dispatcher = maitred.services.webhooks.startDispatcher();
  started.defer(() => dispatcher.stop());

  const { id } = await booked(maitred);
  await eventually(() => example.lines().includes(`accepted: booking.updated, booking ${id} is confirmed`));
  await example.stop();
  assert.deepEqual((await maitred.call('/webhooks/subscriptions')).json.data, []);
});

test('where the node may not post to its own machine the example follows the log', async () => {
  const maitred = await startTestApp();
  started.defer(() => maitred.close());
  const example = startExample(started, RECEIVER, { env: { MAITRED_URL: await listen(maitred) } });
  await eventually(() => example.lines().some((line) => line.startsWith('Following the log')));
  const { id } = await booked(maitred);
  await eventually(() => example.lines().includes(`in the log: booking.updated, booking ${id} is confirmed`));
});

/** By somebody who does not know the secret, and by somebody who has an old post. */
function forgeries(secretKey: string) {
  const body = JSON.stringify({
    eventType: 'booking.updated',
    timestamp: '2026-11-15T10:00:00Z',
    bookings: [],
  });
  const signed = (secret: string, timestamp: number) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const mac = createHmac('sha256', key).update(`forged.${timestamp}.${body}`).digest('base64');
    return {
      body,
      headers: {
        'webhook-id': 'forged',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${mac}`,
      },
    };
  };
  const now = Math.floor(Date.now() / 1000);
  return [{ body }, signed(`whsec_${'A'.repeat(43)}=`, now), signed(secretKey, now - 3600)];
}
