/** Sends the calls of `connect`, and sorts out what an answer says by its status. */
import { NEVER_SENT } from '../../kernel/network.ts';
import { type Outcome, refused } from '../contract.ts';
import type { RemoteCall, SystemAccount, SystemResponse, SystemSetup } from '../remote.ts';
import { reasonNamed } from './schema.ts';
import { createTokens } from './tokens.ts';

const MOST_BYTES = 5 * 1024 * 1024;
const LONGEST_DETAIL = 300;
const LONGEST_WAIT_SECONDS = 3600;
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Whether it changes anything there; then what is unclear is `unknown`. */
  isWrite: boolean;
}

export interface Reply {
  status: number;
  /** Undefined: there was none, or it was not JSON. */
  body: unknown;
}

/** The system does not let the account in; nothing was applied. */
export interface Denied {
  kind: 'denied';
  detail: string;
}

export function createClient(setup: SystemSetup, settings: { url: string; tokenUrl?: string }) {
  const base = settings.url.replace(/\/+$/, '');
  const tokens = createTokens(setup.fetch, settings.tokenUrl);

  async function sendAs(
    account: SystemAccount,
    call: RemoteCall,
    request: Request,
  ): Promise<Outcome<Reply> | Denied> {
    const token = await tokens.get(account, call);
    if (token.kind !== 'token') return token;
    const response = await transmit(call, request, token.value);
    if (!('status' in response)) return response;
    if (response.status !== 401 || !token.isRenewable) return judge(response, request);
    await tokens.forget(account, token.value);
    const renewed = await tokens.get(account, call);
    if (renewed.kind !== 'token') return renewed;
    const second = await transmit(call, request, renewed.value);
    return 'status' in second ? judge(second, request) : second;
  }

  async function transmit(
    { signal }: RemoteCall,
    { method, path, body, headers, isWrite }: Request,
    token: string,
  ): Promise<SystemResponse | Outcome<never>> {
    if (signal.aborted) return { kind: 'unavailable', detail: 'The call ended before it was sent.' };
    try {
      return await setup.fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, application/problem+json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal,
      });
    } catch (error) {
      const code = codeOf(error);
      return { kind: isWrite && !NEVER_SENT.includes(code) ? 'unknown' : 'unavailable', detail: code };
    }
  }

  return {
    sendAs,
    /** As the account of the operator that the call is for. */
    async send(call: RemoteCall, request: Request): Promise<Outcome<Reply>> {
      const account = await setup.findAccount(call.operatorId);
      if (!account) return { kind: 'unavailable', detail: 'The operator has no account at the system.' };
      const outcome = await sendAs(account, call, request);
      // Refused, and not `unavailable`: one operator's wrong token must not make the system rest for all others.
      return outcome.kind === 'denied' ? refused('rejected', outcome.detail) : outcome;
    },
  };
}

function judge(response: SystemResponse, { isWrite }: Request): Outcome<Reply> | Denied {
  const { status, headers } = response;
  if (status === 429)
    return { kind: 'rate-limited', retryAfterSeconds: secondsIn(headers['retry-after'], headers.date) };
  if (status === 401 || status === 403)
    return { kind: 'denied', detail: `The system does not accept the account's credentials (${status}).` };
  // Only the system itself knows when to try again; one that a proxy answers does not promise that nothing was done.
  if (status === 503 && headers['retry-after'] !== undefined)
    return { kind: 'unavailable', detail: 'The system is being maintained.' };
  if (response.body.length > MOST_BYTES) return unclear(isWrite, 'The answer is too large.');
  const body = parsed(response.body);
  if (status >= 200 && status < 300) return { kind: 'ok', value: { status, body } };
  const refusal = status >= 400 && status < 500 ? refusalIn(body) : undefined;
  return refusal ?? unclear(isWrite, `The system answered ${status}.`);
}

/** A 4xx alone may come from anything on the way; one with a reason comes from the system. */
function refusalIn(body: unknown): Outcome<never> | undefined {
  if (typeof body !== 'object' || body === null || !('reason' in body)) return undefined;
  const { reason } = body;
  if (typeof reason !== 'string') return undefined;
  const detail = 'detail' in body && typeof body.detail === 'string' ? body.detail : undefined;
  const known = reasonNamed(reason);
  const words = (detail ?? (known ? undefined : reason))?.replaceAll('\0', '').slice(0, LONGEST_DETAIL);
  return refused(known ?? 'rejected', words);
}

export const unclear = (isWrite: boolean, detail: string): Outcome<never> => ({
  kind: isWrite ? 'unknown' : 'unavailable',
  detail,
});

/** `Retry-After` is a number of seconds or a date. */
function secondsIn(retryAfter: string | undefined, date: string | undefined): number {
  const sentMs = Date.parse(date ?? '');
  const untilMs = Date.parse(retryAfter ?? '');
  const seconds = /^\d+$/.test(retryAfter ?? '')
    ? Number(retryAfter)
    : Math.ceil((untilMs - (Number.isNaN(sentMs) ? Date.now() : sentMs)) / 1000);
  return Number.isNaN(seconds) ? 1 : Math.min(LONGEST_WAIT_SECONDS, Math.max(1, seconds));
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  for (const each of [error, cause])
    if (typeof each === 'object' && each !== null && 'code' in each && typeof each.code === 'string')
      return each.code;
  return cause instanceof Error ? cause.name : 'The call failed.';
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
