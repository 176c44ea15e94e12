/** The callers, in a process of their own: asked at `/?perSecond=500&seconds=3`, it runs that and answers what came of it. */
import Fastify from 'fastify';
import { serve } from '../../bench/servers/serve.ts';
import { openConnections } from './connections.ts';
import { createMix, type Partner } from './mix.ts';
import { runPhase } from './phase.ts';

export interface GeneratorSetup {
  address: string;
  connections: number;
  partners: Partner[];
}

await serve(async (setup) => {
  const { address, connections: count, partners } = setup as GeneratorSetup;
  const connections = await openConnections(new URL(address), count, createMix(partners, Math.random));
  const app = Fastify({ logger: false });
  app.get<{ Querystring: { perSecond: string; seconds: string } }>('/', ({ query }) =>
    runPhase(connections, Math.random, {
      perSecond: Number(query.perSecond),
      seconds: Number(query.seconds),
    }),
  );
  return {
    address: await app.listen({ host: '127.0.0.1', port: 0 }),
    stop: async () => {
      connections.close();
      app.server.closeAllConnections();
      await app.close();
    },
  };
});
