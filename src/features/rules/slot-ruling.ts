/**
 * What rules do to a start before anybody books it: leave it, make an enquiry of it, or take it away. A rule that
 * needs to know more than a slot tells is left to the booking.
 */
import type { ProblemCode } from '../../kernel/problem.ts';
import type { CompiledRule } from './compiled.ts';
import type { Occasion } from './effects.ts';
import { factsIn } from './profile.ts';
import type { Rule } from './rule.ts';
import { applyRules } from './ruling.ts';

export interface SlotRuling {
  type: 'book' | 'request';
  /** Why nobody can have it; empty when somebody can. */
  codes: readonly ProblemCode[];
}

export type SlotRuler = (slot: Occasion) => SlotRuling;

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
    // What may not be booked may still be asked about.
    const asked = applyRules(decided, asEnquiry(slot));
    return asked.violations.length === 0 ? { type: 'request', codes: [] } : { type, codes };
  };
}

function asEnquiry(slot: Occasion): Occasion {
  const { facts } = slot;
  return { ...slot, facts: { ...facts, booking: { ...facts.booking, type: 'request' } } };
}

/** Those that need to know no more than a slot tells. */
export function decidedRules(rules: readonly CompiledRule[]): CompiledRule[] {
  let isTypeCertain = true;
  return rules.filter(({ rule }) => {
    const isDecided = isDecidedBySlot(rule, isTypeCertain);
    if (!isDecided && writesType(rule)) isTypeCertain = false;
    return isDecided;
  });
}

function isDecidedBySlot(rule: Rule, isTypeCertain: boolean): boolean {
  switch (rule.effect) {
    case 'route_to_enquiry':
    case 'booking_window':
    case 'party_size_limit':
      return true;
    case 'expression': {
      const needed = [...factsIn(rule.when)];
      return needed.every((fact) => !UNTOLD.test(fact) && (isTypeCertain || fact !== TYPE));
    }
    default:
      return false;
  }
}

const writesType = (rule: Rule) =>
  rule.effect === 'expression' && rule.then.some((action) => 'set' in action && action.set.fact === TYPE);
