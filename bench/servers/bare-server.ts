/** The reference: a route that does nothing but send bytes it was given. */
import Fastify from 'fastify';
import { serve } from './serve.ts';

export interface BareAnswer {
  contentType: string;
  body: Uint8Array;
}

await serve(async (setup) => {
  const { contentType, body } = setup as BareAnswer;
  const bytes = Buffer.from(body);
  const app = Fastify({ logger: false });
  app.get('/', (_request, reply) => {
    reply.header('content-type', contentType).send(bytes);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    address,
    stop: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
});
