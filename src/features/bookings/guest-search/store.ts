import type { Fragment, Tx } from '../../../db/database.ts';

/** The hashes of a booking's guest. */
export interface GuestHashes {
  bookingId: string;
  operatorId: number;
  hashes: readonly bigint[];
}

export const hashList = (hashes: readonly bigint[]) => `{${hashes.join(',')}}`;

/** After a change of the guest; most changes leave the hashes as they are. */
export async function replaceHashes(
  tx: Tx,
  keyId: number,
  { bookingId, operatorId, hashes }: GuestHashes,
): Promise<void> {
  await tx`
    insert into booking_guest_hash as known (booking_id, operator_id, key_id, hashes)
    values (${bookingId}, ${operatorId}, ${keyId}, ${hashList(hashes)}::text::bigint[])
    on conflict (booking_id) do update set key_id = excluded.key_id, hashes = excluded.hashes
    where known.key_id <> excluded.key_id or known.hashes <> excluded.hashes`;
}

export async function deleteHashes(tx: Tx, bookingIds: readonly string[]): Promise<void> {
  await tx`delete from booking_guest_hash where booking_id = any(${bookingIds as string[]}::uuid[])`;
}

/** Bookings with one of these hashes; `id` is the column that they are compared with. */
export const withHash = (tx: Tx, guestHashes: readonly bigint[]): Fragment => tx`
  id in (select booking_id from booking_guest_hash where hashes && ${hashList(guestHashes)}::text::bigint[])`;

/** Hashes for bookings that were made before there were any. */

export interface Unhashed {
  id: string;
  operatorId: number;
  guest: Buffer | null;
  /** Whether there are hashes of this key. */
  isHashed: boolean;
}

export interface HashProgress {
  lastId: string | null;
  lookedAt: number;
  finishedAt: Temporal.Instant | null;
}

/** Locks the progress; undefined: another node is at work. */
export async function claimProgress(tx: Tx, keyId: number): Promise<HashProgress | undefined> {
  await tx`insert into guest_hash_progress (key_id) values (${keyId}) on conflict do nothing`;
  const [progress] = await tx<HashProgress[]>`
    select last_id as "lastId", looked_at as "lookedAt", finished_at as "finishedAt"
    from guest_hash_progress where key_id = ${keyId} for update skip locked`;
  return progress;
}

export async function saveProgress(
  tx: Tx,
  keyId: number,
  { lastId, lookedAt, finishedAt }: HashProgress,
): Promise<void> {
  await tx`
    update guest_hash_progress set last_id = ${lastId}, looked_at = ${lookedAt}, finished_at = ${finishedAt}
    where key_id = ${keyId}`;
}

/** The next ones by id; so many are looked at, whether or not they have hashes. */
export async function listAfter(
  tx: Tx,
  keyId: number,
  lastId: string | null,
  limit: number,
): Promise<Unhashed[]> {
  const rows = await tx<Unhashed[]>`
    select b.id, b.operator_id as "operatorId", case when h.booking_id is null then b.guest end as guest,
      h.booking_id is not null as "isHashed"
    from (
      select id, operator_id, guest from booking
      ${lastId === null ? tx`` : tx`where id > ${lastId}`} order by id limit ${limit}) b
    left join booking_guest_hash h on h.booking_id = b.id and h.key_id = ${keyId}
    order by b.id`;
  return [...rows];
}

/**
 * Writes hashes of guests that are still those that were read. The lock makes a transaction that forgets or changes the
 * guest wait, and its own hashes, or none, are what stays.
 */
export async function addHashes(
  tx: Tx,
  keyId: number,
  items: readonly (GuestHashes & { sealed: Buffer })[],
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ bookingId, hashes, sealed }) => ({
    id: bookingId,
    hashes: hashList(hashes),
    guest: `\\x${sealed.toString('hex')}`,
  }));
  await tx`
    with same as (
      select b.id, b.operator_id, item.hashes
      from jsonb_to_recordset(${tx.json(rows)}) as item (id uuid, hashes text, guest bytea)
      join booking b on b.id = item.id and b.guest = item.guest
      order by b.id for share of b)
    insert into booking_guest_hash as known (booking_id, operator_id, key_id, hashes)
    select id, operator_id, ${keyId}, hashes::bigint[] from same
    on conflict (booking_id) do update set key_id = excluded.key_id, hashes = excluded.hashes
    where known.key_id <> excluded.key_id`;
}

/** Whether old bookings are still without hashes, and how many were looked at. */
export async function findProgress(tx: Tx, keyId: number): Promise<HashProgress | undefined> {
  const [progress] = await tx<HashProgress[]>`
    select last_id as "lastId", looked_at as "lookedAt", finished_at as "finishedAt"
    from guest_hash_progress where key_id = ${keyId}`;
  return progress;
}

export async function forgetProgress(tx: Tx): Promise<void> {
  await tx`delete from guest_hash_progress`;
}
