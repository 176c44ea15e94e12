import { type Static, Type } from 'typebox';
import { venueId } from '../../http/manage-route.ts';
import { label, partnerId, segment } from '../../http/validation/manage-fields.ts';
import { named, nullable, optional } from '../../http/validation/schema-helpers.ts';

const MOST_PENCE = 1_000_000_000;
const MOST_BOOKINGS = 1_000_000;
const closed = { additionalProperties: false };

const guests = (description: string) => optional(Type.Integer({ minimum: 1, maximum: 1000, description }));
const pence = (description: string) =>
  optional(Type.Integer({ minimum: 0, maximum: MOST_PENCE, description }));
const bookings = (description: string) =>
  optional(Type.Integer({ minimum: 0, maximum: MOST_BOOKINGS, description }));

export const mandateExample = {
  maxPartySize: 8,
  maxDepositPence: 10_000,
  maxOpenBookings: 5,
  maxBookingsPerDay: 10,
  maxDaysAhead: 90,
  cities: ['London'],
  confirmAbove: { partySize: 6, depositPence: 5000 },
};

const limits = {
  maxPartySize: guests('Guests of one booking, children included'),
  maxDepositPence: pence('All that is paid ahead for one booking, at once or in parts, in pence'),
  maxOpenBookings: bookings(
    'Bookings and enquiries whose visit is still to come, with the places that are held for some',
  ),
  maxBookingsPerDay: bookings('Bookings and enquiries made within 24 hours, also those cancelled since'),
  maxDaysAhead: optional(
    Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: 'Days from today, at the venue, to the day of the visit; 0: today only',
    }),
  ),
  venueIds: optional(
    Type.Array(venueId, { minItems: 1, maxItems: 100, uniqueItems: true }),
    'The only venues where it may book',
  ),
  cities: optional(
    Type.Array(label('City', 100), { minItems: 1, maxItems: 100, uniqueItems: true }),
    'The only cities where it may book, as venues name them, in upper or lower case',
  ),
  confirmAbove: optional(
    Type.Object(
      {
        partySize: guests('Larger parties are confirmed'),
        depositPence: pence('Larger deposits are confirmed'),
      },
      closed,
    ),
    'Above these a booking is confirmed by a person: see `MANDT-N-002`',
  ),
};

export const Mandate = Type.Object(
  limits,
  named('Mandate', 'What a client may do at most; a limit that is left out does not apply'),
);
export type Mandate = Static<typeof Mandate>;
export const MandateBody = Type.Object(limits, { ...closed, examples: [mandateExample] });

const Count = (description: string) => nullable(Type.Integer({ minimum: 0 }), { description });

export const OwnMandate = Type.Object(
  {
    mandate: nullable(Mandate, { description: 'Null: nothing is limited' }),
    openBookings: Type.Integer({ description: 'What counts towards `maxOpenBookings` at this moment' }),
    openBookingsLeft: Count('How many more it may have; null: no limit'),
    bookingsInLastDay: Type.Integer({
      description: 'What counts towards `maxBookingsPerDay` at this moment',
    }),
    bookingsLeft: Count('How many more it may make now; null: no limit'),
  },
  named('OwnMandate', 'What the calling client may do, and what it has done of it'),
);
export type OwnMandate = Static<typeof OwnMandate>;

export const ownMandateExample: OwnMandate = {
  mandate: mandateExample,
  openBookings: 2,
  openBookingsLeft: 3,
  bookingsInLastDay: 4,
  bookingsLeft: 6,
};

const clientId = segment('Id of the client', 'acme-booking');
export const MandatePath = Type.Object({ clientId });
export const PartnerMandatePath = Type.Object({ partnerId, clientId });

/** A member of the bodies that make or change bookings. */
export const confirmationToken = optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Of `MANDT-N-002`, once a person has said yes to just this; it works once, for ten minutes',
  }),
);
