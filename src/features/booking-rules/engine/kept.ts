/** Rules as they were when a place was held: a booking of that place is ruled by these, whatever rules say by then. */
import type { RuleContext } from './effects.ts';
import { depositOf } from './refusal.ts';
import type { EffectParams, Rule } from './rule.ts';
import { compileAll } from './rulebooks.ts';
import { applyRules, decidedRules, type Ruling } from './ruling.ts';

/** Those that concern the partner and the product. */
export interface KeptRules {
  create: Rule[];
  payment: Rule[];
}

const compiled = (rules: readonly Rule[]) => compileAll([...rules], () => {});

export const judgeKept = (rules: readonly Rule[], ruleContext: RuleContext): Ruling =>
  applyRules(compiled(rules), ruleContext);

/** What is known of a booking before its guest has said anything. */
export interface Prospect {
  /** By the rules that need no more than is known already. */
  ruling: Ruling;
  /** What the others demand of a booking like this. */
  depositPence: number;
  preorder: DemandedPreorder | null;
}

export type DemandedPreorder = EffectParams['require_preorder']['kind'] | 'packageAndMenu';

/** Facts that only the booking has. */
const UNTOLD = /^(booking\.(source|depositAmount|packages|menus)|payment(\..*)?)$/;

/** `ruleContext`: of a booking without deposit and pre-order. */
export function prospectOf(rules: readonly Rule[], ruleContext: RuleContext): Prospect {
  const all = compiled(rules);
  const broken = applyRules(all, ruleContext).violations.map(({ rule }) => rule);
  return {
    ruling: applyRules(decidedRules(all, UNTOLD), ruleContext),
    depositPence: depositOf(broken, ruleContext.facts.booking.guests)?.total ?? 0,
    preorder: demandedBy(broken),
  };
}

function demandedBy(rules: readonly Rule[]): DemandedPreorder | null {
  const kinds = rules.flatMap((rule) => (rule.effect === 'require_preorder' ? [rule.params.kind] : []));
  if (kinds.includes('package') && kinds.includes('menu')) return 'packageAndMenu';
  return kinds.find((kind) => kind !== 'any') ?? kinds[0] ?? null;
}
