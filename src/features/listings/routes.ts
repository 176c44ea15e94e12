import { LISTS } from '../../db/catalogue-cache.ts';
import { callerOf } from '../../http/auth/identify.ts';
import type { Answers } from '../../http/format/answer-cache.ts';
import { compileFieldset } from '../../http/format/fieldset.ts';
import type { App } from '../../http/route.ts';
import { pageOf } from '../../http/validation/paging.ts';
import { ListingQuery } from './query.ts';
import { ListingGroup, ListingPage, listingPageExample } from './schema.ts';
import type { Listings } from './service.ts';

export function listingRoutes(
  app: App,
  { listings, answers }: { listings: Listings; answers: Answers },
): void {
  app.get(
    '/v1/listings',
    {
      onRequest: answers.sendKept,
      config: {
        access: 'listing:read',
        interface: 'listings',
        problems: ['FSEL-N-001'],
        example: listingPageExample,
      },
      schema: {
        operationId: 'listListings',
        tags: ['Listings'],
        summary: 'List venues and events',
        description:
          'What you distribute, by operator: each item is a venue with the events it hosts, or an event by itself. All filters given must hold for one listing of an item; then the item is listed whole, except that `capability` leaves out what it does not name. Pages, their total and the sort are over items.',
        querystring: ListingQuery,
        response: { 200: ListingPage },
      },
    },
    (request, reply) =>
      answers.send(request, reply, LISTS, async () => {
        const { query } = request;
        const select = compileFieldset(ListingGroup, query.fields);
        const { groups, total } = await listings.list(callerOf(request), query);
        const { data, meta } = pageOf(groups.map(select), total, query);
        return { meta, listings: data };
      }),
  );
}
