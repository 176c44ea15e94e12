import type { Tx } from '../../db/database.ts';

export interface MailRow {
  id: string;
  sealed: Buffer;
  attempts: number;
}

export async function insertMail(
  tx: Tx,
  mail: { id: string; sealed: Buffer; attemptAt: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<void> {
  await tx`
    insert into mail (id, sealed, attempt_at, expires_at)
    values (${mail.id}, ${mail.sealed}, ${mail.attemptAt}, ${mail.expiresAt})`;
}

/** Claims one mail that is due; no other node gets it until `nextAttemptAt`. */
export async function claimMail(
  tx: Tx,
  { now, nextAttemptAt }: { now: Temporal.Instant; nextAttemptAt: Temporal.Instant },
): Promise<MailRow | undefined> {
  const [row] = await tx<MailRow[]>`
    update mail set attempts = attempts + 1, attempt_at = ${nextAttemptAt}
    where id = (
      select id from mail where attempt_at <= ${now} order by attempt_at, id limit 1 for update skip locked)
    returning id, sealed, attempts`;
  return row;
}

export async function postponeMail(tx: Tx, id: string, attemptAt: Temporal.Instant): Promise<void> {
  await tx`update mail set attempt_at = ${attemptAt} where id = ${id}`;
}

export async function deleteMail(tx: Tx, id: string): Promise<void> {
  await tx`delete from mail where id = ${id}`;
}

export async function countMails(tx: Tx): Promise<number> {
  const [found] = await tx<{ count: number }[]>`select count(*)::int as count from mail`;
  return found?.count ?? 0;
}

/** How many could not be sent while there was still a use in it. */
export async function deleteExpiredMail(tx: Tx, now: Temporal.Instant): Promise<number> {
  return (await tx`delete from mail where expires_at <= ${now} returning id`).length;
}
