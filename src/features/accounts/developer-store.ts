import type { Fragment, Tx } from '../../db/database.ts';
import type { PartnerMember } from './schema.ts';

const columns = (tx: Tx): Fragment => tx`
  account.id, account.email, account.name, account_partner.role, account.is_verified as "isVerified",
  account.is_disabled as "isDisabled"`;

export async function findDeveloper(
  tx: Tx,
  partnerId: number,
  userId: string,
): Promise<PartnerMember | undefined> {
  const [row] = await tx<PartnerMember[]>`
    select ${columns(tx)} from account_partner join account on account.id = account_id
    where partner_id = ${partnerId} and account_id = ${userId}`;
  return row;
}

export async function listDevelopers(
  tx: Tx,
  partnerId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ developers: PartnerMember[]; total: number }> {
  const rows = await tx<PartnerMember[]>`
    select ${columns(tx)} from account_partner join account on account.id = account_id
    where partner_id = ${partnerId} order by account.email_key limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from account_partner where partner_id = ${partnerId}`;
  return { developers: [...rows], total: counted?.total ?? 0 };
}

/** False when the user is one already. */
export async function insertDeveloper(tx: Tx, partnerId: number, userId: string): Promise<boolean> {
  const rows = await tx`
    insert into account_partner (account_id, partner_id, role) values (${userId}, ${partnerId}, 'developer')
    on conflict do nothing returning account_id`;
  return rows.length === 1;
}

export async function deleteDeveloper(tx: Tx, partnerId: number, userId: string): Promise<void> {
  await tx`delete from account_partner where account_id = ${userId} and partner_id = ${partnerId}`;
}
