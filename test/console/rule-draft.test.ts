import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bodyOf,
  bodyOfRule,
  EFFECTS,
  FIELDS,
  FIRST_PARAMS,
  type Field,
  firstCondition,
  moved,
  newDraft,
  operatorsOf,
  valueFor,
} from '../../src/console/browser/pages/rules/draft.ts';
import { CONDITION_FIELDS, EFFECTS as KNOWN_EFFECTS } from '../../src/features/booking-rules/engine/rule.ts';
import { readDraft } from '../../src/features/booking-rules/manage/draft.ts';

test('the editor offers every effect and every fact that the service knows', () => {
  assert.deepEqual([...EFFECTS].sort(), [...KNOWN_EFFECTS].sort());
  assert.deepEqual(Object.keys(FIELDS).sort(), [...CONDITION_FIELDS].sort());
});

test('what the editor begins with is a rule that the service takes, for every effect and every condition', () => {
  for (const effect of EFFECTS) {
    const params = effect === 'expression' ? {} : FIRST_PARAMS[effect];
    assert.doesNotThrow(() => readDraft({ ...bodyOf({ ...newDraft(), effect, params }), name: 'Draft' }));
  }
  for (const field of Object.keys(FIELDS) as Field[]) {
    for (const operator of operatorsOf(field)) {
      const { value } = firstCondition(field);
      const condition = {
        field,
        operator,
        value: valueFor(field, operator, field === 'category' ? 'dinner' : value),
      };
      const body = bodyOf({ ...newDraft(), conditions: [condition] });
      assert.doesNotThrow(() => readDraft({ ...body, name: 'Draft' }), JSON.stringify(condition));
    }
  }
});

test('another comparison keeps what was entered, in the form that it needs', () => {
  assert.deepEqual(valueFor('partySize', 'between', 8), [8, 8]);
  assert.equal(valueFor('partySize', 'gte', [6, 9]), 6);
  assert.deepEqual(valueFor('weekday', 'in', [5, 6]), [5, 6]);
  assert.deepEqual(valueFor('weekday', 'in', 5), [5]);
});

test('a rule that is switched off keeps its place and all else', () => {
  const rule = {
    ...newDraft(),
    id: 'x',
    operatorId: 1,
    version: 3,
    name: 'Deposit',
    description: null,
    message: 'Please pay.',
    priority: 7,
    whenApplied: [],
    summary: null,
  };
  const { when: _, ...fixed } = rule;
  const body = bodyOfRule(fixed as never, { isActive: false });
  assert.deepEqual(
    [body.isActive, body.priority, body.message, body.params],
    [false, 7, 'Please pay.', { amount: 2000, per: 'guest' }],
  );
});

test('an expression that is no JSON is not sent', () => {
  assert.throws(() => bodyOf({ ...newDraft(), effect: 'expression', when: '{' }), SyntaxError);
});

test('an entry is moved up and down', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a']);
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
});
