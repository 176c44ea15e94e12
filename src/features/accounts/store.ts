import type { Fragment, Tx } from '../../db/database.ts';
import type { Role } from '../../http/auth/actor.ts';
import { timestampOf } from '../../kernel/clock.ts';
import type { Member, User } from './schema.ts';

type UserRow = Omit<User, 'createdAt'> & { createdAt: Temporal.Instant };

const userOf = ({ createdAt, ...user }: UserRow): User => ({ ...user, createdAt: timestampOf(createdAt) });

const userColumns = (tx: Tx): Fragment => tx`
  account.id, account.email, account.name, account.is_verified as "isVerified", account.is_disabled as "isDisabled",
  account.is_platform as "isPlatform",
  coalesce((
    select json_agg(json_build_object('operatorId', operator_id, 'role', role) order by operator_id)
    from account_role where account_id = account.id), '[]') as roles,
  coalesce((
    select json_agg(json_build_object('partnerId', partner.id, 'name', partner.name, 'role', role) order by partner.id)
    from account_partner join partner on partner.id = partner_id
    where account_id = account.id), '[]') as partners,
  account.created_at as "createdAt"`;

export async function findUser(tx: Tx, id: string): Promise<User | undefined> {
  const [row] = await tx<UserRow[]>`select ${userColumns(tx)} from account where id = ${id}`;
  return row && userOf(row);
}

export async function findUserByEmail(tx: Tx, emailKey: string): Promise<User | undefined> {
  const [row] = await tx<UserRow[]>`select ${userColumns(tx)} from account where email_key = ${emailKey}`;
  return row && userOf(row);
}

interface Window {
  limit: number;
  offset: number;
}

/** `part`: what the address contains, as it is compared. */
export async function listUsers(
  tx: Tx,
  part: string,
  { limit, offset }: Window,
): Promise<{ users: User[]; total: number }> {
  const isWanted = tx`strpos(email_key, ${part}) > 0`;
  const rows = await tx<UserRow[]>`
    select ${userColumns(tx)} from account where ${isWanted} order by email_key limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`select count(*) as total from account where ${isWanted}`;
  return { users: rows.map(userOf), total: counted?.total ?? 0 };
}

export interface NewAccount {
  id: string;
  email: string;
  emailKey: string;
  name: string;
  password: string;
  isVerified: boolean;
  isPlatform: boolean;
  createdAt: Temporal.Instant;
}

/** False when the address is taken. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<boolean> {
  const { id, email, emailKey, name, password, isVerified, isPlatform, createdAt } = account;
  const rows = await tx`
    insert into account (id, email, email_key, name, password, is_verified, is_platform, created_at)
    values (${id}, ${email}, ${emailKey}, ${name}, ${password}, ${isVerified}, ${isPlatform}, ${createdAt})
    on conflict (email_key) do nothing returning id`;
  return rows.length === 1;
}

export interface AccountChange {
  name: string;
  email: string;
  emailKey: string;
  isVerified: boolean;
  isDisabled: boolean;
  isPlatform: boolean;
}

/** Fails on the unique constraint when the address is taken. */
export async function updateAccount(tx: Tx, id: string, change: AccountChange): Promise<void> {
  await tx`
    update account set name = ${change.name}, email = ${change.email}, email_key = ${change.emailKey},
      is_verified = ${change.isVerified}, is_disabled = ${change.isDisabled}, is_platform = ${change.isPlatform}
    where id = ${id}`;
}

export async function updateName(tx: Tx, id: string, name: string): Promise<void> {
  await tx`update account set name = ${name} where id = ${id}`;
}

/** The address that is known to be theirs, if it still is the one they have. */
export async function setVerified(tx: Tx, id: string, emailKey: string): Promise<void> {
  await tx`update account set is_verified = true where id = ${id} and email_key = ${emailKey}`;
}

export async function setPlatform(tx: Tx, id: string): Promise<void> {
  await tx`update account set is_platform = true where id = ${id}`;
}

export async function deleteAccount(tx: Tx, id: string): Promise<void> {
  await tx`delete from account where id = ${id}`;
}

export interface Credentials {
  id: string;
  password: string;
  isVerified: boolean;
  isDisabled: boolean;
}

const credentialColumns = (tx: Tx): Fragment => tx`
  id, password, is_verified as "isVerified", is_disabled as "isDisabled"`;

export async function findCredentials(tx: Tx, emailKey: string): Promise<Credentials | undefined> {
  const [row] = await tx<Credentials[]>`
    select ${credentialColumns(tx)} from account where email_key = ${emailKey}`;
  return row;
}

/** Locks the account against changes until the transaction ends. */
export async function lockCredentials(tx: Tx, id: string): Promise<Credentials | undefined> {
  const [row] = await tx<Credentials[]>`
    select ${credentialColumns(tx)} from account where id = ${id} for no key update`;
  return row;
}

export async function updatePassword(tx: Tx, id: string, password: string): Promise<void> {
  await tx`update account set password = ${password} where id = ${id}`;
}

/** Its name; the operator stays until this transaction ends. */
export async function findOperatorName(tx: Tx, operatorId: number): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    select name from operator where id = ${operatorId} for key share`;
  return row?.name;
}

const memberColumns = (tx: Tx): Fragment => tx`
  account.id, account.email, account.name, account_role.role, account.is_verified as "isVerified",
  account.is_disabled as "isDisabled"`;

export async function findMember(tx: Tx, operatorId: number, userId: string): Promise<Member | undefined> {
  const [row] = await tx<Member[]>`
    select ${memberColumns(tx)} from account_role join account on account.id = account_id
    where operator_id = ${operatorId} and account_id = ${userId}`;
  return row;
}

export async function listMembers(
  tx: Tx,
  operatorId: number,
  { limit, offset }: Window,
): Promise<{ members: Member[]; total: number }> {
  const rows = await tx<Member[]>`
    select ${memberColumns(tx)} from account_role join account on account.id = account_id
    where operator_id = ${operatorId} order by account.email_key limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from account_role where operator_id = ${operatorId}`;
  return { members: [...rows], total: counted?.total ?? 0 };
}

export async function saveRole(tx: Tx, userId: string, operatorId: number, role: Role): Promise<void> {
  await tx`
    insert into account_role (account_id, operator_id, role) values (${userId}, ${operatorId}, ${role})
    on conflict (account_id, operator_id) do update set role = excluded.role`;
}

export async function deleteRole(tx: Tx, userId: string, operatorId: number): Promise<void> {
  await tx`delete from account_role where account_id = ${userId} and operator_id = ${operatorId}`;
}

/** How many people work there besides this user, and how many of them are owners who can sign in. */
export async function countOthers(
  tx: Tx,
  operatorId: number,
  userId: string,
): Promise<{ others: number; owners: number }> {
  const [row] = await tx<{ others: number; owners: number }[]>`
    select count(*) as others, count(*) filter (where role = 'owner' and is_verified and not is_disabled) as owners
    from account_role join account on account.id = account_id
    where operator_id = ${operatorId} and account_id <> ${userId}`;
  return row ?? { others: 0, owners: 0 };
}
