/** The reference for what has to ask another system: one bare call, then bytes that were given. */
import Fastify from 'fastify';
import { Agent, request } from 'undici';
import type { BareAnswer } from './bare-server.ts';
import { serve } from './serve.ts';

export interface BareCall extends BareAnswer {
  url: string;
  /** What the system is sent. */
  question: string;
}

await serve(async (setup) => {
  const { contentType, body, url, question } = setup as BareCall;
  const bytes = Buffer.from(body);
  const dispatcher = new Agent();
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench' };
  const app = Fastify({ logger: false });
  app.get('/', async (_request, reply) => {
    const called = await request(url, { dispatcher, method: 'POST', headers, body: question });
    await called.body.text();
    return reply.header('content-type', contentType).send(bytes);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    address,
    stop: async () => {
      app.server.closeAllConnections();
      await app.close();
      await dispatcher.close();
    },
  };
});
