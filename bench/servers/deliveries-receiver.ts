/** Takes whatever is posted and says 204; asked at `/?count=4000`, it answers when so many more have come. */
import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from './serve.ts';

await serve(async () => {
  let expected: { left: number; response: ServerResponse } | undefined;
  const server = http.createServer((request, response) => {
    if (request.method === 'GET') {
      const left = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('count'));
      expected = { left, response };
      // The head goes out at once: then whoever asked knows that counting has begun.
      response.flushHeaders();
      return;
    }
    request.resume();
    request.on('end', () => {
      response.writeHead(204).end();
      if (!expected) return;
      expected.left -= 1;
      if (expected.left === 0) expected.response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
});
