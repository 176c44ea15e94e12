/**
 * The session of a person in a browser. The token is in a cookie that scripts cannot read and that no other host
 * receives. A browser sends it unasked, so requests that come with it must come from our own pages.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { problem } from '../../kernel/problem.ts';

/** `__Host-`: browsers take it only with `Secure` and `Path=/` and without a domain. */
export const SESSION_COOKIE = '__Host-maitred';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** Of `Set-Cookie`. */
export const cookieOf = (token: string, maxAgeSeconds: number): string =>
  `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${maxAgeSeconds}`;
export const CLEARED_COOKIE = cookieOf('', 0);

/** Only tokens of sessions: one of a client is never taken from a cookie. */
const TOKEN = /^mts_[\w-]{43}$/;

export interface Credential {
  /** As in `Authorization`. */
  authorization: string | undefined;
  isByCookie: boolean;
}

/** What a `/manage` request is identified by. `Authorization` goes before the cookie, whatever it contains. */
export function credentialOf({ authorization, cookie }: IncomingHttpHeaders): Credential {
  const token = authorization === undefined && cookie !== undefined ? tokenIn(cookie) : undefined;
  if (token === undefined) return { authorization, isByCookie: false };
  return { authorization: `Bearer ${token}`, isByCookie: true };
}

/** Two cookies of that name cannot come from a browser that keeps the rules of `__Host-`, so neither is believed. */
function tokenIn(header: string): string | undefined {
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
  const [value = ''] = values;
  return values.length === 1 && TOKEN.test(value) ? value : undefined;
}

/** Throws unless the request comes from a page of ours; a browser says so, and a page cannot change what it says. */
export function assertOwnOrigin(request: FastifyRequest, publicUrl: string): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isOwn =
    site === undefined
      ? origin !== undefined && ownOrigins(request, publicUrl).includes(origin)
      : site === 'same-origin';
  if (!isOwn) throw foreignOrigin();
}

/** Reads are harmless from elsewhere, since the answer cannot be read there; a link that leads here is followed. */
export function assertMayUseCookie(request: FastifyRequest, publicUrl: string): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    assertOwnOrigin(request, publicUrl);
    return;
  }
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': target } = request.headers;
  const isLink = mode === 'navigate' && (target === undefined || target === 'document');
  if (site === 'cross-site' && !isLink) throw foreignOrigin();
}

/** A node is reached by its public address, or directly, as in a development environment. */
function ownOrigins({ protocol, headers }: FastifyRequest, publicUrl: string): string[] {
  const direct = `${protocol}://${headers.host}`;
  return [publicUrl, ...(URL.canParse(direct) ? [direct] : [])].map((url) => new URL(url).origin);
}

const foreignOrigin = () =>
  problem('USER-N-016', {
    detail: 'This request uses the session cookie and does not come from a page of this service.',
  });
