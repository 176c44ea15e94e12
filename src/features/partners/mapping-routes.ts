import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { mappingExample, sourceExample } from './examples.ts';
import type { Mappings } from './mappings.ts';
import {
  associationPath,
  Mapping,
  MappingChange,
  MappingQuery,
  mappingPath,
  NewSource,
  PageOnly,
  ProductChoice,
  partnerPath,
  productPath,
  Resolution,
  Source,
  SourceQuery,
  sourcePath,
} from './schema.ts';
import type { Sources } from './sources.ts';

const MAPPINGS = '/manage/partners/:partnerId/mappings';
const MAPPING = `${MAPPINGS}/:venueId`;
const WRITING: ProblemCode[] = ['PMAP-N-004', 'VENUE-N-001', 'PMAP-N-015'];

export function mappingRoutes(app: App, mappings: Mappings): void {
  const routes = manageRoutes(app, 'Manage: platform');
  const access = 'manage:platform';

  routes.list(MAPPINGS, {
    access: 'manage:developer',
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

  routes.list('/manage/operators/:operatorId/partners/:partnerId/mappings', {
    access: 'manage:staff',
    operationId: 'listOperatorMappings',
    summary: 'See what a partner distributes of an operator',
    description: 'Venues of the operator, by id, with the products that the partner may sell and its terms.',
    params: associationPath,
    query: PageOnly,
    result: Page(Mapping),
    example: pageOf([mappingExample], 1, { pageNumber: 1, pageSize: 20 }),
    problems: ['PMAP-N-004', 'OPRTR-N-001', 'OPRTR-N-002'],
    run: ({ params: { operatorId, partnerId }, query }) => mappings.list(partnerId, { ...query, operatorId }),
  });

  routes.get(MAPPING, {
    access: 'manage:developer',
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
      'the partner, and the partner must have a source there.',
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

const SOURCES = '/manage/operators/:operatorId/sources';
const SOURCE = `${SOURCES}/:sourceId`;
const UNKNOWN: ProblemCode[] = ['OPRTR-N-001', 'PMAP-N-010'];

export function sourceRoutes(app: App, sources: Sources): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list(SOURCES, {
    access: 'manage:staff',
    operationId: 'listSources',
    summary: 'List the sources of an operator',
    description:
      'The names that its systems have for origins of bookings, in alphabetical order, each with its partner.',
    params: operatorPath,
    query: SourceQuery,
    result: Page(Source),
    example: pageOf([sourceExample], 1, { pageNumber: 1, pageSize: 20 }),
    problems: ['OPRTR-N-001'],
    run: ({ params, query }) => sources.list(params.operatorId, query),
  });

  routes.create(SOURCES, {
    access: 'manage:platform',
    operationId: 'createSource',
    summary: 'Add a source',
    description:
      'For a partner that has no source at the operator. With `partnerId` null the source is not assigned to a partner yet.',
    params: operatorPath,
    body: NewSource,
    result: Source,
    example: sourceExample,
    problems: ['OPRTR-N-001', 'PMAP-N-004', 'PMAP-N-008', 'PMAP-N-009'],
    run: ({ actor, params, body }) => sources.create(actor, params.operatorId, body),
  });

  routes.get(SOURCE, {
    access: 'manage:staff',
    operationId: 'getSource',
    summary: 'Read a source',
    description: 'Its name, and the partner that it is assigned to.',
    params: sourcePath,
    result: Source,
    example: sourceExample,
    problems: UNKNOWN,
    run: ({ params }) => sources.get(params),
  });

  routes.act(`${SOURCE}/resolve`, {
    access: 'manage:platform',
    operationId: 'resolveSource',
    summary: 'Assign a source to a partner',
    description: 'For a source that is not assigned to a partner yet.',
    params: sourcePath,
    body: Resolution,
    result: Source,
    example: sourceExample,
    problems: [...UNKNOWN, 'PMAP-N-004', 'PMAP-N-008', 'PMAP-N-012'],
    run: ({ actor, params, body, ifMatch }) => sources.resolve(actor, params, body.partnerId, ifMatch),
  });

  routes.put(SOURCE, {
    access: 'manage:platform',
    operationId: 'replaceSource',
    summary: 'Rename a source, or assign it to another partner',
    description:
      'Bookings that are made from now on carry the new name. With `partnerId` null the source is no longer assigned to a partner.',
    params: sourcePath,
    body: NewSource,
    result: Source,
    example: sourceExample,
    problems: [...UNKNOWN, 'PMAP-N-004', 'PMAP-N-008', 'PMAP-N-009', 'PMAP-N-011'],
    run: ({ actor, params, body, ifMatch }) => sources.change(actor, params, body, ifMatch),
  });

  routes.remove(SOURCE, {
    access: 'manage:platform',
    operationId: 'deleteSource',
    summary: 'Delete a source',
    description: 'Its partner cannot book at the operator until it has another source.',
    params: sourcePath,
    problems: UNKNOWN,
    run: ({ actor, params, ifMatch }) => sources.remove(actor, params, ifMatch),
  });
}

const SOURCE_OF = '/manage/partners/:partnerId/sources/:operatorId';
const UNKNOWN_OF: ProblemCode[] = ['PMAP-N-004', 'OPRTR-N-001', 'PMAP-N-007'];

/** The same, seen from the partner. */
export function partnerSourceRoutes(app: App, sources: Sources): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.get(SOURCE_OF, {
    access: 'manage:platform',
    operationId: 'getPartnerSource',
    summary: 'Read the source of a partner at an operator',
    description: 'What the operator’s systems call the partner.',
    params: associationPath,
    result: Source,
    example: sourceExample,
    problems: UNKNOWN_OF,
    run: ({ params }) => sources.getOf(params),
  });

  routes.remove(SOURCE_OF, {
    access: 'manage:platform',
    operationId: 'deletePartnerSource',
    summary: 'Unassign the source of a partner',
    description:
      'The source stays and can be assigned again. Until then the partner cannot book at the operator.',
    params: associationPath,
    problems: [...UNKNOWN_OF, 'PMAP-N-010'],
    run: ({ actor, params, ifMatch }) => sources.unlink(actor, params, ifMatch),
  });
}
