import type { Payment, PaymentOptions } from './schema.ts';

/** What the OpenAPI document shows of payments: a dinner with a package for four, of which a quarter is paid first. */
export const paymentOptionsExample: PaymentOptions = {
  finalBalance: 26_000,
  currency: 'GBP',
  paid: 0,
  due: 26_000,
  options: [
    { id: 'full', amount: 26_000, label: 'Pay in full: £260.00' },
    { id: 'deposit_25', amount: 6500, label: 'Pay a 25% deposit: £65.00' },
  ],
};

export const paymentExample: Payment = {
  id: '019a7f41-0c6e-7b1d-9a52-6f0d3e8c4b17',
  status: 'paid',
  amount: 6500,
  refunded: 0,
  currency: 'GBP',
  option: 'deposit_25',
  method: 'card',
  createdAt: '2026-11-15T10:15:02.480Z',
  checkoutUrl: null,
};
