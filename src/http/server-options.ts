import type { FastifyBaseLogger, FastifyHttpOptions, RawServerDefault } from 'fastify';
import { BODY_LIMIT_BYTES } from './json-body.ts';
import { logOptions } from './log-options.ts';
import { logOutput } from './log-stream.ts';
import { clientErrorHandler, frameworkErrors } from './problem-handler.ts';
import { correlationIdOf, MAX_HEADER_BYTES, QuietLogController } from './request-hygiene.ts';
import { RequestLog } from './request-log.ts';

/** Three segments of 100 characters and their separators, each character percent-encoded, fit into one parameter. */
const MAX_PARAM_LENGTH = 1024;
const REQUEST_TIMEOUT_MS = 60_000;

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
    // Whose address a limit counts: with proxies in front, the one that the outermost of them saw.
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: correlationIdOf,
    logController: new QuietLogController(),
    childLoggerFactory: (parent: FastifyBaseLogger, bindings: Record<string, unknown>) =>
      new RequestLog(parent, bindings) as unknown as FastifyBaseLogger,
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
