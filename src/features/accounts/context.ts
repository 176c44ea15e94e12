import type { Sql, Tx } from '../../db/database.ts';
import { type Actor, PARTNER_ROLES, type PartnerRole, ROLES, type Role } from '../../http/auth/actor.ts';
import { MAX_INTEGER } from '../../http/manage-route.ts';
import type { Clock } from '../../kernel/clock.ts';
import { problem } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import type { Mailing } from '../mail/service.ts';
import type { User } from './schema.ts';
import { findOperatorName, findUser } from './store.ts';

/** What all that is done with accounts needs. */
export interface AccountsContext {
  sql: Sql;
  clock: Clock;
  auditLog: AuditLog;
  mailing: Mailing;
  /** The base URL in mails. */
  publicUrl: string;
}

/** Paths may name ids in capitals. */
export const subjectOf = (userId: string) => `user ${userId.toLowerCase()}`;

export async function getUser(tx: Tx, id: string): Promise<User> {
  const user = await findUser(tx, id);
  if (user) return user;
  throw problem('USER-N-002', { detail: `No user has the id ${id}.` });
}

/** The actor of a user who has not signed in but has the token that was mailed to them. */
export function actorOfUser({ id, name }: Pick<User, 'id' | 'name'>): Actor {
  return { kind: 'user', id, name, isPlatform: false, roles: new Map() };
}

export function roleOf(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role) return role;
  throw problem('USER-N-008', { detail: `role must be one of ${ROLES.join(', ')}.` });
}

export function partnerRoleOf(text: string): PartnerRole {
  const role = PARTNER_ROLES.find((known) => known === text);
  if (role) return role;
  throw problem('USER-N-008', { detail: `At a partner, role must be ${PARTNER_ROLES.join(', ')}.` });
}

/** The name of an operator that a body names. */
export async function getAssignable(tx: Tx, operatorId: number): Promise<string> {
  const isPossible = operatorId >= 1 && operatorId <= MAX_INTEGER;
  const name = isPossible ? await findOperatorName(tx, operatorId) : undefined;
  if (name !== undefined) return name;
  throw problem('USER-N-007', { detail: `There is no operator ${operatorId}.` });
}

/** What changes of one account share: they are in the platform's audit log. */
export const changeOf = (actor: Actor, action: string, id: string, ifMatch: string | undefined) => ({
  actor,
  action,
  operatorId: null,
  subject: subjectOf(id),
  ifMatch,
  find: (tx: Tx) => getUser(tx, id),
});
