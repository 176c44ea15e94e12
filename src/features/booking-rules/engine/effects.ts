/** What the fixed effects do to a booking that they concern. */
import type { ProblemCode } from '../../../kernel/problem.ts';
import { MS_PER_HOUR } from '../../../kernel/zone-time.ts';
import type { Facts } from './facts.ts';
import type { EffectParams, FixedRule } from './rule.ts';
import { isAboutItem } from './scope.ts';

/** One thing that is about to be done with a booking. */
export interface RuleContext {
  facts: Facts;
  nowMs: number;
  /** When the visit begins; of an amendment also when it would have begun. */
  startsMs: readonly number[];
  /** How many days ahead that would have been. */
  daysAheadBefore?: number;
}

/** What a rule does. */
export interface RuleEffect {
  /** It refuses. */
  code?: ProblemCode;
  becomesEnquiry?: true;
  skipsPreorderEmail?: true;
  flags?: readonly string[];
  finalBalance?: number;
}

type EffectRule<Fixed extends FixedRule['effect']> = FixedRule & { effect: Fixed };

/** Undefined: nothing, this time. */
export type EffectOf = (ruleContext: RuleContext) => RuleEffect | undefined;

/** Effects are constant, so they are made once. */
export function compileEffect(rule: FixedRule): EffectOf {
  switch (rule.effect) {
    case 'route_to_enquiry':
      return always({ becomesEnquiry: true });
    case 'require_deposit':
      return refusing('BKRUL-N-001', lacksDeposit(rule.params));
    case 'same_package':
      return refusing('BKRUL-N-002', mixesPackages(rule));
    case 'booking_window':
      return outsideWindow(rule.params);
    case 'party_size_limit':
      return refusing('BKRUL-N-005', isOutside(rule.params));
    case 'require_preorder':
      return refusing('BKRUL-N-006', lacksPreorder(rule));
    case 'suppress_preorder_email':
      return doing({ skipsPreorderEmail: true }, ({ booking }) => booking.guests < rule.params.threshold);
  }
}

const always =
  (ruleEffect: RuleEffect): EffectOf =>
  () =>
    ruleEffect;

const doing =
  (ruleEffect: RuleEffect, isDue: (facts: Facts) => boolean): EffectOf =>
  ({ facts }) =>
    isDue(facts) ? ruleEffect : undefined;

const refusing = (code: ProblemCode, isBreach: (facts: Facts) => boolean) => doing({ code }, isBreach);

function lacksDeposit({ amount, per }: EffectParams['require_deposit']) {
  return ({ booking }: Facts) => booking.depositAmount < (per === 'guest' ? amount * booking.guests : amount);
}

function mixesPackages(rule: EffectRule<'same_package'>) {
  const counts = isAboutItem(rule);
  return ({ booking }: Facts) => new Set(booking.packages.filter(counts)).size > 1;
}

function isOutside({ min, max }: EffectParams['party_size_limit']) {
  return ({ booking }: Facts) => booking.guests < min || (max !== null && booking.guests > max);
}

function lacksPreorder(rule: EffectRule<'require_preorder'>) {
  const { from, kind } = rule.params;
  const counts = isAboutItem(rule);
  return ({ booking }: Facts) => {
    const packages = kind !== 'menu' && booking.packages.some(counts);
    const menus = kind !== 'package' && booking.menus.some(counts);
    return booking.guests >= from && !packages && !menus;
  };
}

const WINDOW_CODES = {
  book: { tooSoon: 'AVAIL-N-007', tooFar: 'AVAIL-N-008' },
  amend: { tooSoon: 'BKRUL-N-003', tooFar: 'BKRUL-N-003' },
  cancel: { tooSoon: 'BKRUL-N-004', tooFar: 'BKRUL-N-004' },
} as const satisfies Record<string, Record<string, ProblemCode>>;

function outsideWindow({ action, minNoticeHours, maxHorizonDays }: EffectParams['booking_window']): EffectOf {
  const tooSoon: RuleEffect = { code: WINDOW_CODES[action].tooSoon };
  const tooFar: RuleEffect = { code: WINDOW_CODES[action].tooFar };
  const noticeMs = minNoticeHours === null ? null : minNoticeHours * MS_PER_HOUR;
  return ({ facts, nowMs, startsMs, daysAheadBefore }) => {
    if (noticeMs !== null && startsMs.some((startMs) => startMs - nowMs < noticeMs)) return tooSoon;
    const daysAhead = Math.max(facts.daysAhead, daysAheadBefore ?? 0);
    return maxHorizonDays !== null && daysAhead > maxHorizonDays ? tooFar : undefined;
  };
}
