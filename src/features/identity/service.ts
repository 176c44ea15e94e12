/**
 * Identity and authorisation of callers. Clients prove themselves with a secret and get a token; every request
 * carries the token and is resolved to a caller.
 */

import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import {
  type Caller,
  missingScope,
  type PartnerIdentity,
  SCOPES,
  type Scope,
} from '../../http/auth/caller.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Clock } from '../../kernel/clock.ts';
import { hashSecret, type Keyring, newSalt, newSecret, SealedWithAnotherKey } from '../../kernel/crypto.ts';
import { invalid, problem, StartError } from '../../kernel/problem.ts';
import { LOCAL_SYSTEMS } from '../../tms/systems.ts';
import { createCaches } from './cache.ts';
import { type CallerResolver, createCallerResolver } from './caller.ts';
import { createTokenIssuer, type IssuedToken } from './issue-token.ts';
import { DEFAULT_SCOPES, isClientId, isPartnerReference } from './names-and-scopes.ts';
import { createOfferTokens, type OfferTokens } from './offer-tokens.ts';
import type { AuthorizationServer, KeySet } from './schema.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';
import * as store from './store.ts';
import type { IncomingTokenRequest } from './token-request.ts';
import { createTokens } from './tokens.ts';

export interface Identity {
  issueToken(request: IncomingTokenRequest): Promise<IssuedToken>;
  /** Answers without a promise when everything it needs is in memory. */
  resolveCaller: CallerResolver['resolve'];
  /** The same caller, or undefined when something would have to be verified or read first. */
  findCaller: CallerResolver['find'];
  requireScope(caller: Caller, scope: Scope): void;
  listPublicKeys(): Promise<KeySet>;
  describeServer(): AuthorizationServer;
  rotateSigningKeys(): Promise<void>;
  offers: OfferTokens;
}

export interface IdentityDeps {
  config: Pick<Config, 'publicUrl' | 'audience'>;
  sql: Sql;
  encryptionKeys: Keyring;
  clock: Clock;
  notifications: Notifications;
}

export async function createIdentity(deps: IdentityDeps): Promise<Identity> {
  const { config, sql, clock } = deps;
  const caches = createCaches(deps.notifications);
  const keys = createSigningKeys({ ...deps, caches });
  const tokens = createTokens({ issuer: config.publicUrl, audience: config.audience, keys, clock });
  await openKeys(keys);
  const callers = createCallerResolver({ sql, tokens, clock, caches });

  return {
    issueToken: createTokenIssuer({ ...config, sql, tokens, clock }),
    resolveCaller: callers.resolve,
    findCaller: callers.find,
    requireScope,
    listPublicKeys: async () => ({ keys: await keys.listPublished() }),
    describeServer: () => describeServer(config.publicUrl),
    rotateSigningKeys: () => keys.rotate(),
    offers: createOfferTokens({ issuer: config.publicUrl, keys, clock }),
  };
}

/** A node that cannot decrypt the signing key fails when it starts, not at the first token. */
async function openKeys(keys: SigningKeys): Promise<void> {
  try {
    await keys.rotate();
    await keys.getSigner();
  } catch (error) {
    if (!(error instanceof SealedWithAnotherKey)) throw error;
    throw new StartError(
      'ENCRYPTION_KEY is not the key that the secrets in this database were sealed with; start with that one.',
    );
  }
}

function describeServer(issuer: string): AuthorizationServer {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    // RFC 8414 requires this member; without an authorization endpoint there is nothing to list.
    response_types_supported: [],
    scopes_supported: [...SCOPES],
    service_documentation: `${issuer}/docs`,
  };
}

function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.has(scope)) throw missingScope(scope);
}

/** Every operator has the systems that live in our database. */
export async function createOperator(
  tx: Tx,
  operator: { id?: number; name: string },
): Promise<{ id: number }> {
  if (operator.id !== undefined && (await store.hasOperator(tx, operator.id))) {
    throw problem('OPRTR-N-004', { detail: `There is an operator ${operator.id} already.` });
  }
  const id = await store.insertOperator(tx, { id: operator.id, name: operator.name });
  await store.insertOperatorSystems(
    tx,
    id,
    LOCAL_SYSTEMS.map(({ slug }) => slug),
  );
  return { id };
}

export async function createPartner(
  tx: Tx,
  partner: { id?: number; reference: string; name: string },
): Promise<PartnerIdentity> {
  const { id, reference, name } = partner;
  if (!isPartnerReference(reference)) {
    throw invalid('reference', 'must be 1 to 100 visible ASCII characters without spaces');
  }
  const created = await store.insertPartner(tx, { id, reference, name });
  if (!created) throw invalid('reference', 'belongs to another partner');
  return created;
}

export type NewClient = { id?: string; scopes?: readonly Scope[] } & (
  | { kind: 'partner'; partnerId: number }
  | { kind: 'operator'; operatorId: number }
  | { kind: 'agent' }
  | { kind: 'platform' }
);

export async function createClient(tx: Tx, client: NewClient): Promise<{ id: string }> {
  const id = client.id ?? randomUUID();
  if (!isClientId(id)) throw invalid('id', 'must be 1 to 100 letters, digits, dots, dashes, "_" or "~"');
  const scopes = client.scopes ?? DEFAULT_SCOPES[client.kind];
  assertScopes(client.kind, scopes);
  const partnerId = client.kind === 'partner' ? client.partnerId : null;
  const operatorId = client.kind === 'operator' ? client.operatorId : null;
  if (partnerId !== null && !(await store.hasPartner(tx, partnerId))) throw problem('PMAP-N-004');
  if (operatorId !== null && !(await store.hasOperator(tx, operatorId))) throw problem('OPRTR-N-001');
  if (!(await store.insertClient(tx, { id, kind: client.kind, partnerId, operatorId, scopes }))) {
    throw invalid('id', 'belongs to another client, or once did');
  }
  return { id };
}

/** Throws unless a client of this kind can have all of these. */
export function assertScopes(kind: store.ClientKind, scopes: readonly Scope[]): void {
  const excess = scopes.find((scope) => !DEFAULT_SCOPES[kind].includes(scope));
  if (excess) throw invalid('scopes', `cannot hold ${excess} for a client of the kind ${kind}`);
}

export interface NewSecret {
  /** For data whose secrets are published, such as the demo's; otherwise one is made. */
  secret?: string;
  expiresAt?: Temporal.Instant;
  /** When the secrets that the client has so far end; without it they stay. */
  othersExpireAt?: Temporal.Instant;
}

/** The secret is in the answer and nowhere else: we keep only its hash. */
export async function addSecret(
  tx: Tx,
  clientId: string,
  options: NewSecret = {},
): Promise<{ id: string; secret: string }> {
  if (!(await store.findClient(tx, clientId))) throw invalid('clientId', 'is no client');
  if (options.othersExpireAt) await store.expireSecrets(tx, clientId, options.othersExpireAt);
  const secret = options.secret ?? newSecret();
  const salt = newSalt();
  const hash = hashSecret(secret, salt);
  const id = await store.insertSecret(tx, { clientId, salt, hash, expiresAt: options.expiresAt ?? null });
  return { id, secret };
}

export async function revokeSecret(tx: Tx, clientId: string, secretId: string): Promise<void> {
  if (!(await store.deleteSecret(tx, clientId, secretId))) {
    throw invalid('secretId', 'is no secret of this client');
  }
}

/** Lets an agent act for a partner. */
export async function allowAgent(tx: Tx, clientId: string, partnerId: number): Promise<void> {
  const client = await store.findClient(tx, clientId);
  if (client?.kind !== 'agent') throw invalid('clientId', 'is no agent');
  if (!(await store.hasPartner(tx, partnerId))) throw problem('PMAP-N-004');
  if (!(await store.insertAgentPartner(tx, clientId, partnerId))) throw problem('IDENT-N-004');
}

export function identityJobs(identity: Identity): JobDefinition[] {
  return [
    {
      name: 'identity.rotate-signing-keys',
      schedule: '17 3 * * *',
      handle: () => identity.rotateSigningKeys(),
    },
  ];
}

export type { OfferTokens, SignedOffer } from './offer-tokens.ts';
export { SEALED_SIGNING_KEYS } from './signing-keys.ts';
