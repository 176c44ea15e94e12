/** What must be so for a rule to concern a booking, one thing at a time: its conditions, and the parts of `when`. */
import { compileCondition, FACT_OF_FIELD } from './conditions.ts';
import type { Occasion } from './effects.ts';
import type { FactValue } from './explanation-facts.ts';
import { compileTest } from './expression.ts';
import { factsIn } from './profile.ts';
import type { Condition, ExpressionRule, Rule } from './rule.ts';
import { sayCondition } from './summary-comparison.ts';
import { clausesOf } from './summary-expression.ts';
import { mentionsPartner, operandsOf, operatorOf, type Part } from './summary-parts.ts';

export interface Clause {
  /** What it is about, without the partner: nobody can become another. */
  facts: readonly string[];
  words: string;
  /** What it compares them with. */
  values: readonly FactValue[];
  holds(occasion: Occasion): boolean;
}

/** Conditions are asked before expressions. */
export function clausesFor(rule: Rule): Clause[] {
  return [...conditionClauses(rule), ...(rule.effect === 'expression' ? expressionClauses(rule) : [])];
}

const conditionsKept = new WeakMap<Rule, readonly Clause[]>();
const expressionsKept = new WeakMap<Rule, readonly Clause[]>();

/** They are the same as long as the rule is. */
export const conditionClauses = (rule: Rule) =>
  conditionsKept.getOrInsertComputed(rule, ({ conditions }) => conditions.map(conditionClause));

export const expressionClauses = (rule: ExpressionRule) =>
  expressionsKept.getOrInsertComputed(rule, () => partsOf(rule.when).map(partClause));

function conditionClause(condition: Condition): Clause {
  const holds = compileCondition(condition);
  return {
    facts: [FACT_OF_FIELD[condition.field]],
    words: sayCondition(condition),
    values: [condition.value].flat(),
    holds: ({ facts }) => holds(facts),
  };
}

/** A sentence that is longer than this is read by nobody. */
const MAX_LENGTH = 300;

function partClause(part: Part): Clause {
  const words = clausesOf(part).join(' and ');
  const holds = compileTest(part);
  return {
    facts: [...factsIn(part)].filter((fact) => !fact.startsWith('partner.')),
    words: words.length > MAX_LENGTH ? 'the expression in `when` holds' : words,
    values: literalsIn(part),
    holds: ({ facts }) => holds(facts),
  };
}

/** All of which must be so. */
const partsOf = (part: Part): Part[] =>
  operatorOf(part) === 'and' ? operandsOf(part).flatMap(partsOf) : [part];

/** Numbers beside a partner may be those of others, and are nobody's business. */
function literalsIn(part: Part): FactValue[] {
  if (typeof part === 'string' || typeof part === 'number') return [part];
  if (Array.isArray(part)) return part.flatMap(literalsIn);
  const operator = operatorOf(part);
  const isSaid = operator === 'and' || operator === 'or' || operator === '!' || !mentionsPartner(part);
  return isSaid && operator !== 'var' && operator !== 'missing' ? operandsOf(part).flatMap(literalsIn) : [];
}
