import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compile,
  compileMetered,
  SKIP,
} from '../../../../src/features/booking-rules/expression/expression.ts';
import { faultsIn, LIMITS } from '../../../../src/features/booking-rules/expression/limits.ts';
import { repeats } from '../../../support/repeats.ts';
import { fittingFacts, GREEDY, hostileFacts, legalExpression, nestedMaps } from './expression-arbitraries.ts';
import { interpret, Skipped } from './expression-reference.ts';

/** It comes without types. */
const { default: jsonLogic } = (await import('json-logic-js' as string)) as {
  default: { apply(rule: unknown, data: unknown): unknown };
};

/** Which steps a skipped expression has taken depends on the order in which its parts are looked at. */
function reference(expression: unknown, facts: unknown): { value: unknown; steps?: number } {
  try {
    return interpret(expression, facts);
  } catch (error) {
    if (error instanceof Skipped) return { value: SKIP };
    throw error;
  }
}

/** Zero has no sign in JSON. */
const unsigned = (outcome: unknown): unknown => {
  if (Array.isArray(outcome)) return outcome.map(unsigned);
  return outcome === 0 ? 0 : outcome;
};

test('a compiled expression gives what the reference gives, and skips where it skips', (t) => {
  const count = { values: 0, skipped: 0 };
  const agree = fc.property(legalExpression, fittingFacts, (expression, facts) => {
    const outcome = compile(expression)(facts);
    assert.deepEqual(unsigned(outcome), unsigned(reference(expression, facts).value));
    count[outcome === SKIP ? 'skipped' : 'values'] += 1;
  });
  fc.assert(agree, { numRuns: repeats(5000, 1500) });
  t.diagnostic(JSON.stringify(count));
  assert.ok(count.values > repeats(1000, 300) && count.skipped > repeats(500, 150));
});

test('where there is a value, json-logic-js gives the same', () => {
  const agree = fc.property(legalExpression, fittingFacts, (expression, facts) => {
    const outcome = compile(expression)(facts);
    fc.pre(outcome !== SKIP && !differs(expression));
    assert.deepEqual(unsigned(outcome), unsigned(jsonLogic.apply(expression, facts)));
  });
  fc.assert(agree, { numRuns: repeats(2000, 600) });
});

/** `json-logic-js` ignores a third operand of `>` and `>=`, and has names for the characters of a text. */
function differs(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return Object.entries(part).some(([operator, given]) => {
    const operands = Array.isArray(given) ? given : [given];
    if (operator === '>' || operator === '>=') return operands.length === 3 || differs(given);
    const namesIndex =
      operator === 'var' ? operands[0] === 0 : operator === 'missing' && operands.includes('0');
    return namesIndex || differs(given);
  });
}

test('10,000 legal expressions on hostile facts never throw, agree with the reference and keep to their steps', (t) => {
  const count = { values: 0, skipped: 0 };
  let mostSteps = 0;
  const survive = fc.property(legalExpression, hostileFacts, (expression, facts) => {
    const { evaluate, meter } = compileMetered(expression);
    const outcome = evaluate(facts);
    const taken = LIMITS.steps - meter.left;
    const expected = referenceUnlessTrapped(expression, facts);
    assert.deepEqual(unsigned(outcome), unsigned(expected.value));
    assert.equal(taken, expected.steps ?? taken);
    assert.ok(meter.left >= 0);
    mostSteps = Math.max(mostSteps, taken);
    count[outcome === SKIP ? 'skipped' : 'values'] += 1;
  });
  fc.assert(survive, { numRuns: repeats(10_000, 5000) });
  t.diagnostic(`${JSON.stringify(count)}, at most ${mostSteps} steps of ${LIMITS.steps}`);
  assert.ok(count.values > repeats(1000, 500) && mostSteps > 1000);
});

/** Facts that throw when they are read are met with a skip, whereas the reference lets them through. */
function referenceUnlessTrapped(expression: unknown, facts: unknown): ReturnType<typeof reference> {
  try {
    return reference(expression, facts);
  } catch {
    return { value: SKIP };
  }
}

test('the most wasteful legal expressions are cut off by their steps', () => {
  for (const [expression, facts] of GREEDY) {
    assert.deepEqual(
      faultsIn(expression, () => true),
      [],
    );
    const { evaluate, meter } = compileMetered(expression);
    assert.equal(evaluate(facts), SKIP, JSON.stringify(expression).slice(0, 80));
    assert.ok(meter.left < LIMITS.listLength + LIMITS.textLength, 'the steps were used up');
  }
});

/** Elements that count how often they are read, and hold a list of such elements. */
function countingFacts(length: number): { facts: object; reads: () => number } {
  let reads = 0;
  const items: object[] = [];
  for (let index = 0; index < length; index += 1) {
    items.push({
      items,
      get qty() {
        reads += 1;
        return 1;
      },
    });
  }
  return { facts: { items }, reads: () => reads };
}

const THRICE = nestedMaps(3, { var: 'items' }, { var: 'qty' });

test('no more is read than there are steps', () => {
  const { facts, reads } = countingFacts(LIMITS.listLength);
  assert.equal(compile(THRICE)(facts), SKIP);
  assert.ok(reads() > 1000 && reads() <= LIMITS.steps);
});

test('the same expression gives a value where lists are short, time and again', () => {
  const { facts, reads } = countingFacts(10);
  const evaluate = compile(THRICE);
  for (let times = 1; times <= 20; times += 1) {
    assert.notEqual(evaluate(facts), SKIP);
    assert.equal(reads(), times * 10 ** 3);
  }
});
