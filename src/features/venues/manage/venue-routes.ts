import { Type } from 'typebox';
import { manageRoutes, NoBody, operatorPath, venuePath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import { Page, pageOf, pageQuery } from '../../../http/validation/paging.ts';
import { managedVenueExample as example, hoursExample } from './examples.ts';
import { HoursBody } from './schema-helpers.ts';
import { ManagedVenue, NewVenueBody, VenueBody, VenueHours } from './venue-schema.ts';
import type { VenueKeeping } from './venues.ts';

const VenueListQuery = Type.Object({
  ...pageQuery,
  name: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only those whose name contains this, in any case' }),
  ),
});
const FIRST_PAGE = { pageNumber: 1, pageSize: 20 };

export function manageVenueRoutes(app: App, venues: VenueKeeping): void {
  const routes = manageRoutes(app, 'Manage: venues');

  routes.list('/manage/operators/:operatorId/venues', {
    access: 'manage:staff',
    operationId: 'listManagedVenues',
    summary: 'List the venues of an operator',
    description: 'Venues and events, also closed ones, by name.',
    params: operatorPath,
    query: VenueListQuery,
    result: Page(ManagedVenue),
    example: pageOf([example], 1, FIRST_PAGE),
    problems: ['OPRTR-N-001'],
    run: ({ params, query }) => venues.list(params.operatorId, query),
  });

  routes.list('/manage/venues', {
    access: 'manage:platform',
    operationId: 'listAllVenues',
    summary: 'List the venues of all operators',
    description: 'Venues and events, also closed ones, by name.',
    query: VenueListQuery,
    result: Page(ManagedVenue),
    example: pageOf([example], 1, FIRST_PAGE),
    run: ({ query }) => venues.listAll(query),
  });

  routes.create('/manage/operators/:operatorId/venues', {
    access: 'manage:manager',
    operationId: 'createVenue',
    summary: 'Add a venue or event',
    description:
      'Its id is made of the operator, the system behind it and what it is called there, and never changes. It has no hours and no products yet, and partners see it once it is mapped to them.',
    params: operatorPath,
    body: NewVenueBody,
    result: ManagedVenue,
    example,
    problems: ['OPRTR-N-001', 'BOOK-N-001', 'BOOK-N-003', 'EVENT-N-001'],
    run: ({ params, body: { tms, resourceId, ...body }, ...request }) =>
      venues.create(request, { operatorId: params.operatorId, tms, resourceId }, body),
  });

  routes.get('/manage/venues/:venueId', {
    access: 'manage:staff',
    operationId: 'getManagedVenue',
    summary: 'Read a venue or event',
    description: 'What it says of itself, without what is below it.',
    params: venuePath,
    result: ManagedVenue,
    example,
    problems: ['VENUE-N-001'],
    run: ({ params }) => venues.get(params.venueId),
  });

  routes.put('/manage/venues/:venueId', {
    access: 'manage:manager',
    operationId: 'changeVenue',
    summary: 'Change a venue or event',
    description: 'Replaces what it says of itself. What is left out is cleared.',
    params: venuePath,
    body: VenueBody,
    result: ManagedVenue,
    example,
    problems: ['VENUE-N-001'],
    run: ({ params, body, ...request }) => venues.change(request, params.venueId, body),
  });

  routes.remove('/manage/venues/:venueId', {
    access: 'manage:manager',
    operationId: 'removeVenue',
    summary: 'Remove a venue or event',
    description:
      'With everything below it. Only one that was never booked can go; others are closed. Events that it hosts stay, by themselves.',
    params: venuePath,
    problems: ['VENUE-N-001'],
    run: ({ params, ...request }) => venues.remove(request, params.venueId),
  });

  routes.act('/manage/venues/:venueId/close', {
    access: 'manage:manager',
    operationId: 'closeVenue',
    summary: 'Close a venue for good',
    description:
      'It takes no more bookings, and every partner that distributes it is told. Bookings that are there stay, and can be cancelled. Closing a closed venue does nothing.',
    params: venuePath,
    body: NoBody,
    result: ManagedVenue,
    example: { ...example, closedAt: '2026-11-14T18:02:11.482Z' },
    problems: ['VENUE-N-001'],
    run: ({ params, ...request }) => venues.close(request, params.venueId),
  });

  routes.act('/manage/venues/:venueId/reopen', {
    access: 'manage:manager',
    operationId: 'reopenVenue',
    summary: 'Open a closed venue again',
    description: 'It can be booked as before. Partners are not told; they see it when they read it.',
    params: venuePath,
    body: NoBody,
    result: ManagedVenue,
    example,
    problems: ['VENUE-N-001'],
    run: ({ params, ...request }) => venues.reopen(request, params.venueId),
  });

  routes.get('/manage/venues/:venueId/hours', {
    access: 'manage:staff',
    operationId: 'getVenueHours',
    summary: 'Read the hours of a venue',
    description:
      'When the venue trades. Weekdays with the same hours stand together. Products have hours of their own.',
    params: venuePath,
    result: VenueHours,
    example: hoursExample,
    problems: ['VENUE-N-001'],
    run: ({ params }) => venues.getHours(params.venueId),
  });

  routes.put('/manage/venues/:venueId/hours', {
    access: 'manage:manager',
    operationId: 'changeVenueHours',
    summary: 'Change the hours of a venue',
    description:
      'Replaces all of them. A period that closes before it opens ends on the next day; a whole day is `00:00` to `24:00`. Periods of one day must not overlap. An exception without periods also closes every product that has no exception of its own for that date; other hours of the venue do not limit products. An event of the system `tickets` trades when it takes place; of its hours only the reasons of dates are shown.',
    params: venuePath,
    body: HoursBody,
    result: VenueHours,
    example: hoursExample,
    problems: ['VENUE-N-001', 'VENUE-N-006'],
    run: ({ params, body, ...request }) => venues.changeHours(request, params.venueId, body),
  });
}
