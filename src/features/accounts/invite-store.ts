import type { Fragment, Tx } from '../../db/database.ts';
import type { PartnerRole, Role } from '../../http/auth/actor.ts';
import { timestampOf } from '../../kernel/clock.ts';
import type { Invite } from './schema.ts';

type InviteRow = Omit<Invite, 'createdAt' | 'expiresAt' | 'acceptedAt'> & {
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  acceptedAt: Temporal.Instant | null;
};

const inviteOf = (row: InviteRow): Invite => ({
  ...row,
  createdAt: timestampOf(row.createdAt),
  expiresAt: timestampOf(row.expiresAt),
  acceptedAt: row.acceptedAt && timestampOf(row.acceptedAt),
});

const columns = (tx: Tx): Fragment => tx`
  id, email, operator_id as "operatorId", partner_id as "partnerId", role, is_platform as "isPlatform", created_at as "createdAt",
  expires_at as "expiresAt", accepted_at as "acceptedAt"`;

export interface NewInvite {
  id: string;
  tokenHash: Buffer;
  email: string;
  emailKey: string;
  operatorId: number | null;
  partnerId: number | null;
  role: Role | PartnerRole | null;
  isPlatform: boolean;
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
}

export async function insertInvite(tx: Tx, invite: NewInvite): Promise<Invite> {
  const [row] = await tx<InviteRow[]>`
    insert into account_invite
      (id, token_hash, email, email_key, operator_id, partner_id, role, is_platform, created_at, expires_at)
    values (${invite.id}, ${invite.tokenHash}, ${invite.email}, ${invite.emailKey}, ${invite.operatorId},
      ${invite.partnerId}, ${invite.role}, ${invite.isPlatform}, ${invite.createdAt}, ${invite.expiresAt})
    returning ${columns(tx)}`;
  if (!row) throw new Error('PostgreSQL returned no invite.');
  return inviteOf(row);
}

/** Deletes the unaccepted invites of this address for the same operator or partner, or for the platform. */
export async function deleteOpenInvites(
  tx: Tx,
  emailKey: string,
  { operatorId, partnerId }: Pick<Invite, 'operatorId' | 'partnerId'>,
): Promise<Invite[]> {
  const rows = await tx<InviteRow[]>`
    delete from account_invite
    where email_key = ${emailKey} and coalesce(operator_id, 0) = ${operatorId ?? 0}
      and coalesce(partner_id, 0) = ${partnerId ?? 0} and accepted_at is null
    returning ${columns(tx)}`;
  return rows.map(inviteOf);
}

/** What invites are to; undefined: to anything. */
export type InvitePlace = { operatorId: number } | { partnerId: number } | undefined;

function isTo(tx: Tx, place: InvitePlace): Fragment {
  if (place === undefined) return tx`true`;
  return 'operatorId' in place ? tx`operator_id = ${place.operatorId}` : tx`partner_id = ${place.partnerId}`;
}

export async function findInvite(tx: Tx, id: string, place: InvitePlace): Promise<Invite | undefined> {
  const [row] = await tx<InviteRow[]>`
    select ${columns(tx)} from account_invite
    where id = ${id} and ${isTo(tx, place)}`;
  return row && inviteOf(row);
}

export async function listInvites(
  tx: Tx,
  place: InvitePlace,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ invites: Invite[]; total: number }> {
  const isWanted = isTo(tx, place);
  const rows = await tx<InviteRow[]>`
    select ${columns(tx)} from account_invite where ${isWanted} order by id desc limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from account_invite where ${isWanted}`;
  return { invites: rows.map(inviteOf), total: counted?.total ?? 0 };
}

/** Locks the invite against acceptance and withdrawal until the transaction ends. */
export async function lockInvite(tx: Tx, tokenHash: Buffer): Promise<Invite | undefined> {
  const [row] = await tx<InviteRow[]>`
    select ${columns(tx)} from account_invite where token_hash = ${tokenHash} for update`;
  return row && inviteOf(row);
}

export async function acceptInvite(tx: Tx, id: string, acceptedAt: Temporal.Instant): Promise<void> {
  await tx`update account_invite set accepted_at = ${acceptedAt} where id = ${id}`;
}

/** False when it has been accepted meanwhile. */
export async function deleteInvite(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx`
    delete from account_invite where id = ${id} and accepted_at is null returning id`;
  return rows.length === 1;
}
