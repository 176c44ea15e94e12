import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../db/database.ts';
import type { PlaceRequest } from '../../../tms/contract.ts';
import type { ReportedPlace } from '../system-request.ts';

/** A call to a remote system in progress; see the table. */
export interface Intent extends Change {
  bookingId: string;
  tms: string;
  /** Null: a booking of the house. */
  partnerId: number | null;
  partnerBookingId: string | null;
  clientId: string;
  idempotencyKey: string | null;
  fingerprint: Buffer;
  /** The operator asked for it, not the partner. */
  isByOperator: boolean;
}

/** From the stored booking to the requested one; null: the system holds nothing. */
export interface Change {
  standing: PlaceRequest | null;
  wanted: PlaceRequest | null;
}

/**
 * The right to act on an intent, until it ends or another node takes it over after that. Each node tells the end by
 * its own clock. A node whose clock runs ahead takes over too early, and then two call the system: only the current
 * holder can finish or settle, and since an intent that was taken over is always settled, the resolver checks what
 * the system has made of both.
 */
export interface Lease {
  bookingId: string;
  lease: string;
}

export interface LeaseTimes {
  now: Temporal.Instant;
  leasedUntil: Temporal.Instant;
  nextCheckAt: Temporal.Instant;
}

export interface StoredIntent extends Intent, Lease {
  /** What was wanted by requests that later ones have replaced: the system may still do it. */
  replaced: ReportedPlace[];
  checks: number;
  /** When the change was requested. */
  createdAt: Temporal.Instant;
}

/** A released lease is free for every node, also for one whose clock is behind or was put back. */
const NO_LEASE = '-infinity';

/** False when one with the same booking, partner's id or key is there already. */
export async function insertIntent(
  tx: Tx,
  intent: Intent,
  { lease }: Lease,
  times: LeaseTimes,
): Promise<boolean> {
  const inserted = await tx`
    insert into booking_intent (booking_id, tms, partner_id, partner_booking_id, client_id, idempotency_key,
      fingerprint, standing, wanted, is_by_operator, lease, leased_until, next_check_at, created_at)
    values (${intent.bookingId}, ${intent.tms}, ${intent.partnerId}, ${intent.partnerBookingId},
      ${intent.clientId}, ${intent.idempotencyKey}, ${intent.fingerprint}, ${json(tx, intent.standing)},
      ${json(tx, intent.wanted)}, ${intent.isByOperator}, ${lease}, ${times.leasedUntil}, ${times.nextCheckAt}, ${times.now})
    on conflict do nothing`;
  return inserted.count > 0;
}

const json = (tx: Tx, request: PlaceRequest | null) => request && tx.json(request as never);

const COLUMNS = [
  'booking_id as "bookingId"',
  'tms',
  'partner_id as "partnerId"',
  'partner_booking_id as "partnerBookingId"',
  'client_id as "clientId"',
  'idempotency_key as "idempotencyKey"',
  'fingerprint',
  'standing',
  'wanted',
  'replaced',
  'is_by_operator as "isByOperator"',
  'lease',
  'checks',
  'created_at as "createdAt"',
].join(', ');

/** The intent that conflicts with a new one. */
export async function findRival(
  tx: Tx,
  intent: Intent,
  now: Temporal.Instant,
): Promise<(StoredIntent & { isLeased: boolean }) | undefined> {
  const [found] = await tx<(StoredIntent & { isLeased: boolean })[]>`
    select ${tx.unsafe(COLUMNS)}, leased_until > ${now} as "isLeased" from booking_intent
    where booking_id = ${intent.bookingId}
      or (partner_id = ${intent.partnerId} and partner_booking_id = ${intent.partnerBookingId})
      or (client_id = ${intent.clientId} and idempotency_key = ${intent.idempotencyKey})
    order by created_at limit 1`;
  return found;
}

/** False when the intent is gone, or another request was faster. */
export async function takeLease(
  tx: Tx,
  from: Lease,
  to: Lease,
  { leasedUntil, nextCheckAt }: LeaseTimes,
): Promise<boolean> {
  const taken = await tx`
    update booking_intent
    set lease = ${to.lease}, leased_until = ${leasedUntil}, next_check_at = ${nextCheckAt}, checks = 0
    where booking_id = ${from.bookingId} and lease = ${from.lease}`;
  return taken.count > 0;
}

/** A later request replaces an earlier one whose outcome is unknown, for the same booking. */
export async function replaceRequest(
  tx: Tx,
  { bookingId, lease }: Lease,
  request: Change & Pick<StoredIntent, 'fingerprint' | 'isByOperator' | 'createdAt' | 'replaced'>,
): Promise<void> {
  const { standing, wanted, replaced, fingerprint, isByOperator, createdAt } = request;
  const now = { standing, wanted: wanted && { ...wanted, bookingId } };
  await tx`
    update booking_intent
    set standing = ${json(tx, now.standing)}, wanted = ${json(tx, now.wanted)},
      replaced = ${tx.json(replaced as never)}, fingerprint = ${fingerprint},
      is_by_operator = ${isByOperator}, created_at = ${createdAt}
    where booking_id = ${bookingId} and lease = ${lease}`;
}

/** What the system may still do once `another` takes the place of this one; each place once. */
export function replacedBy(
  another: Intent,
  { wanted, replaced, fingerprint }: StoredIntent,
): ReportedPlace[] {
  if (!wanted || fingerprint.equals(another.fingerprint)) return replaced;
  const { startMs, adults, children, durationMinutes } = wanted;
  const place = { startMs, adults, children, durationMinutes };
  return [...replaced.filter((each) => !isDeepStrictEqual(each, place)), place];
}

/** From here on only the resolver works on it: a new request under the same keys starts afresh. */
export async function detach(tx: Tx, { bookingId, lease }: Lease): Promise<void> {
  await tx`
    update booking_intent set partner_booking_id = null, idempotency_key = null, leased_until = ${NO_LEASE}
    where booking_id = ${bookingId} and lease = ${lease}`;
}

/** Leaves it to the next request or to the resolver. False as below. */
export async function abandon(
  tx: Tx,
  { bookingId, lease }: Lease,
  checkAt: Temporal.Instant,
): Promise<boolean> {
  const left = await tx`
    update booking_intent set leased_until = ${NO_LEASE}, next_check_at = ${checkAt}
    where booking_id = ${bookingId} and lease = ${lease}`;
  return left.count > 0;
}

/** Deletes a finished intent. False when the lease is no longer ours: then nothing may be concluded from the call. */
export async function finish(tx: Tx, { bookingId, lease }: Lease): Promise<boolean> {
  const gone = await tx`delete from booking_intent where booking_id = ${bookingId} and lease = ${lease}`;
  return gone.count > 0;
}

/**
 * The requested state holds now, but an earlier call with an unknown outcome may still take effect and undo it: the
 * resolver checks the system for a while. False as above.
 */
export async function settle(
  tx: Tx,
  { bookingId, lease }: Lease,
  nextCheckAt: Temporal.Instant,
): Promise<boolean> {
  const settled = await tx`
    update booking_intent
    set standing = wanted, wanted = standing, partner_booking_id = null, idempotency_key = null,
      leased_until = ${NO_LEASE}, checks = 0, next_check_at = ${nextCheckAt}
    where booking_id = ${bookingId} and lease = ${lease}`;
  return settled.count > 0;
}

/** Whether a call about the booking is under way, or its outcome is in doubt or still watched. */
export async function isOpen(tx: Tx, bookingId: string): Promise<boolean> {
  const open = await tx`select from booking_intent where booking_id = ${bookingId}`;
  return open.length > 0;
}

export async function listDue(tx: Tx, now: Temporal.Instant, limit: number): Promise<StoredIntent[]> {
  const due = await tx<StoredIntent[]>`
    select ${tx.unsafe(COLUMNS)} from booking_intent
    where next_check_at <= ${now} and leased_until <= ${now} order by next_check_at limit ${limit}`;
  return [...due];
}

/** Intents without a current lease: the outcome of a call is unknown. The start of the oldest is null without any. */
export async function countOpen(
  tx: Tx,
  now: Temporal.Instant,
): Promise<{ count: number; since: Temporal.Instant | null }> {
  const [found] = await tx<{ count: number; since: Temporal.Instant | null }[]>`
    select count(*)::int as count, min(created_at) as since from booking_intent where leased_until <= ${now}`;
  return found ?? { count: 0, since: null };
}

/** False as above. */
export async function scheduleCheck(
  tx: Tx,
  { bookingId, lease }: Lease,
  { checks, nextCheckAt }: { checks: number; nextCheckAt: Temporal.Instant },
): Promise<boolean> {
  const scheduled = await tx`
    update booking_intent set checks = ${checks}, next_check_at = ${nextCheckAt}, leased_until = ${NO_LEASE}
    where booking_id = ${bookingId} and lease = ${lease}`;
  return scheduled.count > 0;
}
