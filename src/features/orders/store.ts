import { insertAll } from '../../db/bulk-insert.ts';
import type { Fragment, Tx } from '../../db/database.ts';
import { type Keyring, open, seal } from '../../kernel/crypto.ts';
import type { ProblemCode, ProblemOptions } from '../../kernel/problem.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import type { ItemRecord, KeptProblem, Lease, NewItem, OrderRecord, TrailStep, Wanted } from './record.ts';

/** The names under which a request can be sent again. */
export interface OrderNames {
  partnerId: number;
  partnerOrderId: string | null;
  clientId: string;
  idempotencyKey: string | null;
}

export interface NewOrder
  extends OrderNames,
    Pick<OrderRecord, 'id' | 'fingerprint' | 'isAtomic' | 'source'> {
  lease: string;
  leasedUntil: Temporal.Instant;
  createdAt: Temporal.Instant;
}

export type OrderStore = ReturnType<typeof createOrderStore>;

const contextOf = (orderId: string, position: number) => `order-item:${orderId}:${position}`;

export const SEALED_ORDER_ITEMS: SealedTable = {
  table: 'booking_order_item',
  columns: ['content'],
  key: ['order_id', 'position'],
  contextOf: (orderId, position) => contextOf(orderId, Number(position)),
};

/** Where orders are kept. What guests say is sealed, as it is in bookings. */
export function createOrderStore(encryptionKeys: Keyring) {
  const sealed = (orderId: string, position: number, content: Wanted | ProblemOptions) =>
    seal(encryptionKeys, JSON.stringify(content), contextOf(orderId, position));

  function recordOf(orderId: string, { content, errorCode, ...row }: ItemRow): ItemRecord {
    const opened =
      content && JSON.parse(open(encryptionKeys, content, contextOf(orderId, row.position)).toString());
    return {
      ...row,
      wanted: row.status === 'waiting' ? opened : null,
      error: errorCode === null ? null : { code: errorCode, options: opened ?? {} },
    };
  }

  return {
    /** False, and nothing written, when one of its names is taken. */
    async insert(tx: Tx, order: NewOrder, items: readonly NewItem[]): Promise<boolean> {
      const inserted = await tx`
        insert into booking_order (id, partner_id, client_id, partner_order_id, idempotency_key, fingerprint, is_atomic,
          source, lease, leased_until, created_at)
        values (${order.id}, ${order.partnerId}, ${order.clientId}, ${order.partnerOrderId}, ${order.idempotencyKey},
          ${order.fingerprint}, ${order.isAtomic}, ${order.source}, ${order.lease}, ${order.leasedUntil},
          ${order.createdAt})
        on conflict do nothing`;
      if (inserted.count === 0) return false;
      await insertAll(
        tx,
        'booking_order_item',
        items.map(({ productId, bookingId, wanted }, position) => ({
          order_id: order.id,
          position,
          product_id: productId,
          booking_id: bookingId,
          status: 'waiting',
          content: sealed(order.id, position, wanted),
        })),
      );
      return true;
    },

    async listItems(tx: Tx, orderId: string): Promise<ItemRecord[]> {
      const rows = await tx<ItemRow[]>`
        select position, product_id as "productId", booking_id as "bookingId", status, trail, content,
          error_code as "errorCode"
        from booking_order_item where order_id = ${orderId} order by position`;
      return rows.map((row) => recordOf(orderId, row));
    },

    /** False when the lease is lost. */
    async markFailed(
      tx: Tx,
      { orderId, lease }: Lease,
      position: number,
      { code, options }: KeptProblem,
      trail: TrailStep[] | null,
    ): Promise<boolean> {
      const failed = await tx`
        update booking_order_item
        set status = 'failed', error_code = ${code}, content = ${sealed(orderId, position, options)}, trail = ${trail}
        where order_id = ${orderId} and position = ${position} and ${isOurs(tx, lease)}`;
      return failed.count > 0;
    },
  };
}

interface ItemRow extends Omit<ItemRecord, 'wanted' | 'error'> {
  content: Buffer | null;
  errorCode: ProblemCode | null;
}

/** The item waits, and the lease is still ours. */
const isOurs = (tx: Tx, lease: string): Fragment => tx`status = 'waiting' and exists (
  select from booking_order o where o.id = order_id and o.lease = ${lease} and o.settled_at is null)`;

/** False when it is no longer ours to say: then its booking must not be written either. */
export async function markBooked(
  tx: Tx,
  { orderId, lease }: Lease,
  position: number,
  bookingId: string,
  trail: TrailStep[] | null,
): Promise<boolean> {
  const booked = await tx`
    update booking_order_item set status = 'booked', booking_id = ${bookingId}, content = null, trail = ${trail}
    where order_id = ${orderId} and position = ${position} and ${isOurs(tx, lease)}`;
  return booked.count > 0;
}

function selected(tx: Tx): Fragment {
  return tx`select id, partner_id as "partnerId", partner_order_id as "partnerOrderId", fingerprint,
    is_atomic as "isAtomic", source, settled_at is not null as "isSettled" from booking_order`;
}

export async function findOrder(tx: Tx, id: string): Promise<OrderRecord | undefined> {
  const [found] = await tx<OrderRecord[]>`${selected(tx)} where id = ${id}`;
  return found;
}

/** The partner's own id counts for more than a key, which is forgotten after a while. */
export async function findNamed(
  tx: Tx,
  { partnerId, partnerOrderId, clientId, idempotencyKey }: OrderNames,
  keyedSince: Temporal.Instant,
): Promise<OrderRecord | undefined> {
  const [found] = await tx<OrderRecord[]>`
    ${selected(tx)}
    where (partner_id = ${partnerId} and partner_order_id = ${partnerOrderId})
      or (client_id = ${clientId} and idempotency_key = ${idempotencyKey} and created_at >= ${keyedSince})
    order by partner_order_id is not distinct from ${partnerOrderId} desc limit 1`;
  return found;
}

export async function freeOldKey(
  tx: Tx,
  { clientId, idempotencyKey }: OrderNames,
  keyedSince: Temporal.Instant,
): Promise<void> {
  if (idempotencyKey === null) return;
  await tx`
    update booking_order set idempotency_key = null
    where client_id = ${clientId} and idempotency_key = ${idempotencyKey} and created_at < ${keyedSince}`;
}

/** False while another request holds the lease, or when there is nothing left to do. */
export async function takeLease(
  tx: Tx,
  { orderId, lease }: Lease,
  { now, leasedUntil }: { now: Temporal.Instant; leasedUntil: Temporal.Instant },
): Promise<boolean> {
  const taken = await tx`
    update booking_order set lease = ${lease}, leased_until = ${leasedUntil}
    where id = ${orderId} and settled_at is null and leased_until <= ${now}`;
  return taken.count > 0;
}

/** Extends the lease, or, with a moment in the past, releases it. */
export async function setLeaseEnd(
  tx: Tx,
  { orderId, lease }: Lease,
  leasedUntil: Temporal.Instant,
): Promise<void> {
  await tx`update booking_order set leased_until = ${leasedUntil} where id = ${orderId} and lease = ${lease}`;
}

/** False when another request has taken the order over. */
export async function settle(
  tx: Tx,
  { orderId, lease }: Lease,
  settledAt: Temporal.Instant,
): Promise<boolean> {
  const settled = await tx`
    update booking_order set settled_at = ${settledAt}
    where id = ${orderId} and lease = ${lease} and settled_at is null`;
  return settled.count > 0;
}

export interface Abandoned {
  now: Temporal.Instant;
  /** Orders with a key, which their sender can repeat, are abandoned only if older than this. */
  namedBefore: Temporal.Instant;
  except: readonly string[];
}

/** Orders without a current lease; those with a key, which their sender can repeat, are left alone for longer. */
export async function listAbandoned(
  tx: Tx,
  { now, namedBefore, except }: Abandoned,
  limit: number,
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from booking_order
    where settled_at is null and leased_until <= ${now}
      and (leased_until <= ${namedBefore} or (partner_order_id is null and idempotency_key is null))
      and id <> all(${except as string[]}::uuid[])
    order by leased_until limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** What was said about failures a long time ago; that they failed, and how, stays. */
export async function forgetContents(tx: Tx, settledBefore: Temporal.Instant): Promise<number> {
  const forgotten = await tx`
    update booking_order_item i set content = null from booking_order o
    where i.content is not null and o.id = i.order_id and o.settled_at < ${settledBefore}`;
  return forgotten.count;
}
