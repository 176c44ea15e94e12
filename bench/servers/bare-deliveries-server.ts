/**
 * The reference for deliveries: a loop that signs bodies in both ways and posts them. Asked at `/?count=4000`, it does
 * so that often, so many at a time, and answers when all have been taken.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { Agent, request } from 'undici';
import {
  apiKeyOf,
  newSigningSecret,
  standardSignature,
} from '../../src/features/webhooks/subscriptions/secrets.ts';
import { bodyOf } from '../deliveries/deliveries-body.ts';
import { serve } from './serve.ts';

export interface BareDeliveries {
  receiverUrl: string;
  concurrency: number;
}

await serve(async (setup) => {
  const { receiverUrl, concurrency } = setup as BareDeliveries;
  const secret = newSigningSecret();
  const webhookId = randomUUID();
  const dispatcher = new Agent({ connections: concurrency });

  async function deliver(body: Buffer): Promise<void> {
    const id = randomUUID();
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const answer = await request(receiverUrl, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'bare',
        'x-api-key': apiKeyOf(secret, body),
        'x-webhook-id': webhookId,
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': standardSignature(
          { current: secret, previous: null },
          { id, timestampSeconds, body },
        ),
      },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`The receiver said ${answer.statusCode}.`);
  }

  const app = Fastify({ logger: false });
  app.get<{ Querystring: { count: string } }>('/', async ({ query }) => {
    const bodies = Array.from({ length: Number(query.count) }, (_, index) => Buffer.from(bodyOf(index)));
    const began = performance.now();
    const next = bodies.values();
    const lane = async () => {
      for (const body of next) await deliver(body);
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
    return { seconds: (performance.now() - began) / 1000 };
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    address,
    stop: async () => {
      await dispatcher.destroy();
      app.server.closeAllConnections();
      await app.close();
    },
  };
});
