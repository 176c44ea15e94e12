import { partnerTag } from '../../db/catalogue-cache.ts';
import { type Problem, problem } from '../../kernel/problem.ts';

/** The caller, resolved once per request. Services take a `Caller`; stores take what it may see. */

export const SCOPES = [
  'venue:read',
  'listing:read',
  'venue-booking:create',
  'venue-booking:read',
  'venue-booking:update',
  'venue-booking:delete',
  'partner:create',
  'agent:write',
  'operator:write',
  'platform:admin',
] as const;

export type Scope = (typeof SCOPES)[number];

export function missingScope(scope: Scope): Problem {
  return problem('USER-N-009', {
    detail: `This call needs the scope ${scope}, which the access token does not carry.`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

export interface PartnerIdentity {
  id: number;
  reference: string;
  name: string;
}

interface Identified {
  clientId: string;
  scopes: ReadonlySet<Scope>;
}

export type Caller =
  | (Identified & { kind: 'partner'; partner: PartnerIdentity })
  /** An agent acts for the partner it named in `X-Partner-Reference`. */
  | (Identified & { kind: 'agent'; partner: PartnerIdentity })
  | (Identified & { kind: 'operator'; operatorId: number })
  | (Identified & { kind: 'platform' });

/** Whose data a query may touch. Every store function that reads for a caller takes one. */
export type Visibility =
  | { kind: 'partner'; partnerId: number }
  | { kind: 'operator'; operatorId: number }
  | { kind: 'platform' };

export function visibilityOf(caller: Caller): Visibility {
  switch (caller.kind) {
    case 'partner':
    case 'agent':
      return { kind: 'partner', partnerId: caller.partner.id };
    case 'operator':
      return { kind: 'operator', operatorId: caller.operatorId };
    case 'platform':
      return { kind: 'platform' };
  }
}

/** A short text that is equal for equal visibilities: what caches are keyed by. A partner's is its tag there. */
export function visibilityKey(visibility: Visibility): string {
  switch (visibility.kind) {
    case 'partner':
      return partnerTag(visibility.partnerId);
    case 'operator':
      return `o${visibility.operatorId}`;
    case 'platform':
      return 'all';
  }
}
