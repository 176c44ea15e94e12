import { type Static, Type } from 'typebox';
import { operatorId } from '../../../http/manage-route.ts';
import { named, nullable, oneOf, text } from '../../../http/validation/schema-helpers.ts';
import { EFFECTS, HOOKS, OPERATIONS } from '../engine/rule.ts';
import { RULE_CODES, RuleAction, RuleCondition, RuleHook } from '../schema.ts';
import { draftExample, RuleDraft } from './draft-schema.ts';
import { MAX_ACTIVE_RULES } from './storing.ts';

const closed = { additionalProperties: false };
const ids = (description: string) => nullable(Type.Array(Type.Integer()), { description });
const texts = (description: string) => nullable(Type.Array(Type.String()), { description });

export const ManagedRule = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    operatorId: Type.Integer(),
    version: Type.Integer({ description: 'One more with every change' }),
    isActive: Type.Boolean({ description: 'False: it is switched off and does nothing' }),
    effect: oneOf(EFFECTS),
    name: Type.String(),
    description: nullable(Type.String()),
    message: nullable(text('What a guest may be told when it refuses')),
    priority: Type.Integer({ description: 'Rules with a lower one come first' }),
    partnerIds: ids(
      'Partners that it applies to, besides those in `categoryIds`; both null: it applies to all bookings',
    ),
    categoryIds: ids('Your categories of partners that it applies to'),
    venueIds: texts('Venues that it applies to; null: all'),
    productSlugs: texts('Products that it applies to; null: all'),
    conditions: Type.Array(RuleCondition, { description: 'All of them must hold' }),
    items: Type.Optional(texts('Slugs of packages or menus, for effects that are about them')),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Integer(), Type.String(), Type.Null()]), {
        description: 'Of a fixed effect, complete',
      }),
    ),
    hook: Type.Optional(oneOf(HOOKS)),
    when: Type.Optional(Type.Unknown({ description: 'JsonLogic' })),
    then: Type.Optional(Type.Array(RuleAction)),
    whenApplied: Type.Array(oneOf(OPERATIONS)),
    summary: nullable(
      text(
        'The rule in a sentence or two, generated; null: it can no longer be carried out, and is left out',
      ),
    ),
  },
  named('ManagedBookingRule', 'A booking rule as its operator wrote it, with what was filled in'),
);
export type ManagedRule = Static<typeof ManagedRule>;

export const ManagedRules = Type.Object(
  { data: Type.Array(ManagedRule, { description: 'In the order in which they are carried out' }) },
  named('ManagedBookingRules', 'The rules of an operator'),
);

export const RuleQuery = Type.Object({
  includeInactive: Type.Boolean({ default: false, description: 'Also those that are switched off' }),
});

export const RuleFacts = Type.Object(
  { hooks: Type.Array(RuleHook) },
  named('BookingRuleFacts', 'The facts that expressions can use, by hook'),
);
export type RuleFacts = Static<typeof RuleFacts>;

export const RulePath = Type.Object({
  operatorId,
  ruleId: Type.String({ description: 'Id of the rule', examples: ['0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c21'] }),
});

const ruleIds = Type.Array(Type.String({ format: 'uuid' }), {
  maxItems: MAX_ACTIVE_RULES,
  uniqueItems: true,
  description:
    'All rules, of which those that are switched off may be left out; those with a fixed effect come before expressions',
});
const anOrder = { ...closed, ...named('BookingRuleOrder', 'The order in which rules are carried out') };

export const RuleOrder = Type.Object({ ruleIds }, anOrder);
export type RuleOrder = Static<typeof RuleOrder>;
export const RuleOrderBody = Type.Object(
  { ruleIds },
  {
    ...anOrder,
    examples: [{ ruleIds: ['0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c21', '0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c22'] }],
  },
);

export const DryRunBody = Type.Object(
  {
    rule: RuleDraft,
    ruleId: Type.Optional(
      nullable(Type.String({ format: 'uuid' }), {
        description: 'The rule that it would replace; what that one would have done is told beside it',
      }),
    ),
    from: Type.Optional(
      nullable(Type.String({ format: 'date-time' }), {
        description: 'Bookings made from this moment on; 90 days before `to` when absent',
      }),
    ),
    to: Type.Optional(
      nullable(Type.String({ format: 'date-time' }), {
        description: 'Bookings made before this moment; now when absent',
      }),
    ),
  },
  {
    ...closed,
    ...named('BookingRuleTrial', 'A rule that is to be tried on bookings of the past'),
    examples: [{ rule: draftExample, from: '2026-10-01T00:00:00.000Z' }],
  },
);
export type DryRunBody = Static<typeof DryRunBody>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const tally = {
  rejected: count('Would have been refused'),
  depositRequired: count('Would have been refused because the deposit was missing or too small'),
  turnedIntoEnquiry: count('Would have become enquiries'),
  flagged: count('Would have been let through with a mark for you'),
  withoutPreorderEmail: count('Would have had no mail about pre-orders'),
  unchanged: count('All others'),
};

const OUTCOMES = [
  'rejected',
  'deposit_required',
  'turned_into_enquiry',
  'flagged',
  'without_preorder_email',
] as const;

export const DryRunResult = Type.Object(
  {
    from: Type.String({ format: 'date-time' }),
    to: Type.String({ format: 'date-time' }),
    total: count('Bookings made in that time'),
    considered: count('Bookings that the rule was tried on: the latest of them'),
    touched: count('Those of them that it would have made a difference to'),
    ...tally,
    replaced: nullable(
      Type.Object(
        tally,
        named('BookingRuleTally', 'What a rule would have done, one count for each booking'),
      ),
      { description: 'What the rule that it would replace would have done with the same bookings' },
    ),
    summary: text('The same in a sentence'),
    ruleSummary: text('What partners will read of the rule'),
    examples: Type.Array(
      Type.Object(
        {
          bookingId: Type.String({ format: 'uuid' }),
          date: Type.String({ description: 'Trading day' }),
          time: Type.String({ description: 'Local time' }),
          guests: Type.Integer({ description: 'Adults and children' }),
          venueName: Type.String(),
          partnerName: nullable(Type.String({ description: 'Null: the house took it itself' })),
          outcome: oneOf(OUTCOMES),
          code: nullable(oneOf(RULE_CODES)),
          message: nullable(text('What the partner would have been told')),
        },
        named('BookingRuleExample', 'A booking that the rule would have made a difference to'),
      ),
      {
        maxItems: 20,
        description: 'Some of those that it would have made a difference to, the latest first',
      },
    ),
  },
  named('BookingRuleDryRun', 'What a rule would have done'),
);
export type DryRunResult = Static<typeof DryRunResult>;
