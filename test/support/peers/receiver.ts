/**
 * A receiver of webhooks on loopback that misbehaves on request. It notes what comes in, and then does as it was told:
 * `receiver.behave(hang)`, or for one path only `receiver.behave(answer(500), '/hooks/3')`.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { oddTimestamps } from '../timestamps.ts';
import { CERTIFICATE, PRIVATE_KEY } from './receiver-certificate.ts';

export interface ReceivedPost {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** That was asked for in the TLS handshake. */
  servername: string | null;
  /** As it came over the wire. */
  body: Buffer;
  /** When it was there to the last byte, on the clock of `performance.now()`. */
  arrivedAtMs: number;
}

/** Called when the request is there to its last byte. */
export type Behaviour = (response: ServerResponse, post: ReceivedPost) => void;

export interface Receiver {
  /** Without a slash at the end. */
  url: string;
  port: number;
  received: ReceivedPost[];
  /** How many connections were ever opened. */
  connections(): number;
  openConnections(): number;
  behave(behaviour: Behaviour, path?: string): void;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  behaviour?: Behaviour;
  /** Answers with the certificate of `receiver-certificate.ts`. */
  isSecure?: boolean;
  /** `::` also takes what comes to any other address of the machine. */
  host?: string;
}

export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { isSecure = false, host = '127.0.0.1' } = options;
  let behaviour = options.behaviour ?? answer(204);
  const behaviourOf = new Map<string, Behaviour>();
  const received: ReceivedPost[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const post = await readPost(request);
    if (!post) return;
    received.push(post);
    (behaviourOf.get(post.path) ?? behaviour)(response, post);
  };
  const server = isSecure
    ? https.createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, take)
    : http.createServer(take);
  const listening = await listen(server, host);
  return {
    ...listening,
    url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${listening.port}`,
    received,
    async close() {
      await listening.close();
      const odd = received.flatMap(({ body }) => oddTimestamps(jsonOf(body)));
      assert.deepEqual(odd, [], 'timestamps without exactly three digits of a second');
    },
    behave(next, path) {
      if (path === undefined) behaviour = next;
      else behaviourOf.set(path, next);
    },
  };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** A server that is handed bare connections, for what no HTTP server would do. */
export async function startRawReceiver(onConnection: (socket: Socket) => void) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  const listening = await listen(server, '127.0.0.1');
  return { ...listening, url: `http://127.0.0.1:${listening.port}` };
}

export function answer(status: number, headers: Record<string, string> = {}, body = ''): Behaviour {
  return (response) => response.writeHead(status, headers).end(body);
}

export const redirect = (to: string, status = 307): Behaviour => answer(status, { location: to });

/** Takes the request and never says a word. */
export const hang: Behaviour = () => {};

export const reset: Behaviour = (response) => response.socket?.resetAndDestroy();

/** Closes in the middle of the head. */
export const cutInHead: Behaviour = (response) => response.socket?.end('HTTP/1.1 204 No Con');

/** Closes in the middle of the body, long before its announced end. */
export const cutInBody: Behaviour = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"ok":');
  setImmediate(() => response.socket?.destroy());
};

/** A good head, and then a body that has no end: a byte at a time. */
export const drip: Behaviour = (response) => {
  response.writeHead(200);
  dripInto(response, () => response.write('.'));
};

/** A head that has no end: a byte at a time. */
export const dripHead: Behaviour = (response) => {
  response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
  dripInto(response, () => response.socket?.write('.'));
};

/** A good head, and as much body as is taken. */
export const flood =
  (bytes: number): Behaviour =>
  (response) => {
    const chunk = Buffer.alloc(16_384, '.');
    const chunks = Array.from({ length: Math.ceil(bytes / chunk.length) }, () => chunk);
    response.writeHead(200);
    pipeline(Readable.from(chunks), response).catch(() => {});
  };

const DRIP_MS = 10;

async function dripInto(response: ServerResponse, letFall: () => void): Promise<void> {
  while (!response.destroyed && !response.socket?.destroyed) {
    letFall();
    await sleep(DRIP_MS);
  }
}

async function readPost(request: IncomingMessage): Promise<ReceivedPost | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return undefined;
  }
  const { method = '', url = '', headers, socket } = request;
  const servername = (socket instanceof TLSSocket && socket.servername) || null;
  return {
    method,
    path: url,
    headers,
    servername,
    body: Buffer.concat(chunks),
    arrivedAtMs: performance.now(),
  };
}

async function listen(server: net.Server, host: string) {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    openConnections: () => open.size,
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
