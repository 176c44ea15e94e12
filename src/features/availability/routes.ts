import { Type } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { compileFieldset } from '../../http/format/fieldset.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import type { App } from '../../http/route.ts';
import { parseProductId } from '../../kernel/ids.ts';
import { AvailabilityQuery } from './query.ts';
import { Availability, availabilityExample } from './schema.ts';
import type { AvailabilityService } from './service.ts';

const ProductPath = Type.Object({
  compositeId: Type.String({
    description: 'Product id; the pipes may be percent-encoded or sent as they are',
    examples: ['1|house|soho-grill|dinner'],
  }),
});

export function availabilityRoutes(app: App, availability: AvailabilityService): void {
  app.get(
    '/venues/:compositeId/availability',
    {
      config: {
        access: 'venue:read',
        isLive: true,
        problems: [
          ...([
            'FSEL-N-001',
            'AVAIL-N-001',
            'AVAIL-N-002',
            'AVAIL-N-003',
            'AVAIL-N-006',
            'AVAIL-N-009',
          ] as const),
          ...([
            'AVAIL-N-010',
            'AVAIL-R-001',
            'BOOK-N-003',
            'PMAP-N-001',
            'PMAP-N-002',
            'OPRTR-N-002',
          ] as const),
          ...(['VENUE-N-001', 'VENUE-N-009'] as const),
        ],
        example: availabilityExample,
      },
      schema: {
        operationId: 'getAvailability',
        tags: ['Availability'],
        summary: 'Read live availability of a product',
        description:
          'Reads live from the system of the venue. Call it once, just before booking. Times are starts; `type` says whether one is confirmed at once.',
        params: ProductPath,
        querystring: AvailabilityQuery,
        response: { 200: Availability },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const format = formatOf(request);
      const productId = parseProductId(request.params.compositeId);
      const select = compileFieldset(Availability, query.fields);
      const answer = await availability.get(callerOf(request), productId, query);
      sendLive(reply, select(answer) as object, format);
    },
  );
}
