/** Orders: every item is booked once or failed, as its sender was told. */
import type { SentOrder } from '../../../test/faults/orders/order-random.ts';
import type { BookingRow, Evidence, ItemRow } from '../evidence.ts';
import { isDone } from '../journal.ts';

interface ToldItem {
  status: string;
  bookingId: string | null;
  compositeId: string;
}

export function checkOrders(evidence: Evidence): string[] {
  const { items, orders, bookings } = evidence;
  const byId = new Map(bookings.map((row) => [row.id, row]));
  // Agents with mandates declare deposits as well, under clients of their own.
  const ordered = bookings.filter(
    ({ depositPence, clientId }) => depositPence !== null && depositPence >= 1 && clientId === 'demo-partner',
  );
  const rowsOf = Map.groupBy(items, ({ orderId }) => orderId);
  return [
    ...[...rowsOf].flatMap(([orderId, rows]) => checkRows(orderId, rows)),
    ...[...Map.groupBy(ordered, ({ depositPence }) => depositPence)]
      .filter(([, rows]) => rows.length > 1)
      .map(([mark, rows]) => `item ${mark} is booked ${rows.length} times`),
    ...orders.flatMap((order) => checkTold(order, rowsOf, byId)),
    ...checkCancelled(evidence, byId),
  ];
}

function checkRows(orderId: string, rows: readonly ItemRow[]): string[] {
  const [first] = rows;
  const isHalf = first?.isAtomic && new Set(rows.map(({ status }) => status)).size > 1;
  return [
    ...(first?.isSettled ? [] : [`order ${orderId} is not settled`]),
    ...(isHalf ? [`order ${orderId} of all or nothing is half booked`] : []),
    ...rows.filter(({ status }) => status === 'waiting').map(() => `an item of order ${orderId} still waits`),
  ];
}

function checkTold(
  { body, answers }: SentOrder,
  rowsOf: ReadonlyMap<string, readonly ItemRow[]>,
  byId: ReadonlyMap<string, BookingRow>,
): string[] {
  const told = answers.filter(({ status }) => status === 200).map(({ json }) => json);
  const ids = new Set<string>(told.map(({ orderId }) => orderId));
  if (ids.size > 1) return [`one order was told as ${[...ids].join(' and ')}`];
  return told.flatMap(({ orderId, items }: { orderId: string; items: ToldItem[] }) => {
    const rows = rowsOf.get(orderId) ?? [];
    if (rows.length !== body.items.length) return [`order ${orderId} was acknowledged with other items`];
    return items.flatMap((item, index) => {
      const name = `item ${index} of order ${orderId}, told ${item.status},`;
      const row = rows[index];
      if (item.bookingId === null) return row?.status === 'failed' ? [] : [`${name} is ${row?.status}`];
      const booking = byId.get(item.bookingId);
      const mark = body.items[index]?.depositAmount;
      const isThere = row?.bookingId === item.bookingId && booking?.depositPence === mark;
      return isThere && booking?.productId === item.compositeId ? [] : [`${name} has no such booking`];
    });
  });
}

/** What an order was told to be rid of stays cancelled. */
function checkCancelled({ entries }: Evidence, byId: ReadonlyMap<string, BookingRow>): string[] {
  return entries
    .filter((entry) => entry.route === 'DELETE /v1/orders/{orderId}' && isDone(entry))
    .flatMap(({ answer }) => answer.items as ToldItem[])
    .filter(({ status, bookingId }) => status === 'cancelled' && bookingId !== null)
    .filter(({ bookingId }) => !['cancelled', 'rejected'].includes(byId.get(bookingId ?? '')?.status ?? ''))
    .map(({ bookingId }) => `booking ${bookingId} was cancelled with its order and is not`);
}
