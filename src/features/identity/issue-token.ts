import { randomBytes } from 'node:crypto';
import type { Sql } from '../../db/database.ts';
import type { Scope } from '../../http/auth/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { matchesSecret } from '../../kernel/crypto.ts';
import { networkOf } from '../../kernel/network.ts';
import { isClientId, scopesOfClient } from './names-and-scopes.ts';
import { TOKEN_LIFETIME_SECONDS } from './signing-keys.ts';
import { type Credentials, findCredentials, type StoredSecret } from './store.ts';
import {
  type IncomingTokenRequest,
  invalidClient,
  OAuthError,
  readTokenRequest,
  type Target,
  type TokenRequest,
  tooManyFailures,
} from './token-request.ts';
import type { Tokens } from './tokens.ts';

export interface IssuedToken {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
}

/** Compared when there is no client, so that an unknown id takes as long as a wrong secret. Nothing hashes to it. */
const DECOY: StoredSecret = { salt: randomBytes(16), hash: randomBytes(32) };
/** Looked up in place of an id that cannot exist; `*` is in no client id. */
const NO_CLIENT = '*';

/** A scope that the client does not have is refused rather than dropped: a token that does less would surprise later. */
function scopesFor(client: Credentials, requested: string | undefined): readonly Scope[] {
  const present = scopesOfClient(client);
  if (requested === undefined) return present;
  const names = requested.split(' ').filter(Boolean);
  const missing = names.find((name) => !(present as readonly string[]).includes(name));
  if (missing !== undefined) {
    // RFC 6749 allows only some of ASCII in a description, so we do not repeat what was sent.
    throw new OAuthError('invalid_scope', `This client may request: ${present.join(' ')}.`);
  }
  return present.filter((scope) => names.includes(scope));
}

export function createTokenIssuer(deps: {
  sql: Sql;
  tokens: Tokens;
  audience: string;
  publicUrl: string;
  clock: Clock;
}): (incoming: IncomingTokenRequest) => Promise<IssuedToken> {
  const { sql, tokens, clock } = deps;
  const limit = createGuessingLimit(clock);

  async function findAuthenticated(request: TokenRequest): Promise<Credentials | undefined> {
    const id = isClientId(request.clientId) ? request.clientId : NO_CLIENT;
    const client = await findCredentials(sql, id, clock());
    let isProven = false;
    for (const { salt, hash } of client?.secrets.length ? client.secrets : [DECOY]) {
      for (const candidate of request.secretCandidates) {
        if (matchesSecret(candidate, salt, hash)) isProven = true;
      }
    }
    return isProven && client?.isActive ? client : undefined;
  }

  function assertMayTry(remoteAddress: string, clientId: string) {
    const waitSeconds = limit.findWaitSeconds(remoteAddress, clientId);
    if (waitSeconds !== undefined) throw tooManyFailures(waitSeconds);
  }

  async function authenticate(request: TokenRequest, remoteAddress: string): Promise<Credentials> {
    assertMayTry(remoteAddress, request.clientId);
    const client = await findAuthenticated(request);
    // Checked again, because concurrent guesses all passed the first check: only the first ten get a result.
    assertMayTry(remoteAddress, request.clientId);
    if (client) return client;
    limit.recordFailure(remoteAddress, request.clientId);
    throw invalidClient();
  }

  return async (incoming) => {
    const request = readTokenRequest(incoming);
    const client = await authenticate(request, incoming.remoteAddress);
    assertTarget(request.target, deps);
    const scopes = scopesFor(client, request.scope);
    return {
      access_token: await tokens.sign(request.clientId, scopes),
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME_SECONDS,
      scope: scopes.join(' '),
    };
  };
}

/** A resource is the whole service, or `/mcp`, as the metadata of both name them; libraries may end it with a slash. */
function assertTarget(
  target: Target,
  { audience, publicUrl }: { audience: string; publicUrl: string },
): void {
  if ('audience' in target) {
    if (target.audience === audience) return;
    throw new OAuthError('invalid_target', `The audience of this service is ${audience}.`);
  }
  const resources = [publicUrl, `${publicUrl}/mcp`];
  if (!resources.includes(target.resource.replace(/\/$/, '')))
    throw new OAuthError('invalid_target', `The resources of this service are ${resources.join(' and ')}.`);
}

const WINDOW_MS = 60_000;
const MAX_PER_CLIENT = 10;
const MAX_PER_NETWORK = 100;
const MAX_WINDOWS = 20_000;
const MAX_CLIENT_ID_LENGTH = 100;

interface Window {
  endsAtMs: number;
  failures: number;
}

interface GuessingLimit {
  /** How long this client must wait at this address, or undefined when it need not. */
  findWaitSeconds(remoteAddress: string, clientId: string): number | undefined;
  recordFailure(remoteAddress: string, clientId: string): void;
}

/** Counts failed attempts in fixed windows of a minute, per client at an address and per address, on this node. */
function createGuessingLimit(clock: Clock): GuessingLimit {
  const windows = new Map<string, Window>();

  function findWindow(key: string): Window | undefined {
    const window = windows.get(key);
    return window && clock().epochMilliseconds < window.endsAtMs ? window : undefined;
  }

  function count(key: string) {
    const window = findWindow(key) ?? { endsAtMs: clock().epochMilliseconds + WINDOW_MS, failures: 0 };
    window.failures++;
    // Re-entered at the end, so that the first window is the least recently used.
    windows.delete(key);
    windows.set(key, window);
    if (windows.size <= MAX_WINDOWS) return;
    const oldest = windows.keys().next();
    if (!oldest.done) windows.delete(oldest.value);
  }

  function keysOf(remoteAddress: string, clientId: string): [network: string, client: string] {
    const network = networkOf(remoteAddress);
    return [network, `${network} ${clientId.slice(0, MAX_CLIENT_ID_LENGTH)}`];
  }

  function findWaitSeconds(remoteAddress: string, clientId: string): number | undefined {
    const [network, client] = keysOf(remoteAddress, clientId);
    const full = [
      { window: findWindow(network), limit: MAX_PER_NETWORK },
      { window: findWindow(client), limit: MAX_PER_CLIENT },
    ].flatMap(({ window, limit }) => (window && window.failures >= limit ? [window] : []));
    if (full.length === 0) return undefined;
    const endsAtMs = Math.max(...full.map((window) => window.endsAtMs));
    return Math.max(1, Math.ceil((endsAtMs - clock().epochMilliseconds) / 1000));
  }

  function recordFailure(remoteAddress: string, clientId: string): void {
    for (const key of keysOf(remoteAddress, clientId)) count(key);
  }

  return { findWaitSeconds, recordFailure };
}
