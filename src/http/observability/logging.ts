/**
 * What may be logged. Guests' data and secrets must never reach the logs: bodies and query values are never logged,
 * errors are reduced to what describes the program, and values under secret names are blanked. Not with pino's
 * `redact`: its wildcards cost twenty times the line they check.
 */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import pino from 'pino';
import type { Log } from '../../kernel/log.ts';
import { codeOf } from '../../kernel/problem.ts';
import { currentSpan, isTracing } from '../../kernel/tracing.ts';
import { routeNameOf } from '../problems/method-not-allowed.ts';

const SECRET_NAMES = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'secretKey',
  'clientSecret',
  'client_secret',
];
const TOKEN_NAMES = ['token', 'access_token', 'accessToken', 'apiKey', 'encryptionKeys'];
const GUEST_NAMES = [
  'email',
  'phone',
  'firstName',
  'lastName',
  'notes',
  'comments',
  'admin_notes',
  'body',
  'query',
];
const WITHHELD_NAMES: ReadonlySet<string> = new Set([...SECRET_NAMES, ...TOKEN_NAMES, ...GUEST_NAMES]);
const MAX_DEPTH = 4;

interface DescribedError {
  type: string;
  message: string;
  stack: string;
  code?: string;
  [detail: string]: unknown;
}

/** Members of a PostgreSQL error that name things in the schema; the others can quote a row. */
const POSTGRES_MEMBERS = [
  'severity',
  'schema_name',
  'table_name',
  'column_name',
  'constraint_name',
  'routine',
] as const;
const MAX_CAUSES = 5;

function isPostgresError(error: Error): boolean {
  return error.name === 'PostgresError' || ('severity' in error && 'routine' in error);
}

/** Syntax errors quote the text that was parsed, and PostgreSQL's class 22 the value it could not read. */
function messageQuotesData(error: Error, code: string | undefined): boolean {
  return error instanceof SyntaxError || (isPostgresError(error) && code?.startsWith('22') === true);
}

function venueRefsOf(error: Error): string {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return frames.join('\n');
}

/** An error for the log: type, message, frames and causes, and nothing that could have come from a row or a body. */
function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is no error was thrown', stack: '' };
  const code = codeOf(error);
  const described: DescribedError = {
    type: error.name,
    message: messageQuotesData(error, code) ? '(withheld, it may quote data)' : error.message,
    stack: venueRefsOf(error),
    ...(code === undefined ? {} : { code }),
  };
  if (isPostgresError(error)) {
    for (const member of POSTGRES_MEMBERS) {
      const value = (error as unknown as Record<string, unknown>)[member];
      if (value !== undefined) described[member] = value;
    }
  }
  if (error instanceof AggregateError && depth < MAX_CAUSES) {
    described.errors = error.errors.slice(0, MAX_CAUSES).map((inner) => describeError(inner, depth + 1));
  }
  if (error.cause !== undefined && depth < MAX_CAUSES)
    described.cause = describeError(error.cause, depth + 1);
  return described;
}

const logSerializers = {
  err: (error: unknown) => describeError(error),
  error: (error: unknown) => describeError(error),
  req: (request: FastifyRequest) => ({
    method: request.method,
    route: routeNameOf(request),
  }),
  res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
};

type Bindings = Record<string, unknown>;

function isPlain(value: unknown): value is Bindings {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** The same bindings, copied only where something had to be blanked. Requests and errors have their serialisers. */
function withhold(bindings: Bindings, depth = 0): Bindings {
  let result = bindings;
  for (const name of Object.keys(bindings)) {
    const value = bindings[name];
    const shown = WITHHELD_NAMES.has(name)
      ? '[withheld]'
      : isPlain(value)
        ? withholdBelow(value, depth)
        : value;
    if (shown === value) continue;
    if (result === bindings)
      result = Array.isArray(bindings) ? ([...bindings] as unknown as Bindings) : { ...bindings };
    result[name] = shown;
  }
  return result;
}

function withholdBelow(value: Bindings, depth: number): unknown {
  return depth >= MAX_DEPTH ? '[too deep to show]' : withhold(value, depth + 1);
}

/** Of a trace that is recorded: the others cannot be looked up. */
function traceOfLine(): object {
  const span = currentSpan();
  return span?.isSampled ? { traceId: span.traceId } : {};
}

/** Options for every pino logger of the program. */
export function logOptions(level: string) {
  return {
    level,
    formatters: { log: (bindings: Bindings) => withhold(bindings) },
    serializers: logSerializers,
    ...(isTracing() && { mixin: traceOfLine }),
  };
}

type Line = Parameters<FastifyBaseLogger['info']>;

/** The logger of one request. Few requests write a line with it, so it is made for the first one. */
export class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: object;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: object) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #logger(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings);
    return this.#made;
  }

  get level(): string {
    return this.#parent.level;
  }
  child(bindings: Bindings): FastifyBaseLogger {
    return this.#logger.child(bindings);
  }
  fatal(...line: Line): void {
    this.#logger.fatal(...line);
  }
  error(...line: Line): void {
    this.#logger.error(...line);
  }
  warn(...line: Line): void {
    this.#logger.warn(...line);
  }
  info(...line: Line): void {
    this.#logger.info(...line);
  }
  debug(...line: Line): void {
    this.#logger.debug(...line);
  }
  trace(...line: Line): void {
    this.#logger.trace(...line);
  }
  silent(): void {}
}

interface LineForm {
  log: pino.Logger;
  /** What every line of the logger has, as text that begins with a comma. */
  bindings: string;
  stream: { write(line: string): void };
}

const lineForms = new WeakMap<FastifyBaseLogger, LineForm>();
const lineFormOf = (logger: FastifyBaseLogger): LineForm =>
  lineForms.getOrInsertComputed(logger, () => {
    const { chindingsSym, streamSym } = pino.symbols;
    const log = logger as pino.Logger;
    return { log, bindings: Reflect.get(log, chindingsSym), stream: Reflect.get(log, streamSym) };
  });

/** The line that `logger.info` would write, for fields that need not be withheld or described: a fraction of the work. */
export function logPlainLine(logger: FastifyBaseLogger, line: object, msg: string): void {
  const { log, bindings, stream } = lineFormOf(logger);
  if (!log.isLevelEnabled('info')) return;
  const head = `{"level":${pino.levels.values.info},"time":${Date.now()}${bindings}`;
  stream.write(`${head},${JSON.stringify({ ...line, msg }).slice(1)}\n`);
}

/** For what is not about a request: the same form, and the same place, as the lines of the application. */
export function createServiceLog(level: string, stream: { write(line: string): void } = logOutput()): Log {
  return pino(logOptions(level), stream);
}

const BATCH_LENGTH = 32_768;
const LONGEST_WAIT_MS = 100;

interface LogOutput {
  write(line: string): void;
  /** pino calls it after a line of level `fatal`, which may be the last one. */
  flushSync(): void;
}

let output: LogOutput | undefined;

/**
 * Standard output for log lines, written in batches: a system call per line would cost as much as the rest of the
 * line. Nothing waits longer than a moment, and what waits when the process ends is written then. pino's stream can
 * wait for a batch too, but measures all that waits again for each line that joins it.
 */
export function logOutput(): LogOutput {
  if (output) return output;
  const stream = pino.destination({ dest: 1, sync: true });
  let waiting = '';
  const writeBatch = () => {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    stream.write(lines);
  };
  output = {
    write(line) {
      waiting += line;
      if (waiting.length >= BATCH_LENGTH) writeBatch();
    },
    flushSync() {
      writeBatch();
      stream.flushSync();
    },
  };
  setInterval(writeBatch, LONGEST_WAIT_MS).unref();
  process.once('exit', () => output?.flushSync());
  return output;
}
