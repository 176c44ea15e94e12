import { Type } from 'typebox';
import { integerId, manageRoutes, venueId, venuePath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import { Page, pageOf, pageQuery } from '../../../http/validation/paging.ts';
import { managedProductExample, occurrenceExample } from './examples.ts';
import type { OccurrenceKeeping } from './occurrences.ts';
import {
  ManagedOccurrence,
  ManagedProduct,
  ManagedProducts,
  NewOccurrenceBody,
  NewProductBody,
  OccurrenceBody,
  ProductBody,
} from './product-schema.ts';
import type { ProductKeeping } from './products.ts';
import { segment } from './schema-helpers.ts';

const productPath = Type.Object({ venueId, productKey: segment('Fourth segment of its composite id') });
const occurrencePath = Type.Object({ venueId, occurrenceId: integerId('Id of the occurrence', 12) });

const MISSING = ['VENUE-N-001', 'VENUE-N-002', 'EVENT-N-002'] as const;
const UNFIT = ['VENUE-N-003', 'VENUE-N-004', 'VENUE-N-006'] as const;

export function manageProductRoutes(app: App, products: ProductKeeping): void {
  const routes = manageRoutes(app, 'Manage: venues');
  const example = managedProductExample;

  routes.list('/manage/venues/:venueId/products', {
    access: 'manage:staff',
    operationId: 'listManagedProducts',
    summary: 'List the products of a venue',
    description: 'Products, or ticket types of an event, in the order in which they are shown.',
    params: venuePath,
    result: ManagedProducts,
    example: { data: [example] },
    problems: ['VENUE-N-001'],
    run: async ({ params }) => ({ data: await products.list(params.venueId) }),
  });

  routes.create('/manage/venues/:venueId/products', {
    access: 'manage:manager',
    operationId: 'createProduct',
    summary: 'Add a product or ticket type',
    description:
      'Its key is the fourth segment of its composite id and never changes. `house` says how it is seated where the system is `house`, `tickets` how it is sold where it is `tickets`; products of other systems have neither. Partners see it once it is mapped to them.',
    params: venuePath,
    body: NewProductBody,
    result: ManagedProduct,
    example,
    problems: ['VENUE-N-001', ...UNFIT],
    run: ({ params, body, ...request }) => products.create(request, params.venueId, body),
  });

  routes.get('/manage/venues/:venueId/products/:productKey', {
    access: 'manage:staff',
    operationId: 'getManagedProduct',
    summary: 'Read a product or ticket type',
    description: 'As its operator keeps it.',
    params: productPath,
    result: ManagedProduct,
    example,
    problems: MISSING,
    run: ({ params }) => products.get(params.venueId, params.productKey),
  });

  routes.put('/manage/venues/:venueId/products/:productKey', {
    access: 'manage:manager',
    operationId: 'changeProduct',
    summary: 'Change a product or ticket type',
    description:
      'Replaces all of it. Bookings that are there stay as they are, also where they would not fit any more; a capacity below what is sold only stops sales.',
    params: productPath,
    body: ProductBody,
    result: ManagedProduct,
    example,
    problems: [...MISSING, ...UNFIT],
    run: ({ params, body, ...request }) =>
      products.change(request, params.venueId, { key: params.productKey, ...body }),
  });

  routes.remove('/manage/venues/:venueId/products/:productKey', {
    access: 'manage:manager',
    operationId: 'removeProduct',
    summary: 'Remove a product or ticket type',
    description: 'Only one that was never booked can go.',
    params: productPath,
    problems: MISSING,
    run: ({ params, ...request }) => products.remove(request, params.venueId, params.productKey),
  });
}

export function manageOccurrenceRoutes(app: App, occurrences: OccurrenceKeeping): void {
  const routes = manageRoutes(app, 'Manage: venues');
  const example = occurrenceExample;

  routes.list('/manage/venues/:venueId/occurrences', {
    access: 'manage:staff',
    operationId: 'listOccurrences',
    summary: 'List when an event takes place',
    description: 'In the order of their start, also those that are over or withdrawn.',
    params: venuePath,
    query: Type.Object({
      ...pageQuery,
      from: Type.Optional(
        Type.String({ format: 'date', description: 'Leaves out those of earlier trading days' }),
      ),
    }),
    result: Page(ManagedOccurrence),
    example: pageOf([example], 1, { pageNumber: 1, pageSize: 20 }),
    problems: ['VENUE-N-001'],
    run: ({ params, query }) => occurrences.list(params.venueId, query, query.from),
  });

  routes.create('/manage/venues/:venueId/occurrences', {
    access: 'manage:manager',
    operationId: 'createOccurrence',
    summary: 'Add a time at which an event takes place',
    description:
      'All its ticket types are sold for it, each up to its capacity. Partners see it among the hours of the event.',
    params: venuePath,
    body: NewOccurrenceBody,
    result: ManagedOccurrence,
    example,
    problems: ['VENUE-N-001'],
    run: ({ params, body, ...request }) => occurrences.create(request, params.venueId, body),
  });

  routes.get('/manage/venues/:venueId/occurrences/:occurrenceId', {
    access: 'manage:staff',
    operationId: 'getOccurrence',
    summary: 'Read one time at which an event takes place',
    description: 'As its operator keeps it.',
    params: occurrencePath,
    result: ManagedOccurrence,
    example,
    problems: ['VENUE-N-001', 'HTTP-N-404'],
    run: ({ params }) => occurrences.get(params.venueId, params.occurrenceId),
  });

  routes.put('/manage/venues/:venueId/occurrences/:occurrenceId', {
    access: 'manage:manager',
    operationId: 'changeOccurrence',
    summary: 'Change when an event takes place',
    description:
      'The start cannot be changed once tickets are sold. A withdrawn time is sold again unless `isWithdrawn` is true.',
    params: occurrencePath,
    body: OccurrenceBody,
    result: ManagedOccurrence,
    example,
    problems: ['VENUE-N-001', 'HTTP-N-404'],
    run: ({ params, body, ...request }) =>
      occurrences.change(request, params.venueId, params.occurrenceId, body),
  });

  routes.remove('/manage/venues/:venueId/occurrences/:occurrenceId', {
    access: 'manage:manager',
    operationId: 'removeOccurrence',
    summary: 'Take a time of an event off sale',
    description: 'It is deleted if no tickets are sold for it. Otherwise it stays, withdrawn from sale.',
    params: occurrencePath,
    problems: ['VENUE-N-001', 'HTTP-N-404'],
    run: ({ params, ...request }) => occurrences.remove(request, params.venueId, params.occurrenceId),
  });
}
