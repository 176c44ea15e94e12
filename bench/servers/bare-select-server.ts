/** The reference for what has to ask the database: one row by its primary key, then bytes that were given. */
import Fastify from 'fastify';
import { openPool } from '../../src/db/database.ts';
import type { BareAnswer } from './bare-server.ts';
import { serve } from './serve.ts';

export interface BareSelect extends BareAnswer {
  databaseUrl: string;
  productId: string;
}

await serve(async (setup) => {
  const { contentType, body, databaseUrl, productId } = setup as BareSelect;
  const bytes = Buffer.from(body);
  const sql = openPool(databaseUrl);
  const app = Fastify({ logger: false });
  app.get('/', async (_request, reply) => {
    const [product] = await sql`select id, venue_id, name from product where id = ${productId}`;
    if (!product) throw new Error(`There is no product ${productId}.`);
    return reply.header('content-type', contentType).send(bytes);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    address,
    stop: async () => {
      app.server.closeAllConnections();
      await app.close();
      await sql.end();
    },
  };
});
