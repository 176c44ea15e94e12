import type { Problem, ProblemCode, RuleViolation } from './types.ts';

interface ErrorOptions {
  correlationId?: string | undefined;
  cause?: unknown;
  isOutcomeKnown?: boolean;
}

/** What every error of this package has in common. */
export class MaitredError extends Error {
  /** To be quoted to support; it is in the logs of the service. */
  readonly correlationId: string | undefined;
  /**
   * True: what was asked for has certainly not been done. False: it may have been, by this attempt or an earlier one whose
   * answer was lost. Send the same again under the same `idempotencyKey`, or look it up, before you do something else.
   */
  readonly isOutcomeKnown: boolean;

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.correlationId = options.correlationId;
    this.isOutcomeKnown = options.isOutcomeKnown ?? false;
  }
}

/** The service refused, and says why. Write your handling against `code`. */
export class ProblemError extends MaitredError {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** Of the catalogue at `/problems`. Where no token was given it is the code of RFC 6749, such as `invalid_client`. */
  readonly code: ProblemCode | (string & {});
  /** The same words for every problem with this code. */
  readonly title: string;
  /** What was wrong this time. */
  readonly detail: string;
  /** The same request may succeed later. */
  readonly isRetryable: boolean;
  /** After how many seconds, where the service says so. */
  readonly retryAfterSeconds: number | undefined;
  /** With `VALID-N-001`: messages by the path of the field they are about. */
  readonly errors: Record<string, string[]>;
  /** The booking rules that refused. */
  readonly violations: RuleViolation[];
  /** The whole answer, with what only some codes have, such as `nearestTimes` or `bookingId`. */
  readonly problem: Problem;

  constructor(problem: Problem, options: ErrorOptions & { retryAfterSeconds?: number | undefined } = {}) {
    super(`${problem.code}: ${problem.detail}`, options);
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.isRetryable = problem.isRetryable;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.errors = problem.errors ?? {};
    this.violations = (problem as { violations?: RuleViolation[] }).violations ?? [];
    this.problem = problem;
  }
}

/** There was no answer that the service can have given: no connection, a connection that broke, or a proxy's page. */
export class ConnectionError extends MaitredError {
  override readonly name: string = 'ConnectionError';
  /** The status of what answered in place of the service. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { status?: number | undefined } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

/** The time for the call was over. The service may still do, or have done, what was asked. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The same error, with another word on its outcome. Several calls may have been given the one that it is made from. */
export function withOutcome(error: MaitredError, isOutcomeKnown: boolean): MaitredError {
  const options = { ...error, cause: error.cause, isOutcomeKnown };
  if (error instanceof ProblemError) return new ProblemError(error.problem, options);
  const Kind = error instanceof TimeoutError ? TimeoutError : ConnectionError;
  return new Kind(error.message, options);
}

/**
 * Whether an error is a problem of the service, of this code if one is given.
 *
 * @example
 * try {
 *   await maitred.venues.get('1|house|no-such-venue');
 * } catch (error) {
 *   if (!isProblem(error, 'VENUE-N-001')) throw error;
 *   console.log(error.detail);
 * }
 */
export function isProblem(error: unknown): error is ProblemError;
export function isProblem<Code extends ProblemCode>(
  error: unknown,
  code: Code,
): error is ProblemError & { readonly code: Code };
export function isProblem(error: unknown, code?: ProblemCode): boolean {
  return error instanceof ProblemError && (code === undefined || error.code === code);
}
