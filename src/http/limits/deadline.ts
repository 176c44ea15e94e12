import type { FastifyReply, FastifyRequest, preParsingHookHandler, preValidationHookHandler } from 'fastify';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { type RequestScope, runInScope } from '../../kernel/request-scope.ts';
import type { SandboxFaults } from '../../kernel/sandbox-faults.ts';
import { type App, routeOf } from '../route.ts';

/** A request is ended at most so much later. */
const SWEEP_MS = 100;

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
  const open = new Set<DeadlineScope>();
  // One timer for all of them: a timer of its own costs a request more than the rest of its deadline.
  const sweep = setInterval(() => {
    const nowMs = performance.now();
    for (const scope of open) if (scope.endIfLate(nowMs)) open.delete(scope);
  }, SWEEP_MS).unref();
  app.addHook('onClose', async () => clearInterval(sweep));

  app.decorateRequest('scope', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.scope = new DeadlineScope(request, reply);
    open.add(request.scope);
    runInScope(request.scope, done);
  });
  app.addHook('onRoute', (route) => {
    if (BODILESS.includes(String(route.method))) return;
    route.preParsing = [pauseScope, ...[route.preParsing ?? []].flat()];
    route.preValidation = [resumeScope, ...[route.preValidation ?? []].flat()];
  });
  app.addHook('onResponse', ({ scope }, _reply, done) => {
    if (scope) open.delete(scope);
    done();
  });
}

const BODILESS: readonly string[] = ['GET', 'HEAD'];

/** How long a caller takes to send its body is limited elsewhere. */
const pauseScope: preParsingHookHandler = ({ scope }, _reply, _payload, done) => {
  scope?.pause();
  done();
};

/** In its scope again: what follows a body runs where the last piece of it arrived. */
const resumeScope: preValidationHookHandler = ({ scope }, _reply, done) => {
  scope?.restart();
  runInScope(scope ?? undefined, done);
};

class DeadlineScope implements RequestScope {
  mayHaveWritten = false;
  faults: SandboxFaults | undefined;
  isPaused = false;
  readonly #reply: FastifyReply;
  readonly #limitMs: number;
  #startedMs = performance.now();
  #isLate = false;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#reply = reply;
    this.#limitMs = routeOf(request).deadlineMs ?? DEADLINES.request;
  }

  isOver(): boolean {
    const { raw } = this.#reply;
    return this.#isLate || (raw.destroyed && !raw.writableEnded);
  }

  leftMs(): number {
    return this.#startedMs + this.#limitMs - performance.now();
  }

  pause(): void {
    this.isPaused = true;
  }

  restart(): void {
    this.isPaused = false;
    this.#startedMs = performance.now();
  }

  /** Whether nothing is left to watch: it is late, or its caller has disconnected. */
  endIfLate(nowMs: number): boolean {
    if (this.#reply.raw.destroyed) return true;
    if (this.isPaused || nowMs < this.#startedMs + this.#limitMs) return false;
    // An answer that has begun only has to be sent.
    if (this.#reply.sent || this.#reply.raw.headersSent) return true;
    this.#isLate = true;
    this.#reply.send(this.tooLate());
    return true;
  }

  /** What a request that is not done in time is answered with. */
  tooLate(): Error {
    return Object.assign(new Error(`Not done within ${this.#limitMs / 1000} s.`), { code: TOO_LATE });
  }
}
