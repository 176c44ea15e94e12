import { type Static, Type } from 'typebox';
import { CLOCK_TIME, named, nullable, oneOf, pence, text } from '../../http/validation/schema-helpers.ts';
import { Space, venueExample } from '../venues/service.ts';

const [product] = venueExample.products;

/** What the OpenAPI document shows for a day with two starts. */
export const availabilityExample: Availability = {
  name: 'Dinner',
  deposit: null,
  policy: 'Tables are kept for fifteen minutes.',
  cancellationPolicy: 'Free of charge until 24 hours before.',
  times: [
    {
      time: '19:30',
      date: '2026-12-05',
      dateTime: '2026-12-05T19:30:00+00:00',
      duration: 90,
      minDuration: 60,
      maxDuration: 180,
      durationInterval: 15,
      type: 'book',
      product: { id: '1|house|soho-grill|dinner', name: 'Dinner', spaces: product?.spaces ?? [] },
      productId: '1|house|soho-grill|dinner',
    },
    {
      time: '19:45',
      date: '2026-12-05',
      dateTime: '2026-12-05T19:45:00+00:00',
      duration: 90,
      minDuration: 60,
      maxDuration: 180,
      durationInterval: 15,
      type: 'request',
      requestReason: 'fully_booked',
      product: { id: '1|house|soho-grill|dinner', name: 'Dinner', spaces: [] },
      productId: '1|house|soho-grill|dinner',
    },
  ],
  noAvailabilityReason: null,
  noAvailabilityCode: null,
};

const Deposit = Type.Object(
  {
    amount: pence('Amount'),
    currency: Type.String(),
    per: oneOf(['booking', 'guest', 'adult', 'child'] as const),
    total: pence('What this party would pay'),
  },
  named('Deposit', 'The deposit that this party owes'),
);

const AvailabilityTimeSlot = Type.Object(
  {
    time: text('Start, local time `HH:MM`', CLOCK_TIME),
    date: Type.String({ format: 'date', description: 'Trading day of the start' }),
    dateTime: Type.String({ format: 'date-time', description: 'The true start, with UTC offset' }),
    duration: Type.Integer({ description: 'Minutes' }),
    minDuration: Type.Integer({ description: 'Minutes' }),
    maxDuration: Type.Integer({ description: 'Minutes' }),
    durationInterval: Type.Integer({ description: 'Minutes' }),
    type: oneOf(['book', 'request'] as const, {
      description: '`book` is confirmed at once, `request` by the operator',
    }),
    requestReason: Type.Optional(
      text('With type `request`: `fully_booked`, `exceeds_auto_confirm`, `request_only` or another reason'),
    ),
    product: Type.Object({
      id: text('Product id'),
      name: Type.String(),
      spaces: Type.Array(Space, {
        description: 'The spaces that can be had then; minimum spends are those that the stay crosses',
      }),
    }),
    unavailableReasons: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'With `includeUnavailable`: why it cannot be had, mostly codes of the catalogue; empty when it can',
      }),
    ),
    productId: Type.String({ deprecated: true, description: 'Use `product.id`' }),
  },
  named('AvailabilityTimeSlot', 'A start that can be booked or requested'),
);

export const Availability = Type.Object(
  {
    name: text('Name of the product'),
    deposit: nullable(Deposit),
    policy: nullable(text('House rules')),
    cancellationPolicy: nullable(Type.String()),
    times: Type.Array(AvailabilityTimeSlot),
    noAvailabilityReason: nullable(text('A sentence for guests, when `times` is empty')),
    noAvailabilityCode: nullable(
      text(
        'When `times` is empty: `NO_AVAILABILITY`, `NO_ELIGIBLE_PRODUCTS`, `FILTERED_BY_OPERATOR_RULES`, `FILTERED_BY_CAPACITY`; treat others as the first',
      ),
    ),
  },
  named('Availability', 'What can be had now'),
);

export type Availability = Static<typeof Availability>;
export type AvailabilityTimeSlot = Static<typeof AvailabilityTimeSlot>;
