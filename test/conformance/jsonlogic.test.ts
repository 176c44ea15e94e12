import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compile, SKIP } from '../../src/features/booking-rules/expression/expression.ts';
import { faultsIn } from '../../src/features/booking-rules/expression/limits.ts';

const file = new URL('../../../shared/conformance/jsonlogic/tests.json', import.meta.url);
const skip = existsSync(file) ? false : 'the conformance data is not beside this project';

type Case = [rule: unknown, data: object, expected: unknown];

/** Texts in the file are headings. */
const cases: Case[] = skip ? [] : JSON.parse(readFileSync(file, 'utf8')).filter(Array.isArray);

const isRefused = (rule: unknown) => faultsIn(rule, () => true).length > 0;

test('wherever an expression gives a value, it is the value of jsonlogic.com', { skip }, (t) => {
  const count = { agree: 0, skipped: 0, refused: 0 };
  for (const [rule, data, expected] of cases) {
    const outcome = compile(rule)(data);
    if (outcome !== SKIP) {
      assert.deepEqual(outcome, expected, JSON.stringify([rule, data]));
      count.agree += 1;
    } else if (isRefused(rule)) {
      count.refused += 1;
    } else {
      count.skipped += 1;
    }
  }
  t.diagnostic(JSON.stringify(count));
  assert.deepEqual(count, COUNTED);
});

/** All cases are accounted for, so that one which begins to be skipped or refused does not go unnoticed. */
const COUNTED = { agree: 205, skipped: 26, refused: 46 };

test('what is refused uses operators that the profile leaves out, null, or operands that there should be', {
  skip,
}, () => {
  const reasons = new Set(
    cases.flatMap(([rule]) => faultsIn(rule, () => true)).map((fault) => fault.replace(/^At \S+: /, '')),
  );
  for (const reason of reasons) assert.match(reason, /operators|null|takes|inside iterations/);
});

test('what is skipped has a fact that is not there, no branch to take, or types that JsonLogic converts', {
  skip,
}, () => {
  const skipped = cases.filter(([rule, data]) => !isRefused(rule) && compile(rule)(data) === SKIP);
  const isAbsent = ([, , expected]: Case) => expected === null;
  const isConverted = ([rule]: Case) => /"\d+"/.test(JSON.stringify(rule));
  const iteratesOverNothing = ([, data]: Case) => data === null;
  for (const one of skipped) {
    assert.ok(isAbsent(one) || isConverted(one) || iteratesOverNothing(one), JSON.stringify(one));
  }
});
