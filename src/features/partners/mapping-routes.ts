import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { mappingExample } from './examples.ts';
import {
  Mapping,
  MappingChange,
  MappingQuery,
  mappingPath,
  ProductChoice,
  productPath,
} from './mapping-schema.ts';
import type { Mappings } from './mappings.ts';
import { partnerPath } from './partner-schema.ts';

const MAPPINGS = '/manage/partners/:partnerId/mappings';
const MAPPING = `${MAPPINGS}/:venueId`;
const WRITING: ProblemCode[] = ['PMAP-N-004', 'VENUE-N-001', 'PMAP-N-015'];

export function mappingRoutes(app: App, mappings: Mappings): void {
  const routes = manageRoutes(app, 'Manage: platform');
  const access = 'manage:platform';

  routes.list(MAPPINGS, {
    access,
    operationId: 'listMappings',
    summary: 'List what a partner distributes',
    description: 'Its venues, by id, with the products that it may sell and the terms on which it does.',
    params: partnerPath,
    query: MappingQuery,
    result: Page(Mapping),
    example: pageOf([mappingExample], 1, { pageNumber: 1, pageSize: 20 }),
    problems: ['PMAP-N-004', 'OPRTR-N-001'],
    run: ({ params, query }) => mappings.list(params.partnerId, query),
  });

  routes.get(MAPPING, {
    access,
    operationId: 'getMapping',
    summary: 'Read what a partner distributes of a venue',
    description: 'The products that it may sell there, and on which terms.',
    params: mappingPath,
    result: Mapping,
    example: mappingExample,
    problems: ['PMAP-N-004', 'HTTP-N-404'],
    run: ({ params }) => mappings.get(params),
  });

  routes.put(MAPPING, {
    access,
    operationId: 'saveMapping',
    summary: 'Have a partner distribute a venue',
    description:
      'Maps the venue, or replaces what was said of it before: all products and all terms. The operator must deal with ' +
      'the partner, and a source stand for it.',
    params: mappingPath,
    body: MappingChange,
    result: Mapping,
    example: mappingExample,
    problems: [...WRITING, 'VENUE-N-002', 'OPRTR-N-003', 'PMAP-N-013'],
    run: ({ actor, params, body, ifMatch }) => mappings.save(actor, params, body, ifMatch),
  });

  routes.remove(MAPPING, {
    access,
    operationId: 'deleteMapping',
    summary: 'Take a venue from a partner',
    description: 'It sees the venue no longer. Its bookings there stay.',
    params: mappingPath,
    problems: [...WRITING, 'HTTP-N-404'],
    run: ({ actor, params, ifMatch }) => mappings.remove(actor, params, ifMatch),
  });

  routes.create(`${MAPPING}/products`, {
    access,
    operationId: 'mapProduct',
    summary: 'Have a partner sell one more product',
    description: 'Of a venue that is mapped to it. The answer is the whole mapping.',
    params: mappingPath,
    body: ProductChoice,
    result: Mapping,
    example: mappingExample,
    problems: [...WRITING, 'VENUE-N-002', 'HTTP-N-404', 'HTTP-N-412', 'PMAP-N-006'],
    run: ({ actor, params, body, ifMatch }) =>
      mappings.changeProducts(actor, params, { added: body.productKey }, ifMatch),
  });

  routes.put(`${MAPPING}/products/:productKey`, {
    access,
    operationId: 'replaceMappedProduct',
    summary: 'Have a partner sell one product instead of another',
    description: 'Both change places in one step. The answer is the whole mapping.',
    params: productPath,
    body: ProductChoice,
    result: Mapping,
    example: mappingExample,
    problems: [...WRITING, 'VENUE-N-002', 'PMAP-N-005', 'PMAP-N-006'],
    run: ({ actor, params: { productKey, ...path }, body, ifMatch }) =>
      mappings.changeProducts(actor, path, { removed: productKey, added: body.productKey }, ifMatch),
  });

  routes.remove(`${MAPPING}/products/:productKey`, {
    access,
    operationId: 'unmapProduct',
    summary: 'Take one product from a partner',
    description: 'The venue stays mapped, also without any product.',
    params: productPath,
    problems: [...WRITING, 'PMAP-N-005'],
    async run({ actor, params: { productKey, ...path }, ifMatch }) {
      await mappings.changeProducts(actor, path, { removed: productKey }, ifMatch);
    },
  });
}
