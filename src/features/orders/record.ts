/** An order and its items as they are kept. */

import type { ProductId } from '../../kernel/ids.ts';
import type { ProblemCode, ProblemOptions } from '../../kernel/problem.ts';
import type { BookingBody, BookingSource } from '../bookings/service.ts';

export interface OrderRecord {
  id: string;
  partnerId: number;
  partnerOrderId: string | null;
  fingerprint: Buffer;
  isAtomic: boolean;
  source: BookingSource;
  isSettled: boolean;
}

/** A requested item; without a type it becomes a booking if possible, else an enquiry. */
export interface Wanted {
  type: BookingBody['type'] | null;
  body: Omit<BookingBody, 'type'>;
}

export interface NewItem {
  productId: ProductId;
  bookingId: string;
  wanted: Wanted;
}

export interface ItemRecord {
  position: number;
  productId: ProductId;
  bookingId: string;
  status: 'waiting' | 'booked' | 'failed';
  trail: TrailStep[] | null;
  /** While it waits. */
  wanted: Wanted | null;
  /** Once it has failed. */
  error: KeptProblem | null;
}

/** The right to work on an order, for as long as it is renewed. */
export interface Lease {
  orderId: string;
  lease: string;
}

/** `held`: its place was taken; `confirmed`: for good; `released`: given back because another item failed. */
export const TRAIL = ['held', 'confirmed', 'released', 'refused', 'skipped'] as const;

export type TrailStep = (typeof TRAIL)[number];

/** A problem that can be kept and made again. */
export interface KeptProblem {
  code: ProblemCode;
  options: ProblemOptions;
}
