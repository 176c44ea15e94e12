import { callerOf } from '../../http/identify.ts';
import { problemBody } from '../../http/problem-body.ts';
import { formatOf, liveJson, sendLive } from '../../http/render.ts';
import type { App } from '../../http/route.ts';
import { Problem } from '../../kernel/problem.ts';
import { answersTo, type BatchAnswer } from './batch.ts';
import {
  AvailabilityRequest,
  type AvailabilityResult,
  AvailabilityResults,
  MOST_ENTRIES,
} from './batch-schema.ts';
import { batchExample } from './examples.ts';
import type { AvailabilityService } from './service.ts';

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
