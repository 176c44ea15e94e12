/** An OCTO supplier as a real server on loopback, which compares every body with the published description. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOctoBook, type OctoAnswer, type SupplierOptions } from './book.ts';
import { createOctoFaults, type OctoFault, type OctoOperation } from './faults.ts';
import { readPublished } from './published.ts';

export const API_KEY = 'octo-key';

interface Request {
  operation: OctoOperation;
  /** As OpenAPI writes it. */
  path: string;
  perform(): OctoAnswer;
}

export type OctoSupplier = Awaited<ReturnType<typeof startOctoSupplier>>;

export async function startOctoSupplier(options: SupplierOptions) {
  const book = createOctoBook(options);
  const faults = createOctoFaults();
  const published = readPublished();
  const unpublished: string[] = [];
  const late: (() => unknown)[] = [];
  const counts = new Map<OctoOperation, number>();
  const lastBodies = new Map<OctoOperation, unknown>();

  function routed(method: string, url: URL, body: unknown): Request | undefined {
    const [, noun, id = '', verb] = url.pathname.split('/');
    const call = <Body>(
      operation: OctoOperation,
      path: string,
      perform: (body: Body) => OctoAnswer,
    ): Request => ({
      operation,
      path,
      perform: () => perform(body as Body),
    });
    switch (`${method} ${noun}${id && '/id'}${verb ? `/${verb}` : ''}`) {
      case 'GET supplier':
        return call('supplier', '/supplier', book.supplier);
      case 'GET products':
        return call('products', '/products', book.products);
      case 'GET products/id':
        return call('product', '/products/{id}', () => book.productOf(id));
      case 'POST availability':
        return call('availability', '/availability', book.availability);
      case 'POST bookings':
        return call('hold', '/bookings', book.hold);
      case 'GET bookings':
        return call('list', '/bookings', () => book.list(url.searchParams.get('resellerReference')));
      case 'GET bookings/id':
        return call('get', '/bookings/{uuid}', () => book.get(id));
      case 'PATCH bookings/id':
        return call('update', '/bookings/{uuid}', (update: object) => book.update(id, update));
      case 'POST bookings/id/confirm':
        return call('confirm', '/bookings/{uuid}/confirm', () => book.confirm(id));
      case 'POST bookings/id/extend':
        return call('extend', '/bookings/{uuid}/extend', (extension: object) => book.extend(id, extension));
      case 'POST bookings/id/cancel':
        return call('cancel', '/bookings/{uuid}/cancel', (reason: object) => book.cancel(id, reason));
      default:
        return undefined;
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? '';
    const sent = await text(request);
    const body = sent === '' ? undefined : JSON.parse(sent);
    const routing = routed(method, new URL(request.url ?? '/', 'http://octo'), body);
    if (!routing) return send(response, { status: 404, body: 'nothing here' });
    const { operation, path, perform } = routing;
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    lastBodies.set(operation, body);
    unpublished.push(...(published?.faultsIn(method, path, 'request', body) ?? []));
    if (request.headers['octo-capabilities'] === undefined)
      unpublished.push(`${method} ${path}: no capabilities`);
    if (request.headers.authorization !== `Bearer ${API_KEY}`)
      return send(response, { status: 400, body: { error: 'FORBIDDEN', errorMessage: 'The key is wrong.' } });
    const checked = () => {
      const answer = perform();
      if (answer.status < 500)
        unpublished.push(...(published?.faultsIn(method, path, answer.status, answer.body) ?? []));
      return answer;
    };
    const fault = faults.take(operation);
    if (fault?.kind === 'late') late.push(checked);
    await answerWith(response, checked, fault);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    book,
    faults,
    /** Bodies, ours and its own, that the published description does not allow. */
    unpublished,
    calls: (operation: OctoOperation) => counts.get(operation) ?? 0,
    lastBody: (operation: OctoOperation) => lastBodies.get(operation),
    /** What was put off by the fault `late` is done now. */
    applyLate() {
      for (const perform of late.splice(0)) perform();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answerWith(
  response: ServerResponse,
  perform: () => OctoAnswer,
  fault?: OctoFault,
): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      return send(response, perform());
    case 'slow':
      await sleep(fault.delayMs);
      return send(response, perform());
    case 'hang':
      return;
    case 'rate-limit':
      response.setHeader('retry-after', String(fault.retryAfterSeconds));
      return send(response, { status: 429, body: {} });
    case 'status':
      return send(response, { status: fault.status, body: fault.body });
    case 'cut-before-commit':
    case 'late':
      response.destroy();
      return;
    case 'cut-after-commit':
      perform();
      response.destroy();
      return;
    case 'garbage':
      response.writeHead(perform().status).end(fault.body);
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
  }
}

/** An answer as bytes, for which there is no question. */
export function wireOf(status: number, body: unknown): string {
  const text = JSON.stringify(body) ?? '';
  const length = Buffer.byteLength(text);
  return `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`;
}

function send(response: ServerResponse, { status, body }: OctoAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
