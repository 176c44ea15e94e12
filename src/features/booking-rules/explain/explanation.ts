/** What the rules would say about a booking, rule by rule, and what would have them say something else. */
import type { VenueId } from '../../../kernel/ids.ts';
import type { CompiledRule, Judgement } from '../engine/compiled.ts';
import { FACT_OF_FIELD } from '../engine/conditions.ts';
import type { RuleContext, RuleEffect } from '../engine/effects.ts';
import { canConcern } from '../engine/partial-evaluation.ts';
import { violationView } from '../engine/refusal.ts';
import type { Rule } from '../engine/rule.ts';
import { applyRules, ownRuleContext, writeFacts } from '../engine/ruling.ts';
import { scopeFor } from '../engine/scope.ts';
import { factsIn } from '../expression/limits.ts';
import { summaryOf } from '../summary/summary.ts';
import { capitalised, join } from '../summary/words.ts';
import { changeOf } from './change.ts';
import { currentOf } from './facts.ts';
import type { RuleExplanation, RulesExplained } from './schema.ts';
import { factsOfEffect, type Offered } from './wants.ts';

/** What an explanation may speak of. */
export interface Scene {
  offered: Offered;
  /** The venues named by rules that the reader may see. */
  visible: ReadonlySet<VenueId>;
}

/** `rules` are those that concern the partner and the product, in order of precedence. */
export function explainRules(
  rules: readonly CompiledRule[],
  ruleContext: RuleContext,
  scene: Scene,
): RulesExplained {
  const { violations, type } = applyRules(rules, ruleContext);
  const [first] = violations;
  return {
    outcome: first ? 'rejected' : 'accepted',
    type,
    errorCode: (first?.code ?? null) as RulesExplained['errorCode'],
    violations: violations.map(({ rule }) => violationView(rule)),
    rules: explainEach(rules, ruleContext, scene),
  };
}

/** Facts that a rule writes are visible to the rules after it. Rules that target other partners stay hidden. */
function explainEach(
  rules: readonly CompiledRule[],
  ruleContext: RuleContext,
  scene: Scene,
): RuleExplanation[] {
  const seen = ownRuleContext(ruleContext);
  return rules
    .filter(({ rule }) => canConcern(rule, seen.facts.partner))
    .map((compiled) => {
      const judgement = compiled.judge(seen);
      const explained = explain(compiled, judgement, seen, scene);
      if (judgement.kind === 'applied') writeFacts(seen, judgement.ruleEffect);
      return explained;
    });
}

function explain(
  compiled: CompiledRule,
  judgement: Judgement,
  ruleContext: RuleContext,
  { offered, visible }: Scene,
): RuleExplanation {
  const { rule } = compiled;
  const partnerScope = scopeFor(rule, ruleContext.facts.partner) ?? 'all_partners';
  const venueCount = (rule.venueIds ?? []).filter((id) => visible.has(id)).length;
  return {
    id: rule.id,
    effect: rule.effect,
    name: rule.name,
    summary: summaryOf(rule, { partnerScope, venueCount }),
    result: RESULTS[judgement.kind],
    does: judgement.kind === 'applied' ? doingOf(judgement.ruleEffect, ruleContext) : null,
    facts: factsOfRule(rule).map((name) => ({ name, value: currentOf(ruleContext, name) })),
    change: changeOf({ compiled, judgement, ruleContext, offered }),
  };
}

const RESULTS: Record<Judgement['kind'], RuleExplanation['result']> = {
  unmet: 'not_applied',
  idle: 'not_applied',
  skipped: 'skipped',
  applied: 'applied',
};

/** All that it looks at, in order. */
function factsOfRule(rule: Rule): string[] {
  const conditions = rule.conditions.map(({ field }) => FACT_OF_FIELD[field]);
  const others = rule.effect === 'expression' ? factsIn(rule.when) : factsOfEffect(rule);
  return [...new Set([...conditions, ...others])];
}

/**
 * Flags are internal to the operator: the explanation says that there are some, as the summary does, but not which.
 */
function doingOf(ruleEffect: RuleEffect, { facts }: RuleContext): string {
  const { code, becomesEnquiry, skipsPreorderEmail, flags = [] } = ruleEffect;
  const isEnquiry = facts.booking.type === 'request';
  const ruleEffects = [
    ...(code ? [`refuses the booking with ${code}`] : []),
    ...(becomesEnquiry ? [isEnquiry ? 'leaves it an enquiry' : 'turns it into an enquiry'] : []),
    ...(skipsPreorderEmail ? ['keeps back the mail about the pre-order'] : []),
    ...(flags.length > 0 ? ['flags it for the operator'] : []),
  ];
  return `${capitalised(join(ruleEffects, 'and'))}.`;
}
