/** Where a person is asked to work: at an operator, at a partner, or for the platform. */
import type { NewUserBody, PlatformInviteBody } from '../../../../../features/accounts/schema.ts';

export const OPERATOR_ROLES = ['staff', 'manager', 'owner'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export const PLACES = ['operator', 'partner', 'platform'] as const;
export type PlaceKind = (typeof PLACES)[number];

export interface Place {
  kind: PlaceKind;
  operatorId: string;
  partnerId: string;
  role: OperatorRole;
}

export function inviteOf(email: string, { kind, operatorId, partnerId, role }: Place): PlatformInviteBody {
  if (kind === 'platform') return { email, operatorId: null, role: null, isPlatform: true };
  if (kind === 'partner')
    return { email, operatorId: null, partnerId: Number(partnerId), role: 'developer', isPlatform: false };
  return { email, operatorId: Number(operatorId), role, isPlatform: false };
}

/** Roles of a new user; people of a partner are invited instead. */
export function rolesOf({ kind, operatorId, role }: Place): Pick<NewUserBody, 'roles' | 'isPlatform'> {
  if (kind === 'platform') return { isPlatform: true };
  return kind === 'operator' ? { roles: [{ operatorId: Number(operatorId), role }] } : {};
}
