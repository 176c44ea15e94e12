/** The first thing that would make something else of a rule: what is named here has been tried. */
import type { CompiledRule, Judgement } from '../engine/compiled.ts';
import { compileCondition, FACT_OF_FIELD } from '../engine/conditions.ts';
import { compileEffect, type RuleContext } from '../engine/effects.ts';
import type { Condition, ExpressionRule, FixedRule, Rule } from '../engine/rule.ts';
import { compile, compileTest, isTruthy, SKIP } from '../expression/expression.ts';
import { factsIn } from '../expression/limits.ts';
import { isIteration } from '../expression/shape.ts';
import { sayCondition } from '../summary/comparison.ts';
import { clausesOf } from '../summary/expression.ts';
import { mentionsPartner, operandsOf, operatorOf, type Part } from '../summary/words.ts';
import { currentOf, type FactValue, stateOf } from './facts.ts';
import { nearest } from './values.ts';
import { type Offered, type Want, wantsOf } from './wants.ts';

export interface Change {
  fact: string;
  /** Null: no value of this fact alone would, or none that may be shown. */
  value: FactValue | null;
  sentence: string;
}

export interface Judged {
  compiled: CompiledRule;
  judgement: Judgement;
  /** As the rule saw it. */
  ruleContext: RuleContext;
  offered: Offered;
}

/** Null: there is no such thing. */
export function changeOf(judged: Judged): Change | null {
  const { rule } = judged.compiled;
  switch (judged.judgement.kind) {
    case 'unmet':
      return fulfilment(judged);
    case 'skipped':
      return rule.effect === 'expression' ? completion(judged, rule) : null;
    case 'idle':
      return rule.effect === 'expression' ? fulfilment(judged) : breach(judged, rule);
    case 'applied':
      return rule.effect === 'expression' ? wayOut(judged, waysOut(rule)) : contentment(judged, rule);
  }
}

const clauseSentence = (ruleContext: RuleContext, fact: string, { words }: Clause) =>
  `${stateOf(ruleContext, fact)}; the rule concerns a booking only when ${words}.`;

const wantSentence = (ruleContext: RuleContext, { fact, words }: Want) =>
  `${stateOf(ruleContext, fact)}; the rule ${words}.`;

const kindIn = ({ compiled }: Judged, supposed: RuleContext) => compiled.judge(supposed).kind;

/** The first clause that does not hold: a value with which the rule is applied, or at least not kept from it by this. */
function fulfilment(judged: Judged): Change | null {
  const { compiled, ruleContext, offered } = judged;
  const { rule } = compiled;
  const clauses = clausesFor(rule);
  const clause = clauses.find(({ holds }) => !holds(ruleContext));
  if (!clause) return null;
  const wants = rule.effect === 'expression' ? [] : wantsOf(rule, ruleContext, offered);
  const about = (fact: string) => clauses.filter(({ facts }) => facts.includes(fact));
  const suggested = (fact: string) => [
    ...wants.filter((want) => want.fact === fact).flatMap(({ values }) => values),
    ...clause.values,
    ...about(fact).flatMap(({ values }) => values),
  ];
  const tests: ((supposed: RuleContext, fact: string) => boolean)[] = [
    (supposed) => kindIn(judged, supposed) === 'applied',
    (supposed, fact) => about(fact).every(({ holds }) => holds(supposed)),
  ];
  const sentence = (fact: string) => clauseSentence(ruleContext, fact, clause);
  for (const isSo of tests) {
    for (const fact of clause.facts) {
      const value = nearest(ruleContext, fact, suggested(fact), (supposed) => isSo(supposed, fact));
      if (value !== null) return { fact, value, sentence: sentence(fact) };
    }
  }
  const [fact] = clause.facts;
  return fact === undefined ? null : { fact, value: null, sentence: sentence(fact) };
}

/** An expression is left by what it says before it is left by the conditions around it. */
const waysOut = (rule: ExpressionRule) => [...expressionClauses(rule), ...conditionClauses(rule)];

/** The first clause that could also not hold. */
function wayOut({ ruleContext }: Judged, clauses: readonly Clause[]): Change | null {
  for (const clause of clauses) {
    for (const fact of clause.facts) {
      const value = nearest(ruleContext, fact, clause.values, (supposed) => !clause.holds(supposed));
      if (value !== null) return { fact, value, sentence: clauseSentence(ruleContext, fact, clause) };
    }
  }
  const clause = clauses.find(({ facts }) => facts.length > 0);
  const [fact] = clause?.facts ?? [];
  if (clause === undefined || fact === undefined) return null;
  return { fact, value: null, sentence: clauseSentence(ruleContext, fact, clause) };
}

/**
 * A change that satisfies a fixed effect; effects that refuse nothing are avoided through their conditions instead.
 */
function contentment(judged: Judged, rule: FixedRule): Change | null {
  const { ruleContext, offered } = judged;
  const out = wayOut(judged, conditionClauses(rule));
  const isRefusing = judged.judgement.kind === 'applied' && judged.judgement.ruleEffect.code !== undefined;
  if (!isRefusing && out?.value != null) return out;
  const effect = compileEffect(rule);
  const wants = wantsOf(rule, ruleContext, offered).filter(({ isMet }) => !isMet);
  for (const want of wants) {
    const value = nearest(ruleContext, want.fact, want.values, (supposed) => effect(supposed) === undefined);
    if (value !== null) return { fact: want.fact, value, sentence: wantSentence(ruleContext, want) };
  }
  const [want] = wants;
  return want ? { fact: want.fact, value: null, sentence: wantSentence(ruleContext, want) } : out;
}

/** What a fixed effect that finds nothing to do would act upon. */
function breach(judged: Judged, rule: FixedRule): Change | null {
  const { ruleContext, offered } = judged;
  for (const want of wantsOf(rule, ruleContext, offered)) {
    const isSo = (supposed: RuleContext) => kindIn(judged, supposed) === 'applied';
    const value = nearest(ruleContext, want.fact, want.values, isSo);
    if (value !== null) return { fact: want.fact, value, sentence: wantSentence(ruleContext, want) };
  }
  return null;
}

/** The missing fact without which an expression has no value. */
function completion(judged: Judged, rule: ExpressionRule): Change | null {
  const { ruleContext } = judged;
  const fact = findGap(rule.when, ruleContext);
  if (fact === undefined) return null;
  const suggested = expressionClauses(rule).flatMap(({ facts, values }) =>
    facts.includes(fact) ? values : [],
  );
  const value = nearest(ruleContext, fact, suggested, (supposed) => kindIn(judged, supposed) !== 'skipped');
  const isMissing = currentOf(ruleContext, fact) === null;
  const sentence = isMissing
    ? `${fact} is not known, and the rule needs it.`
    : `${stateOf(ruleContext, fact)}, with which the rule cannot be worked out.`;
  return { fact, value, sentence };
}

/** What must be so for a rule to concern a booking, one thing at a time: its conditions, and the parts of `when`. */

interface Clause {
  /** Its facts, without those of the partner: a caller cannot become another partner. */
  facts: readonly string[];
  words: string;
  /** What it compares them with. */
  values: readonly FactValue[];
  holds(ruleContext: RuleContext): boolean;
}

/** Conditions are evaluated before expressions. */
function clausesFor(rule: Rule): Clause[] {
  return [...conditionClauses(rule), ...(rule.effect === 'expression' ? expressionClauses(rule) : [])];
}

const conditionsKept = new WeakMap<Rule, readonly Clause[]>();
const expressionsKept = new WeakMap<Rule, readonly Clause[]>();

/** They are the same as long as the rule is. */
const conditionClauses = (rule: Rule) =>
  conditionsKept.getOrInsertComputed(rule, ({ conditions }) => conditions.map(conditionClause));

const expressionClauses = (rule: ExpressionRule) =>
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

/** A longer sentence would not be read. */
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

/** Literals compared with a partner's facts may be the ids of other partners, and stay hidden. */
function literalsIn(part: Part): FactValue[] {
  if (typeof part === 'string' || typeof part === 'number') return [part];
  if (Array.isArray(part)) return part.flatMap(literalsIn);
  const operator = operatorOf(part);
  const isSaid = operator === 'and' || operator === 'or' || operator === '!' || !mentionsPartner(part);
  return isSaid && operator !== 'var' && operator !== 'missing' ? operandsOf(part).flatMap(literalsIn) : [];
}

/**
 * Why an expression has no value: the fact that is missing, or else of another type than is needed; undefined: it is no
 * fact's fault.
 */
function findGap(when: Part, ruleContext: RuleContext): string | undefined {
  if (compile(when)(ruleContext.facts) !== SKIP) return undefined;
  const facts = [...factsIn(culpritIn(when, ruleContext))];
  return facts.find((fact) => currentOf(ruleContext, fact) === null) ?? facts[0];
}

function culpritIn(part: Part, ruleContext: RuleContext): Part {
  const inner = reachedIn(part, ruleContext).find((each) => compile(each)(ruleContext.facts) === SKIP);
  return inner === undefined ? part : culpritIn(inner, ruleContext);
}

/** What was evaluated on the way, apart from the bodies of iterations, which are about elements. */
function reachedIn(part: Part, ruleContext: RuleContext): readonly Part[] {
  if (Array.isArray(part)) return part;
  const operator = operatorOf(part) ?? '';
  const operands = operandsOf(part);
  if (operator === 'var' || operator === 'missing') return [];
  if (operator === 'if') return branchOf(operands, ruleContext);
  return isIteration(operator) ? operands.filter((_, index) => index !== 1) : operands;
}

function branchOf([condition, value, ...others]: readonly Part[], ruleContext: RuleContext): readonly Part[] {
  if (condition === undefined) return [];
  const holds = compile(condition)(ruleContext.facts);
  if (holds === SKIP || value === undefined) return [condition];
  return isTruthy(holds) ? [value] : branchOf(others, ruleContext);
}
