import { type Static, Type } from 'typebox';
import { named, nullable, oneOf } from '../../http/validation/schema-helpers.ts';
import { PAYMENT_OPTIONS, type Payment, type PaymentOptions } from '../bookings/service.ts';

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
