/** Stands between a client and a node, and does to requests and answers what networks and proxies do. */
import { once } from 'node:events';
import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface InjectedAnswer {
  status: number;
  headers?: OutgoingHttpHeaders;
  body?: string | object;
}

export type Fault =
  /** The connection breaks: before the node has the request, after it has carried it out, in the middle of its answer. */
  | { cut: 'before' | 'after' | 'middle' }
  /** Answers in place of the node, which never sees the request. */
  | { answer: InjectedAnswer }
  /** The node carries it out, and its answer is replaced. */
  | { replace: InjectedAnswer }
  /** The node gets another token than the client has sent. */
  | { token: string }
  /** There is no answer. */
  | { hang: true };

export interface SeenRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  /** Which attempt at its call this is, from 1. */
  attempt: number;
}

export interface FaultyProxy {
  url: string;
  seen: SeenRequest[];
  /** From now on what becomes of each request; undefined: it is passed on. */
  decide(rule: (request: SeenRequest) => Fault | undefined): void;
  close(): Promise<void>;
}

/** A problem as the service words it. */
export function problemAnswer(status: number, code: string, more: object = {}): InjectedAnswer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: {
      type: `/problems/${code}`,
      title: code,
      status,
      detail: 'Injected.',
      code,
      isRetryable: true,
      ...more,
    },
  };
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const agent = new http.Agent({ keepAlive: true });
  const attempts = new Map<string, number>();
  const seen: SeenRequest[] = [];
  let rule: (request: SeenRequest) => Fault | undefined = () => undefined;

  async function forward(request: IncomingMessage, body: Buffer, token?: string) {
    const headers = { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) };
    const outgoing = http.request(target + request.url, { method: request.method, agent, headers });
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 502, headers: answer.headers, body: await bytesOf(answer) };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request);
    const noted = note(request);
    const fault = rule(noted);
    if (fault && 'hang' in fault) return;
    if (fault && 'answer' in fault) return send(response, fault.answer);
    if (fault && 'cut' in fault && fault.cut === 'before') return void response.socket?.destroy();
    const answer = await forward(request, body, fault && 'token' in fault ? fault.token : undefined);
    if (fault && 'replace' in fault) return send(response, fault.replace);
    if (fault && 'cut' in fault) {
      if (fault.cut === 'middle') {
        response.writeHead(answer.status, answer.headers);
        response.write(answer.body.subarray(0, answer.body.length / 2));
        // What was written has to be on its way before the connection is gone.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return void response.socket?.destroy();
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  function note(request: IncomingMessage): SeenRequest {
    const id = `${request.method} ${request.headers['x-correlation-id']}`;
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const { method = '', url = '', headers } = request;
    const noted = { method, path: url, headers, attempt };
    seen.push(noted);
    return noted;
  }

  const server = http.createServer((request, response) => {
    handle(request, response).catch(() => response.socket?.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    decide(next) {
      rule = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, { status, headers, body = '' }: InjectedAnswer): void {
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
