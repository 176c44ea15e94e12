import type { MaitredError } from './errors.ts';
import type { Problem } from './types.ts';

/** An attempt that brought nothing. */
export interface Failure {
  error: MaitredError;
  /** Of the answer, where there was one. */
  status?: number;
  retryAfterSeconds?: number | undefined;
  /** What failed was tried as often as it may be. */
  isFinal?: boolean;
}

export const TOKEN_PATH = '/oauth/token';
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5000;
/** What may go better a little later, if the service does not say otherwise. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

/** A failure is worth another attempt if it passes, and the attempt is harmless if nothing was done or repeating is safe. */
export function mayComeAgain(failure: Failure, isRepeatable: boolean): boolean {
  return !failure.isFinal && (isRepeatable || failure.error.isOutcomeKnown) && isPassing(failure);
}

/** Another attempt may go better, by what the service says and otherwise by the status. */
export function isPassing({ error, status }: Failure): boolean {
  if (status === undefined) return true;
  const isWorthIt = 'isRetryable' in error ? error.isRetryable : status !== 500;
  return PASSING.includes(status) && isWorthIt === true;
}

/** As the service asks, and otherwise twice as long each time; by chance, so that callers do not come back together. */
export function waitBeforeNext({ retryAfterSeconds }: Failure, attempt: number): number {
  const most = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return (retryAfterSeconds ?? 0) * 1000 + Math.random() * most;
}

/** Seconds, or a date. */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** A problem of the service, or what RFC 6749 says in its place where a token is refused. Proxies send JSON too. */
export function problemIn(body: unknown, status: number, path: string): Problem | undefined {
  const fields = (body ?? {}) as Record<string, unknown>;
  const { code, detail, isRetryable, error, error_description: description } = fields;
  if (typeof code === 'string' && typeof detail === 'string' && typeof isRetryable === 'boolean')
    return body as Problem;
  if (path !== TOKEN_PATH || typeof error !== 'string') return undefined;
  return {
    type: 'https://www.rfc-editor.org/rfc/rfc6749#section-5.2',
    title: 'No access token',
    status,
    code: error,
    detail: typeof description === 'string' ? description : 'The service gave no token',
    isRetryable: status === 429 || status === 503,
  };
}
