/** All rules that concern a booking, carried out in their order. */
import type { ProblemCode } from '../../kernel/problem.ts';
import type { CompiledRule } from './compiled.ts';
import type { Deed, Occasion } from './effects.ts';
import type { Rule } from './rule.ts';

export interface Violation {
  rule: Rule;
  code: ProblemCode;
}

/** What the rules say together. */
export interface Ruling {
  violations: readonly Violation[];
  /** What was asked for, or what rules have made of it. */
  type: 'book' | 'request';
  skipsPreorderEmail: boolean;
  flags: readonly string[];
  /** Undefined: no rule has said anything about it. */
  finalBalance: number | undefined;
}

/** What a rule writes, those after it find in the facts; `rules` are in order of precedence. */
export function applyRules(rules: readonly CompiledRule[], occasion: Occasion): Ruling {
  const violations: Violation[] = [];
  const flags = new Set<string>();
  const seen = ownOccasion(occasion);
  let skipsPreorderEmail = false;
  let finalBalance: number | undefined;
  for (const { rule, judge } of rules) {
    const judgement = judge(seen);
    if (judgement.kind !== 'applied') continue;
    const { deed } = judgement;
    if (deed.code) violations.push({ rule, code: deed.code });
    if (deed.skipsPreorderEmail) skipsPreorderEmail = true;
    if (deed.finalBalance !== undefined) finalBalance = deed.finalBalance;
    for (const flag of deed.flags ?? []) flags.add(flag);
    writeFacts(seen, deed);
  }
  return { violations, type: seen.facts.booking.type, skipsPreorderEmail, flags: [...flags], finalBalance };
}

/** With facts that can be written to. */
export function ownOccasion(occasion: Occasion): Occasion {
  const { facts } = occasion;
  return {
    ...occasion,
    facts: {
      ...facts,
      booking: { ...facts.booking },
      ...(facts.payment && { payment: { ...facts.payment } }),
    },
  };
}

export function writeFacts({ facts }: Occasion, deed: Deed): void {
  if (deed.becomesEnquiry) facts.booking.type = 'request';
  if (deed.finalBalance !== undefined && facts.payment) facts.payment.finalBalance = deed.finalBalance;
}
