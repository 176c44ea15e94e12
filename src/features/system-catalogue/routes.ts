import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import {
  AccountPath,
  CatalogueRun,
  Difference,
  DifferenceQuery,
  differenceExample,
  RunBody,
  RunListQuery,
  RunPath,
  RunQuery,
  runExample,
} from './schema.ts';
import type { SystemCatalogue } from './service.ts';

const ALL = '/manage/operators/:operatorId/systems/:tms/catalogue';
const ONE = `${ALL}/:runId`;
const UNKNOWN: readonly ProblemCode[] = ['OPRTR-N-001', 'HTTP-N-404'];
const FIRST_PAGE = { pageNumber: 1, pageSize: 20 };

export function systemCatalogueRoutes(app: App, catalogue: SystemCatalogue): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.begin(ALL, {
    access: 'manage:manager',
    operationId: 'readSystemCatalogue',
    summary: 'Read the catalogue of a system',
    description:
      'Reads the venues and products that the operator has at a remote system, in the background. With `dryRun` it only finds the differences. Without, it applies those that the run in `reviewedRunId` has found: venues and products are added and changed, products that are gone there are withdrawn, and those that are back are on sale again. What the system does not say stays as it is here, and what has changed there since the review is left for the next one. One run at a time.',
    params: AccountPath,
    query: RunQuery,
    body: RunBody,
    problems: [...UNKNOWN, 'VALID-N-001', 'OPRTR-N-006', 'OPRTR-N-010', 'OPRTR-N-011'],
    result: CatalogueRun,
    example: runExample,
    run: ({ actor, params, query, body }) => catalogue.begin(actor, params, query.dryRun, body ?? {}),
  });

  routes.list(ALL, {
    access: 'manage:manager',
    operationId: 'listCatalogueRuns',
    summary: 'List readings of a catalogue',
    description: 'The last ones first, nightly ones among them. The last twenty are kept.',
    params: AccountPath,
    query: RunListQuery,
    problems: UNKNOWN,
    result: Page(CatalogueRun),
    example: pageOf([runExample], 1, FIRST_PAGE),
    run: ({ params, query }) => catalogue.list(params, query),
  });

  routes.get(ONE, {
    access: 'manage:manager',
    operationId: 'getCatalogueRun',
    summary: 'Read how far a catalogue is read',
    description: 'Ask again until its state is no longer `running`.',
    params: RunPath,
    problems: UNKNOWN,
    result: CatalogueRun,
    example: runExample,
    run: ({ params }) => catalogue.get(params, params.runId),
  });

  routes.list(`${ONE}/differences`, {
    access: 'manage:manager',
    operationId: 'listCatalogueDifferences',
    summary: 'List what a reading has found',
    description:
      'In the order in which the system named the venues, each followed by its products; at the end what is gone there.',
    params: RunPath,
    query: DifferenceQuery,
    problems: UNKNOWN,
    result: Page(Difference),
    example: pageOf([differenceExample], 1, FIRST_PAGE),
    run: ({ params, query }) => catalogue.listDifferences(params, params.runId, query),
  });
}
