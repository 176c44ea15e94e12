import type { Tx } from '../../db/database.ts';

export type Purpose = 'verification' | 'password-reset';

export interface MailToken {
  userId: string;
  expiresAt: Temporal.Instant;
  usedAt: Temporal.Instant | null;
}

/** It takes the place of those that were sent before and not used. */
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

/** Those that were sent to an address that is no longer the user's, or whose purpose is fulfilled. */
export async function deleteOpenTokens(tx: Tx, userId: string): Promise<void> {
  await tx`delete from account_token where account_id = ${userId} and used_at is null`;
}

export interface Ages {
  now: Temporal.Instant;
  failuresBefore: Temporal.Instant;
  placesBefore: Temporal.Instant;
  endedBefore: Temporal.Instant;
}

/** What is over and need not be told apart from what never was. */
export async function deleteEnded(tx: Tx, ages: Ages): Promise<void> {
  const { now, failuresBefore, placesBefore, endedBefore } = ages;
  await tx`delete from account_session where expires_at <= ${now}`;
  await tx`delete from sign_in_failure where failed_at < ${failuresBefore}`;
  await tx`delete from sign_in_place where last_at < ${placesBefore}`;
  await tx`delete from account_token where expires_at < ${endedBefore}`;
  await tx`delete from account_invite where expires_at < ${endedBefore}`;
}
