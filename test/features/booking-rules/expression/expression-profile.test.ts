import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsIn, faultsIn, LIMITS } from '../../../../src/features/booking-rules/expression/limits.ts';

const KNOWN = new Set(['booking.guests', 'booking.type', 'daysAhead', 'payment.bands']);
const faults = (expression: unknown) => faultsIn(expression, (name) => KNOWN.has(name));

const guests = { var: 'booking.guests' };
const nots = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : { '!': nots(levels - 1, inner) };

test('what the profile has is legal', () => {
  const legal = [
    true,
    'text',
    [1, 'a', false],
    [],
    { and: [{ '>=': [guests, 2] }, { '!': { '==': [{ var: 'booking.type' }, 'request'] } }] },
    { if: [{ '>': [guests, 8] }, { '*': [guests, 2500] }, { '-': [guests] }] },
    { '<': [1, guests, 9] },
    { var: ['booking.guests', { '+': [1, 2] }] },
    { some: [{ var: 'payment.bands' }, { '>': [{ var: 'amount' }, 100] }] },
    { map: [{ var: 'payment.bands' }, { var: '' }] },
    { reduce: [{ var: 'payment.bands' }, { '+': [{ var: 'accumulator' }, { var: 'current.amount' }] }, 0] },
    { missing: ['daysAhead', 'booking.type'] },
    { missing: 'daysAhead' },
    { missing: [] },
  ];
  for (const expression of legal) assert.deepEqual(faults(expression), [], JSON.stringify(expression));
});

test('each kind of fault is named, with its place', () => {
  const illegal: [expression: unknown, fault: RegExp][] = [
    [{ and: [true, { cat: ['a', 'b'] }] }, /^At \/and\/1: "cat" is not one of the operators /],
    [{ __proto__: null, constructor: [1] }, /"constructor" is not one of the operators/],
    [{ missing_some: [1, ['daysAhead']] }, /"missing_some" is not/],
    [null, /^At \/: null is not allowed/],
    [{ '==': [guests, null] }, /^At \/==\/1: null/],
    [undefined, /type undefined/],
    [Number.NaN, /finite/],
    [[1, Number.POSITIVE_INFINITY], /finite/],
    [{}, /exactly one member/],
    [{ '<': [1, 2], '>': [1, 2] }, /exactly one member/],
    [new Date(0), /exactly one member/],
    [[1, { a: 1 }], /^At \/1: "a" is not/],
    [{ '==': [1] }, /^At \/==: "==" takes exactly 2 operands/],
    [{ '<': [1, 2, 3, 4] }, /"<" takes 2 to 3 operands/],
    [{ and: [] }, /"and" takes at least 1 operand\./],
    [{ '!': [] }, /"!" takes exactly 1 operand\./],
    [{ reduce: [[1], 1] }, /"reduce" takes exactly 3 operands/],
    [{ var: 'booking.colour' }, /^At \/var: there is no fact "booking.colour"/],
    [{ missing: ['booking.colour'] }, /there is no fact "booking.colour"/],
    [{ missing: [['daysAhead']] }, /"missing" takes names/],
    [{ var: '' }, /only for use inside iterations/],
    [{ var: [] }, /"var" takes 1 to 2 operands/],
    [{ var: -1 }, /"var" takes a name/],
    [{ var: 1.5 }, /"var" takes a name/],
    [{ var: { if: [true, 'daysAhead'] } }, /"var" takes a name/],
    [{ var: true }, /"var" takes a name/],
    [{ map: [[1], { var: 'a..b' }] }, /no empty parts/],
    [{ map: [[1], { var: 'a.constructor' }] }, /"constructor" is never a fact/],
    [{ map: [[1], { var: '__proto__' }] }, /"__proto__" is never a fact/],
    [{ map: [[1], { var: 'a.a.a.a.a.a.a.a.a' }] }, /at most 256 characters and 8 parts/],
    [{ reduce: [[1], { var: '' }, 0] }, /only "current" and "accumulator"/],
    [{ reduce: [[1], { var: 'daysAhead' }, 0] }, /only "current" and "accumulator"/],
    ['a'.repeat(LIMITS.textLength + 1), /at most 256 characters/],
    [Array(LIMITS.listLength + 1).fill(1), /at most 200 elements/],
    [nots(LIMITS.depth + 1, true), /at most 8 operators deep/],
    [{ and: Array(LIMITS.nodes).fill(true) }, /at most 64 operators and literals/],
  ];
  for (const [expression, fault] of illegal) {
    const found = faults(expression);
    assert.equal(found.length, 1, String(found));
    assert.match(String(found), fault);
  }
});

test('all faults are told at once', () => {
  assert.equal(faults({ and: [{ cat: [] }, null, { var: 'booking.colour' }] }).length, 3);
});

test('the limits themselves are legal', () => {
  assert.deepEqual(faults(nots(LIMITS.depth, true)), []);
  assert.deepEqual(faults(nots(LIMITS.depth - 1, guests)), []);
  assert.deepEqual(faults({ and: Array(LIMITS.nodes - 1).fill(true) }), []);
  assert.deepEqual(faults({ in: [guests, Array(LIMITS.listLength).fill(1)] }), []);
  assert.deepEqual(faults('a'.repeat(LIMITS.textLength)), []);
});

test('a fact is one node, a list of literals is one, any other list counts its elements and a level', () => {
  const most = LIMITS.nodes - 1;
  assert.deepEqual(faults({ and: Array(most).fill(guests) }), []);
  assert.deepEqual(faults({ and: Array(most).fill([1, 2, 3]) }), []);
  assert.equal(faults({ and: [[guests, ...Array(most - 1).fill(1)]] }).length, 1);
  assert.equal(faults({ missing: Array(LIMITS.nodes).fill('daysAhead') }).length, 1);
  assert.deepEqual(faults({ missing: Array(most).fill('daysAhead') }), []);
  assert.deepEqual(faults(nots(LIMITS.depth - 1, [[[1]]])), []);
  assert.equal(faults(nots(LIMITS.depth, [[[1]]])).length, 1);
});

test('nesting and size beyond all measure are refused like any other', () => {
  assert.equal(faults(nots(5000, true)).length, 1);
  assert.equal(faults({ and: Array(1_000_000).fill(true) }).length, 1);
  assert.equal(faults({ missing: Array(1_000_000).fill('daysAhead') }).length, 1);
});

test('the facts of an expression are those it names, in missing and beside defaults too, but no names of elements', () => {
  const expression = {
    and: [
      { '>': [{ var: ['a.b', { var: 'c' }] }, 1] },
      { missing: ['d', 'e.f'] },
      { some: [{ var: 'list' }, { '==': [{ var: 'qty' }, { missing: ['sku'] }] }] },
      { reduce: [[1], { var: 'current' }, { var: 'begin' }] },
      [{ var: ['g'] }],
    ],
  };
  assert.deepEqual([...factsIn(expression)].sort(), ['a.b', 'begin', 'c', 'd', 'e.f', 'g', 'list']);
  assert.deepEqual([...factsIn('a.b')], []);
});
