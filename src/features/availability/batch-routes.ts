import type { Caller } from '../../http/auth/caller.ts';
import { callerOf } from '../../http/auth/identify.ts';
import { memoize } from '../../http/format/memoize.ts';
import { formatOf, liveJson, sendLive } from '../../http/format/render.ts';
import { problemBody } from '../../http/problems/problem-body.ts';
import type { App } from '../../http/route.ts';
import { checkerOf } from '../../http/validation/validation.ts';
import { parseProductId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import {
  AvailabilityRequest,
  type AvailabilityResult,
  AvailabilityResults,
  batchExample,
  MOST_ENTRIES,
  Wanted,
} from './batch-schema.ts';
import type { Availability } from './schema.ts';
import type { AvailabilityService, BatchQuestion } from './service.ts';

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
        description: `Asks the systems of up to ${MOST_ENTRIES} products and ticket types at this moment, all at the same time. An entry that cannot be answered has its own \`error\`, with the code and the status that the same question about this product alone would have; the others are answered all the same.`,
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
