import type { FastifyBaseLogger } from 'fastify';

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
