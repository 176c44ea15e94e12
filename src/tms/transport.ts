/**
 * How systems are reached: connections are kept and shared, bodies are bounded, redirects are not followed, and only
 * addresses that the environment allows are connected to.
 */
import { Agent, type Dispatcher } from 'undici';
import type { Reach } from '../kernel/addresses.ts';
import { codeOf } from '../kernel/problem.ts';
import {
  createSafeConnector,
  type DialFailure,
  failureReason,
  type Resolve,
} from '../kernel/safe-connector.ts';
import { currentSpan, isTracing, traced, traceHeaders } from '../kernel/tracing.ts';
import type { SystemFetch, SystemResponse } from './remote.ts';

export interface Transport {
  fetch: SystemFetch;
  close(): Promise<void>;
}

export interface TransportOptions extends Reach {
  resolve?: Resolve;
  maxBodyBytes?: number;
  /** Trusted in place of the usual authorities. */
  ca?: string;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** More than the limits of a system let be under way at a time. */
const MAX_CONNECTIONS_PER_ORIGIN = 500;
/** Unless the system says how long it keeps a connection: shorter than most of them do. */
const IDLE_MS = 4_000;
const MAX_IDLE_MS = 60_000;

/** Why there is no answer. Its message is a sentence without anything that was sent or received. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** False: nothing has left this machine, so nothing can have been applied. */
  readonly isSent: boolean;
  /** As Node and undici name such failures, `ECONNREFUSED` for example. */
  readonly code: string;

  constructor(message: string, { isSent, code, cause }: { isSent: boolean; code: string; cause?: unknown }) {
    super(message, { cause });
    this.isSent = isSent;
    this.code = code;
  }
}

export function createTransport(options: TransportOptions): Transport {
  const { maxBodyBytes = MAX_BODY_BYTES } = options;
  let open: { agent: Agent; close(): void } | undefined;

  /** Made when it is first needed: most nodes of tests have no system that is elsewhere. */
  function agentOf(): Agent {
    open ??= openAgent(options);
    return open.agent;
  }

  return {
    async fetch(url, init) {
      init.signal.throwIfAborted();
      const target = targetOf(url);
      const send = () => exchange(agentOf(), target, init, maxBodyBytes);
      return isTracing() ? tracedExchange(init.method, target.origin, send) : send();
    },
    async close() {
      open?.close();
      await open?.agent.destroy();
      open = undefined;
    },
  };
}

/** The path may hold ids, so a span names the origin alone. */
const tracedExchange = (method: string, origin: string, send: () => Promise<SystemResponse>) =>
  traced(
    `${method} ${origin}`,
    async () => {
      const response = await send();
      currentSpan()?.set({ 'http.response.status_code': response.status });
      return response;
    },
    'client',
    { 'http.request.method': method, 'server.address': origin },
  );

function openAgent(options: TransportOptions) {
  const safeConnector = createSafeConnector(options);
  const agent = new Agent({
    connect: safeConnector.connect,
    connections: MAX_CONNECTIONS_PER_ORIGIN,
    allowH2: false,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    // Calls have a deadline, which their signal tells.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { agent, close: () => safeConnector.close() };
}

function targetOf(text: string): { origin: string; path: string } {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TransportError('The address of the system cannot be used.', {
      isSent: false,
      code: 'ERR_INVALID_URL',
    });
  return { origin: url.origin, path: url.pathname + url.search };
}

function exchange(
  agent: Agent,
  target: { origin: string; path: string },
  { method, headers, body, signal }: Parameters<SystemFetch>[1],
  maxBodyBytes: number,
): Promise<SystemResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<SystemResponse>();
  const chunks: Buffer[] = [];
  let received = 0;
  let status = 0;
  let responseHeaders: SystemResponse['headers'] = {};
  let request: Dispatcher.DispatchController | undefined;

  const stop = () => {
    reject(signal.reason);
    request?.abort(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  const done = () => signal.removeEventListener('abort', stop);

  agent.dispatch(
    {
      ...target,
      method: method as Dispatcher.HttpMethod,
      headers: { ...headers, ...traceHeaders() },
      body: body ?? null,
    },
    {
      onRequestStart(controller) {
        request = controller;
        // It may have waited for a connection until the deadline had passed.
        if (signal.aborted) controller.abort(signal.reason);
      },
      onResponseStart(_controller, statusCode, received) {
        if (statusCode < 200) return;
        status = statusCode;
        responseHeaders = singleValues(received);
      },
      onResponseData(controller, chunk) {
        received += chunk.length;
        if (received > maxBodyBytes) controller.abort(tooLong(maxBodyBytes));
        else chunks.push(Buffer.from(chunk));
      },
      onResponseEnd() {
        done();
        resolve({ status, headers: responseHeaders, body: joined(chunks) });
      },
      onResponseError(_controller, error) {
        done();
        reject(errorOf(error, request !== undefined));
      },
    },
  );
  return promise;
}

const joined = (chunks: Buffer[]): Buffer =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);

function singleValues(headers: Record<string, string | string[] | undefined>): SystemResponse['headers'] {
  const single: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers))
    single[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return single;
}

const tooLong = (maxBodyBytes: number) =>
  new TransportError(`The answer is longer than ${maxBodyBytes} bytes.`, {
    isSent: true,
    code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  });

const DIAL_FAILURES: Record<DialFailure, { message: string; code: string }> = {
  timeout: { message: 'No connection could be made in time.', code: 'UND_ERR_CONNECT_TIMEOUT' },
  refused: { message: 'The connection was refused.', code: 'ECONNREFUSED' },
  dns: { message: 'The name of the system cannot be found.', code: 'ENOTFOUND' },
  tls: { message: 'The certificate of the system cannot be trusted.', code: 'ERR_TLS' },
};

/** A request is begun on a connection that is there, so what failed before has not been sent. */
function errorOf(error: Error, isSent: boolean): Error {
  if (error instanceof TransportError) return error;
  if (!isSent) {
    const { message, code } = DIAL_FAILURES[failureReason(error)];
    return new TransportError(message, { isSent, code, cause: error });
  }
  const code = codeOf(error) ?? 'UND_ERR_SOCKET';
  const message =
    error.name === 'HTTPParserError'
      ? 'The answer is not HTTP.'
      : 'The connection was cut before the answer was complete.';
  return new TransportError(message, { isSent, code, cause: error });
}
