/** All rules that concern a booking, carried out in their order. */
import type { ProblemCode } from '../../../kernel/problem.ts';
import { factsIn } from '../expression/limits.ts';
import type { CompiledRule } from './compiled.ts';
import type { RuleContext, RuleEffect } from './effects.ts';
import type { Rule } from './rule.ts';

export interface Violation {
  rule: Rule;
  code: ProblemCode;
}

/** What the rules say together. */
export interface Ruling {
  violations: readonly Violation[];
  /** The requested type, or what rules have made of it. */
  type: 'book' | 'request';
  skipsPreorderEmail: boolean;
  flags: readonly string[];
  /** Undefined: no rule sets it. */
  finalBalance: number | undefined;
}

/** Facts that a rule writes are visible to the rules after it; `rules` are in order of precedence. */
export function applyRules(rules: readonly CompiledRule[], ruleContext: RuleContext): Ruling {
  const violations: Violation[] = [];
  const flags = new Set<string>();
  const seen = ownRuleContext(ruleContext);
  let skipsPreorderEmail = false;
  let finalBalance: number | undefined;
  for (const { rule, judge } of rules) {
    const judgement = judge(seen);
    if (judgement.kind !== 'applied') continue;
    const { ruleEffect } = judgement;
    if (ruleEffect.code) violations.push({ rule, code: ruleEffect.code });
    if (ruleEffect.skipsPreorderEmail) skipsPreorderEmail = true;
    if (ruleEffect.finalBalance !== undefined) finalBalance = ruleEffect.finalBalance;
    for (const flag of ruleEffect.flags ?? []) flags.add(flag);
    writeFacts(seen, ruleEffect);
  }
  return { violations, type: seen.facts.booking.type, skipsPreorderEmail, flags: [...flags], finalBalance };
}

/** With facts that can be written to. */
export function ownRuleContext(ruleContext: RuleContext): RuleContext {
  const { facts } = ruleContext;
  return {
    ...ruleContext,
    facts: {
      ...facts,
      booking: { ...facts.booking },
      ...(facts.payment && { payment: { ...facts.payment } }),
    },
  };
}

export function writeFacts({ facts }: RuleContext, ruleEffect: RuleEffect): void {
  if (ruleEffect.becomesEnquiry) facts.booking.type = 'request';
  if (ruleEffect.finalBalance !== undefined && facts.payment)
    facts.payment.finalBalance = ruleEffect.finalBalance;
}

/**
 * What rules do to a start before it is booked: leave it, turn it into an enquiry, or remove it. A rule that needs
 * facts beyond the slot's is left to the booking.
 */

interface SlotRuling {
  type: 'book' | 'request';
  /** Why the start cannot be booked; empty when it can. */
  codes: readonly ProblemCode[];
}

export type SlotRuler = (slot: RuleContext) => SlotRuling;

/** Facts that depend on what the guest will say. */
const UNTOLD = /^(booking\.(duration|source|depositAmount|packages|menus)|space(\..*)?|payment(\..*)?)$/;
const TYPE = 'booking.type';

/** `rules` are those of creation that concern the partner and the product, in order of precedence. */
export function slotRulerOf(rules: readonly CompiledRule[]): SlotRuler {
  return rulerBy(decidedRules(rules));
}

/** The same with rules of which every one is decided by a slot. */
export function rulerBy(decided: readonly CompiledRule[]): SlotRuler {
  return (slot) => {
    const { violations, type } = applyRules(decided, slot);
    if (violations.length === 0) return { type, codes: [] };
    const codes = violations.map(({ code }) => code);
    if (slot.facts.booking.type === 'request') return { type, codes };
    // A start that may not be booked may still be open for enquiries.
    const asked = applyRules(decided, asEnquiry(slot));
    return asked.violations.length === 0 ? { type: 'request', codes: [] } : { type, codes };
  };
}

function asEnquiry(slot: RuleContext): RuleContext {
  const { facts } = slot;
  return { ...slot, facts: { ...facts, booking: { ...facts.booking, type: 'request' } } };
}

/** The rules that need no facts beyond the slot's, or beyond those that are known otherwise. */
export function decidedRules(rules: readonly CompiledRule[], untold = UNTOLD): CompiledRule[] {
  let isTypeCertain = true;
  return rules.filter(({ rule }) => {
    const isDecided = isDecidedWithout(untold, rule, isTypeCertain);
    if (!isDecided && writesType(rule)) isTypeCertain = false;
    return isDecided;
  });
}

function isDecidedWithout(untold: RegExp, rule: Rule, isTypeCertain: boolean): boolean {
  switch (rule.effect) {
    case 'route_to_enquiry':
    case 'booking_window':
    case 'party_size_limit':
      return true;
    case 'expression': {
      const needed = [...factsIn(rule.when)];
      return needed.every((fact) => !untold.test(fact) && (isTypeCertain || fact !== TYPE));
    }
    default:
      return false;
  }
}

const writesType = (rule: Rule) =>
  rule.effect === 'expression' && rule.then.some((action) => 'set' in action && action.set.fact === TYPE);
