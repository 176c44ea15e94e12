import type { TSchema } from 'typebox';
import { invalid, type Problem, type ProblemCode, problem } from '../../kernel/problem.ts';
import { catalogue } from '../../kernel/problem-catalogue.ts';
import type { InterfaceName } from '../format/negotiation.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** The listings interface promises never to fail with any other status. */
const LISTINGS_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 429, 500, 503]);

export interface ProblemContext {
  publicUrl: string;
  interface?: InterfaceName | undefined;
}

/** What a problem looks like on the wire: RFC 9457 members first, then ours, then what this case adds. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  isRetryable: boolean;
  [extension: string]: unknown;
}

function statusOf(problem: Problem, context: ProblemContext): number {
  return context.interface === 'listings' && !LISTINGS_STATUSES.has(problem.status) ? 400 : problem.status;
}

/** The form in which a protocol of its own writes refusals, in place of RFC 9457. */
export interface ProblemForm {
  schema: TSchema;
  /** `sent`: the body of the request, where it was read before the refusal. */
  write(
    problem: Problem,
    sent: unknown,
  ): {
    status: number;
    body: Record<string, unknown>;
    headers?: Record<string, string>;
  };
}

export function problemBody(problem: Problem, context: ProblemContext): ProblemBody {
  const entry = catalogue[problem.code];
  const { detail, errors, extensions } = problem.options;
  return {
    type: `${context.publicUrl}/problems/${problem.code}`,
    title: entry.title,
    status: statusOf(problem, context),
    detail: detail ?? entry.meaning,
    code: problem.code,
    isRetryable: problem.isRetryable,
    ...(errors ? { errors } : {}),
    ...extensions,
  };
}

/** When the same request may be sent again; undefined: not as it is. */
export function retryAfterOf({ isRetryable, status, options }: Problem): number | undefined {
  if (!isRetryable) return undefined;
  return Math.max(1, Math.ceil(options.retryAfterSeconds ?? (status === 503 ? 5 : 1)));
}

export function problemHeaders(problem: Problem): Record<string, string> {
  const { headers } = problem.options;
  const retryAfter = retryAfterOf(problem);
  // A problem says nothing about the resource it stands in for, so it must not be cached.
  const answer: Record<string, string> = { 'cache-control': 'no-store', ...headers };
  if (retryAfter !== undefined) answer['retry-after'] = String(retryAfter);
  return answer;
}

const RULE_ID = '0197d1c0-5f0a-7c3e-9b54-2f1f8f0a6d11';
const violations = [{ ruleId: RULE_ID }];

/** Codes that carry further members, with an example of them. */
const EXTENSIONS: Partial<Record<ProblemCode, Record<string, unknown>>> = {
  'AVAIL-N-005': { nearestTimes: ['19:15', '19:30'] },
  'BOOK-N-002': { bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60' },
  'BKRUL-N-001': {
    violations,
    deposit: { field: 'depositAmount', amount: 1000, currency: 'GBP', per: 'guest', total: 4000 },
  },
  'MANDT-N-001': { limit: 'maxPartySize', allowed: 8 },
  'MANDT-N-002': {
    confirmationToken: 'bGl0dGxlIGV4YW1wbGUgb2YgYSB0b2tlbiB0aGF0IHdhcw',
    expiresAt: '2026-12-01T10:10:00.000Z',
  },
  'BKRUL-N-005': { violations, largestPartySize: 8, enquiryPossible: false },
};

/** Codes that come with a challenge. */
const CHALLENGES: Partial<Record<ProblemCode, string>> = {
  'IDENT-N-001': 'Bearer error="invalid_token"',
  'USER-N-009': 'Bearer error="insufficient_scope"',
};

/** An example problem of this code, for documentation, and for those who want to see one. */
export function sampleProblem(code: ProblemCode, field: string, fault: string): Problem {
  if (code === 'VALID-N-001') return invalid(field, fault);
  const extensions = EXTENSIONS[code] ?? (code.startsWith('BKRUL-') ? { violations } : undefined);
  const challenge = CHALLENGES[code];
  return problem(code, {
    ...(extensions && { extensions }),
    ...(challenge && { headers: { 'WWW-Authenticate': challenge } }),
  });
}
