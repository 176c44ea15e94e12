import { plainExample } from '../../http/openapi-problems.ts';
import { bookingExample } from '../bookings/examples.ts';
import type { OrderItemResult, OrderResult } from './schema.ts';

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
