/** The quick start in examples/, as a process that others can post to as well. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { tryPort } from '../../src/kernel/network.ts';
import { startTestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/pages/console.ts';
import { startExample } from './support.ts';

const started = new AsyncDisposableStack();
after(() => started.disposeAsync());

test('the quick start refuses a forged post and waits for the true one', async () => {
  const maitred = await startTestApp({ config: { webhookAllowLoopback: true } });
  started.defer(() => maitred.close());
  const port = await tryPort('127.0.0.1', 0);
  const env = { MAITRED_URL: await listen(maitred), PORT: String(port) };
  const { lines, exit } = startExample(started, 'quickstart.ts', { env });
  await eventually(() => lines().some((line) => line.endsWith(' is confirmed')));

  const body = JSON.stringify({ eventType: 'booking.updated', bookings: [{ id: 'x', status: 'cancelled' }] });
  for (let attempt = 0; attempt < 2; attempt++)
    assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status, 401);
  const dispatcher = maitred.services.webhooks.startDispatcher();
  started.defer(() => dispatcher.stop());
  assert.equal(await exit, 0);
  const [booked = '', told] = lines();
  assert.equal(told, `webhook: booking ${booked.split(' ')[1]} is confirmed`);
});
