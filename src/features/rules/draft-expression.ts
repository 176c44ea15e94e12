import { problem } from '../../kernel/problem.ts';
import { factsOf } from './fact-list.ts';
import { isPence, WRITABLE } from './facts.ts';
import { faultsIn, LIMITS } from './profile.ts';
import type { Action, ExpressionRule, Hook } from './rule.ts';

type Written = Pick<ExpressionRule, 'hook' | 'when' | 'then'>;

/** Throws an `OPRUL-N-013` that names the first fault of the condition or of an action, and where it is. */
export function checkExpressions({ hook, when, then }: Written): void {
  const [fault] = [
    ...faultsOf(hook, when, 'when'),
    ...then.flatMap((action, index) => faultsOfAction(hook, action, `then.${index}`)),
  ];
  if (fault) throw problem('OPRUL-N-013', { detail: fault });
}

function faultsOf(hook: Hook, expression: unknown, place: string): string[] {
  if (JSON.stringify(expression).length > LIMITS.jsonLength) {
    return [`${place} is longer than ${LIMITS.jsonLength} characters.`];
  }
  const names = new Set<string>(factsOf(hook).map(({ name }) => name));
  return faultsIn(expression, (name) => names.has(name)).map((fault) => `${place}: ${fault}`);
}

function faultsOfAction(hook: Hook, action: Action, place: string): string[] {
  if ('reject' in action) {
    return hook === 'payment' ? [`${place}: a rule about payments cannot refuse anything.`] : [];
  }
  if ('flag' in action) return [];
  const { fact, value } = action.set;
  if (fact !== WRITABLE[hook]) {
    return [`${place}.set.fact: ${hook} rules can write ${WRITABLE[hook]} and nothing else.`];
  }
  return hook === 'payment'
    ? faultsOfBalance(value, `${place}.set.value`)
    : faultsOfType(value, `${place}.set.value`);
}

function faultsOfType(value: unknown, place: string): string[] {
  return value === 'request' ? [] : [`${place}: booking.type can only be set to "request".`];
}

function faultsOfBalance(value: unknown, place: string): string[] {
  const isExpression = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isExpression) return faultsOf('payment', value, place);
  return isPence(value) ? [] : [`${place}: must be whole pence, or an expression that gives them.`];
}
