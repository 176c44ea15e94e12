import { type Static, Type } from 'typebox';
import { named, nullable, oneOf } from '../../http/validation/schema-helpers.ts';
import { ruleVerdict } from '../booking-rules/service.ts';
import { BookingBody } from './create/body.ts';
import { BOOKING_SOURCES } from './record.ts';

/** The question what the rules would say about a booking, and the answer. */

const { type, firstName, lastName, holdId: _, offerToken: __, ...others } = BookingBody.properties;

export const DraftBody = Type.Object(
  {
    ...others,
    type: Type.Optional(
      oneOf(['book', 'request'] as const, { default: 'book', description: '`book` when absent' }),
    ),
    firstName: Type.Optional(nullable(firstName)),
    lastName: Type.Optional(nullable(lastName)),
  },
  {
    additionalProperties: false,
    ...named(
      'BookingDraft',
      'A booking that may be made, as `createBooking` takes it; the guest may be left out',
    ),
  },
);

export type DraftBody = Static<typeof DraftBody>;

/** Operations on bookings that exist need one. */
const EXPLAINED = ['booking_create'] as const;

export const ExplainBody = Type.Object(
  {
    compositeId: Type.String({ description: 'Product id' }),
    operation: Type.Optional(
      oneOf(EXPLAINED, { default: 'booking_create', description: '`booking_create` when absent' }),
    ),
    source: Type.Optional(
      oneOf(BOOKING_SOURCES, {
        default: 'api',
        description: 'What `X-Booking-Source` would say; `api` when absent',
      }),
    ),
    booking: DraftBody,
  },
  {
    additionalProperties: false,
    ...named('RulesQuestion', 'What would the rules say about this booking?'),
    examples: [
      {
        compositeId: '1|house|soho-grill|dinner',
        booking: { partySize: 9, children: 1, dateTime: '2026-12-05T19:30:00+00:00', depositAmount: 5000 },
      },
    ],
  },
);

export type ExplainBody = Static<typeof ExplainBody>;

export const RulesAnswer = Type.Object(
  {
    generatedAt: Type.String({ format: 'date-time' }),
    compositeId: Type.String(),
    operation: oneOf(EXPLAINED),
    ...ruleVerdict,
  },
  named('RulesAnswer', 'What the rules say about a booking that may be made'),
);

export type RulesAnswer = Static<typeof RulesAnswer>;
