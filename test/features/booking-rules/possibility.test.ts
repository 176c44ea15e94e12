import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canHold } from '../../../src/features/booking-rules/engine/partial-evaluation.ts';
import { compile, isTruthy, SKIP } from '../../../src/features/booking-rules/expression/expression.ts';
import { faultsIn } from '../../../src/features/booking-rules/expression/limits.ts';

const PARTNER = { partner: { id: 7, categoryIds: [1, 4] } };

const isPartner = (id: number) => ({ '==': [{ var: 'partner.id' }, id] });
const isLarge = { '>': [{ var: 'booking.guests' }, 8] };

function each(expected: boolean, expressions: readonly unknown[]): void {
  for (const expression of expressions) {
    assert.deepEqual(
      faultsIn(expression, () => true),
      [],
    );
    assert.equal(canHold(expression, PARTNER), expected, JSON.stringify(expression));
  }
}

test('a rule that is aimed at the partner can hold', () => {
  each(true, [
    isPartner(7),
    { and: [isPartner(7), isLarge] },
    { and: [isLarge, isPartner(7)] },
    { or: [isPartner(8), isLarge] },
    { in: [{ var: 'partner.id' }, [6, 7]] },
    { in: [4, { var: 'partner.categoryIds' }] },
    { some: [{ var: 'partner.categoryIds' }, { in: [{ var: '' }, [4, 5]] }] },
    { if: [isLarge, isPartner(7), false] },
    { '!': isPartner(8) },
    { '==': [{ var: ['partner.id', 8] }, 7] },
  ]);
});

test('a rule that is aimed at somebody else cannot', () => {
  each(false, [
    isPartner(8),
    { and: [isPartner(8), isLarge] },
    { and: [isLarge, isPartner(8)] },
    { or: [isPartner(8), { and: [isLarge, isPartner(9)] }] },
    { in: [{ var: 'partner.id' }, [6, 8]] },
    { in: [5, { var: 'partner.categoryIds' }] },
    { none: [{ var: 'partner.categoryIds' }, { in: [{ var: '' }, [4, 5]] }] },
    { if: [isLarge, isPartner(8), false] },
    { if: [isPartner(7), false, isLarge] },
    { '!': isPartner(7) },
    { '!': { or: [isPartner(7), isLarge] } },
    { '!!': { and: [isLarge, isPartner(8)] } },
    { '==': [{ var: 'partner.id' }, '7'] },
    { or: [{ '==': [{ var: 'partner.id' }, '7'] }, isLarge] },
  ]);
});

test('what is not known may be anything', () => {
  each(true, [
    isLarge,
    { var: 'booking.guests' },
    { '!': { var: 'booking.isVip' } },
    { '==': [{ var: 'partner.name' }, 'Ada'] },
    { '>': [{ '+': [{ var: 'booking.guests' }, { var: 'partner.id' }] }, 100] },
    { some: [{ var: 'payment.bands' }, { '>': [{ var: 'amount' }, 1] }] },
    { missing: ['booking.duration'] },
    { '!': { missing: ['booking.duration', 'partner.id'] } },
    { in: [{ var: 'product.slug' }, ['dinner']] },
    [{ var: 'booking.guests' }],
    { reduce: [[], { var: 'current' }, { var: 'booking.guests' }] },
  ]);
});

test('what never has a value never holds, whatever else turns out', () => {
  each(false, [
    { '<': [{ var: 'booking.guests' }, true] },
    { '==': [{ var: 'booking.guests' }, [1]] },
    { '+': [{ var: 'booking.guests' }, 'a'] },
    { '/': [{ var: 'booking.guests' }, 0] },
    { '+': [{ var: 'booking.guests' }, { var: 'partner.id.digits' }] },
    { in: [{ var: 'booking.type' }, []] },
    { in: [{ var: 'booking.type' }, 7] },
    { '!': { missing: ['booking.duration', 'partner.categoryIds.2'] } },
    [{ var: 'booking.guests' }, { var: 'partner.categoryIds.2' }],
    { '+': [1, { if: [isLarge, { var: 'partner.id.digits' }, { var: 'partner.id.name' }] }] },
    { reduce: [7, { var: 'current' }, { var: 'booking.guests' }] },
  ]);
});

test('what is not legal never holds', () => {
  for (const illegal of [null, { cat: [{ var: 'booking.type' }] }, { '==': [{ var: 'booking.type' }] }]) {
    assert.equal(canHold(illegal, PARTNER), false);
  }
});

/** Few facts with few values, so that all assignments can be tried. Undefined: it is absent. */
const DOMAIN = [undefined, 0, 1, 2, 3, 'a', 'b', 'ab', true, false, [], [1], ['a', 2]];
const NAMES = ['x', 'y', 'k'];

const literal = fc.constantFrom(1, 2, 'a', 'b');
const fact = fc.constantFrom(...NAMES).map((name) => ({ var: name }));
const scalar = fc.oneof(
  literal,
  fc.boolean(),
  fact,
  fc.tuple(fc.constantFrom(...NAMES), literal).map((all) => ({ var: all })),
);
const op = (name: string, ...operands: fc.Arbitrary<unknown>[]) =>
  fc.tuple(...operands).map((all) => ({ [name]: all }));
const many = (name: string, operand: fc.Arbitrary<unknown>) =>
  fc.array(operand, { minLength: 1, maxLength: 3 }).map((all) => ({ [name]: all }));

const { expression } = fc.letrec((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    scalar,
    ...['==', '!=', '===', '!==', '<', '<=', '>', '>='].map((name) => op(name, tie('expression'), scalar)),
    ...['and', 'or', 'if', '+', '*', 'min'].map((name) => many(name, tie('expression'))),
    ...['!', '!!'].map((name) => op(name, tie('expression'))),
    ...['-', '/', '%', 'in'].map((name) => op(name, tie('expression'), tie('expression'))),
    op('in', tie('expression'), fc.array(literal, { maxLength: 3 })),
    op('if', tie('expression'), tie('expression'), tie('expression')),
    ...['some', 'all', 'none', 'map', 'filter'].map((name) =>
      op(
        name,
        fact,
        fc.constantFrom<unknown>({ '==': [{ var: '' }, 1] }, { var: '' }, { in: [{ var: '' }, [1, 'a']] }),
      ),
    ),
    op('reduce', tie('expression'), fc.constant({ var: 'current' }), tie('expression')),
    fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((names) => ({ missing: names })),
    fc.array(tie('expression'), { minLength: 1, maxLength: 2 }),
  ),
}));

/** Whether any assignment of the other facts makes it true. */
function holdsSomewhere(part: unknown, known: Record<string, unknown>): boolean {
  const evaluate = compile(part);
  const free = NAMES.filter((name) => !(name in known));
  const assignments = free.reduce<Record<string, unknown>[]>(
    (all, name) => all.flatMap((facts) => DOMAIN.map((value) => ({ ...facts, [name]: value }))),
    [known],
  );
  return assignments.some((facts) => {
    const outcome = evaluate(facts);
    return outcome !== SKIP && isTruthy(outcome);
  });
}

const known = fc.constantFrom<Record<string, unknown>>(
  { k: 1 },
  { k: 'a' },
  { k: [1] },
  { k: true },
  { k: null },
  { k: 1, y: 'b' },
  {},
);

test('what can hold for any assignment of the other facts is never said to be impossible', (t) => {
  const count = { possible: 0, impossible: 0, missed: 0 };
  const isSound = fc.property(expression, known, (part, facts) => {
    fc.pre(faultsIn(part, () => true).length === 0);
    const does = holdsSomewhere(part, facts);
    const can = canHold(part, facts);
    assert.ok(can || !does);
    count[can ? (does ? 'possible' : 'missed') : 'impossible'] += 1;
  });
  fc.assert(isSound, { numRuns: 2000 });
  t.diagnostic(JSON.stringify(count));
  assert.ok(count.possible > 200 && count.impossible > 200);
});

const comparison = (name: string) =>
  fc.oneof(
    ...['==', '!=', '===', '!==', '<', '<=', '>', '>='].map((operator) =>
      op(operator, fc.constant({ var: name }), fc.constantFrom<unknown>(1, 2, 'ab', true, [1])),
    ),
    op('in', fc.constant({ var: name }), fc.array(literal, { maxLength: 2 })),
    op('in', literal, fc.constant({ var: name })),
  );

test('for comparisons of single facts, joined by and and or, the answer is exact', () => {
  // Of an unknown fact each mention is judged by itself, so each is mentioned once; the known one any number of times.
  const operands = fc
    .tuple(comparison('x'), comparison('y'), comparison('k'), comparison('k'))
    .chain((all) => fc.shuffledSubarray(all, { minLength: 1 }));
  const joined = fc.tuple(fc.constantFrom('and', 'or'), operands).map(([name, all]) => ({ [name]: all }));
  const isExact = fc.property(joined, known, (part, facts) => {
    fc.pre('k' in facts);
    assert.equal(canHold(part, facts), holdsSomewhere(part, facts));
  });
  fc.assert(isExact, { numRuns: 1000 });
});
