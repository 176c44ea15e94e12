/** A collector of traces that writes down what it is sent, as it came. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TraceFile {
  url: string;
  /** Once everything that was sent is in the file. */
  flushed(): Promise<void>;
  close(): Promise<void>;
}

/** A node sends its spans at least that often. */
const EXPORT_MS = 6000;

export async function startTraceFile(path: string): Promise<TraceFile> {
  const file = createWriteStream(path);
  const server = createServer((request, response) => {
    request.pipe(file, { end: false });
    request.once('end', () => {
      file.write('\n');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    flushed: () => new Promise((resolve) => setTimeout(resolve, EXPORT_MS)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      file.end();
    },
  };
}
