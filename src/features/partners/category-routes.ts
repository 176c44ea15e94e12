import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import type { Categories } from './categories.ts';
import { categoryPath, NewPartnerCategory, PartnerCategories, PartnerCategory } from './category-schema.ts';
import { categoryExample } from './examples.ts';

const CATEGORIES = '/manage/operators/:operatorId/partner-categories';

export function categoryRoutes(app: App, categories: Categories): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list(CATEGORIES, {
    access: 'manage:staff',
    operationId: 'listPartnerCategories',
    summary: 'List categories of partners',
    description: 'How the operator groups partners, by slug.',
    params: operatorPath,
    result: PartnerCategories,
    example: { data: [categoryExample] },
    problems: ['OPRTR-N-001'],
    run: ({ params }) => categories.list(params.operatorId),
  });

  routes.create(CATEGORIES, {
    access: 'manage:owner',
    operationId: 'createPartnerCategory',
    summary: 'Add a category of partners',
    description: 'Rules can then be aimed at it.',
    params: operatorPath,
    body: NewPartnerCategory,
    result: PartnerCategory,
    example: categoryExample,
    problems: ['OPRTR-N-001', 'PMAP-N-004'],
    run: ({ actor, params, body }) => categories.create(actor, params.operatorId, body),
  });

  routes.get(`${CATEGORIES}/:categoryId`, {
    access: 'manage:staff',
    operationId: 'getPartnerCategory',
    summary: 'Read a category of partners',
    description: 'Its name, and who is in it.',
    params: categoryPath,
    result: PartnerCategory,
    example: categoryExample,
    problems: ['OPRTR-N-001', 'OPRUL-N-014'],
    run: ({ params }) => categories.get(params),
  });

  routes.put(`${CATEGORIES}/:categoryId`, {
    access: 'manage:owner',
    operationId: 'replacePartnerCategory',
    summary: 'Change a category of partners',
    description: 'Rules that are aimed at it hold for those who are in it from now on, and no others.',
    params: categoryPath,
    body: NewPartnerCategory,
    result: PartnerCategory,
    example: categoryExample,
    problems: ['OPRTR-N-001', 'OPRUL-N-014', 'PMAP-N-004'],
    run: ({ actor, params, body, ifMatch }) => categories.change(actor, params, body, ifMatch),
  });

  routes.remove(`${CATEGORIES}/:categoryId`, {
    access: 'manage:owner',
    operationId: 'deletePartnerCategory',
    summary: 'Delete a category of partners',
    description: 'A rule that was aimed at nothing else holds for nobody any more.',
    params: categoryPath,
    problems: ['OPRTR-N-001', 'OPRUL-N-014'],
    run: ({ actor, params, ifMatch }) => categories.remove(actor, params, ifMatch),
  });
}
