import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compile, isTruthy, SKIP } from '../../../../src/features/booking-rules/expression/expression.ts';
import { LIMITS } from '../../../../src/features/booking-rules/expression/limits.ts';

const FACTS = {
  booking: { guests: 6, type: 'book', time: '19:30', packages: ['tasting', 'wine'], duration: null },
  partner: { id: 7, categoryIds: [1, 3] },
  daysAhead: 12,
  bands: [{ amount: 5000 }, { amount: 2500 }],
  label: '',
};

const outcome = (expression: unknown, facts: object = FACTS) => compile(expression)(facts);

function each(cases: readonly (readonly [expression: unknown, expected: unknown])[]): void {
  for (const [expression, expected] of cases) {
    assert.deepEqual(outcome(expression), expected, JSON.stringify(expression));
  }
}

test('a rule of several clauses', () => {
  const rule = {
    and: [
      { '>=': [{ var: 'booking.guests' }, 6] },
      { '<': [{ var: 'daysAhead' }, 14] },
      { in: [3, { var: 'partner.categoryIds' }] },
    ],
  };
  assert.equal(outcome(rule), true);
  assert.equal(outcome(rule, { ...FACTS, daysAhead: 14 }), false);
  assert.equal(outcome(rule, { ...FACTS, daysAhead: '12' }), SKIP);
  assert.equal(outcome(rule, { booking: FACTS.booking, partner: FACTS.partner }), SKIP);
});

test('a total over a list', () => {
  const total = { '+': [{ var: 'accumulator' }, { var: 'current.amount' }] };
  assert.equal(outcome({ reduce: [{ var: 'bands' }, total, 0] }), 7500);
});

describe('an expression is skipped', () => {
  test('when a fact is missing or null, unless it has a default', () => {
    each([
      [{ var: 'booking.colour' }, SKIP],
      [{ var: 'booking.duration' }, SKIP],
      [{ '==': [{ var: 'booking.duration' }, 90] }, SKIP],
      [{ '!': { var: 'booking.colour' } }, SKIP],
      [{ var: ['booking.duration', 90] }, 90],
      [{ var: ['booking.duration', { var: 'daysAhead' }] }, 12],
      [{ var: ['booking.duration', { var: 'gone' }] }, SKIP],
      [{ var: ['booking.guests', { var: 'gone' }] }, 6],
      [{ if: [false, 1] }, SKIP],
    ]);
  });

  test('when a value is of the wrong type for its operator', () => {
    each([
      [{ '==': [{ var: 'booking.guests' }, '6'] }, SKIP],
      [{ '!=': [{ var: 'booking.type' }, 6] }, SKIP],
      [{ '==': [{ var: 'partner.categoryIds' }, { var: 'partner.categoryIds' }] }, SKIP],
      [{ '===': [{ var: 'partner.categoryIds' }, 1] }, SKIP],
      [{ '<': [{ var: 'booking.type' }, 6] }, SKIP],
      [{ '<': [false, true] }, SKIP],
      [{ '<': [1, 2, '3'] }, SKIP],
      [{ '+': [1, '2'] }, SKIP],
      [{ max: [1, { var: 'booking.type' }] }, SKIP],
      [{ in: [1, 'a1'] }, SKIP],
      [{ in: ['a', 7] }, SKIP],
      [{ in: [{ var: 'partner.categoryIds' }, [1]] }, SKIP],
      [{ map: [{ var: 'booking.type' }, true] }, SKIP],
    ]);
  });

  test('when a calculation has no finite result', () => {
    each([
      [{ '/': [1, 0] }, SKIP],
      [{ '%': [1, 0] }, SKIP],
      [{ '*': [1e300, 1e300] }, SKIP],
      [{ '+': [1.7e308, 1.7e308] }, SKIP],
    ]);
  });

  test('when anything in it is, except where it is not looked at', () => {
    const gone = { '==': [{ var: 'gone' }, 1] };
    each([
      [{ and: [true, gone] }, SKIP],
      [{ and: [false, gone] }, false],
      [{ and: [gone, false] }, SKIP],
      [{ or: [true, gone] }, true],
      [{ or: [gone, true] }, SKIP],
      [{ if: [true, 1, gone] }, 1],
      [{ if: [false, gone, 2] }, 2],
      [{ if: [gone, 1, 2] }, SKIP],
      [{ some: [{ var: 'bands' }, { '>': [{ var: 'tax' }, 1] }] }, SKIP],
      [{ some: [[1, 'x'], { '>': [{ var: '' }, 0] }] }, true],
      [{ all: [[1, 'x'], { '>': [{ var: '' }, 1] }] }, false],
      [{ none: [['x', 1], { '>': [{ var: '' }, 0] }] }, SKIP],
      [[1, gone], SKIP],
    ]);
  });

  test('when it is not legal', () => {
    const deep = Array.from({ length: LIMITS.depth + 1 }).reduce((inner) => ({ '!': inner }), true);
    for (const illegal of [
      null,
      undefined,
      {},
      { cat: ['a', 'b'] },
      { '<': [1] },
      { var: '' },
      Number.NaN,
      deep,
    ]) {
      assert.equal(compile(illegal)(FACTS), SKIP);
    }
  });
});

test('the strict comparisons tell types apart instead', () => {
  each([
    [{ '===': [{ var: 'booking.guests' }, '6'] }, false],
    [{ '!==': [{ var: 'booking.guests' }, '6'] }, true],
    [{ '===': [{ var: 'booking.guests' }, 6] }, true],
    [{ '===': [true, 1] }, false],
  ]);
});

test('between takes three operands, in either direction', () => {
  each([
    [{ '<=': ['18:00', { var: 'booking.time' }, '21:00'] }, true],
    [{ '<': [6, { var: 'booking.guests' }, 9] }, false],
    [{ '>': [9, { var: 'booking.guests' }, 2] }, true],
    [{ '>=': [9, { var: 'booking.guests' }, 7] }, false],
  ]);
});

test('missing names what is not there, and an empty text as JsonLogic does', () => {
  const names = ['booking.guests', 'booking.duration', 'gone', 'label', 'bands.0.amount', 'bands.2'];
  each([
    [{ missing: names }, ['booking.duration', 'gone', 'label', 'bands.2']],
    [{ map: [{ var: 'bands' }, { missing: ['amount', 'tax'] }] }, [['tax'], ['tax']]],
  ]);
});

test('bodies see the element and nothing around it', () => {
  each([
    [{ map: [[1, 2], { var: 'booking.guests' }] }, SKIP],
    [{ map: [{ var: 'bands' }, { var: 'amount' }] }, [5000, 2500]],
    [{ filter: [{ var: 'partner.categoryIds' }, { '>': [{ var: '' }, 1] }] }, [3]],
    [
      {
        map: [
          [
            [1, 2],
            [3, 4],
          ],
          { var: 1 },
        ],
      },
      [2, 4],
    ],
  ]);
});

test('only what somebody has put into the facts is a fact', () => {
  const facts = JSON.parse(
    '{"a": {"__proto__": 1, "constructor": 2}, "text": "abc", "list": [1, 2], "length": 3}',
  );
  const never = ['__proto__', 'constructor', 'toString', 'a.__proto__', 'a.constructor', 'a.toString'];
  const notOfLists = ['text.length', 'text.0', 'list.length', 'list.map', 'list.-1', 'list.01', 'list.2'];
  for (const name of [...never, ...notOfLists]) assert.equal(outcome({ var: name }, facts), SKIP, name);
  assert.equal(outcome({ var: 'length' }, facts), 3);
  class Party {
    size = 4;
  }
  assert.equal(outcome({ var: 'party.size' }, { party: new Party() }), SKIP);
  assert.equal(outcome({ var: 'party.size' }, { party: Object.assign(Object.create(null), { size: 4 }) }), 4);
});

test('a name is a name, whatever is in it', () => {
  const name = fc.oneof(
    fc.string({ minLength: 1, unit: 'binary' }),
    fc.constantFrom('"', '\\', '`+x+`', '"];throw 1;["', '\u2028'),
  );
  const isReadable = (text: string) => !text.includes('.') && !(text in Object.prototype);
  const read = fc.property(name.filter(isReadable), fc.string({ maxLength: 20 }), (key, text) => {
    assert.equal(outcome({ var: key }, { [key]: text }), text);
    assert.equal(outcome({ '==': [{ var: `in.${key}` }, text] }, { in: { [key]: text } }), true);
    assert.deepEqual(outcome({ missing: [key] }, {}), [key]);
  });
  fc.assert(read);
});

test('expressions of one shape keep their own literals', () => {
  const rule = (guests: number, type: string, ids: number[]) => ({
    and: [
      { '>=': [{ var: 'booking.guests' }, guests] },
      { '==': [{ var: 'booking.type' }, type] },
      { in: [{ var: 'partner.id' }, ids] },
    ],
  });
  const [fits, ...others] = [
    rule(6, 'book', [7]),
    rule(7, 'book', [7]),
    rule(6, 'request', [7]),
    rule(6, 'book', [8]),
  ].map(compile);
  assert.equal(fits?.(FACTS), true);
  for (const other of others) assert.equal(other(FACTS), false);
  assert.equal(fits?.(FACTS), true);
});

test('a literal list stays as it was when the rule was compiled', () => {
  const list = [7];
  const search = compile({ in: [{ var: 'partner.id' }, list] });
  const copy = compile(list);
  list.pop();
  assert.equal(search(FACTS), true);
  assert.deepEqual(copy(FACTS), [7]);
});

test('lists and texts beyond the limits are left alone', () => {
  const list = Array.from({ length: LIMITS.listLength }, () => 1);
  const text = 'a'.repeat(LIMITS.textLength);
  const facts = { list, longer: [...list, 1], text, wordy: `${text}a` };
  for (const operator of ['map', 'filter', 'some', 'all']) {
    assert.notEqual(outcome({ [operator]: [{ var: 'list' }, true] }, facts), SKIP);
    assert.equal(outcome({ [operator]: [{ var: 'longer' }, true] }, facts), SKIP);
  }
  assert.equal(outcome({ in: [1, { var: 'list' }] }, facts), true);
  assert.equal(outcome({ in: [1, { var: 'longer' }] }, facts), SKIP);
  assert.equal(outcome({ in: [{ var: 'list.0' }, { var: 'longer' }] }, facts), SKIP);
  assert.equal(outcome({ '==': [{ var: 'text' }, 'a'] }, facts), false);
  assert.equal(outcome({ '==': [{ var: 'wordy' }, 'a'] }, facts), SKIP);
  assert.equal(outcome({ '!!': { var: 'wordy' } }, facts), SKIP);
});

test('facts that throw when they are read are met with a skip', () => {
  const trap = {
    get a() {
      throw new Error('This fact does not want to be read.');
    },
  };
  assert.equal(outcome({ '==': [{ var: 'a' }, 1] }, trap), SKIP);
  assert.equal(outcome({ map: [{ var: 'list' }, { var: 'a' }] }, { list: [trap] }), SKIP);
  for (const odd of [null, undefined, 7, 'text', [], () => 1]) {
    assert.equal(outcome({ '==': [{ var: 'a' }, 1] }, odd as unknown as object), SKIP);
  }
});

test('what counts as true is what JsonLogic takes for it', () => {
  for (const value of [true, 1, -1, 'a', '0', [0], {}]) assert.equal(isTruthy(value), true);
  for (const value of [false, 0, '', []]) assert.equal(isTruthy(value), false);
});
