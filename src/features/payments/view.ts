import { timestampOf } from '../../kernel/clock.ts';
import type { PaymentRecord } from './record.ts';
import type { Payment } from './schema.ts';

export function paymentView(payment: PaymentRecord): Payment {
  return {
    id: payment.id,
    status: payment.status,
    amount: payment.amountPence,
    refunded: payment.refundedPence,
    currency: payment.currency,
    option: payment.option,
    method: payment.method,
    createdAt: timestampOf(payment.createdAt),
    checkoutUrl: payment.status === 'pending' ? payment.checkoutUrl : null,
  };
}
