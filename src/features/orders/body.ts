/**
 * The bodies that make, change and cancel orders. A field that is null counts as left out, unless stated otherwise.
 */
import { type Static, Type } from 'typebox';
import { named, optional } from '../../http/validation/schema-helpers.ts';
import { OPTIONAL_BODY } from '../../http/validation/validation.ts';
import { MOST_GUESTS } from '../availability/service.ts';
import { BookingBody, PreorderChoice } from '../bookings/service.ts';

export const MOST_ITEMS = 50;

const booking = BookingBody.properties;
const closed = { additionalProperties: false };

const quantity = Type.Integer({
  minimum: 1,
  maximum: MOST_GUESTS,
  description: 'Covers or tickets; `children` come on top',
});
const productId = Type.String({
  description: 'A product or a ticket type, by its id of four segments; never the id of a listing',
});
const bookingId = Type.String({ minLength: 1, maxLength: 100, description: 'A booking of this order' });

const guest = {
  firstName: optional(booking.firstName),
  lastName: optional(booking.lastName),
  email: booking.email,
  phone: booking.phone,
  company: booking.company,
};

const { children, dateTime, date, time, duration, spaceId, partnerBookingId, depositAmount } = booking;
const { holdId, offerToken, confirmationToken } = booking;

const OrderItem = Type.Object(
  {
    compositeId: productId,
    quantity,
    children,
    dateTime,
    date,
    time,
    type: optional(
      booking.type,
      '`book` is confirmed at once, `request` is decided by the operator. Left out: `book` where that can be had, else `request`; with `atomic`, `book`',
    ),
    duration,
    spaceId,
    ...guest,
    notes: booking.notes,
    preorders: optional(PreorderChoice, 'What is ordered ahead; means nothing for tickets'),
    partnerBookingId,
    depositAmount,
    holdId,
    offerToken,
    confirmationToken,
  },
  { ...closed, ...named('OrderItem', 'A booking to be made; its start is `dateTime`, or `date` and `time`') },
);
export type OrderItem = Static<typeof OrderItem>;

export const OrderBody = Type.Object(
  {
    partnerOrderId: optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Your own id for the order, used once; sent again under it, the order is not made twice',
      }),
    ),
    atomic: optional(
      Type.Boolean({
        description: 'All items are booked or none is; `ORDER-N-009` where a system cannot take part',
      }),
    ),
    ...guest,
    items: Type.Array(OrderItem, { minItems: 1, maxItems: MOST_ITEMS }),
  },
  {
    ...closed,
    ...named(
      'OrderRequest',
      'Several bookings. Guest fields at the root hold for items that have none; `firstName` and `lastName` are needed in one of the two places',
    ),
    examples: [
      {
        partnerOrderId: 'basket-4711',
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.com',
        phone: '+44 20 7946 0018',
        items: [
          {
            compositeId: '1|house|soho-grill|dinner',
            quantity: 2,
            dateTime: '2026-12-05T19:30:00+00:00',
            notes: 'A quiet table, please.',
            partnerBookingId: 'order-4711',
          },
          { compositeId: '2|tickets|jazz-night|vip', quantity: 2, date: '2026-12-10', time: '20:00' },
        ],
      },
    ],
  },
);
export type OrderBody = Static<typeof OrderBody>;

const name = { id: optional(Type.Integer()), slug: optional(Type.String({ minLength: 1, maxLength: 100 })) };
const RemovedPreorder = Type.Object(name, {
  ...closed,
  ...named('RemovedPreorder', 'A package or menu of the booking, by `id` or `slug`'),
});

const PreorderChanges = Type.Object(
  {
    add: optional(PreorderChoice),
    remove: optional(
      Type.Object(
        {
          packages: optional(Type.Array(RemovedPreorder, { maxItems: 50 })),
          menus: optional(Type.Array(RemovedPreorder, { maxItems: 20 })),
        },
        closed,
      ),
    ),
  },
  {
    ...closed,
    ...named(
      'PreorderChanges',
      'What comes and what goes of what is ordered ahead; adding one that is there takes its place',
    ),
  },
);
export type PreorderChanges = Static<typeof PreorderChanges>;

const OrderItemChange = Type.Object(
  {
    bookingId,
    compositeId: optional(Type.String({ description: 'Another product of the same venue or event' })),
    quantity: optional(quantity),
    children,
    dateTime,
    date,
    time,
    type: optional(
      booking.type,
      'With `request`, the operator decides on what can no longer be confirmed at once; left out, that fails',
    ),
    duration,
    spaceId,
    firstName: Type.Optional(booking.firstName),
    lastName: Type.Optional(booking.lastName),
    email: booking.email,
    phone: booking.phone,
    company: booking.company,
    notes: booking.notes,
    preorders: optional(
      PreorderChoice,
      'Takes the place of all that was ordered ahead; empty arrays clear it, left out it stays',
    ),
    preorderChanges: optional(PreorderChanges, 'Packages and menus one by one, instead of `preorders`'),
    confirmationToken,
  },
  {
    ...closed,
    ...named(
      'OrderItemChange',
      'What is to change of one booking; what is left out stays. Null clears `children`, `duration`, `spaceId`, `email`, `phone`, `company` and `notes`',
    ),
  },
);
export type OrderItemChange = Static<typeof OrderItemChange>;

export const OrderChangeBody = Type.Object(
  { items: Type.Array(OrderItemChange, { minItems: 1, maxItems: MOST_ITEMS }) },
  {
    ...closed,
    ...named('OrderChange', 'Changes of bookings of the order, each on its own'),
    examples: [{ items: [{ bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60', quantity: 3 }] }],
  },
);
export type OrderChangeBody = Static<typeof OrderChangeBody>;

export const OrderCancellationBody = Type.Object(
  {
    bookingIds: optional(
      Type.Array(bookingId, { maxItems: MOST_ITEMS, description: 'Left out or empty: all of the order' }),
    ),
  },
  {
    ...closed,
    [OPTIONAL_BODY]: true,
    ...named('OrderCancellation', 'Which bookings to cancel'),
    examples: [{ bookingIds: ['019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60'] }],
  },
);
export type OrderCancellationBody = Static<typeof OrderCancellationBody>;
