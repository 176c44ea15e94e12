import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { sourceExample } from './examples.ts';
import { associationPath } from './partner-schema.ts';
import { NewSource, Resolution, Source, SourceQuery, sourcePath } from './source-schema.ts';
import type { Sources } from './sources.ts';

const SOURCES = '/manage/operators/:operatorId/sources';
const SOURCE = `${SOURCES}/:sourceId`;
const UNKNOWN: ProblemCode[] = ['OPRTR-N-001', 'PMAP-N-010'];

export function sourceRoutes(app: App, sources: Sources): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list(SOURCES, {
    access: 'manage:staff',
    operationId: 'listSources',
    summary: 'List the sources of an operator',
    description: 'What its systems call the origins of bookings, by name, and whom each stands for.',
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
    description: 'For a partner that has none at the operator, or for nobody yet.',
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
    description: 'Its name and whom it stands for.',
    params: sourcePath,
    result: Source,
    example: sourceExample,
    problems: UNKNOWN,
    run: ({ params }) => sources.get(params),
  });

  routes.act(`${SOURCE}/resolve`, {
    access: 'manage:platform',
    operationId: 'resolveSource',
    summary: 'Say whom a source stands for',
    description: 'For one that stands for nobody yet.',
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
    summary: 'Rename a source, or link it to another partner',
    description:
      'Bookings that are made from now on carry the new name. With `partnerId` null it stands for nobody any more.',
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
    description: 'The partner that it stands for cannot book at the operator until it has another one.',
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
    summary: 'Have the source of a partner stand for nobody',
    description: 'The source stays and can be resolved again; until then the partner cannot book there.',
    params: associationPath,
    problems: [...UNKNOWN_OF, 'PMAP-N-010'],
    run: ({ actor, params, ifMatch }) => sources.unlink(actor, params, ifMatch),
  });
}
