import { type Static, Type } from 'typebox';
import { plainExample } from '../../http/openapi/problems.ts';
import { ProblemSchema } from '../../http/problems/problem-schema.ts';
import { named, nullable, oneOf, text } from '../../http/validation/schema-helpers.ts';
import { Booking, bookingExample } from '../bookings/service.ts';
import { TRAIL } from './record.ts';
import { ITEM_STATUSES, ORDER_STATUSES } from './result.ts';

const OrderItemResult = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      description: 'Its place in the request, from 0; in this answer, where the request named none',
    }),
    compositeId: nullable(
      text('What is booked, or was to be; null where the order has no booking of the `bookingId`'),
    ),
    bookingId: nullable(
      Type.String({ description: 'Null where nothing was booked; in a refusal, the id that was sent' }),
    ),
    status: oneOf(ITEM_STATUSES, {
      description:
        '`booked`: confirmed; `requested`: an enquiry that waits for the operator; `cancelled`: or turned down by the operator; `failed`: nothing was done or changed; `pending`: not done yet, read the order again',
    }),
    booking: Type.Optional(Booking),
    error: Type.Optional(ProblemSchema),
    trail: Type.Optional(
      Type.Array(oneOf(TRAIL), {
        description:
          'With `atomic`, what was done: its place was `held`, then `confirmed`, or `released` because another item failed; `refused`: it could not be had; `skipped`: another had failed',
      }),
    ),
  },
  named(
    'OrderItemResult',
    'What became of one item: its `booking` once there is one, or `error` where it failed',
  ),
);

export const OrderResult = Type.Object(
  {
    orderId: Type.String({ format: 'uuid' }),
    partnerOrderId: nullable(text('Your id for it')),
    status: oneOf(ORDER_STATUSES, {
      description:
        'Of the whole order. `complete`: all of it stands; `partial`: some of it; `failed`: nothing was booked; `cancelled`: nothing is left; `pending`: not done yet',
    }),
    items: Type.Array(OrderItemResult, {
      description: 'In the order of the request; with PATCH and DELETE, of the bookings it named',
    }),
  },
  named('OrderResult', 'What became of an order'),
);
export type OrderResult = Static<typeof OrderResult>;
export type OrderItemResult = Static<typeof OrderItemResult>;

const booked: OrderItemResult = {
  index: 0,
  compositeId: bookingExample.compositeId,
  bookingId: bookingExample.id,
  status: 'booked',
  booking: bookingExample,
};

/** What the OpenAPI document shows of an order: one item was booked, the other was not to be had. */
export const orderExample: OrderResult = {
  orderId: '019a7f3e-61b0-7c55-9a0e-6f1d2b3c4d5e',
  partnerOrderId: 'basket-4711',
  status: 'partial',
  items: [
    booked,
    {
      index: 1,
      compositeId: '2|tickets|jazz-night|vip',
      bookingId: null,
      status: 'failed',
      error: plainExample('AVAIL-N-005'),
    },
  ],
};

export const changedExample: OrderResult = {
  ...orderExample,
  items: [{ ...booked, booking: { ...bookingExample, partySize: 3 } }],
};

export const cancelledExample: OrderResult = {
  ...orderExample,
  status: 'cancelled',
  items: [{ ...booked, status: 'cancelled', booking: { ...bookingExample, status: 'cancelled' } }],
};
