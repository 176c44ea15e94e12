import { type Static, Type } from 'typebox';
import { venueId } from '../../http/manage-route.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { named, nullable, oneOf, optional, pence } from '../../http/validation/schema-helpers.ts';
import { LOCAL_DATE, LOCAL_DATE_TIME } from '../../kernel/local-time.ts';
import { segment } from '../venues/service.ts';

const MAX_REASON = 500;
const MAX_MESSAGE = 2000;
const MAX_KEYS = 200;

const moment = (description: string) =>
  Type.String({
    pattern: `^(${LOCAL_DATE}|${LOCAL_DATE_TIME})$`,
    'x-message': 'must be a date such as 2026-12-05, or a local date and time such as 2026-12-05T21:00',
    description,
  });

const from = moment('The first trading day, or the local time at which it begins');
const to = moment('The last trading day, or the local time at which it ends; in the same form as `from`');
const productKeys = Type.Array(segment('Key of a product'), {
  minItems: 1,
  maxItems: MAX_KEYS,
  uniqueItems: true,
  description: 'What is closed',
});
const reason = Type.String({ maxLength: MAX_REASON, description: 'For the staff; no partner sees it' });
const message = Type.String({
  minLength: 1,
  maxLength: MAX_MESSAGE,
  description: 'What partners, and guests that the venue writes to, are told with the cancellation',
});
const bookings = oneOf(['keep', 'cancel'] as const, {
  description: 'What becomes of the bookings and enquiries inside it',
});

export const ClosureBody = Type.Object(
  {
    from,
    to,
    productKeys: optional(productKeys, 'What is closed; absent: the whole venue'),
    reason: optional(reason),
    bookings,
    message: optional(message),
  },
  {
    additionalProperties: false,
    ...named('NewClosure', 'A time in which a venue, or some of its products, are closed'),
    examples: [
      {
        from: '2026-12-05T21:00',
        to: '2026-12-06T03:00',
        reason: 'Flood in the cellar',
        bookings: 'cancel',
        message: 'We are very sorry: a burst pipe has closed us tonight.',
      },
    ],
  },
);
export type ClosureBody = Static<typeof ClosureBody>;

export const Closure = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    from,
    to,
    productKeys: nullable(productKeys, { description: 'Null: the whole venue' }),
    reason: nullable(reason),
    bookings,
    message: nullable(message),
    state: oneOf(['running', 'done'] as const, {
      description: '`running`: bookings are still being cancelled. Nothing can be booked either way',
    }),
    affected: Type.Integer({ description: 'Bookings and enquiries that are to be cancelled' }),
    cancelled: Type.Integer({ description: 'Those of them that are' }),
    failed: Type.Array(
      Type.Object({
        bookingId: Type.String({ format: 'uuid' }),
        code: Type.String({ description: 'Of the problem' }),
        detail: Type.String(),
      }),
      { description: 'Those of them that could not be cancelled, the first 200; call the guests' },
    ),
    createdAt: Type.String({ format: 'date-time' }),
    finishedAt: nullable(Type.String({ format: 'date-time' })),
  },
  named('Closure', 'A time in which a venue, or some of its products, are closed'),
);
export type Closure = Static<typeof Closure>;

export const closureExample: Closure = {
  id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e4',
  from: '2026-12-05T21:00',
  to: '2026-12-06T03:00',
  productKeys: null,
  reason: 'Flood in the cellar',
  bookings: 'cancel',
  message: 'We are very sorry: a burst pipe has closed us tonight.',
  state: 'running',
  affected: 14,
  cancelled: 3,
  failed: [],
  createdAt: '2026-12-05T20:41:07.310Z',
  finishedAt: null,
};

const PreviewedBooking = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    start: Type.String({ format: 'date-time', description: 'Local time' }),
    guests: Type.Integer(),
    status: Type.String({ description: 'An enquiry is rejected, anything else is cancelled' }),
    partner: nullable(Type.String({ description: 'Name of the partner; null: a booking of the house' })),
    origin: nullable(Type.String({ description: 'How a booking of the house came in' })),
    paidPence: pence('What was paid, deposits that the partner holds included'),
    refundPence: pence('What would be refunded by us'),
  },
  named('ClosedBooking', 'A booking inside a closure'),
);

export const ClosurePreview = Type.Object(
  {
    isDryRun: Type.Literal(true),
    bookings: Type.Array(PreviewedBooking, { description: 'The first 1000, the earliest first' }),
    totals: Type.Object({
      bookings: Type.Integer(),
      guests: Type.Integer(),
      paidPence: Type.Integer(),
      refundPence: Type.Integer(),
    }),
  },
  {
    ...named('ClosurePreview', 'What a closure would do'),
    examples: [
      {
        isDryRun: true,
        bookings: [
          {
            id: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
            start: '2026-12-05T21:30:00+00:00',
            guests: 3,
            status: 'confirmed',
            partner: 'Demo Partner',
            origin: null,
            paidPence: 3000,
            refundPence: 3000,
          },
        ],
        totals: { bookings: 1, guests: 3, paidPence: 3000, refundPence: 3000 },
      },
    ],
  },
);
export type ClosurePreview = Static<typeof ClosurePreview>;

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const ClosureQuery = Type.Object({
  ...pageQuery,
  from: day('Only what lasts until this day of the venue, or longer'),
  to: day('Only what begins on this day or before'),
});
export type ClosureQuery = Static<typeof ClosureQuery>;

export const ClosurePath = Type.Object({
  venueId,
  closureId: Type.String({ description: 'Id of the closure', examples: [closureExample.id] }),
});
