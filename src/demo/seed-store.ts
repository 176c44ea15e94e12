import type { Tx } from '../db/database.ts';

/**
 * Several nodes may start on one empty database; the second waits here, however long the first takes, and then finds
 * it filled.
 */
export async function lockSeeding(tx: Tx): Promise<void> {
  await tx`set local lock_timeout = 0`;
  await tx`select pg_advisory_xact_lock(hashtextextended('maitred/demo-data', 0))`;
}

export async function hasOperators(tx: Tx): Promise<boolean> {
  const rows = await tx`select from operator limit 1`;
  return rows.length > 0;
}

/** Which of these addresses, in small letters, accounts have. */
export async function findEmails(tx: Tx, emails: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx<{ emailKey: string }[]>`
    select email_key as "emailKey" from account where email_key = any(${emails as string[]}::text[])`;
  return new Set(rows.map(({ emailKey }) => emailKey));
}
