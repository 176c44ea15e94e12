/** The receiver in examples/, as a process of its own that a node posts to. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { tryPort } from '../../../src/kernel/network.ts';
import { startTestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { cancel } from '../bookings/amending.ts';
import { booked } from '../bookings/support.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'examples', 'webhook-receiver.ts');

/** Runs the example until the test is over. */
async function startExample(t: TestContext, port: number, secret: string) {
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH ?? '', PORT: String(port), WEBHOOK_SECRET: secret },
  });
  const exit = once(child, 'exit');
  t.after(async () => {
    child.kill();
    await exit;
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const lines = () => printed.split('\n').filter(Boolean);
  await eventually(() => lines().length > 0);
  return lines;
}

const started = new AsyncDisposableStack();
after(() => started.disposeAsync());

test('the example accepts what the node sends, once, and refuses what it did not send', async (t) => {
  const maitred = await startTestApp({ config: { webhookAllowLoopback: true } });
  started.defer(() => maitred.close());
  const port = await tryPort('127.0.0.1', 0);
  const callbackUrl = `http://127.0.0.1:${port}/maitred`;
  const subscribed = await maitred.call('/webhooks/subscriptions', { method: 'POST', body: { callbackUrl } });
  const { webhookId, secretKey } = subscribed.json;
  const lines = await startExample(t, port, secretKey);
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

  const before = lines().length;
  for (const forged of forgeries(secretKey)) {
    const { status } = await fetch(callbackUrl, { method: 'POST', ...forged });
    assert.equal(status, 401);
  }
  await eventually(() => lines().length === before + forgeries(secretKey).length);
  assert.deepEqual(new Set(lines().slice(before)), new Set(['refused: not signed with our secret']));
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
