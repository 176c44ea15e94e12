import { inTransaction, type Sql, type Tx } from '../../db/database.ts';

export interface KeyClaim {
  clientId: string;
  key: string;
  fingerprint: Buffer;
  lease: string;
  now: Temporal.Instant;
  leasedUntil: Temporal.Instant;
  /** Keys that are older than this may be used again. */
  forgottenBefore: Temporal.Instant;
}

/**
 * True when the key is claimed: it is new, forgotten, or left by a request whose lease has ended. The claim does not wait for the disk: a
 * crash that loses it also loses the work it stood for.
 */
export async function claim(sql: Sql, request: KeyClaim): Promise<boolean> {
  const { clientId, key, fingerprint, lease, now, leasedUntil, forgottenBefore } = request;
  const [, claimed] = await inTransaction(sql, (tx) =>
    Promise.all([
      tx`set local synchronous_commit = off`,
      tx`insert into idempotency_key as kept (client_id, key, fingerprint, lease, leased_until, created_at)
      values (${clientId}, ${key}, ${fingerprint}, ${lease}, ${leasedUntil}, ${now})
      on conflict (client_id, key) do update
        set fingerprint = excluded.fingerprint, lease = excluded.lease, leased_until = excluded.leased_until,
          answer = null, created_at = excluded.created_at
        where kept.created_at < ${forgottenBefore}
          or (kept.answer is null and kept.leased_until < ${now} and kept.fingerprint = excluded.fingerprint)
      returning 1`,
    ]),
  );
  return claimed.length > 0;
}

export interface Kept {
  fingerprint: Buffer;
  leasedUntil: Temporal.Instant;
  answer: Buffer | null;
}

export async function findKept(tx: Tx, clientId: string, key: string): Promise<Kept | undefined> {
  const [kept] = await tx<Kept[]>`
    select fingerprint, leased_until as "leasedUntil", answer from idempotency_key
    where client_id = ${clientId} and key = ${key}`;
  return kept;
}

export interface Held {
  clientId: string;
  key: string;
  lease: string;
}

/** The sealed answer of a request that holds its key. */
export interface KeptAnswer extends Held {
  answer: Buffer;
}

/** False when another request has taken one of the keys over meanwhile. */
export async function saveAnswers(tx: Tx, answers: readonly KeptAnswer[]): Promise<boolean> {
  const rows = answers.map(({ clientId, key, lease, answer }) => ({
    client_id: clientId,
    key,
    lease,
    answer: `\\x${answer.toString('hex')}`,
  }));
  const saved = await tx`
    update idempotency_key as kept set answer = given.answer
    from jsonb_to_recordset(${tx.json(rows)}) as given (client_id text, key text, lease uuid, answer bytea)
    where kept.client_id = given.client_id and kept.key = given.key and kept.lease = given.lease`;
  return saved.count === answers.length;
}

/** A request that takes long says that it is still there. */
export async function renew(
  tx: Tx,
  { clientId, key, lease }: Held,
  leasedUntil: Temporal.Instant,
): Promise<void> {
  await tx`update idempotency_key set leased_until = ${leasedUntil}
    where client_id = ${clientId} and key = ${key} and lease = ${lease} and answer is null`;
}

export async function release(tx: Tx, { clientId, key, lease }: Held): Promise<void> {
  await tx`delete from idempotency_key
    where client_id = ${clientId} and key = ${key} and lease = ${lease} and answer is null`;
}

/** In portions, each well within the time of a statement. */
export async function forgetBefore(tx: Tx, moment: Temporal.Instant): Promise<void> {
  for (let count = FORGOTTEN_AT_A_TIME; count === FORGOTTEN_AT_A_TIME; )
    ({ count } = await tx`delete from idempotency_key where ctid = any (array(
      select ctid from idempotency_key where created_at < ${moment} limit ${FORGOTTEN_AT_A_TIME}))`);
}

const FORGOTTEN_AT_A_TIME = 10_000;
