import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOOKS } from '../../../../src/features/booking-rules/engine/rule.ts';
import { readDraft } from '../../../../src/features/booking-rules/manage/draft.ts';
import { expressionFaultOf, fieldsOf, written } from './drafts.ts';

test('an expression rule keeps what was written as it was written', () => {
  const when = { and: [{ '>': [{ var: ['booking.guests', 1] }, 1] }, { in: ['a', ['b', 'a']] }] };
  const actions = [{ flag: { name: 'large' } }, { set: { value: 'request', fact: 'booking.type' } }];
  const rule = readDraft(written({ when, then: actions }));
  assert.ok(rule.effect === 'expression');
  assert.equal(JSON.stringify([rule.when, rule.then]), JSON.stringify([when, actions]));
  assert.equal('params' in rule, false);
});

test('actions have a shape, and there are one to ten of them', () => {
  const faults = (...actions: unknown[]) => fieldsOf(written({ then: actions }));
  const flag = { flag: { name: 'x' } };
  assert.deepEqual(faults(), ['then']);
  assert.deepEqual(faults(...Array(11).fill(flag)), ['then']);
  assert.deepEqual(faults({}), ['then.0']);
  assert.deepEqual(faults({ ...flag, reject: { message: 'No.' } }), ['then.0']);
  assert.deepEqual(faults(flag, { dance: {} }), ['then.1.dance']);
  assert.deepEqual(faults({ reject: { message: 'x'.repeat(1001) } }), ['then.0.reject.message']);
  assert.deepEqual(faults({ set: { fact: 'booking.type' } }), ['then.0.set.value']);
  assert.deepEqual(fieldsOf(written({ hook: 'booking.cancel' })), ['hook']);
  const { when: _, ...without } = written();
  assert.deepEqual(fieldsOf(without), ['when']);
});

test('an expression outside the profile is refused by the first fault and its place', () => {
  assert.match(expressionFaultOf(written({ when: { cat: ['a', 'b'] } })), /^when.*"cat"/);
  assert.match(
    expressionFaultOf(written({ when: { '>': [{ var: 'booking.mood' }, 1] } })),
    /^when.*booking\.mood/,
  );
  const long = { in: ['x', Array(150).fill('y'.repeat(200))] };
  assert.match(expressionFaultOf(written({ when: long })), /^when is longer/);
});

const acting = (hook: string, ...actions: unknown[]) => written({ hook, when: true, then: actions });
const set = (fact: string, value: unknown) => ({ set: { fact, value } });

test('facts about payments are known where something is paid, and nowhere else', () => {
  const when = { '>': [{ var: 'payment.finalBalance' }, 0] };
  const actions = [{ flag: { name: 'x' } }];
  for (const hook of HOOKS) {
    const draft = written({ hook, when, then: actions });
    if (hook === 'payment') assert.equal(readDraft(draft).effect, 'expression');
    else assert.match(expressionFaultOf(draft), /payment\.finalBalance/);
  }
});

test('an action writes only what its hook lets it write', () => {
  for (const hook of ['booking.create', 'booking.amend']) {
    readDraft(acting(hook, set('booking.type', 'request')));
    assert.match(expressionFaultOf(acting(hook, set('booking.type', 'book'))), /^then\.0\.set\.value/);
    assert.match(
      expressionFaultOf(acting(hook, set('booking.type', { if: [true, 'request'] }))),
      /^then\.0\.set\.value/,
    );
    assert.match(expressionFaultOf(acting(hook, set('payment.finalBalance', 1))), /^then\.0\.set\.fact/);
    assert.match(expressionFaultOf(acting(hook, set('booking.guests', 1))), /^then\.0\.set\.fact/);
  }
  const twice = { '*': [{ var: 'payment.finalBalance' }, 2] };
  for (const value of [0, 12_000, twice]) readDraft(acting('payment', set('payment.finalBalance', value)));
  for (const value of [-1, 0.5, '1', null, true, [1], { var: 'booking.mood' }]) {
    const draft = acting('payment', { flag: { name: 'x' } }, set('payment.finalBalance', value));
    assert.match(expressionFaultOf(draft), /^then\.1\.set\.value/, JSON.stringify(value));
  }
  assert.match(expressionFaultOf(acting('payment', set('booking.type', 'request'))), /^then\.0\.set\.fact/);
});

test('a rule about payments cannot refuse', () => {
  assert.match(expressionFaultOf(acting('payment', { reject: { message: 'No.' } })), /^then\.0/);
});
