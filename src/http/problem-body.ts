import type { Problem } from '../kernel/problem.ts';
import { catalogue } from '../kernel/problem-catalogue.ts';
import type { InterfaceName } from './negotiation.ts';

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

export function problemHeaders(problem: Problem): Record<string, string> {
  const { headers, retryAfterSeconds } = problem.options;
  // A problem says nothing about the resource it stands in for, so nobody may keep it.
  const answer: Record<string, string> = { 'cache-control': 'no-store', ...headers };
  if (problem.isRetryable) {
    const seconds = retryAfterSeconds ?? (problem.status === 503 ? 5 : 1);
    answer['retry-after'] = String(Math.max(1, Math.ceil(seconds)));
  }
  return answer;
}
