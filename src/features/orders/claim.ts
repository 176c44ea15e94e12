/**
 * Ensures that one request at a time works on an order. It is stored whole before anything is booked, and worked on
 * under a lease: a repeated request waits for the first, or continues where a node that died has left it.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Sql, type Tx } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import type { Log } from '../../kernel/log.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { withinDeadline } from '../../kernel/request-scope.ts';
import type { Registry } from '../../tms/registry.ts';
import type { Bookings } from '../bookings/service.ts';
import { type Idempotency, KEPT_HOURS } from '../idempotency/service.ts';
import type { Lease, NewItem, OrderRecord } from './record.ts';
import type { OrderStore } from './store.ts';
import * as store from './store.ts';

const LEASE_SECONDS = 20;
const RENEW_MS = 5000;
const POLL_MS = 50;

export type NamedOrder = Omit<store.NewOrder, 'lease' | 'leasedUntil' | 'createdAt'>;

/** Without a lease there is nothing left to do for it. */
export interface Claimed {
  order: OrderRecord;
  lease: Lease | undefined;
}

export async function claimOrder(
  context: OrdersContext,
  wanted: NamedOrder,
  items: readonly NewItem[],
): Promise<Claimed> {
  const { sql, clock } = context;
  const endsAt = performance.now() + withinDeadline(DEADLINES.sameOrder);
  do {
    const keyedSince = nowOf(clock).subtract({ hours: KEPT_HOURS });
    const order = await store.findNamed(sql, wanted, keyedSince);
    if (!order) {
      const begun = await begin(context, wanted, items, keyedSince);
      if (begun) return begun;
      continue;
    }
    assertSame(order, wanted);
    if (order.isSettled) return { order, lease: undefined };
    const lease = await takeLease(sql, clock, order.id);
    if (lease) return { order, lease };
    await sleep(POLL_MS);
  } while (performance.now() < endsAt);
  throw othersAtWork();
}

/** Undefined when a concurrent request has just used one of its keys. */
async function begin(
  { sql, clock, store: orders }: OrdersContext,
  wanted: NamedOrder,
  items: readonly NewItem[],
  keyedSince: Temporal.Instant,
): Promise<Claimed | undefined> {
  const lease = randomUUID();
  const createdAt = nowOf(clock);
  const order = { ...wanted, lease, leasedUntil: leaseEnd(clock), createdAt };
  const isNew = await inTransaction(sql, async (tx) => {
    await store.freeOldKey(tx, wanted, keyedSince);
    return orders.insert(tx, order, items);
  });
  return isNew ? { order: { ...wanted, isSettled: false }, lease: { orderId: wanted.id, lease } } : undefined;
}

/** Undefined while another request holds the lease, or when there is nothing left to do. */
export async function takeLease(tx: Tx, clock: Clock, orderId: string): Promise<Lease | undefined> {
  const lease = { orderId, lease: randomUUID() };
  const times = { now: nowOf(clock), leasedUntil: leaseEnd(clock) };
  return (await store.takeLease(tx, lease, times)) ? lease : undefined;
}

const leaseEnd = (clock: Clock) => nowOf(clock).add({ seconds: LEASE_SECONDS });

/** Renews the lease while the work runs; if the work fails, releases it, so that the next request need not wait. */
export async function underLease<Result>(
  { sql, clock }: OrdersContext,
  lease: Lease,
  work: () => Promise<Result>,
): Promise<Result> {
  const renew = () => store.setLeaseEnd(sql, lease, leaseEnd(clock)).catch(() => {});
  const renewing = setInterval(renew, RENEW_MS).unref();
  try {
    return await work();
  } catch (error) {
    clearInterval(renewing);
    await store.setLeaseEnd(sql, lease, nowOf(clock)).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

function assertSame(order: OrderRecord, { partnerId, partnerOrderId, fingerprint }: NamedOrder): void {
  if (order.fingerprint.equals(fingerprint)) return;
  if (
    order.partnerId === partnerId &&
    order.partnerOrderId !== null &&
    order.partnerOrderId === partnerOrderId
  )
    throw problem('BOOK-N-002', {
      detail: `You have another order ${partnerOrderId} already.`,
      extensions: { orderId: order.id },
    });
  throw invalid('Idempotency-Key', 'was used before for another request');
}

/** The other request may be a repetition of this one, so no outcome is known yet. */
export const othersAtWork = () =>
  problem('HTTP-R-503', { detail: 'This order is still being worked on.', retryAfterSeconds: 5 });

export interface OrdersDeps {
  sql: Sql;
  clock: Clock;
  encryptionKeys: Keyring;
  registry: Registry;
  bookings: Bookings;
  idempotency: Idempotency;
  log: Pick<Log, 'error'>;
}

/** What everything that is done with orders works with. */
export interface OrdersContext extends OrdersDeps {
  store: OrderStore;
}
