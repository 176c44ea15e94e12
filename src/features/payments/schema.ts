import { type Static, Type } from 'typebox';
import { named, nullable, oneOf, pence, text } from '../../http/validation/schema-helpers.ts';
import { bookingExample, PAYMENT_OPTIONS, Payment, PaymentOptions } from '../bookings/service.ts';

export const PaymentBody = Type.Object(
  {
    option: oneOf(PAYMENT_OPTIONS, { description: 'One of the options that are offered now' }),
    amount: Type.Optional(
      pence('What the guest was shown. If the option costs something else now, nothing is charged'),
    ),
    currency: Type.Optional(Type.String({ minLength: 3, maxLength: 3, description: 'Of the amount' })),
    token: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9_-]{2,254}$',
        'x-message': 'must be a token of the payment provider, never a card number',
        description:
          'What the provider gave your page in place of a card. Without it the guest completes the payment',
      }),
    ),
    method: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 50, description: 'How the guest wishes to pay' })),
    ),
    returnUrl: Type.Optional(
      nullable(
        Type.String({ format: 'uri', maxLength: 2000, description: 'Where the guest goes afterwards' }),
      ),
    ),
    offSession: Type.Optional(
      Type.Boolean({ description: 'The guest is not present and cannot authenticate' }),
    ),
  },
  {
    additionalProperties: false,
    ...named('PaymentRequest', 'A payment to be made'),
    examples: [
      {
        option: 'deposit_25',
        token: 'tok_success',
        method: 'card',
        returnUrl: 'https://partner.example/thanks',
      },
    ],
  },
);
export type PaymentBody = Static<typeof PaymentBody>;

const ProviderInfo = Type.Object(
  {
    name: text('Its name, such as `stripe` or `sandbox`'),
    publishableKey: nullable(text('What your page needs for the form of the provider')),
    account: nullable(
      text(
        'The account of the operator at the provider, which the form needs too; null: the platform takes it',
      ),
    ),
  },
  named('PaymentProvider', 'Who takes payments'),
);

export const OfferedPayments = Type.Object(
  {
    ...PaymentOptions.properties,
    provider: nullable(ProviderInfo, { description: 'Null: payments cannot be taken here' }),
    message: text('The same in a sentence'),
  },
  named('OfferedPayments', 'What can be paid for a booking, and through whom'),
);
export type OfferedPayments = Static<typeof OfferedPayments>;

export const RefundBody = Type.Object(
  {
    amount: Type.Integer({
      minimum: 1,
      maximum: 10 ** 11,
      description: 'Pence; at most what is left of what was taken',
    }),
    reason: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 500, description: 'For the history of the booking' })),
    ),
  },
  {
    additionalProperties: false,
    ...named('RefundRequest', 'Money that goes back to the guest'),
    examples: [{ amount: 2500, reason: 'The main course was cold' }],
  },
);
export type RefundBody = Static<typeof RefundBody>;

export const OwedRefund = Type.Object(
  {
    bookingId: Type.String({ format: 'uuid' }),
    amount: pence('What goes back'),
    taken: pence('What is left afterwards of what was taken'),
    payments: Type.Array(Payment),
  },
  named('OwedRefund', 'A refund that is on its way'),
);
export type OwedRefund = Static<typeof OwedRefund>;

/** What the OpenAPI document shows of payments: a dinner with a package for four, of which a quarter is paid first. */
export const paymentOptionsExample: OfferedPayments = {
  finalBalance: 26_000,
  currency: 'GBP',
  paid: 0,
  due: 26_000,
  options: [
    { id: 'full', amount: 26_000, label: 'Pay in full: £260.00' },
    { id: 'deposit_25', amount: 6500, label: 'Pay a 25% deposit: £65.00' },
  ],
  provider: { name: 'sandbox', publishableKey: null, account: null },
  message: 'Payments are taken through sandbox.',
};

export const paymentExample: Payment = {
  id: '019a7f41-0c6e-7b1d-9a52-6f0d3e8c4b17',
  status: 'succeeded',
  amount: 6500,
  refunded: 0,
  currency: 'GBP',
  option: 'deposit_25',
  method: 'card',
  createdAt: '2026-11-15T10:15:02.480Z',
  nextActionUrl: null,
  checkoutUrl: null,
  clientSecret: null,
  publishableKey: null,
  account: null,
  failureReason: null,
};

export const owedRefundExample: OwedRefund = {
  bookingId: bookingExample.id,
  amount: 2500,
  taken: 4000,
  payments: [{ ...paymentExample, refunded: 2500 }],
};
