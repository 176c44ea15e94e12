import { CURRENCY } from '../../../kernel/money.ts';
import { type Problem, problem } from '../../../kernel/problem.ts';
import { summaryOf } from '../summary/summary.ts';
import { counted, GUESTS, pounds } from '../summary/words.ts';
import type { EffectParams, Rule } from './rule.ts';
import type { Violation } from './ruling.ts';
/** All violations at once, under the code of the first. `guests`: of the booking that they are about. */
export function refusalOf(first: Violation, all: readonly Violation[], guests: number): Problem {
  const rules = all.map(({ rule }) => rule);
  const deposit = depositOf(rules, guests);
  const words = [...rules.flatMap(messagesOf), ...(deposit ? [depositSentence(deposit, guests)] : [])];
  return problem(first.code, {
    ...(words.length > 0 && { detail: words.join(' ') }),
    extensions: {
      violations: rules.map(violationView),
      ...(deposit && { deposit }),
      ...partyLimitOf(rules, guests),
    },
  });
}

/** The messages of a refusing rule: its text for guests, or else its summary. Its name is the operator's own. */
export function messagesOf(rule: Rule): string[] {
  if (rule.effect === 'expression') return rejectMessages(rule);
  return [rule.message ?? summaryHere(rule)];
}

/** The booking is at one of the rule's venues, so they need no mention. */
const summaryHere = (rule: Rule) =>
  summaryOf({ ...rule, venueIds: null }, { partnerScope: 'all_partners', venueCount: 1 });

/** What a booking lacks, and where to say that it has been taken. */
interface Deposit {
  field: 'depositAmount';
  amount: number;
  currency: string;
  per: EffectParams['require_deposit']['per'];
  /** What this party pays. */
  total: number;
}

/** The largest deposit that a rule demands: a booking with it meets every rule. */
export function depositOf(rules: readonly Rule[], guests: number): Deposit | undefined {
  return rules
    .flatMap((rule): Deposit[] => {
      if (rule.effect !== 'require_deposit') return [];
      const { amount, per } = rule.params;
      const total = per === 'guest' ? amount * guests : amount;
      return [{ field: 'depositAmount', amount, currency: CURRENCY, per, total }];
    })
    .sort((a, b) => b.total - a.total)[0];
}

function depositSentence({ field, amount, per, total }: Deposit, guests: number): string {
  const each = per === 'guest' ? `, ${pounds(amount)} for each of ${counted(guests, GUESTS)}` : '';
  return `Send ${field} of at least ${total} pence (${pounds(total)}${each}).`;
}

/** Limits of rules hold for enquiries too. */
function partyLimitOf(rules: readonly Rule[], guests: number) {
  const limits = rules.flatMap((rule) =>
    rule.effect === 'party_size_limit' && rule.params.max !== null ? [rule.params.max] : [],
  );
  const largestPartySize = Math.min(...limits);
  return guests > largestPartySize ? { largestPartySize, enquiryPossible: false } : {};
}

const rejectMessages = (rule: Rule & { effect: 'expression' }) =>
  rule.then.flatMap((action) => ('reject' in action ? [action.reject.message] : []));

export function violationView(rule: Rule) {
  if (rule.effect !== 'expression') return { ruleId: rule.id };
  return {
    ruleId: rule.id,
    // The rule as it was worded then: numbers before and after a change are not about the same thing.
    analyticsRuleId: `${rule.id}:${rule.version}`,
    rejectMessages: rejectMessages(rule),
  };
}
