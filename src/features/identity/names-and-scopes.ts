import { SCOPES, type Scope } from '../../http/auth/caller.ts';
import type { ClientKind } from './store.ts';

const CLIENT_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$/;
/** A reference travels in a header, where spaces are trimmed and anything but ASCII is at the mercy of proxies. */
const PARTNER_REFERENCE = /^[\x21-\x7e]{1,100}$/;

export function isClientId(text: string): boolean {
  return CLIENT_ID.test(text);
}

export function isPartnerReference(text: string): boolean {
  return PARTNER_REFERENCE.test(text);
}

const PARTNER_SCOPES: readonly Scope[] = [
  'venue:read',
  'listing:read',
  'venue-booking:create',
  'venue-booking:read',
  'venue-booking:update',
  'venue-booking:delete',
  'partner:create',
];

/** What a new client may do unless it is given less. */
export const DEFAULT_SCOPES: Readonly<Record<ClientKind, readonly Scope[]>> = {
  partner: PARTNER_SCOPES,
  agent: [...PARTNER_SCOPES, 'agent:write'],
  operator: ['venue:read', 'venue-booking:read', 'operator:write'],
  platform: SCOPES,
};

/** The platform has every scope of this version, also those that did not exist when its client was stored. */
export function scopesOfClient(client: { kind: ClientKind; scopes: readonly string[] }): readonly Scope[] {
  if (client.kind === 'platform') return SCOPES;
  return SCOPES.filter((scope) => client.scopes.includes(scope));
}
