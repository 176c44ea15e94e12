import type { Sql } from '../../db/database.ts';
import { type Caller, missingScope, type PartnerIdentity, type Scope } from '../../http/auth/caller.ts';
import { CACHE_BYTES } from '../../kernel/cache-budget.ts';
import { type Clock, epochMilliseconds } from '../../kernel/clock.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import type { Caches } from './cache.ts';
import { isPartnerReference, scopesOfClient } from './names-and-scopes.ts';
import { type ClientRecord, findAgentPartner, findClient } from './store.ts';
import { type AccessToken, InvalidToken, type Tokens } from './tokens.ts';

const TOKEN_BYTES = CACHE_BYTES.identity / 2;
const RECORD_BYTES = CACHE_BYTES.identity / 8;
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

function tokenMissing(): Problem {
  return problem('IDENT-N-001', {
    detail: 'Send an access token from POST /oauth/token in the header Authorization: Bearer <token>.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

function tokenRefused(detail: string): Problem {
  return problem('IDENT-N-001', { detail, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
}

function tokenOf(authorization: string): string {
  const token = BEARER.exec(authorization)?.[1];
  if (!token) throw tokenRefused('The header Authorization is not of the form Bearer <token>.');
  return token;
}

function assertIsCurrent(token: AccessToken, clock: Clock): void {
  if (epochMilliseconds(clock) < token.expiresAtMs) return;
  throw tokenRefused('The access token has expired; request another one from POST /oauth/token.');
}

function assertIsActive(client: ClientRecord | undefined): asserts client is ClientRecord {
  if (!client?.isActive) throw tokenRefused('The client of this access token no longer has access.');
}

/** Worked out once per token, and again when the client was read anew. */
const knownScopes = new WeakMap<AccessToken, { client: ClientRecord; scopes: ReadonlySet<Scope> }>();

/** What the token was given and the client still has: taking a scope away works on tokens already issued. */
function scopesOf(token: AccessToken, client: ClientRecord): ReadonlySet<Scope> {
  const known = knownScopes.get(token);
  if (known?.client === client) return known.scopes;
  const present = scopesOfClient(client);
  const scopes = new Set(token.scopes.filter((scope) => present.includes(scope)));
  knownScopes.set(token, { client, scopes });
  return scopes;
}

/** Checked before the reference, so that a token without the scope learns nothing about partners. */
function assertMayAct(token: AccessToken, client: ClientRecord): void {
  if (!scopesOf(token, client).has('agent:write')) throw missingScope('agent:write');
}

function partnerReferenceOf(header: string | undefined): string {
  if (header === undefined) {
    throw problem('IDENT-N-002', {
      detail: 'An agent says for which partner it acts, in the header X-Partner-Reference.',
    });
  }
  if (!isPartnerReference(header)) {
    throw problem('IDENT-N-002', {
      detail: 'X-Partner-Reference must be 1 to 100 visible ASCII characters without spaces.',
    });
  }
  return header;
}

/** One answer for a partner that does not exist and for one that has not allowed it: agents must not find out which. */
function allowedPartner(found: PartnerIdentity | undefined, reference: string): PartnerIdentity {
  if (found) return found;
  throw problem('IDENT-N-003', { detail: `This agent is not allowed to act for ${reference}.` });
}

/** The caller behind a client that is no agent. Naming itself in the header is harmless; naming anyone else is not. */
function ownCaller(
  token: AccessToken,
  client: Exclude<ClientRecord, { kind: 'agent' }>,
  reference: string | undefined,
): Caller {
  const isItself = client.kind === 'partner' && client.partner.reference === reference;
  if (reference !== undefined && !isItself) {
    throw problem('IDENT-N-002', {
      detail: 'X-Partner-Reference names a partner that this client is not; only agents act for others.',
    });
  }
  const identified = { clientId: client.id, scopes: scopesOf(token, client) };
  switch (client.kind) {
    case 'partner':
      return { ...identified, kind: 'partner', partner: client.partner };
    case 'operator':
      return { ...identified, kind: 'operator', operatorId: client.operatorId };
    case 'platform':
      return { ...identified, kind: 'platform' };
  }
}

function agentCaller(token: AccessToken, client: ClientRecord, partner: PartnerIdentity): Caller {
  return { kind: 'agent', clientId: client.id, scopes: scopesOf(token, client), partner };
}

export interface CallerResolver {
  resolve(authorization: string | undefined, partnerReference: string | undefined): Promise<Caller> | Caller;
  /** Undefined: something would have to be verified or read first. */
  find(authorization: string, partnerReference: string | undefined): Caller | undefined;
}

/**
 * Resolves the caller from the two headers. Every request passes here, so cached callers are returned without a
 * promise; only unknown tokens are verified and read.
 */
export function createCallerResolver(deps: {
  sql: Sql;
  tokens: Tokens;
  clock: Clock;
  caches: Caches;
}): CallerResolver {
  const { sql, tokens, clock, caches } = deps;
  const keptTokens = caches.create<AccessToken>(TOKEN_BYTES);
  const keptClients = caches.create<ClientRecord | undefined>(RECORD_BYTES);
  const keptAgentPartners = caches.create<PartnerIdentity | undefined>(RECORD_BYTES);

  async function verify(authorization: string): Promise<AccessToken> {
    const text = tokenOf(authorization);
    try {
      return await keptTokens.read(authorization, () => tokens.verify(text));
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      throw tokenRefused(
        'The access token is not valid: it is altered, expired or not meant for this service.',
      );
    }
  }

  // A space cannot be part of a client id, so no two pairs share a key.
  const keyOf = (clientId: string, reference: string) => `${clientId} ${reference}`;

  async function resolveAfresh(authorization: string, header: string | undefined): Promise<Caller> {
    const token = await verify(authorization);
    assertIsCurrent(token, clock);
    const client = await keptClients.read(token.clientId, () => findClient(sql, token.clientId));
    assertIsActive(client);
    if (client.kind !== 'agent') return ownCaller(token, client, header);
    assertMayAct(token, client);
    const reference = partnerReferenceOf(header);
    const found = await keptAgentPartners.read(keyOf(client.id, reference), () =>
      findAgentPartner(sql, client.id, reference),
    );
    return agentCaller(token, client, allowedPartner(found, reference));
  }

  function find(authorization: string, header: string | undefined): Caller | undefined {
    // Kept under the whole header, so that a known one need not be taken apart again.
    const token = keptTokens.find(authorization);
    const client = token && keptClients.find(token.clientId);
    if (!client) return undefined;
    assertIsCurrent(token, clock);
    assertIsActive(client);
    if (client.kind !== 'agent') return ownCaller(token, client, header);
    assertMayAct(token, client);
    const reference = partnerReferenceOf(header);
    const found = keptAgentPartners.find(keyOf(client.id, reference));
    return found && agentCaller(token, client, allowedPartner(found, reference));
  }

  return {
    find,
    resolve(authorization, header) {
      if (!authorization) throw tokenMissing();
      return find(authorization, header) ?? resolveAfresh(authorization, header);
    },
  };
}
