import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { wireOf } from '../octo-supplier/server.ts';
import {
  type BookingDraft,
  createRemoteBook,
  type Question,
  type RemoteAnswer,
  type RemoteBook,
  type RemoteBookOptions,
} from './book.ts';
import { createFaults, type Fault, type Faults, type RemoteOperation } from './faults.ts';

/**
 * A table management system that is not ours: a real server on loopback that speaks `connect` (docs/connect.md), keeps
 * its own bookings and misbehaves when told to, by `faults` or, for one request, by a header `x-fault` with the fault as
 * JSON.
 */
export interface RemoteTms {
  url: string;
  faults: Faults;
  book: RemoteBook;
  /** What it was asked, the latest last. */
  paths(): readonly string[];
  /** What was put off by the fault `late` is done now. */
  applyLate(): void;
  /** How often it was asked, refusals and failures included. */
  calls(operation: RemoteOperation): number;
  close(): Promise<void>;
}

function operationOf(
  { method = '', headers }: IncomingMessage,
  path: string,
  body: unknown,
): RemoteOperation {
  const isHold = path.startsWith('/holds/');
  if (path === '/availability' || path === '/changes') return path.slice(1) as RemoteOperation;
  if (method === 'DELETE') return isHold ? 'release' : 'cancel';
  if (method !== 'PUT') return 'find';
  if (isHold) return headers['if-match'] ? 'extend' : 'hold';
  if (headers['if-match']) return 'amend';
  return (body as BookingDraft).holdId ? 'confirm' : 'book';
}

export async function startRemoteTms(options: RemoteBookOptions): Promise<RemoteTms> {
  const faults = createFaults();
  const book = createRemoteBook(options);
  const paths: string[] = [];
  const counts = new Map<RemoteOperation, number>();
  const late: (() => RemoteAnswer)[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://remote');
    const sent = ['PUT', 'POST'].includes(request.method ?? '') ? await json(request) : undefined;
    const operation = operationOf(request, url.pathname, sent);
    paths.push(url.pathname);
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    const id = decodeURIComponent(url.pathname.split('/')[2] ?? '');
    const perform = (): RemoteAnswer => {
      switch (operation) {
        case 'availability':
          return book.days(sent as Question);
        case 'changes':
          return book.changes(url.searchParams.get('after'));
        case 'book':
        case 'confirm':
          return book.book(id, sent as BookingDraft);
        case 'amend':
        case 'hold':
        case 'extend':
          return book[operation](id, sent as BookingDraft);
        case 'cancel':
        case 'find':
        case 'release':
          return book[operation](id);
      }
    };
    const fault = faultIn(request) ?? faults.take(operation);
    if (fault?.kind === 'late') late.push(perform);
    await answer(response, perform, fault);
  }

  const server = createServer((request, response) => {
    // A caller that has hung up cannot be told of anything.
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    book,
    paths: () => paths,
    applyLate() {
      for (const perform of late.splice(0)) perform();
    },
    calls: (operation) => counts.get(operation) ?? 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function faultIn(request: IncomingMessage): Fault | undefined {
  const header = request.headers['x-fault'];
  return typeof header === 'string' ? (JSON.parse(header) as Fault) : undefined;
}

async function answer(response: ServerResponse, perform: () => RemoteAnswer, fault?: Fault): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      return send(response, perform());
    case 'slow':
      await sleep(fault.delayMs);
      return send(response, perform());
    case 'hang':
      return;
    case 'refuse':
      return send(response, { status: 409, body: { reason: fault.reason } });
    case 'rate-limit':
      response.setHeader('retry-after', String(fault.retryAfterSeconds));
      return send(response, { status: 429 });
    case 'status':
      if (fault.delayMs !== undefined) await sleep(fault.delayMs);
      if (fault.status === 503) response.setHeader('retry-after', '1');
      return send(response, { status: fault.status, body: fault.body });
    case 'cut-before-commit':
    case 'late':
      response.destroy();
      return;
    case 'cut-after-commit':
      perform();
      response.destroy();
      return;
    case 'twice': {
      const { status, body } = perform();
      const { socket } = response;
      send(response, { status, body });
      response.once('finish', () => socket?.write(wireOf(status, body)));
      return;
    }
    case 'altered': {
      const { status, body } = perform();
      return send(response, { status, body: fault.change(structuredClone(body)) });
    }
    case 'garbage':
      response.writeHead(perform().status === 204 ? 200 : 201).end(fault.body ?? '<html>It works!</html>');
      return;
  }
}

function send(response: ServerResponse, { status, body }: RemoteAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
