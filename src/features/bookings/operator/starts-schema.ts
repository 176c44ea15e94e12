/** What the house can book on a day. */
import { type Static, Type } from 'typebox';
import { Defaulted } from '../../../http/validation/query-schema.ts';
import { CLOCK_TIME, DATE, named, nullable, oneOf } from '../../../http/validation/schema-helpers.ts';
import { MOST_GUESTS } from '../../availability/service.ts';
import { ORIGINS } from '../record.ts';
import { DESK_OVERRIDES } from './desk-schema.ts';

const guests = (description: string, minimum: number) =>
  Type.Integer({ minimum, maximum: MOST_GUESTS, description });

export const StartsQuery = Type.Object({
  date: Type.String({ format: 'date', description: 'Trading day', examples: ['2026-12-05'] }),
  partySize: guests('Adults', 1),
  children: Type.Optional(guests('Children, besides the adults', 0)),
  duration: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: 'Minutes' })),
  origin: Defaulted(oneOf(ORIGINS, { default: 'phone', description: 'How it came in' })),
  productKey: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only this product; absent: all' }),
  ),
  bookingId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The booking that is to be moved: its own tables are not in its way',
    }),
  ),
});

const START_REASONS = [
  ...(['full', 'pacing', 'notice', 'horizon', 'closed', 'hours', 'party_size', 'rule'] as const),
  ...(['enquiry_only', 'other'] as const),
] as const;
export type StartReason = (typeof START_REASONS)[number];

const StartRefusal = Type.Object(
  {
    reason: oneOf(START_REASONS, { description: 'In one word' }),
    code: Type.String({ description: 'That of the problem that a booking would get' }),
    detail: Type.String({ description: 'Why, in a sentence' }),
    override: nullable(oneOf(DESK_OVERRIDES, { description: 'The limit to set aside; null: none helps' })),
  },
  named('StartRefusal', 'Why a start cannot be booked'),
);
export type StartRefusal = Static<typeof StartRefusal>;

const Start = Type.Object(
  {
    time: Type.String({ description: 'Local time `HH:MM`', ...CLOCK_TIME }),
    dateTime: Type.String({ format: 'date-time', description: 'The same with its offset' }),
    type: oneOf(['book', 'request'] as const, {
      description: '`request`: the system of the venue takes only enquiries for it',
    }),
    isFree: Type.Boolean({ description: 'Whether it can be booked at this moment' }),
    duration: nullable(Type.Integer({ description: 'Minutes that the party would stay' })),
    tableIds: Type.Array(Type.Integer(), { description: 'The tables that it would get' }),
    refusal: nullable(StartRefusal),
  },
  named('HouseStart', 'A start of the grid'),
);
export type HouseStart = Static<typeof Start>;

export const ProductStarts = Type.Object(
  {
    productId: Type.String({ description: 'Composite id' }),
    productKey: Type.String({ description: 'Its last part' }),
    name: Type.String(),
    date: Type.String({ description: 'Trading day', ...DATE }),
    refusal: nullable(StartRefusal),
    starts: Type.Array(Start),
  },
  named('ProductStarts', 'The starts of a product; `refusal` says why there are none'),
);
export type ProductStarts = Static<typeof ProductStarts>;

export const Starts = Type.Object(
  { data: Type.Array(ProductStarts) },
  named('HouseStarts', 'The starts of a day'),
);

export const startsExample: Static<typeof Starts> = {
  data: [
    {
      productId: '1|house|soho-grill|dinner',
      productKey: 'dinner',
      name: 'Dinner',
      date: '2026-12-05',
      refusal: null,
      starts: [
        {
          time: '19:00',
          dateTime: '2026-12-05T19:00:00+00:00',
          type: 'book',
          isFree: true,
          duration: 105,
          tableIds: [12],
          refusal: null,
        },
        {
          time: '19:15',
          dateTime: '2026-12-05T19:15:00+00:00',
          type: 'book',
          isFree: false,
          duration: null,
          tableIds: [],
          refusal: {
            reason: 'full',
            code: 'AVAIL-N-005',
            detail: 'Every table that seats the party is taken at that time.',
            override: null,
          },
        },
      ],
    },
  ],
};
