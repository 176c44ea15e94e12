import type { Tx } from '../../db/database.ts';

export interface MailRow {
  id: string;
  kind: string;
  sealed: Buffer;
  attempts: number;
}

export interface NewMailRow extends Omit<MailRow, 'attempts'> {
  attemptAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  /** The booking whose guest is named in it. */
  bookingId: string | null;
  /** Mails of one thread are sent one after the other. */
  thread: string | null;
}

/** The trigger of the table notifies the nodes that send. */
export async function insertMails(tx: Tx, mails: readonly NewMailRow[]): Promise<void> {
  const rows = mails.map(({ id, kind, sealed, attemptAt, expiresAt, bookingId, thread }) => ({
    id,
    kind,
    sealed: `\\x${sealed.toString('hex')}`,
    attempt_at: attemptAt.toString(),
    expires_at: expiresAt.toString(),
    booking_id: bookingId,
    thread,
  }));
  await tx`
    insert into mail (id, kind, sealed, attempt_at, expires_at, booking_id, thread)
    select id, kind, sealed, attempt_at, expires_at, booking_id, thread
    from jsonb_to_recordset(${tx.json(rows)}) as (id uuid, kind text, sealed bytea, attempt_at timestamptz,
      expires_at timestamptz, booking_id uuid, thread text)`;
}

/** Claims one mail that is due and the first of its thread; no other node gets it until `nextAttemptAt`. */
export async function claimMail(
  tx: Tx,
  { now, nextAttemptAt }: { now: Temporal.Instant; nextAttemptAt: Temporal.Instant },
): Promise<MailRow | undefined> {
  const [row] = await tx<MailRow[]>`
    update mail set attempts = attempts + 1, attempt_at = ${nextAttemptAt}
    where id = (
      select id from mail m where attempt_at <= ${now}
        and (thread is null or not exists (
          select from mail earlier where earlier.thread = m.thread and earlier.position < m.position))
      order by attempt_at, position limit 1 for update skip locked)
    returning id, kind, sealed, attempts`;
  return row;
}

/** Says whether it still waits; until the transaction ends it is not taken away. */
export async function lockMail(tx: Tx, id: string): Promise<boolean> {
  return (await tx`select from mail where id = ${id} for update`).length === 1;
}

export async function postponeMail(tx: Tx, id: string, attemptAt: Temporal.Instant): Promise<void> {
  await tx`update mail set attempt_at = ${attemptAt} where id = ${id}`;
}

export async function deleteMail(tx: Tx, id: string): Promise<void> {
  await tx`delete from mail where id = ${id}`;
}

/** Of these kinds; absent: all of them. */
export async function deleteMailsOf(
  tx: Tx,
  bookingIds: readonly string[],
  kinds?: readonly string[],
): Promise<void> {
  const isMeant = () => tx`booking_id = any(${bookingIds as string[]}::uuid[])
    ${kinds === undefined ? tx`` : tx`and kind = any(${kinds as string[]}::text[])`}`;
  // Waits for those that are being written, so that the next statement sees what has taken their place.
  await tx`select from mail where ${isMeant()} order by position for update`;
  await tx`delete from mail where ${isMeant()}`;
}

export async function countMails(tx: Tx): Promise<number> {
  const [found] = await tx<{ count: number }[]>`select count(*)::int as count from mail`;
  return found?.count ?? 0;
}

/** The kinds of those that could not be sent while there was still a use in it. */
export async function deleteExpiredMail(tx: Tx, now: Temporal.Instant): Promise<string[]> {
  const rows = await tx<{ kind: string }[]>`delete from mail where expires_at <= ${now} returning kind`;
  return rows.map(({ kind }) => kind);
}
