/**
 * The actor of a `/manage` request: a client of an operator or of the platform, or a person who has signed in. People
 * can have roles at several operators and at several partners; a client has the role of owner at its own operator.
 */
import { problem } from '../../kernel/problem.ts';
import { type Caller, missingScope, type PartnerIdentity, SCOPES, type Scope } from './caller.ts';

/** Each may do what the ones before it may: daily work, the venues and their rules, people. */
export const ROLES = ['staff', 'manager', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** What people can be at a partner. */
export const PARTNER_ROLES = ['developer'] as const;
export type PartnerRole = (typeof PARTNER_ROLES)[number];

export interface Actor {
  kind: 'client' | 'user';
  /** The client's id, or the user's. */
  id: string;
  /** Its name in the audit log. */
  name: string;
  isPlatform: boolean;
  /** Of a user who has signed in. */
  sessionId?: string;
  /** Of a session that a browser keeps in its cookie. */
  isByCookie?: boolean;
  /** By operator. */
  roles: ReadonlyMap<number, Role>;
  /** The partners that a user is a developer of. */
  developerOf?: ReadonlySet<number>;
}

/** A client needs the scope of its kind; partners and agents have no access here. */
export function clientActor(caller: Caller): Actor {
  const client = { kind: 'client', id: caller.clientId, name: caller.clientId } as const;
  if (caller.kind === 'platform' && caller.scopes.has('platform:admin')) {
    return { ...client, isPlatform: true, roles: new Map() };
  }
  if (caller.kind === 'operator' && caller.scopes.has('operator:write')) {
    return { ...client, isPlatform: false, roles: new Map([[caller.operatorId, 'owner']]) };
  }
  throw missingScope(caller.kind === 'platform' ? 'platform:admin' : 'operator:write');
}

/** Throws unless the actor has the role, or a higher one, at this operator. */
export function assertRole(actor: Actor, operatorId: number, least: Role): void {
  if (actor.isPlatform) return;
  const role = actor.roles.get(operatorId);
  if (role === undefined) {
    throw problem('OPRTR-N-002', { detail: `You have no role at operator ${operatorId}.` });
  }
  if (ROLES.indexOf(role) < ROLES.indexOf(least)) {
    throw problem('USER-N-009', { detail: `This needs the role ${least}; yours is ${role}.` });
  }
}

/** Throws unless the actor is a developer of this partner; whether there is such a partner is not said. */
export function assertDeveloper(actor: Actor, partnerId: number): void {
  if (actor.isPlatform || actor.developerOf?.has(partnerId)) return;
  throw problem('USER-N-009', { detail: `You have no role at partner ${partnerId}.` });
}

export function assertPlatform(actor: Actor): void {
  if (actor.isPlatform) return;
  throw problem('USER-N-009', { detail: 'This is for those who run the platform.' });
}

/** Clients have no password to change and no session to end. */
export function assertUser(actor: Actor): void {
  if (actor.kind === 'user') return;
  throw problem('USER-N-009', { detail: 'This is for people who have signed in.' });
}

const EVERY_SCOPE: ReadonlySet<Scope> = new Set(SCOPES);

/** The actor as a `Caller`, for an operator that it has access to. */
export function operatorCaller(actor: Actor, operatorId: number): Caller {
  return { kind: 'operator', clientId: actor.id, operatorId, scopes: EVERY_SCOPE };
}

/** The same for a partner. */
export function partnerCaller(actor: Actor, partner: PartnerIdentity): Caller {
  return { kind: 'partner', clientId: actor.id, partner, scopes: EVERY_SCOPE };
}
