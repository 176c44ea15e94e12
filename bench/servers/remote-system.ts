/**
 * A system that speaks `connect` and costs as little as one can: it answers every question with the bytes that it was
 * given, and has no bookings. Questions under `/hanging` are never answered.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from './serve.ts';

export interface RemoteSystem {
  body: string;
}

await serve(async (setup) => {
  const { body } = setup as RemoteSystem;
  const bytes = Buffer.from(body);
  const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
  const server = createServer((request, response) => {
    request.resume();
    const { url = '' } = request;
    if (!url.endsWith('/availability')) response.writeHead(404).end('{"reason":"not-found"}');
    else if (!url.startsWith('/hanging/'))
      request.on('end', () => response.writeHead(200, headers).end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
});
