import { Type } from 'typebox';
import { LISTS, venueTag } from '../../db/catalogue-cache.ts';
import { operatorCaller } from '../../http/auth/actor.ts';
import { callerOf } from '../../http/auth/identify.ts';
import type { Answers } from '../../http/format/answer-cache.ts';
import { compileFieldset } from '../../http/format/fieldset.ts';
import { manageRoutes, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import { parseVenueId, partsOfVenueId } from '../../kernel/ids.ts';
import { categoryListExample, venueExample } from './examples.ts';
import { CategoryList, ListedVenue, Venue } from './schema.ts';
import { searchOf, VenueQuery } from './search/query.ts';
import type { Venues } from './service.ts';

const VenuePath = Type.Object({
  venueId: Type.String({
    description: 'Venue id; the pipes may be percent-encoded or sent as they are',
    examples: ['1|house|soho-grill'],
  }),
});

const OneVenueQuery = Type.Object({
  fields: Type.Optional(
    Type.String({
      description:
        'What to return, for example `id,name,products(compositeId,spaces(id,capacitySeated(max)))`',
    }),
  ),
});

/** Booking requirements belong to the single read; a list brings them only on request. */
function withoutRequirements(venue: Venue): Omit<Venue, 'bookingRequirements'> {
  const { bookingRequirements: _, ...listed } = venue;
  return listed;
}

export function venueRoutes(app: App, { venues, answers }: { venues: Venues; answers: Answers }): void {
  app.get(
    '/venues',
    {
      onRequest: answers.sendKept,
      config: {
        access: 'venue:read',
        problems: ['FSEL-N-001'],
        example: pageOf([withoutRequirements(venueExample)], 1, { pageNumber: 1, pageSize: 20 }),
      },
      schema: {
        operationId: 'listVenues',
        tags: ['Venues'],
        summary: 'List venues',
        description: 'The venues you distribute, with their products. All filters given must hold.',
        querystring: VenueQuery,
        response: { 200: Page(ListedVenue) },
      },
    },
    (request, reply) =>
      answers.send(request, reply, LISTS, async () => {
        const { query } = request;
        const select =
          query.fields === undefined ? withoutRequirements : compileFieldset(ListedVenue, query.fields);
        const { venues: found, total } = await venues.list(callerOf(request), searchOf(query));
        return pageOf(
          found.map((venue) => select(venue)),
          total,
          query,
        );
      }),
  );

  app.get(
    '/venues/:venueId',
    {
      onRequest: answers.sendKept,
      config: {
        access: 'venue:read',
        problems: ['FSEL-N-001', 'VENUE-N-001', 'PMAP-N-001', 'OPRTR-N-002'],
        example: venueExample,
      },
      schema: {
        operationId: 'getVenue',
        tags: ['Venues'],
        summary: 'Read one venue',
        description: 'Everything about one venue, with what your channel must send along with a booking.',
        params: VenuePath,
        querystring: OneVenueQuery,
        response: { 200: Venue },
      },
    },
    (request, reply) => {
      const id = parseVenueId(request.params.venueId);
      return answers.send(request, reply, venueTag(id), async () => {
        const select = compileFieldset(Venue, request.query.fields);
        return select(await venues.get(callerOf(request), id));
      });
    },
  );

  manageRoutes(app, 'Manage: venues').get('/manage/venues/:venueId/preview', {
    access: 'manage:staff',
    operationId: 'previewVenue',
    summary: 'See a venue as partners get it',
    description:
      'What `GET /venues/{venueId}` shows, for no partner in particular: with all products, and without what only one channel has.',
    params: venuePath,
    result: Venue,
    example: venueExample,
    problems: ['VENUE-N-001', 'OPRTR-N-002'],
    run: ({ actor, params: { venueId } }) =>
      venues.get(operatorCaller(actor, partsOfVenueId(venueId).operatorId), venueId),
  });

  app.get(
    '/venues/category',
    {
      onRequest: answers.sendKept,
      config: { access: 'venue:read', example: categoryListExample },
      schema: {
        operationId: 'listCategories',
        tags: ['Venues'],
        summary: 'List product categories',
        description: 'The categories that products can belong to.',
        response: { 200: CategoryList },
      },
    },
    (request, reply) =>
      answers.send(request, reply, LISTS, async () => ({ data: await venues.listCategories() })),
  );
}
