import { callerOf } from '../../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../../http/format/render.ts';
import type { App } from '../../../http/route.ts';
import type { AvailabilityService } from '../service.ts';
import { FoundTables, foundExample, TableQuestion } from './schema.ts';

export function findRoutes(app: App, availability: AvailabilityService): void {
  app.post(
    '/venues/find-tables',
    {
      config: { access: 'venue:read', isLive: true, example: foundExample },
      schema: {
        operationId: 'findTables',
        tags: ['Availability'],
        summary: 'Find tables over many venues',
        description:
          'The best starts for a party on a day, over all venues that may fit, each with the reasons. What is `book` can be booked at this moment. When nothing fits, the question is relaxed in this order: a wider time, the place, the text, the types, any time of the day; never the party, the day, the city, the price or accessibility. Venues whose system does not answer are left out and named.',
        body: TableQuestion,
        response: { 200: FoundTables },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await availability.findTables(callerOf(request), request.body), format);
    },
  );
}
