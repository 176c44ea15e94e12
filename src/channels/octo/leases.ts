/**
 * One request at a time works on a reservation. Its hold lives in the system of the venue, which may be far away, so no
 * transaction can stay open for as long: a lease does. What a dead node has begun, the next request continues.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { problem } from '../../kernel/problem.ts';
import { outsideRequest, withinDeadline } from '../../kernel/request-scope.ts';
import { endLease, type Lease, type Reservation, type ReservationStore } from './store.ts';

/** Longer than any request may take. */
const LEASE_SECONDS = 30;
const POLL_MS = 40;

export interface LeaseContext {
  sql: Sql;
  clock: Clock;
  store: ReservationStore;
}

export const newLease = (id: string): Lease => ({ id, lease: randomUUID() });
export const leaseEnd = (clock: Clock) => nowOf(clock).add({ seconds: LEASE_SECONDS });

export const othersAtWork = () =>
  problem('HTTP-R-503', { detail: 'This booking is still being worked on.', retryAfterSeconds: 2 });

/** Waits for other requests that work on it; undefined: there is no such reservation. */
export async function takeLease(
  { sql, clock, store }: LeaseContext,
  id: string,
): Promise<{ lease: Lease; reservation: Reservation } | undefined> {
  const endsAt = performance.now() + withinDeadline(DEADLINES.sameReservation);
  const lease = newLease(id);
  do {
    const times = { now: nowOf(clock), until: leaseEnd(clock) };
    const reservation = await store.takeLease(sql, lease, times);
    if (reservation) return { lease, reservation };
    if (!(await store.find(sql, id))) return undefined;
    await sleep(POLL_MS);
  } while (performance.now() < endsAt);
  throw othersAtWork();
}

/** Ends the lease however the work ends, also when the caller has gone. */
export async function underLease<Result>(
  { sql }: LeaseContext,
  lease: Lease,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } finally {
    await outsideRequest(() => endLease(sql, lease)).catch(() => {});
  }
}
