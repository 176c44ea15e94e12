import { manageRoutes, venuePath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import type { ProblemCode } from '../../../kernel/problem.ts';
import {
  CategoryInScope,
  categoryInScopePath,
  managedRuleExample as example,
  PartnerInScope,
  partnerInScopePath,
  RuleDraft,
  RuleList,
  ManagedRule as result,
  rulePath,
} from './schema.ts';
import type { RuleStorage } from './storing.ts';

const URL = '/manage/venues/:venueId/availability-rules';
const ONE = `${URL}/:ruleId`;

const WRITING: ProblemCode[] = [
  ...(['VALID-N-001', 'VENUE-N-001'] as const),
  ...(['OPRUL-N-010', 'OPRUL-N-011', 'OPRUL-N-012', 'OPRUL-N-013', 'OPRUL-N-014', 'OPRUL-N-015'] as const),
];
const FINDING: ProblemCode[] = ['VENUE-N-001', 'OPRUL-N-005'];
const ADDING: ProblemCode[] = [...FINDING, 'VALID-N-001', 'OPRUL-N-006', 'OPRUL-N-014', 'OPRUL-N-015'];
const TAKING: ProblemCode[] = [...FINDING, 'VALID-N-001', 'OPRUL-N-007'];

export function availabilityRuleRoutes(app: App, rules: RuleStorage): void {
  const routes = manageRoutes(app, 'Manage: availability rules');

  routes.list(URL, {
    access: 'manage:staff',
    operationId: 'listAvailabilityRules',
    summary: 'List the availability rules of a venue',
    description: 'All of them, also those that are switched off, in the order in which they were made.',
    params: venuePath,
    result: RuleList,
    example: { data: [example] },
    problems: ['VENUE-N-001'],
    run: async ({ params }) => ({ data: await rules.list(params.venueId) }),
  });

  routes.create(URL, {
    access: 'manage:manager',
    operationId: 'createAvailabilityRule',
    summary: 'Take times out of sale',
    description:
      'For all callers, or for the partners that the lists and the scope name. A rule with the effect `reserve` takes the times from all other partners. A venue has at most 500 rules.',
    params: venuePath,
    body: RuleDraft,
    result,
    example,
    problems: [...WRITING, 'OPRTR-N-006'],
    run: ({ actor, params, body }) => rules.create(actor, params.venueId, body),
  });

  routes.get(ONE, {
    access: 'manage:staff',
    operationId: 'getAvailabilityRule',
    summary: 'Read an availability rule',
    description: 'As it was written, with everything that was filled in.',
    params: rulePath,
    result,
    example,
    problems: FINDING,
    run: ({ params }) => rules.get(params),
  });

  routes.put(ONE, {
    access: 'manage:manager',
    operationId: 'putAvailabilityRule',
    summary: 'Change an availability rule',
    description: 'The body replaces all of it; what it leaves out is as in a new rule.',
    params: rulePath,
    body: RuleDraft,
    result,
    example,
    problems: [...WRITING, 'OPRUL-N-005'],
    run: ({ actor, params, body, ifMatch }) => rules.change({ actor, ifMatch, ...params }, body),
  });

  routes.remove(ONE, {
    access: 'manage:manager',
    operationId: 'deleteAvailabilityRule',
    summary: 'Remove an availability rule',
    description: 'The times are for sale again, unless another rule takes them away.',
    params: rulePath,
    problems: FINDING,
    run: ({ actor, params, ifMatch }) => rules.remove({ actor, ifMatch, ...params }),
  });

  scopeRoutes(app, rules);
}

/** Entries of the lists, one by one. */
function scopeRoutes(app: App, rules: RuleStorage): void {
  const routes = manageRoutes(app, 'Manage: availability rules');

  routes.act(`${ONE}/scope/partners`, {
    access: 'manage:manager',
    operationId: 'addPartnerToRule',
    summary: 'Aim a rule at one more partner',
    description:
      'A rule without partners and categories, which applies to all callers, then applies to this partner alone.',
    params: rulePath,
    body: PartnerInScope,
    result,
    example,
    problems: ADDING,
    run: ({ actor, params, body, ifMatch }) =>
      rules.addToScope({ actor, ifMatch, ...params }, { list: 'partnerIds', id: body.partnerId }),
  });

  routes.remove(`${ONE}/scope/partners/:partnerId`, {
    access: 'manage:manager',
    operationId: 'takePartnerFromRule',
    summary: 'Aim a rule at one partner less',
    description:
      'A rule whose last target is removed applies to no partner. A rule with the effect `reserve` keeps at least one.',
    params: partnerInScopePath,
    problems: TAKING,
    run: ({ actor, params: { partnerId, ...address }, ifMatch }) =>
      rules.takeFromScope({ actor, ifMatch, ...address }, { list: 'partnerIds', id: partnerId }),
  });

  routes.act(`${ONE}/scope/categories`, {
    access: 'manage:manager',
    operationId: 'addCategoryToRule',
    summary: 'Aim a rule at one more category of partners',
    description:
      'A rule without partners and categories, which applies to all callers, then applies to this category alone.',
    params: rulePath,
    body: CategoryInScope,
    result,
    example,
    problems: ADDING,
    run: ({ actor, params, body, ifMatch }) =>
      rules.addToScope({ actor, ifMatch, ...params }, { list: 'categoryIds', id: body.categoryId }),
  });

  routes.remove(`${ONE}/scope/categories/:categoryId`, {
    access: 'manage:manager',
    operationId: 'takeCategoryFromRule',
    summary: 'Aim a rule at one category less',
    description:
      'A rule whose last target is removed applies to no partner. A rule with the effect `reserve` keeps at least one.',
    params: categoryInScopePath,
    problems: TAKING,
    run: ({ actor, params: { categoryId, ...address }, ifMatch }) =>
      rules.takeFromScope({ actor, ifMatch, ...address }, { list: 'categoryIds', id: categoryId }),
  });
}
