import { type Static, Type } from 'typebox';
import { named, nullable, oneOf, text } from '../../../http/validation/schema-helpers.ts';
import { EFFECTS } from '../engine/rule.ts';
import { RULE_CODES } from '../schema.ts';

/** What the rules say about a booking, rule by rule. */

const FactValue = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.Union([Type.String(), Type.Number()])),
]);

const UsedFact = Type.Object(
  {
    name: text(
      'As `hooks[].facts[].name` of `GET /booking-rules` has it, or `noticeHours`: the hours from now to the start',
    ),
    value: nullable(FactValue),
  },
  named('UsedFact', 'Something that a rule looked at; null when it is not known'),
);

const RuleChange = Type.Object(
  {
    fact: text('The fact that would have to be different'),
    value: nullable(FactValue),
    sentence: text('What the fact is, and what the rule applies to or requires'),
  },
  named(
    'RuleChange',
    'The first thing that would make something else of the rule. `value` is the closest one with which it would be applied where it is not, or not applied where it is; where more than this keeps a rule from being applied, the closest with which this no longer does. It is null when no value of the fact alone is enough, or none can be told',
  ),
);

const RuleExplanation = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    effect: oneOf(EFFECTS),
    name: Type.String(),
    summary: text('The rule in a sentence or two'),
    result: oneOf(['applied', 'not_applied', 'skipped'] as const, {
      description:
        '`not_applied`: it does not concern the booking, or the booking meets it; `skipped`: a fact is missing or of another type',
    }),
    does: nullable(text('What it does; null when it does nothing')),
    facts: Type.Array(UsedFact, {
      description: 'All that it looks at, with what rules before it have written',
    }),
    change: nullable(RuleChange),
  },
  named('RuleExplanation', 'What came of one rule, and why'),
);
export type RuleExplanation = Static<typeof RuleExplanation>;

const ForeseenViolation = Type.Object(
  {
    ruleId: Type.String({ format: 'uuid' }),
    analyticsRuleId: Type.Optional(text('Expression rules: the rule as it is worded now')),
    rejectMessages: Type.Optional(Type.Array(Type.String(), { description: 'Expression rules' })),
  },
  named('ForeseenViolation', 'A rule that refuses, as the refusal would name it'),
);

export const ruleVerdict = {
  outcome: oneOf(['accepted', 'rejected'] as const, { description: 'By the rules alone' }),
  type: oneOf(['book', 'request'] as const, { description: 'What the rules make of the booking' }),
  errorCode: nullable(oneOf(RULE_CODES, { description: 'What it is refused with' })),
  violations: Type.Array(ForeseenViolation),
  rules: Type.Array(RuleExplanation, {
    description: 'Those aimed at you, the venue and the product, in the order in which they are carried out',
  }),
};

const RulesExplained = Type.Object(ruleVerdict);
export type RulesExplained = Static<typeof RulesExplained>;
