import { type Static, Type } from 'typebox';
import type { Caller } from '../../http/auth/caller.ts';
import { callerOf } from '../../http/auth/identify.ts';
import { memoize } from '../../http/format/memoize.ts';
import { formatOf, liveJson, sendLive } from '../../http/format/render.ts';
import { plainExample } from '../../http/openapi/problems.ts';
import { problemBody } from '../../http/problems/problem-body.ts';
import { ProblemSchema } from '../../http/problems/problem-schema.ts';
import type { App } from '../../http/route.ts';
import { CLOCK_TIME, DATE, named, optional, text } from '../../http/validation/schema-helpers.ts';
import { checkerOf } from '../../http/validation/validation.ts';
import { parseProductId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { MOST_GUESTS } from './query.ts';
import { Availability, availabilityExample } from './schema.ts';
import type { AvailabilityService, BatchQuestion } from './service.ts';

const MOST_ENTRIES = 100;

const closed = { additionalProperties: false };

const date = Type.String({ format: 'date', description: 'Trading day' });
const quantity = Type.Integer({ minimum: 1, maximum: MOST_GUESTS, description: 'Covers or tickets' });
const time = Type.String({
  format: 'clock-time',
  description: 'For tables, only starts within an hour of this local time; for events it has no effect',
});

/** What an entry has to come to, with what the request says for all of them. */
const Wanted = Type.Object({ date, quantity, time: Type.Optional(time) });

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
  { ...closed, ...named('AvailabilityRequestEntry', 'A product, and for when and how many') },
);

const AvailabilityRequest = Type.Object(
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

const AvailabilityResults = Type.Object(
  { results: Type.Array(AvailabilityResult, { description: 'One for each entry, in the same order' }) },
  named('AvailabilityResults', 'What can be had now of each product'),
);

type AvailabilityRequest = Static<typeof AvailabilityRequest>;
type AvailabilityResult = Static<typeof AvailabilityResult>;
type AvailabilityResults = Static<typeof AvailabilityResults>;

/** One product that can be had and one that does not exist. */
const batchExample: AvailabilityResults = {
  results: [
    { compositeId: '1|house|soho-grill|dinner', availability: availabilityExample },
    { compositeId: '1|house|soho-grill|tea', error: plainExample('AVAIL-N-001') },
  ],
};

export function batchRoutes(
  app: App,
  { availability, publicUrl }: { availability: AvailabilityService; publicUrl: string },
): void {
  const resultOf = ({ compositeId, outcome }: BatchAnswer): AvailabilityResult =>
    outcome instanceof Problem
      ? { compositeId, error: problemBody(outcome, { publicUrl }) }
      : { compositeId, availability: outcome };

  app.post(
    '/v1/availabilities',
    {
      config: { access: 'listing:read', interface: 'listings', isLive: true, example: batchExample },
      schema: {
        operationId: 'checkAvailabilities',
        tags: ['Listings'],
        summary: 'Read live availability of several products',
        description: `Reads up to ${MOST_ENTRIES} products and ticket types live from their systems, all at the same time. An entry that fails has its own \`error\`, with the code and the status that a request for this product alone would have. The other entries are answered all the same.`,
        body: AvailabilityRequest,
        response: { 200: AvailabilityResults },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const answers = await answersTo(request.body, callerOf(request), availability);
      sendLive(reply, { results: answers.map(resultOf) }, format, jsonOf);
    },
  );
}

/** The same as that of the whole, from texts that are kept with what they say. */
function jsonOf({ results }: AvailabilityResults): string {
  const texts = results.map((result) =>
    'availability' in result
      ? `{"compositeId":${JSON.stringify(result.compositeId)},"availability":${liveJson(result.availability)}}`
      : JSON.stringify(result),
  );
  return `{"results":[${texts.join()}]}`;
}

interface BatchAnswer {
  compositeId: string;
  /** A problem with one entry leaves the others alone. */
  outcome: Availability | Problem;
}

/** The answers to a request, in the order of its entries. */
function answersTo(
  request: AvailabilityRequest,
  caller: Caller,
  availability: AvailabilityService,
): Promise<BatchAnswer[]> {
  const ask = availability.batch(caller);
  return Promise.all(
    request.bookableProducts.map(async (entry) => {
      const { compositeId } = entry;
      try {
        return { compositeId, outcome: await ask(questionOf(entry, request)) };
      } catch (error) {
        if (error instanceof Problem) return { compositeId, outcome: error };
        throw error;
      }
    }),
  );
}

const checkWanted = checkerOf(Wanted);
const WANTED_BYTES = 2 * 1024 ** 2;
/** Entries of one request are mostly alike, and so are the entries of the next. */
const wantedIn = memoize(WANTED_BYTES, (json) => checkWanted(JSON.parse(json)));

function questionOf(
  entry: AvailabilityRequest['bookableProducts'][number],
  request: AvailabilityRequest,
): BatchQuestion {
  const productId = parseProductId(entry.compositeId);
  const date = entry.date ?? request.date ?? undefined;
  const quantity = entry.quantity ?? request.quantity ?? undefined;
  const time = entry.time ?? request.time ?? undefined;
  return { productId, ...wantedIn(JSON.stringify({ date, quantity, time })) };
}
