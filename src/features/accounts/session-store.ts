import type { Tx } from '../../db/database.ts';
import type { Role } from '../../http/auth/actor.ts';

export async function insertSession(
  tx: Tx,
  session: {
    id: string;
    tokenHash: Buffer;
    userId: string;
    createdAt: Temporal.Instant;
    expiresAt: Temporal.Instant;
  },
): Promise<void> {
  await tx`
    insert into account_session (id, token_hash, account_id, created_at, expires_at)
    values (${session.id}, ${session.tokenHash}, ${session.userId}, ${session.createdAt}, ${session.expiresAt})`;
}

export interface SessionHolder {
  sessionId: string;
  userId: string;
  name: string;
  isPlatform: boolean;
  roles: { operatorId: number; role: Role }[];
  /** The partners that the user is a developer of. */
  partnerIds: number[];
}

/** The user of the token at this moment. */
export async function findHolder(
  tx: Tx,
  tokenHash: Buffer,
  now: Temporal.Instant,
): Promise<SessionHolder | undefined> {
  const [row] = await tx<SessionHolder[]>`
    select session.id as "sessionId", account.id as "userId", account.name, account.is_platform as "isPlatform",
      coalesce((
        select json_agg(json_build_object('operatorId', operator_id, 'role', role))
        from account_role where account_id = account.id), '[]') as roles,
      array(select partner_id from account_partner where account_id = account.id) as "partnerIds"
    from account_session session join account on account.id = session.account_id
    where session.token_hash = ${tokenHash} and session.expires_at > ${now}
      and account.is_verified and not account.is_disabled`;
  return row;
}

export async function findSession(
  tx: Tx,
  id: string,
): Promise<{ userId: string; createdAt: Temporal.Instant; expiresAt: Temporal.Instant } | undefined> {
  const [row] = await tx<{ userId: string; createdAt: Temporal.Instant; expiresAt: Temporal.Instant }[]>`
    select account_id as "userId", created_at as "createdAt", expires_at as "expiresAt"
    from account_session where id = ${id}`;
  return row;
}

export async function deleteSession(tx: Tx, id: string): Promise<void> {
  await tx`delete from account_session where id = ${id}`;
}

export async function deleteSessionsOf(tx: Tx, userId: string): Promise<void> {
  await tx`delete from account_session where account_id = ${userId}`;
}

/** Serialises sign-in attempts for this address until the transaction ends. */
export async function lockFailures(tx: Tx, emailHash: Buffer): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`sign-in/${emailHash.toString('base64')}`}, 0))`;
}

/** The latest so many, latest first. */
export async function listFailures(tx: Tx, emailHash: Buffer, count: number): Promise<Temporal.Instant[]> {
  const rows = await tx<{ failedAt: Temporal.Instant }[]>`
    select failed_at as "failedAt" from sign_in_failure
    where email_hash = ${emailHash} order by failed_at desc, id desc limit ${count}`;
  return rows.map(({ failedAt }) => failedAt);
}

/** The same of one pair of address and network. */
export async function listPairFailures(tx: Tx, pairHash: Buffer, count: number): Promise<Temporal.Instant[]> {
  const rows = await tx<{ failedAt: Temporal.Instant }[]>`
    select failed_at as "failedAt" from sign_in_failure
    where pair_hash = ${pairHash} order by failed_at desc, id desc limit ${count}`;
  return rows.map(({ failedAt }) => failedAt);
}

export async function insertFailure(
  tx: Tx,
  failure: { emailHash: Buffer; pairHash: Buffer; failedAt: Temporal.Instant },
): Promise<void> {
  const { emailHash, pairHash, failedAt } = failure;
  await tx`
    insert into sign_in_failure (email_hash, pair_hash, failed_at) values (${emailHash}, ${pairHash}, ${failedAt})`;
}

export async function deletePairFailures(tx: Tx, pairHash: Buffer): Promise<void> {
  await tx`delete from sign_in_failure where pair_hash = ${pairHash}`;
}

export async function hasSignedIn(tx: Tx, pairHash: Buffer, since: Temporal.Instant): Promise<boolean> {
  return (
    (await tx`select from sign_in_place where pair_hash = ${pairHash} and last_at > ${since}`).length > 0
  );
}

export async function notePlace(tx: Tx, pairHash: Buffer, at: Temporal.Instant): Promise<void> {
  await tx`
    insert into sign_in_place (pair_hash, last_at) values (${pairHash}, ${at})
    on conflict (pair_hash) do update set last_at = excluded.last_at`;
}

export async function deleteFailures(tx: Tx, emailHash: Buffer): Promise<void> {
  await tx`delete from sign_in_failure where email_hash = ${emailHash}`;
}

export type Purpose = 'verification' | 'password-reset';

export interface MailToken {
  userId: string;
  expiresAt: Temporal.Instant;
  usedAt: Temporal.Instant | null;
}

/** Replaces unused tokens that were sent before. */
export async function replaceToken(
  tx: Tx,
  token: {
    tokenHash: Buffer;
    purpose: Purpose;
    userId: string;
    createdAt: Temporal.Instant;
    expiresAt: Temporal.Instant;
  },
): Promise<void> {
  const { tokenHash, purpose, userId, createdAt, expiresAt } = token;
  await tx`
    delete from account_token where account_id = ${userId} and purpose = ${purpose} and used_at is null`;
  await tx`
    insert into account_token (token_hash, purpose, account_id, created_at, expires_at)
    values (${tokenHash}, ${purpose}, ${userId}, ${createdAt}, ${expiresAt})`;
}

export async function hasTokenSince(
  tx: Tx,
  { userId, purpose, since }: { userId: string; purpose: Purpose; since: Temporal.Instant },
): Promise<boolean> {
  const rows = await tx`
    select from account_token
    where account_id = ${userId} and purpose = ${purpose} and created_at > ${since} limit 1`;
  return rows.length > 0;
}

export async function findToken(tx: Tx, purpose: Purpose, tokenHash: Buffer): Promise<MailToken | undefined> {
  const [row] = await tx<MailToken[]>`
    select account_id as "userId", expires_at as "expiresAt", used_at as "usedAt"
    from account_token where token_hash = ${tokenHash} and purpose = ${purpose}`;
  return row;
}

export async function spendToken(tx: Tx, tokenHash: Buffer, usedAt: Temporal.Instant): Promise<void> {
  await tx`update account_token set used_at = ${usedAt} where token_hash = ${tokenHash}`;
}

/** Tokens sent to an address that is no longer the user's, or whose purpose is fulfilled. */
export async function deleteOpenTokens(tx: Tx, userId: string): Promise<void> {
  await tx`delete from account_token where account_id = ${userId} and used_at is null`;
}

interface Ages {
  now: Temporal.Instant;
  failuresBefore: Temporal.Instant;
  placesBefore: Temporal.Instant;
  endedBefore: Temporal.Instant;
}

/** Deletes what has ended long enough ago to be treated like what never existed. */
export async function deleteEnded(tx: Tx, ages: Ages): Promise<void> {
  const { now, failuresBefore, placesBefore, endedBefore } = ages;
  await tx`delete from account_session where expires_at <= ${now}`;
  await tx`delete from sign_in_failure where failed_at < ${failuresBefore}`;
  await tx`delete from sign_in_place where last_at < ${placesBefore}`;
  await tx`delete from account_token where expires_at < ${endedBefore}`;
  await tx`delete from account_invite where expires_at < ${endedBefore}`;
}
