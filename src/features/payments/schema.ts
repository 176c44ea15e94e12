import { type Static, Type } from 'typebox';
import { named, nullable, oneOf, pence, text } from '../../http/validation/schema-helpers.ts';
import { PAYMENT_OPTIONS } from '../bookings/money/payment-record.ts';
import type { Payment } from '../bookings/schema.ts';

const PaymentChoice = Type.Object(
  { id: oneOf(PAYMENT_OPTIONS), amount: pence('Amount'), label: text('A few words for guests') },
  named('PaymentOption', 'A way to pay now'),
);

export const PaymentOptions = Type.Object(
  {
    finalBalance: pence('What the booking costs in all'),
    currency: Type.String(),
    paid: pence('Paid so far, with what the partner has taken and with payments that are still pending'),
    due: pence('What is left of the balance'),
    options: Type.Array(PaymentChoice),
  },
  named('PaymentOptions', 'What can be paid for a booking'),
);
export type PaymentOptions = Static<typeof PaymentOptions>;

export const PaymentBody = Type.Object(
  {
    option: oneOf(PAYMENT_OPTIONS, { description: 'One of the options that are offered now' }),
    method: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 50, description: 'How the guest wishes to pay' })),
    ),
    returnUrl: Type.Optional(
      nullable(
        Type.String({ format: 'uri', maxLength: 2000, description: 'Where the guest goes afterwards' }),
      ),
    ),
  },
  {
    additionalProperties: false,
    ...named('PaymentRequest', 'A payment to be made'),
    examples: [{ option: 'deposit_25', method: 'card', returnUrl: 'https://partner.example/thanks' }],
  },
);
export type PaymentBody = Static<typeof PaymentBody>;

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
