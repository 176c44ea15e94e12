/** What deliveries are signed with: shown to their owner once, stored sealed, and open only for what is to be signed. */

import { createHmac, randomBytes } from 'node:crypto';
import { type Keyring, open, seal } from '../../../kernel/crypto.ts';
import type { SealedTable } from '../../../kernel/sealed-table.ts';
import type { EventType } from '../../events/service.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** How long after a rotation the secret before it still signs. */
export const OVERLAP_HOURS = 24;

const contextOf = (webhookId: string) => `webhook:${webhookId}`;

export const SEALED_SECRETS: SealedTable = {
  table: 'webhook',
  columns: ['secret', 'previous_secret'],
  key: ['id'],
  contextOf,
};

export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export function sealSecret(keys: Keyring, webhookId: string, secret: string): Buffer {
  return seal(keys, secret, contextOf(webhookId));
}

/** The secrets of a subscription as they are stored. */
export interface SealedSecrets {
  secret: Buffer;
  previousSecret: Buffer | null;
  previousUntil: Temporal.Instant | null;
}

interface Opened {
  keys: Keyring;
  webhookId: string;
  secret: string;
}

/** Cached for as long as the sealed secret is in use, as by deliveries that were claimed together. */
const openedSecrets = new WeakMap<Buffer, Opened>();

function openSecret(keys: Keyring, webhookId: string, sealed: Buffer): string {
  const known = openedSecrets.get(sealed);
  if (known && known.keys === keys && known.webhookId === webhookId) return known.secret;
  const secret = open(keys, sealed, contextOf(webhookId)).toString();
  openedSecrets.set(sealed, { keys, webhookId, secret });
  return secret;
}

export function openSecrets(
  keys: Keyring,
  webhookId: string,
  { secret, previousSecret, previousUntil }: SealedSecrets,
  now: Temporal.Instant,
): SigningSecrets {
  const isOver = previousUntil === null || Temporal.Instant.compare(now, previousUntil) >= 0;
  return {
    current: openSecret(keys, webhookId, secret),
    previous: previousSecret === null || isOver ? null : openSecret(keys, webhookId, previousSecret),
  };
}

/** The value of `X-API-Key`: keyed with the secret as it was shown. */
export function apiKeyOf(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

export interface SignedMessage {
  /** Of the event; the same at every attempt. */
  id: string;
  timestampSeconds: number;
  body: Buffer;
}

/** The value of `webhook-signature` as Standard Webhooks has it: keyed with the bytes that the secret stands for. */
export function standardSignature({ current, previous }: SigningSecrets, message: SignedMessage): string {
  const secrets = previous === null ? [current] : [current, previous];
  return secrets.map((secret) => `v1,${signatureBy(secret, message)}`).join(' ');
}

function signatureBy(secret: string, { id, timestampSeconds, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64');
}

/** Subscriptions belong to a partner or to an operator. */
export interface Owner {
  kind: 'partner' | 'operator';
  id: number;
}

/** The callback address of an owner, and the events it is for. */
export interface Subscription {
  id: string;
  callbackUrl: string;
  /** Null: of everything. */
  eventTypes: EventType[] | null;
  label: string | null;
  isActive: boolean;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant | null;
}

/** With which deliveries to it are signed; after a rotation for a while with both. */
export interface SigningSecrets {
  current: string;
  previous: string | null;
}
