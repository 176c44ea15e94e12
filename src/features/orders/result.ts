/** The outcome of an order, computed from its items and from its bookings as they are now. */

import type { Problem } from '../../kernel/problem.ts';
import type { Booking } from '../bookings/service.ts';
import type { ItemRecord, KeptProblem, OrderRecord, TrailStep } from './record.ts';

export const ITEM_STATUSES = ['booked', 'requested', 'failed', 'cancelled', 'pending'] as const;
export const ORDER_STATUSES = ['complete', 'partial', 'failed', 'cancelled', 'pending'] as const;

export type ItemStatus = (typeof ITEM_STATUSES)[number];
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** What is for the log or for headers is nothing to keep. */
export function kept({ code, options }: Problem): KeptProblem {
  const { cause: _, headers: __, ...rest } = options;
  return { code, options: rest };
}

export interface ItemOutcome {
  index: number;
  /** Null where the order has no booking of that id. */
  compositeId: string | null;
  bookingId: string | null;
  status: ItemStatus;
  booking?: Booking;
  error?: KeptProblem;
  trail?: TrailStep[];
}

export interface OrderOutcome {
  orderId: string;
  partnerOrderId: string | null;
  status: OrderStatus;
  items: ItemOutcome[];
}

/** `bookings`: those of the items that were booked. */
export function outcomeOf(
  order: OrderRecord,
  items: readonly ItemRecord[],
  bookings: readonly Booking[],
): OrderOutcome {
  const outcomes = items.map((item) => itemOutcome(item, bookings));
  return {
    orderId: order.id,
    partnerOrderId: order.partnerOrderId,
    status: statusOf(outcomes.map(({ status }) => status)),
    items: outcomes,
  };
}

function itemOutcome(item: ItemRecord, bookings: readonly Booking[]): ItemOutcome {
  const { position, productId, bookingId, status, error, trail } = item;
  const booking = status === 'booked' ? bookings.find(({ id }) => id === bookingId) : undefined;
  const walked = trail === null ? {} : { trail };
  if (booking) return { ...bookedOutcome(position, booking), ...walked };
  return {
    index: position,
    compositeId: productId,
    bookingId: null,
    status: status === 'waiting' ? 'pending' : 'failed',
    ...(error && { error }),
    ...walked,
  };
}

export function bookedOutcome(index: number, booking: Booking): ItemOutcome {
  const { id: bookingId, compositeId } = booking;
  return { index, compositeId, bookingId, status: itemStatusOf(booking), booking };
}

/** One that waits for its payment is pending. A booking that is over was kept; an enquiry that was turned down is as good as cancelled. */
function itemStatusOf({ status, paymentDue }: Booking): ItemStatus {
  if (paymentDue) return 'pending';
  switch (status) {
    case 'confirmed':
    case 'completed':
    case 'no_show':
      return 'booked';
    case 'pending':
    case 'in_progress':
      return 'requested';
    case 'cancelled':
    case 'rejected':
      return 'cancelled';
  }
}

function statusOf(items: readonly ItemStatus[]): OrderStatus {
  if (items.includes('pending')) return 'pending';
  const standing = items.filter((status) => status === 'booked' || status === 'requested').length;
  if (standing === items.length) return 'complete';
  if (standing > 0) return 'partial';
  return items.includes('cancelled') ? 'cancelled' : 'failed';
}
