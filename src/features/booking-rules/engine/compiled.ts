/** A rule in the form in which it is carried out: closures, made once when the rule is read. */

import { type Compiled, compile, isTruthy, SKIP } from '../expression/expression.ts';
import { compileCondition, type Test } from './conditions.ts';
import { compileEffect, type EffectOf, type RuleContext, type RuleEffect } from './effects.ts';
import { type Facts, isPence } from './facts.ts';
import { type Condition, type ExpressionRule, type Operation, operationsOf, type Rule } from './rule.ts';
import { type Aimed, concerns } from './scope.ts';

export interface CompiledRule {
  rule: Rule;
  operations: readonly Operation[];
  /** What it comes to for a booking that it is aimed at. */
  judge(ruleContext: RuleContext): Judgement;
}

/** Whether the rule applies to this operation on such a booking. */
export function takesPart({ rule, operations }: CompiledRule, operation: Operation, facts: Aimed): boolean {
  return operations.includes(operation) && concerns(rule, facts);
}

export type Judgement =
  /** This condition does not hold. */
  | { kind: 'unmet'; condition: Condition }
  /** All conditions hold, and there is nothing to be done. */
  | { kind: 'idle' }
  /** It needs a fact that is missing, or of another type. */
  | { kind: 'skipped' }
  | { kind: 'applied'; ruleEffect: RuleEffect };

const IDLE: Judgement = { kind: 'idle' };
const SKIPPED: Judgement = { kind: 'skipped' };

export function compileRule(rule: Rule): CompiledRule {
  const unmet = compileConditions(rule.conditions);
  const carryOut =
    rule.effect === 'expression' ? compileExpression(rule) : fixedJudgement(compileEffect(rule));
  return {
    rule,
    operations: operationsOf(rule),
    judge: (ruleContext) => unmet(ruleContext.facts) ?? carryOut(ruleContext),
  };
}

function compileConditions(conditions: readonly Condition[]): (facts: Facts) => Judgement | undefined {
  const tests: { holds: Test; judgement: Judgement }[] = conditions.map((condition) => ({
    holds: compileCondition(condition),
    judgement: { kind: 'unmet', condition },
  }));
  return (facts) => {
    for (const { holds, judgement } of tests) if (!holds(facts)) return judgement;
    return undefined;
  };
}

/** There are only a few effects, so their judgements are made once too. */
function fixedJudgement(effect: EffectOf): (ruleContext: RuleContext) => Judgement {
  const judgements = new Map<RuleEffect, Judgement>();
  return (ruleContext) => {
    const ruleEffect = effect(ruleContext);
    return ruleEffect
      ? judgements.getOrInsertComputed(ruleEffect, () => ({ kind: 'applied', ruleEffect }))
      : IDLE;
  };
}

function compileExpression({ when, then }: ExpressionRule): (ruleContext: RuleContext) => Judgement {
  const condition = compile(when);
  const ruleEffect = compileActions(then);
  return ({ facts }) => {
    const value = condition(facts);
    if (value === SKIP) return SKIPPED;
    if (!isTruthy(value)) return IDLE;
    const done = ruleEffect(facts);
    return done ? { kind: 'applied', ruleEffect: done } : SKIPPED;
  };
}

/** Undefined: a value cannot be computed, and then the rule has no effect. */
function compileActions(actions: ExpressionRule['then']): (facts: Facts) => RuleEffect | undefined {
  const flags = actions.flatMap((action) => ('flag' in action ? [action.flag.name] : []));
  const fixed: RuleEffect = {
    ...(actions.some((action) => 'reject' in action) && { code: 'BKRUL-N-100' }),
    ...(actions.some((action) => 'set' in action && action.set.fact === 'booking.type') && {
      becomesEnquiry: true,
    }),
    ...(flags.length > 0 && { flags }),
  };
  const balances: Compiled[] = actions.flatMap((action) =>
    'set' in action && action.set.fact === 'payment.finalBalance' ? [compile(action.set.value)] : [],
  );
  if (balances.length === 0) return () => fixed;
  return (facts) => {
    const values = balances.map((balance) => balance(facts));
    return values.every(isPence) ? { ...fixed, finalBalance: values.at(-1) as number } : undefined;
  };
}
