import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { memoize } from '../format/memoize.ts';

type Bindings = Record<string, unknown>;
type Line = [details: object | string, message?: string];

/**
 * The log of one request, made when something is first written to it. Most requests write a single line, which does
 * not need a logger of its own, and making one costs more than the line.
 */
export class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  #own: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #log(): FastifyBaseLogger {
    this.#own ??= this.#parent.child(this.#bindings);
    return this.#own;
  }

  get level(): string {
    return this.#parent.level;
  }

  fatal(...line: Line): void {
    this.#log.fatal(...(line as [object]));
  }
  error(...line: Line): void {
    this.#log.error(...(line as [object]));
  }
  warn(...line: Line): void {
    this.#log.warn(...(line as [object]));
  }
  info(...line: Line): void {
    this.#log.info(...(line as [object]));
  }
  debug(...line: Line): void {
    this.#log.debug(...(line as [object]));
  }
  trace(...line: Line): void {
    this.#log.trace(...(line as [object]));
  }
  silent(): void {}
  child(bindings: Bindings): FastifyBaseLogger {
    return this.#log.child(bindings);
  }
}

export interface Answered {
  correlationId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  clientId: string | undefined;
  code: string | undefined;
}

const { symbols } = pino;

/** What pino begins each line with, and where it writes to. */
interface PinoParts {
  [symbols.lsCacheSym]: Record<number, string>;
  [symbols.timeSym](): string;
  [symbols.chindingsSym]: string;
  [symbols.streamSym]: { write(line: string): void };
}

/** pino's number for the level. */
const INFO = 30;
const WORDS_BYTES = 1024 ** 2;
const quoted = memoize(WORDS_BYTES, (word) => JSON.stringify(word));

/**
 * The line that every request ends with. It is the very text of `log.info(answered, 'answered')`, which a test holds
 * it to, at about a third of the cost: the members are known beforehand, and none of them is ever withheld.
 */
export function logAnswered(log: FastifyBaseLogger, answered: Answered): void {
  if (!(log as pino.Logger).isLevelEnabled('info')) return;
  const pinoParts = log as unknown as PinoParts;
  let line = `${pinoParts[symbols.lsCacheSym][INFO]}${pinoParts[symbols.timeSym]()}${pinoParts[symbols.chindingsSym]}`;
  line += `,"correlationId":${JSON.stringify(answered.correlationId)}`;
  line += `,"method":${quoted(answered.method)},"route":${quoted(answered.route)}`;
  line += `,"status":${answered.status},"durationMs":${answered.durationMs}`;
  if (answered.clientId !== undefined) line += `,"clientId":${quoted(answered.clientId)}`;
  if (answered.code !== undefined) line += `,"code":${quoted(answered.code)}`;
  pinoParts[symbols.streamSym].write(`${line},"msg":"answered"}\n`);
}
