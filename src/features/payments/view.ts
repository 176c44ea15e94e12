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
    createdAt: payment.createdAt.toString(),
    checkoutUrl: payment.status === 'pending' ? payment.checkoutUrl : null,
  };
}
