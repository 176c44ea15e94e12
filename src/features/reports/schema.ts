import { type Static, Type } from 'typebox';
import { venueId } from '../../http/manage-route.ts';
import { Defaulted } from '../../http/validation/query-schema.ts';
import { named, nullable, oneOf, pence, text } from '../../http/validation/schema-helpers.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { GROUPINGS } from './store.ts';

const day = (description: string) => Type.String({ format: 'date', description });
const count = (description: string) => Type.Integer({ description });

const period = {
  from: day('Trading day of the first visit'),
  to: day('Trading day of the last visit, included; at most 366 days'),
};

export const CoversQuery = Type.Object({
  ...period,
  by: Defaulted(oneOf(GROUPINGS, { default: 'day', description: 'What bookings are grouped by' })),
  venueId: Type.Optional(
    Type.Unsafe<VenueId>({ ...venueId, description: 'One venue of the operator; absent: all of them' }),
  ),
});

export const ExportQuery = Type.Object({
  ...period,
  guests: Defaulted(
    Type.Boolean({
      default: false,
      description: 'With names, contacts and notes of guests, for owners; the audit log notes it',
    }),
  ),
});

const figures = {
  bookings: count('Those that had a place: confirmed, completed and missed ones'),
  covers: count('Guests of those that were not missed: as many as came where that was recorded'),
  cancellations: count('Bookings that were cancelled'),
  noShows: count('Bookings whose guests did not come'),
  spendPence: pence('What was spent as far as it was recorded'),
  leadDays: nullable(
    Type.Number({ description: 'Days from making a booking to the visit on average; null: no bookings' }),
  ),
};

const CoversRow = Type.Object(
  {
    key: text(
      'The day, or the id of the venue, product or partner; `house` for its own bookings; the origin, or `partner`',
    ),
    name: text('What people call it'),
    ...figures,
  },
  named('CoversRow', 'What is counted under one key'),
);

export const CoversReport = Type.Object(
  {
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    by: oneOf(GROUPINGS),
    rows: Type.Array(CoversRow, {
      description: 'Days in their order, anything else by covers; what has no bookings is left out',
    }),
    totals: Type.Object(figures),
  },
  named('CoversReport', 'Bookings and covers by date of the visit'),
);
export type CoversReport = Static<typeof CoversReport>;

const row = { bookings: 61, covers: 148, cancellations: 7, noShows: 2, spendPence: 612_450, leadDays: 9.4 };

export const coversExample: CoversReport = {
  from: '2026-12-05',
  to: '2026-12-05',
  by: 'day',
  rows: [{ key: '2026-12-05', name: '2026-12-05', ...row }],
  totals: row,
};

export const csvExample = `bookingId,venueId,venue,…
019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60,1|house|soho-grill,Soho Grill,…
`;
