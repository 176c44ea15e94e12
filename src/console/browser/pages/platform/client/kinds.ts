/** Kinds of clients, and the scopes that each can have; a test compares them with the service. */
import type { Client } from '../../../../../features/clients/schema.ts';

export type Kind = Client['kind'];
export type Scope = Client['scopes'][number];

export const KINDS: readonly Kind[] = ['partner', 'agent', 'operator', 'platform'];

const PARTNER_SCOPES: readonly Scope[] = [
  'venue:read',
  'listing:read',
  'venue-booking:create',
  'venue-booking:read',
  'venue-booking:update',
  'venue-booking:delete',
  'partner:create',
];

/** Those of the platform have all there are, always. */
export const SCOPES_OF: Record<Exclude<Kind, 'platform'>, readonly Scope[]> = {
  partner: PARTNER_SCOPES,
  agent: [...PARTNER_SCOPES, 'agent:write'],
  operator: ['venue:read', 'venue-booking:read', 'operator:write'],
};
