/** Why an expression has no value: the smallest part of it that has none, and the fact there. */
import type { Occasion } from './effects.ts';
import { currentOf } from './explanation-facts.ts';
import { compile, isTruthy, SKIP } from './expression.ts';
import { isIteration } from './expression-shape.ts';
import { factsIn } from './profile.ts';
import { operandsOf, operatorOf, type Part } from './summary-parts.ts';

/** The fact that is missing, or else of another type than is needed; undefined: it is no fact's fault. */
export function findGap(when: Part, occasion: Occasion): string | undefined {
  if (compile(when)(occasion.facts) !== SKIP) return undefined;
  const facts = [...factsIn(culpritIn(when, occasion))];
  return facts.find((fact) => currentOf(occasion, fact) === null) ?? facts[0];
}

function culpritIn(part: Part, occasion: Occasion): Part {
  const inner = reachedIn(part, occasion).find((each) => compile(each)(occasion.facts) === SKIP);
  return inner === undefined ? part : culpritIn(inner, occasion);
}

/** What was evaluated on the way, apart from the bodies of iterations, which are about elements. */
function reachedIn(part: Part, occasion: Occasion): readonly Part[] {
  if (Array.isArray(part)) return part;
  const operator = operatorOf(part) ?? '';
  const operands = operandsOf(part);
  if (operator === 'var' || operator === 'missing') return [];
  if (operator === 'if') return branchOf(operands, occasion);
  return isIteration(operator) ? operands.filter((_, index) => index !== 1) : operands;
}

function branchOf([condition, value, ...others]: readonly Part[], occasion: Occasion): readonly Part[] {
  if (condition === undefined) return [];
  const holds = compile(condition)(occasion.facts);
  if (holds === SKIP || value === undefined) return [condition];
  return isTruthy(holds) ? [value] : branchOf(others, occasion);
}
