import { type Static, Type } from 'typebox';
import { plainExample } from '../../http/openapi/problems.ts';
import { ProblemSchema } from '../../http/problems/problem-schema.ts';
import { CLOCK_TIME, DATE, named, optional, text } from '../../http/validation/schema-helpers.ts';
import { MOST_GUESTS } from './query.ts';
import { Availability, availabilityExample } from './schema.ts';

export const MOST_ENTRIES = 100;

const closed = { additionalProperties: false };

const date = Type.String({ format: 'date', description: 'Trading day' });
const quantity = Type.Integer({ minimum: 1, maximum: MOST_GUESTS, description: 'Covers or tickets' });
const time = Type.String({
  format: 'clock-time',
  description: 'Of tables only starts within an hour of this local time; events do not ask',
});

/** What an entry has to come to, with what the request says for all of them. */
export const Wanted = Type.Object({ date, quantity, time: Type.Optional(time) });

/** Invalid values of an entry are reported in its result; only the types are fixed here. */
const Entry = Type.Object(
  {
    compositeId: text('A product or a ticket type, by its id of four segments'),
    date: optional(text('Trading day `YYYY-MM-DD`, if not that of the request', DATE)),
    quantity: optional(
      Type.Number({ description: `1 to ${MOST_GUESTS} covers or tickets, if not those of the request` }),
    ),
    time: optional(text('Local time `HH:MM`, if not that of the request', CLOCK_TIME)),
  },
  { ...closed, ...named('AvailabilityRequestEntry', 'One question') },
);

export const AvailabilityRequest = Type.Object(
  {
    date: optional(date),
    quantity: optional(quantity),
    time: optional(time),
    bookableProducts: Type.Array(Entry, { minItems: 1, maxItems: MOST_ENTRIES }),
  },
  {
    ...closed,
    ...named(
      'AvailabilityRequest',
      'Questions about several products; `date`, `quantity` and `time` hold for entries that say nothing else',
    ),
    examples: [
      {
        date: '2026-12-05',
        quantity: 2,
        bookableProducts: [
          { compositeId: '1|house|soho-grill|dinner', time: '20:00' },
          { compositeId: '1|house|soho-grill|tea', quantity: 4 },
        ],
      },
    ],
  },
);

const compositeId = text('As it was sent');

const AvailabilityResult = Type.Union(
  [
    Type.Object({ compositeId, availability: Availability }),
    Type.Object({ compositeId, error: ProblemSchema }),
  ],
  named('AvailabilityResult', 'What became of one entry: `availability` or `error`, never both'),
);

export const AvailabilityResults = Type.Object(
  { results: Type.Array(AvailabilityResult, { description: 'One for each entry, in the same order' }) },
  named('AvailabilityResults', 'What can be had now of each product'),
);

export type AvailabilityRequest = Static<typeof AvailabilityRequest>;
export type AvailabilityResult = Static<typeof AvailabilityResult>;
export type AvailabilityResults = Static<typeof AvailabilityResults>;

/** One product that can be had and one that does not exist. */
export const batchExample: AvailabilityResults = {
  results: [
    { compositeId: '1|house|soho-grill|dinner', availability: availabilityExample },
    { compositeId: '1|house|soho-grill|tea', error: plainExample('AVAIL-N-001') },
  ],
};
