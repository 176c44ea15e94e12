/** What the tests of `POST /webhooks/test` share: an application that may post to loopback, and a receiver there. */
import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { type Answer, type CallOptions, startTestApp, type TestApp } from '../../support/app.ts';
import { type Receiver, startReceiver } from '../../support/peers/receiver.ts';
import type { Body } from '../bookings/support.ts';

export const SOHO = '1|house|soho-grill';
export const UNKNOWN_ID = '019a7f52-3b1e-7c40-8d25-b7e94a06f1c3';

/** Each test begins without subscriptions, and with all its calls. */
export function testingApp() {
  let maitred: TestApp;
  let receiver: Receiver;
  before(async () => {
    maitred = await startTestApp({ config: { webhookAllowLoopback: true } });
    receiver = await startReceiver();
  });
  after(async () => {
    await maitred.close();
    await receiver.close();
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    await allowCalls();
    await maitred.sql`delete from webhook`;
  });

  /** As after a minute. */
  const allowCalls = () => maitred.sql`delete from webhook_test_window`;

  function send(body: unknown, webhookId?: string, options: CallOptions = {}): Promise<Answer> {
    const query = webhookId === undefined ? '' : `?webhookId=${webhookId}`;
    return maitred.call(`/webhooks/test${query}`, { method: 'POST', body, ...options });
  }

  async function sent(body: Body, webhookId?: string, options: CallOptions = {}): Promise<Body[]> {
    const answer = await send(body, webhookId, options);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(answer.json), ['deliveries']);
    return answer.json.deliveries;
  }

  /** The one event that came of a test of this body. */
  async function received(body: Body): Promise<Body> {
    const [delivery, ...others] = await sent(body);
    assert.deepEqual([delivery?.delivered, others], [true, []]);
    const [post, ...more] = receiver.received.splice(0);
    assert.ok(post && more.length === 0);
    return JSON.parse(post.body.toString());
  }

  async function subscribe(path: string, more: object = {}, as = 'demo-partner'): Promise<Body> {
    const made = await maitred.call('/webhooks/subscriptions', {
      method: 'POST',
      as,
      body: { callbackUrl: receiver.url + path, ...more },
    });
    assert.equal(made.status, 201, made.text);
    return made.json;
  }

  return { maitred: () => maitred, receiver: () => receiver, allowCalls, send, sent, received, subscribe };
}
