import { type ManageCall, manageRoutes, operatorPath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import type { ProblemCode } from '../../../kernel/problem.ts';
import { dryRunExample, managedRuleExample, managedRulesExample, ruleOrderExample } from '../examples.ts';
import { HOOKS_VIEW } from '../listing.ts';
import { RuleBody } from './draft-schema.ts';
import {
  DryRunBody,
  DryRunResult,
  ManagedRule,
  ManagedRules,
  RuleFacts,
  RuleOrder,
  RuleOrderBody,
  RulePath,
  RuleQuery,
} from './schema.ts';
import type { Doing, ManagedRules as RuleManagement } from './service.ts';

const ALL = '/manage/operators/:operatorId/booking-rules';
const ONE = `${ALL}/:ruleId`;

const OPERATOR: readonly ProblemCode[] = ['OPRTR-N-001', 'OPRTR-N-002'];
const FINDING: readonly ProblemCode[] = ['OPRTR-N-002', 'OPRUL-N-005'];
const WRITING: readonly ProblemCode[] = ['OPRUL-N-013', 'VENUE-N-010'];

const doing = ({ actor, params, ifMatch }: ManageCall<{ operatorId: number }, unknown, unknown>): Doing => ({
  actor,
  operatorId: params.operatorId,
  ifMatch,
});

export function manageRuleRoutes(app: App, managed: RuleManagement): void {
  const routes = manageRoutes(app, 'Manage: booking rules');
  const one = { result: ManagedRule, example: managedRuleExample };

  routes.list(ALL, {
    access: 'manage:staff',
    operationId: 'listManagedBookingRules',
    summary: 'List your booking rules',
    description:
      'In the order in which they are carried out. Those that are switched off are left out, unless `includeInactive` is true.',
    params: operatorPath,
    query: RuleQuery,
    result: ManagedRules,
    example: managedRulesExample,
    problems: OPERATOR,
    run: async ({ params, query }) => ({ data: await managed.list(params.operatorId, query) }),
  });

  routes.create(ALL, {
    ...one,
    access: 'manage:manager',
    operationId: 'createBookingRule',
    summary: 'Make a booking rule',
    description:
      'It holds from now on, for bookings that are still to be made, amended, paid or cancelled. What is left out gets its default. Try it with `dry-run` first.',
    params: operatorPath,
    body: RuleBody,
    problems: [...OPERATOR, ...WRITING, 'OPRTR-N-006'],
    run: (call) => managed.create(doing(call), call.body),
  });

  routes.list(`${ALL}/facts`, {
    access: 'manage:staff',
    operationId: 'listBookingRuleFacts',
    summary: 'List what rules can be about',
    description: 'The facts that an expression may name, with their types and what they mean to a partner.',
    params: operatorPath,
    result: RuleFacts,
    example: { hooks: HOOKS_VIEW.slice(0, 1).map(({ name, facts }) => ({ name, facts: facts.slice(0, 1) })) },
    problems: OPERATOR,
    run: async () => ({ hooks: HOOKS_VIEW }),
  });

  routes.get(ONE, {
    ...one,
    access: 'manage:staff',
    operationId: 'getManagedBookingRule',
    summary: 'Read one booking rule',
    description: 'As it was written, with what was filled in.',
    params: RulePath,
    problems: FINDING,
    run: ({ params }) => managed.get(params.operatorId, params.ruleId),
  });

  routes.put(ONE, {
    ...one,
    access: 'manage:manager',
    operationId: 'replaceBookingRule',
    summary: 'Change a booking rule',
    description:
      'The rule becomes what the body says; only its id stays. What is left out gets its default. With `isActive` false it is switched off: it stays in your list and does nothing.',
    params: RulePath,
    body: RuleBody,
    problems: [...FINDING, ...WRITING],
    run: (call) => managed.replace(doing(call), call.params.ruleId, call.body),
  });

  routes.remove(ONE, {
    access: 'manage:manager',
    operationId: 'retireBookingRule',
    summary: 'Retire a booking rule',
    description: 'It holds no longer. What it refused can still be traced to it.',
    params: RulePath,
    problems: [...FINDING, 'VENUE-N-010'],
    run: (call) => managed.retire(doing(call), call.params.ruleId),
  });

  orderRoutes(app, managed);

  routes.act(`${ALL}/dry-run`, {
    access: 'manage:manager',
    operationId: 'tryBookingRule',
    summary: 'Try a booking rule on bookings of the past',
    description:
      'Applies this rule alone to the bookings that were made in a period, at most to the latest 50,000. Each is judged as at the moment at which it was made. Nothing is stored. Bookings are taken as they are now: one that was amended since counts as amended. Bookings that were refused then are not known.',
    params: operatorPath,
    body: DryRunBody,
    result: DryRunResult,
    example: dryRunExample,
    problems: [...OPERATOR, 'OPRUL-N-005', 'OPRUL-N-013'],
    run: ({ params, body }) => managed.dryRun(params.operatorId, body),
  });
}

function orderRoutes(app: App, managed: RuleManagement): void {
  const routes = manageRoutes(app, 'Manage: booking rules');
  const order = { params: operatorPath, result: RuleOrder, example: ruleOrderExample };

  routes.get(`${ALL}/order`, {
    ...order,
    access: 'manage:staff',
    operationId: 'getBookingRuleOrder',
    summary: 'Read the order of your booking rules',
    description: 'In which they are carried out.',
    problems: OPERATOR,
    run: ({ params }) => managed.getOrder(params.operatorId),
  });

  routes.put(`${ALL}/order`, {
    ...order,
    access: 'manage:manager',
    operationId: 'orderBookingRules',
    summary: 'Put your booking rules into an order',
    description:
      'Names all rules, each once; those that are switched off may be left out. Their priorities become their places in the list. Expressions are carried out after all others and come last.',
    body: RuleOrderBody,
    problems: [...OPERATOR, 'VENUE-N-010'],
    run: (call) => managed.order(doing(call), call.body),
  });
}
