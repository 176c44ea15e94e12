import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RequestScope, runInScope } from '../kernel/request-scope.ts';
import type { App } from './route.ts';

const DEADLINE_MS = 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    scope: DeadlineScope | null;
  }
}

/** The code of the error that ends a request which takes too long. */
export const TOO_LATE = 'REQUEST_DEADLINE';

/**
 * Every request is answered before its deadline: with 503 where the work is not done by then. Must be installed before
 * anything that asks the database.
 */
export function installDeadlines(app: App): void {
  app.decorateRequest('scope', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.scope = new DeadlineScope(request, reply);
    runInScope(request.scope, done);
  });
  // How long a caller takes to send its body is limited elsewhere.
  app.addHook('preParsing', ({ scope }, _reply, _payload, done) => {
    scope?.pause();
    done();
  });
  // In its scope again: what follows a body runs where the last piece of it arrived.
  app.addHook('preValidation', ({ scope }, _reply, done) => {
    scope?.restart();
    runInScope(scope ?? undefined, done);
  });
  app.addHook('onResponse', ({ scope }, _reply, done) => {
    scope?.stop();
    done();
  });
}

class DeadlineScope implements RequestScope {
  mayHaveWritten = false;
  readonly #reply: FastifyReply;
  readonly #limitMs: number;
  readonly #timer: NodeJS.Timeout;
  #startedMs = performance.now();
  #isPaused = false;
  #isLate = false;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#reply = reply;
    this.#limitMs = request.routeOptions.config.deadlineMs ?? DEADLINE_MS;
    this.#timer = setTimeout(() => this.#end(), this.#limitMs).unref();
  }

  isOver(): boolean {
    const { raw } = this.#reply;
    return this.#isLate || (raw.destroyed && !raw.writableEnded);
  }

  leftMs(): number {
    return this.#startedMs + this.#limitMs - performance.now();
  }

  pause(): void {
    this.#isPaused = true;
  }

  restart(): void {
    this.#isPaused = false;
    this.#startedMs = performance.now();
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    // An answer that has begun only has to be sent.
    if (this.#isPaused || this.#reply.sent || this.#reply.raw.headersSent) return;
    this.#isLate = true;
    const seconds = this.#limitMs / 1000;
    this.#reply.send(Object.assign(new Error(`Not done within ${seconds} s.`), { code: TOO_LATE }));
  }
}
