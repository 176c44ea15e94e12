import { type Static, Type } from 'typebox';
import { MAX_INTEGER } from '../../http/manage-route.ts';
import { named, nullable, oneOf, text } from '../../http/validation/schema-helpers.ts';
import { CONDITION_FIELDS, CONDITION_OPERATORS, EFFECTS, HOOKS, OPERATIONS } from './engine/rule.ts';
import { PARTNER_SCOPES } from './engine/scope.ts';

const CONSEQUENCES = [
  'rejects_booking',
  'requires_deposit',
  'turns_booking_into_enquiry',
  'skips_preorder_email',
  'conditional',
] as const;

/** What a rule can refuse with. */
export const RULE_CODES = [
  'AVAIL-N-007',
  'AVAIL-N-008',
  'BKRUL-N-001',
  'BKRUL-N-002',
  'BKRUL-N-003',
  'BKRUL-N-004',
  'BKRUL-N-005',
  'BKRUL-N-006',
  'BKRUL-N-100',
] as const;

const scalar = Type.Union([Type.String(), Type.Number()]);

export const RuleCondition = Type.Object(
  {
    field: oneOf(CONDITION_FIELDS, {
      description:
        '`partySize` counts children too, `weekday` is 1 (Monday) to 7 of the trading day, `time` is local, `category` is a slug',
    }),
    operator: oneOf(CONDITION_OPERATORS, {
      description: '`between` includes both ends; with times from late to early it goes over midnight',
    }),
    value: Type.Union([scalar, Type.Array(scalar)], {
      description: 'A list for `in`, two values for `between`',
    }),
  },
  named('RuleCondition', 'Something that must be so for the rule to concern a booking'),
);

const RuleReach = Type.Object(
  {
    partnerScope: oneOf(PARTNER_SCOPES, { description: 'Why it concerns you' }),
    allVenues: Type.Boolean({ description: 'All venues of the operator' }),
    venues: Type.Array(Type.Object({ id: text('Venue id') }), {
      description: 'Otherwise these, as far as you can see them',
    }),
    allProducts: Type.Boolean(),
    products: Type.Array(Type.Object({ slug: Type.String() }), {
      description: 'Otherwise the products with these slugs',
    }),
    conditions: Type.Array(RuleCondition, { description: 'All of them must hold' }),
    items: nullable(
      Type.Array(Type.String(), { description: 'Slugs of the packages or menus that it is about' }),
    ),
  },
  named('RuleReach', 'Which bookings a rule concerns'),
);

export const RuleAction = Type.Union(
  [
    Type.Object({
      set: Type.Object({
        fact: text('Fact that is written'),
        value: Type.Unknown({ description: 'A literal or a JsonLogic expression' }),
      }),
    }),
    Type.Object({ reject: Type.Object({ message: Type.String() }) }),
    Type.Object({ flag: Type.Object({ name: Type.String() }) }),
  ],
  named('RuleAction', 'What an expression rule does when it holds'),
);

const RuleOutcomes = Type.Object(
  {
    rejects: Type.Boolean({ description: 'It can refuse' }),
    writes: Type.Array(Type.String(), { description: 'Facts that it can write' }),
    flags: Type.Array(Type.String(), { description: 'Marks that it can leave for the operator' }),
  },
  named('RuleOutcomes', 'What an expression rule can do'),
);

export const BookingRule = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'A refusal names it in `violations[].ruleId`' }),
    operatorId: Type.Integer({ description: 'The first segment of the ids of its venues' }),
    effect: oneOf(EFFECTS),
    appliesTo: RuleReach,
    params: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.String(), Type.Null()]), {
      description: 'What a fixed effect needs to know, complete; empty for an expression',
    }),
    name: Type.String(),
    description: nullable(Type.String()),
    message: nullable(text('What a guest may be told when it refuses')),
    summary: text('The rule in a sentence or two, generated'),
    whenApplied: Type.Array(oneOf(OPERATIONS)),
    consequence: oneOf(CONSEQUENCES),
    errorCode: Type.Optional(
      oneOf(RULE_CODES, { description: 'What it refuses with; absent when it never does' }),
    ),
    priority: Type.Integer({ description: 'Rules with a lower one come first' }),
    hook: Type.Optional(oneOf(HOOKS, { description: 'Expression rules: the operation that they apply to' })),
    when: Type.Optional(
      Type.Unknown({ description: 'Expression rules: JsonLogic over the facts of the hook' }),
    ),
    then: Type.Optional(
      Type.Array(RuleAction, { description: 'Expression rules: what they do when `when` holds' }),
    ),
    outcomes: Type.Optional(RuleOutcomes),
  },
  named('BookingRule', 'What an operator demands of bookings'),
);
export type BookingRule = Static<typeof BookingRule>;

const RuleCaller = Type.Object(
  {
    partnerId: nullable(Type.Integer({ description: 'The fact `partner.id`' })),
    partnerCategoryIds: Type.Array(Type.Integer(), {
      description: 'All categories that you are in, of all operators',
    }),
    categoryIdsByOperator: Type.Record(Type.String(), Type.Array(Type.Integer()), {
      description: 'By operator id; the fact `partner.categoryIds` for the rules of that operator',
    }),
  },
  named('RuleCaller', 'What rules know about you'),
);

const RuleFact = Type.Object(
  {
    name: text('As `var` names it'),
    type: Type.String(),
    howToObtain: text('Where you find the value that the rules are given'),
  },
  named('RuleFact', 'A fact that expressions can use'),
);

export const RuleHook = Type.Object(
  { name: oneOf(HOOKS), facts: Type.Array(RuleFact) },
  named('RuleHook', 'An operation that expression rules can apply to'),
);

export const BookingRules = Type.Object(
  {
    generatedAt: Type.String({ format: 'date-time' }),
    caller: RuleCaller,
    rules: Type.Array(BookingRule, {
      description:
        'By operator; fixed effects before expressions, each by priority and id, which is the order in which they are carried out',
    }),
    hooks: Type.Array(RuleHook),
  },
  named('BookingRules', 'The rules that concern you'),
);
export type BookingRules = Static<typeof BookingRules>;

const RuleOperator = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    venues: Type.Array(Type.Object({ id: text('Venue id'), name: Type.String() }), {
      description: 'Those that the partner distributes, by id; a rule for all venues is about these',
    }),
  },
  named('RuleOperator', 'An operator whose venues a partner distributes'),
);

export const PartnerRules = Type.Object(
  {
    generatedAt: Type.String({ format: 'date-time' }),
    operators: Type.Array(RuleOperator, { description: 'By id' }),
    rules: Type.Array(BookingRule, { description: 'In the order in which they are carried out' }),
  },
  named('PartnerRules', 'The rules that concern a partner'),
);
export type PartnerRules = Static<typeof PartnerRules>;

export const BookingRulesQuery = Type.Object({
  operatorId: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description: 'Rules of this operator' }),
  ),
  venueId: Type.Optional(
    Type.String({
      description:
        'Rules that can concern this venue, or, with a product id of four segments, this product; the pipes may be percent-encoded or sent as they are',
      examples: ['1|house|soho-grill'],
    }),
  ),
  effect: Type.Optional(oneOf(EFFECTS, { description: 'Rules with this effect' })),
  hook: Type.Optional(oneOf(HOOKS, { description: 'Expression rules of this hook' })),
});
export type BookingRulesQuery = Static<typeof BookingRulesQuery>;
