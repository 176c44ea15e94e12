import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import type { Associations } from './associations.ts';
import type { Categories } from './categories.ts';
import { associationExample, categoryExample, partnerExample } from './examples.ts';
import type { Partners } from './partners.ts';
import {
  Association,
  AssociationChange,
  associationPath,
  categoryPath,
  NewPartner,
  NewPartnerCategory,
  PageOnly,
  Partner,
  PartnerCategories,
  PartnerCategory,
  PartnerChange,
  PartnerQuery,
  partnerPath,
} from './schema.ts';

const FIRST = { pageNumber: 1, pageSize: 20 };

export function partnerRoutes(app: App, partners: Partners): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list('/manage/partners', {
    access: 'manage:platform',
    operationId: 'listPartners',
    summary: 'List partners',
    description: 'All partners, by name.',
    query: PartnerQuery,
    result: Page(Partner),
    example: pageOf([partnerExample], 1, FIRST),
    run: ({ query }) => partners.list(query),
  });

  routes.create('/manage/partners', {
    access: 'manage:platform',
    operationId: 'createPartner',
    summary: 'Add a partner',
    description:
      'One whose name is almost that of another is probably that other one, and is refused unless `allowSimilarName` ' +
      'says that it is not.',
    body: NewPartner,
    result: Partner,
    example: partnerExample,
    problems: ['PMAP-N-014'],
    run: ({ actor, body }) => partners.create(actor, body),
  });

  routes.get('/manage/partners/:partnerId', {
    access: 'manage:developer',
    operationId: 'getPartner',
    summary: 'Read a partner',
    description: 'Its reference, its name, and whether it is a marketplace.',
    params: partnerPath,
    result: Partner,
    example: partnerExample,
    problems: ['PMAP-N-004'],
    run: ({ params }) => partners.get(params.partnerId),
  });

  routes.put('/manage/partners/:partnerId', {
    access: 'manage:platform',
    operationId: 'replacePartner',
    summary: 'Change a partner',
    description:
      'Agents name the partner by its new reference at once. A partner that venues are mapped to stays what it is: a ' +
      'marketplace or none.',
    params: partnerPath,
    body: PartnerChange,
    result: Partner,
    example: partnerExample,
    problems: ['PMAP-N-004', 'PMAP-N-014'],
    run: ({ actor, params, body, ifMatch }) => partners.change(actor, params.partnerId, body, ifMatch),
  });

  routes.remove('/manage/partners/:partnerId', {
    access: 'manage:platform',
    operationId: 'deletePartner',
    summary: 'Delete a partner',
    description:
      'Only one that never booked and is no venue’s marketplace. Its mappings, sources, clients and subscriptions go with it, the roles of its people, and what rules say ' +
      'about it alone.',
    params: partnerPath,
    problems: ['PMAP-N-004'],
    run: ({ actor, params, ifMatch }) => partners.remove(actor, params.partnerId, ifMatch),
  });
}

const ASSOCIATIONS = '/manage/operators/:operatorId/partners';
const UNKNOWN: ProblemCode[] = ['OPRTR-N-001', 'PMAP-N-004'];

export function associationRoutes(app: App, associations: Associations): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list(ASSOCIATIONS, {
    access: 'manage:staff',
    operationId: 'listOperatorPartners',
    summary: 'See who distributes an operator',
    description: 'The partners that the operator deals with, by name.',
    params: operatorPath,
    query: PageOnly,
    result: Page(Association),
    example: pageOf([associationExample], 1, FIRST),
    problems: ['OPRTR-N-001'],
    run: ({ params, query }) => associations.list(params.operatorId, query),
  });

  routes.get(`${ASSOCIATIONS}/:partnerId`, {
    access: 'manage:staff',
    operationId: 'getOperatorPartner',
    summary: 'See how an operator deals with a partner',
    description: 'Whether it is suspended, and what the operator’s systems call it.',
    params: associationPath,
    result: Association,
    example: associationExample,
    problems: [...UNKNOWN, 'BOOK-N-005'],
    run: ({ params }) => associations.get(params),
  });

  routes.put(`${ASSOCIATIONS}/:partnerId`, {
    access: 'manage:platform',
    operationId: 'saveOperatorPartner',
    summary: 'Have an operator deal with a partner',
    description:
      'Needed before venues are mapped. `source` is the name of the partner in the operator’s systems: a new name, or ' +
      'that of a source that is not assigned to a partner yet. It can be left out when the partner has a source.',
    params: associationPath,
    body: AssociationChange,
    result: Association,
    example: associationExample,
    problems: [...UNKNOWN, 'OPRTR-N-003', 'PMAP-N-008', 'PMAP-N-009'],
    run: ({ actor, params, body, ifMatch }) => associations.save(actor, params, body, ifMatch),
  });

  routes.remove(`${ASSOCIATIONS}/:partnerId`, {
    access: 'manage:platform',
    operationId: 'deleteOperatorPartner',
    summary: 'End the association of an operator with a partner',
    description:
      'Also deletes all mappings of the operator’s venues to the partner. The source stays, but is no longer assigned ' +
      'to a partner. Bookings stay.',
    params: associationPath,
    problems: [...UNKNOWN, 'BOOK-N-005', 'PMAP-N-015'],
    run: ({ actor, params, ifMatch }) => associations.remove(actor, params, ifMatch),
  });
}

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
    description:
      'An availability rule that targets only this category is deleted. A booking rule that targets only this category stays, but applies to no booking.',
    params: categoryPath,
    problems: ['OPRTR-N-001', 'OPRUL-N-014'],
    run: ({ actor, params, ifMatch }) => categories.remove(actor, params, ifMatch),
  });
}
