import fc from 'fast-check';
import { compile } from '../../src/features/booking-rules/expression/expression.ts';
import {
  GREEDY,
  hostileFacts,
  legalExpression,
} from '../../test/features/booking-rules/expression/expression-arbitraries.ts';
import { median } from '../compare.ts';
import type { Figure } from '../figure.ts';

const RULES = 10_000;
const TRIES = 5;
const SEED = 20_260_914;
const LIMIT_MS = 5;

/** The longest that one of many random legal rules takes on hostile facts, among them those made to take long. */
export function measureWorst(): Figure {
  const rules = fc.sample(fc.tuple(legalExpression, hostileFacts), {
    numRuns: RULES - GREEDY.length,
    seed: SEED,
  });
  const times = [...rules, ...GREEDY].map(([expression, facts]) => msOf(expression, facts));
  return {
    name: 'rules.expression.worst',
    ours: Math.max(...times),
    reference: times.reduce((sum, ms) => sum + ms, 0) / times.length,
    unit: 'ms',
    against: `the mean of the same ${RULES} legal rules on hostile facts`,
    goal: { oursBelow: LIMIT_MS },
  };
}

/** The middle of a few: in one of 10,000 the machine will have turned to something else meanwhile. */
function msOf(expression: unknown, facts: object): number {
  const evaluate = compile(expression);
  const taken = Array.from({ length: TRIES }, () => {
    const began = performance.now();
    evaluate(facts);
    return performance.now() - began;
  });
  return median(taken);
}
