import { type Static, Type } from 'typebox';
import { CLOCK_TIME, named, oneOf, pence, text } from '../../../http/validation/schema-helpers.ts';
import { MOST_GUESTS } from '../query.ts';

/** Kept short: a model reads these descriptions, and every answer, word by word. */

export const DEFAULT_TABLES = 5;
const MOST_TABLES = 20;
export const DEFAULT_RADIUS_METRES = 2000;

const closed = { additionalProperties: false };
const clock = (description: string) => Type.Optional(Type.String({ format: 'clock-time', description }));
const name = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

const Near = Type.Object(
  {
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lng: Type.Number({ minimum: -180, maximum: 180 }),
    radius: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 100_000,
        description: `Metres, ${DEFAULT_RADIUS_METRES} unless given`,
      }),
    ),
  },
  { ...closed, description: 'A point to be close to' },
);

export const TableQuestion = Type.Object(
  {
    partySize: Type.Integer({ minimum: 1, maximum: MOST_GUESTS, description: 'Adults' }),
    children: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_GUESTS })),
    date: Type.String({ format: 'date', description: 'Local day of the venue' }),
    time: clock('Around this local time, an hour either way'),
    earliest: clock('Earliest start'),
    latest: clock('Latest start; before `earliest` it is after midnight'),
    duration: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: 'Minutes' })),
    city: Type.Optional(name('Never relaxed')),
    areas: Type.Optional(
      Type.Array(name('Such as Soho'), { minItems: 1, maxItems: 10, description: 'Any of them' }),
    ),
    near: Type.Optional(Near),
    text: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 200,
        description: 'Anything else, in words: cuisine, dish, occasion, mood',
      }),
    ),
    types: Type.Optional(
      Type.Array(name('Such as `seafood` or `rooftop`'), {
        minItems: 1,
        maxItems: 10,
        description: 'Slugs of venue types; all of them',
      }),
    ),
    maxPrice: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Most that a guest has to spend, in pence, where the venue says; never relaxed',
      }),
    ),
    accessibility: Type.Optional(Type.Boolean({ description: 'Step-free only; never relaxed' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_TABLES, description: `${DEFAULT_TABLES} unless given` }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: '`nextCursor` of the answer before, with the same question',
      }),
    ),
  },
  {
    ...closed,
    ...named('TableQuestion', 'A party, a day, and what it would like'),
    examples: [
      {
        partySize: 4,
        date: '2026-12-05',
        time: '20:00',
        city: 'London',
        areas: ['Soho', 'Shoreditch'],
        text: 'not too loud',
      },
    ],
  },
);

/** What may be given up when nothing fits, in this order; the day comes last. */
export const RELAXATIONS = ['time', 'place', 'text', 'types', 'day'] as const;
export const NEEDS = ['preorder', 'company'] as const;

const FoundTable = Type.Object(
  {
    compositeId: text('What to book'),
    venue: Type.String(),
    product: Type.String(),
    area: Type.String(),
    city: Type.String(),
    date: Type.String({ format: 'date' }),
    time: text('Local start', CLOCK_TIME),
    type: oneOf(['book', 'request'] as const, {
      description: '`book` is confirmed at once, `request` by the venue',
    }),
    spaceId: Type.Optional(Type.Integer({ description: 'Send it when booking' })),
    space: Type.Optional(Type.String()),
    price: Type.Optional(pence('Least that a guest has to spend')),
    deposit: Type.Optional(pence('For the whole party')),
    currency: Type.Optional(text('Of the deposit')),
    needs: Type.Optional(Type.Array(oneOf(NEEDS), { description: 'What a booking here cannot do without' })),
    why: Type.Array(Type.String(), { description: 'How it fits, and how it does not' }),
  },
  named('FoundTable', 'A start that can be had now'),
);

export const FoundTables = Type.Object(
  {
    tables: Type.Array(FoundTable, { description: 'The closest to the question first' }),
    relaxed: Type.Array(oneOf(RELAXATIONS), {
      description:
        'What these tables do not meet, because nothing did among the 60 venues that come closest; `day`: any time of it',
    }),
    unanswered: Type.Optional(
      Type.Array(Type.String(), { description: 'Venues whose system does not answer at the moment' }),
    ),
    noVenues: Type.Optional(
      Type.Literal(true, {
        description: 'None of your venues is in that city, or fits what is never relaxed',
      }),
    ),
    nextCursor: Type.Optional(text('There may be more')),
  },
  named('FoundTables', 'Tables over many venues'),
);

export type TableQuestion = Static<typeof TableQuestion>;
export type FoundTable = Static<typeof FoundTable>;
export type FoundTables = Static<typeof FoundTables>;
export type Relaxation = (typeof RELAXATIONS)[number];

export const foundExample: FoundTables = {
  tables: [
    {
      compositeId: '1|house|soho-grill|dinner',
      venue: 'Soho Grill',
      product: 'Dinner',
      area: 'Soho',
      city: 'London',
      date: '2026-12-05',
      time: '19:45',
      type: 'book',
      why: ['Soho', '15 minutes earlier'],
    },
  ],
  relaxed: [],
};
