export const PAYMENT_OPTIONS = ['full', 'deposit_25', 'deposit'] as const;
export type PaymentOption = (typeof PAYMENT_OPTIONS)[number];

/** `pending`: the provider has yet to say how it went. */
export const PAYMENT_STATUSES = ['pending', 'paid', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export interface PaymentRecord {
  id: string;
  option: PaymentOption;
  status: PaymentStatus;
  amountPence: number;
  currency: string;
  method: string | null;
  checkoutUrl: string | null;
  createdAt: Temporal.Instant;
  /** Given back, or owed to be. */
  refundedPence: number;
}
