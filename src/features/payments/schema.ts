import { type Static, Type } from 'typebox';
import { named, nullable, oneOf, pence, text, URI } from '../../http/schema-words.ts';
import { PAYMENT_OPTIONS, PAYMENT_STATUSES } from './record.ts';

export const Payment = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: oneOf(PAYMENT_STATUSES, {
      description: '`pending` until the provider has said how it went',
    }),
    amount: pence('Amount'),
    refunded: pence('How much of it is given back'),
    currency: Type.String(),
    option: oneOf(PAYMENT_OPTIONS),
    method: nullable(Type.String()),
    createdAt: Type.String({ format: 'date-time' }),
    checkoutUrl: nullable(text('Where the guest completes it, while it is pending', URI)),
  },
  named('Payment', 'A payment for a booking'),
);
export type Payment = Static<typeof Payment>;

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
