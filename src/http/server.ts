import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyHttpOptions, RawServerDefault } from 'fastify';
import { Counter } from 'prom-client';
import { DEADLINES } from '../kernel/deadlines.ts';
import { logOptions, logOutput, RequestLogger } from './observability/logging.ts';
import { clientErrorHandler, frameworkErrors } from './problems/problem-handler.ts';
import { correlationIdOf, MAX_HEADER_BYTES, QuietLogController } from './request-hygiene.ts';
import type { App } from './route.ts';
import { BODY_LIMIT_BYTES } from './validation/body-parsers.ts';

/** Three segments of 100 characters and their separators, each character percent-encoded, fit into one parameter. */
const MAX_PARAM_LENGTH = 1024;

export interface ServerSettings {
  publicUrl: string;
  logLevel: string;
  trustedProxies?: number;
  /** Where log lines go; standard output unless a test wants to read them. */
  logStream?: { write(line: string): void };
}

/** The part of the Fastify options that hygiene needs: what is decided here cannot be installed later. */
export function serverOptions(settings: ServerSettings) {
  const { trustedProxies = 0 } = settings;
  return {
    http: {
      // Node would answer a request without Host with a bare 400; hygiene refuses it as a problem.
      requireHostHeader: false,
      // Of two Authorization, Host or Content-Type headers Node would believe the first and a proxy perhaps the other.
      joinDuplicateHeaders: true,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    // The address that rate limits count: behind proxies, the one that the outermost of them saw.
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: DEADLINES.requestArrival,
    genReqId: correlationIdOf,
    logController: new QuietLogController(),
    childLoggerFactory: (logger: FastifyBaseLogger, bindings: object) => new RequestLogger(logger, bindings),
    logger: {
      ...logOptions(settings.logLevel),
      stream: settings.logStream ?? logOutput(),
    },
    frameworkErrors: frameworkErrors(settings.publicUrl),
    clientErrorHandler: clientErrorHandler(settings.publicUrl),
    // A request that arrives while the node stops is still answered; Fastify would send a 503 of its own shape.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  } satisfies FastifyHttpOptions<RawServerDefault>;
}

/** A stall is noticed at most a fifteenth of the limit late. */
const LOOKS = 15;

/** Node shows what the kernel has taken of a write nowhere else; `bytesWritten` of a socket counts what waits, too. */
interface SocketHandle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

interface Progress {
  sentBytes: number;
  sinceMs: number;
}

/**
 * Closes connections whose peer has not read a byte of an answer for `stalledAfterMs`: the unsent bytes are memory.
 * Only unsent bytes count, so a slow request keeps its connection. Checking all connections from time to time costs
 * requests nothing, while a timer per socket would be reset with every read and write.
 */
export function closeStalledSockets(app: App, stalledAfterMs: number): Counter {
  const closed = new Counter({
    name: 'http_stalled_connections_closed_total',
    help: 'Connections closed because their peer had stopped reading.',
    registers: [],
  });
  const sockets = openSockets(app.server);
  const progress = new WeakMap<Socket, Progress>();

  function look(): void {
    const nowMs = performance.now();
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        progress.delete(socket);
        continue;
      }
      const sentBytes = sentBytesOf(socket);
      const known = progress.get(socket);
      if (known?.sentBytes !== sentBytes) progress.set(socket, { sentBytes, sinceMs: nowMs });
      else if (nowMs - known.sinceMs >= stalledAfterMs) {
        closed.inc();
        // A mere end would leave what the kernel holds there until the peer reads it.
        socket.resetAndDestroy();
      }
    }
  }

  const timer = setInterval(look, stalledAfterMs / LOOKS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return closed;
}

function openSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function sentBytesOf(socket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } = (socket as { _handle?: SocketHandle })._handle ?? {};
  return bytesWritten - writeQueueSize;
}
