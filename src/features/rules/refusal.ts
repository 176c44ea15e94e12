import { type Problem, problem } from '../../kernel/problem.ts';
import type { Rule } from './rule.ts';
import type { Violation } from './ruling.ts';

/** All violations at once, under the code of the first. */
export function refusalOf(first: Violation, all: readonly Violation[]): Problem {
  const words = all.flatMap(({ rule }) => messagesOf(rule));
  return problem(first.code, {
    ...(words.length > 0 && { detail: words.join(' ') }),
    extensions: { violations: all.map(({ rule }) => violationView(rule)) },
  });
}

/** How a rule says no: what guests may be told, or else its name. */
export function messagesOf(rule: Rule): string[] {
  if (rule.effect === 'expression') return rejectMessages(rule);
  return [rule.message ?? `${rule.name}.`];
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
