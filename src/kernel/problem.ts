import { catalogue, isRetryable, type ProblemCode } from './problem-catalogue.ts';

export type FieldErrors = Record<string, string[]>;

export interface ProblemOptions {
  /** One sentence for the caller about this very occurrence. */
  detail?: string;
  /** Field path → messages; what `VALID-N-001` carries. */
  errors?: FieldErrors;
  /** Further members of the problem body, such as `violations`. */
  extensions?: Record<string, unknown>;
  /** Response headers that belong to the refusal, such as `Allow`. */
  headers?: Record<string, string>;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The only thing services throw on purpose: a code of the catalogue and what is particular to this case. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly isRetryable: boolean;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const entry = catalogue[code];
    super(options.detail ?? entry.title, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = entry.status;
    this.isRetryable = isRetryable(code);
    this.options = options;
  }
}

export function problem(code: ProblemCode, options?: ProblemOptions): Problem {
  return new Problem(code, options);
}

/** A `VALID-N-001` for a single field. */
export function invalid(field: string, message: string): Problem {
  return problem('VALID-N-001', { detail: `${field} ${message}.`, errors: { [field]: [message] } });
}

export type { ProblemCode };

/** The message of an error, without a stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** The constraint that PostgreSQL says was violated. */
export function constraintOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('constraint_name' in error)) return undefined;
  return typeof error.constraint_name === 'string' ? error.constraint_name : undefined;
}

/** The code that Node, Fastify and PostgreSQL give their errors, such as `ENOENT` or `57P01`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A node that cannot start; its message is one sentence for the person who starts it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
