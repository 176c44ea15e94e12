import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compileScope,
  referencesIn,
  scopeFault,
  tellsPartnersApart,
} from '../../../src/features/booking-rules/engine/scope.ts';

const fact = (name: string) => ({ var: name });
const facts = {
  partner: { id: 7, categoryIds: [3] },
  product: { id: '1|house|x|dinner', name: 'Dinner', slug: 'dinner' },
  venue: {
    id: '1|house|x',
    operatorId: 1,
    name: 'X',
    area: 'Soho',
    city: 'London',
    timeZone: 'Europe/London',
  },
};

const CASES: [string, unknown, boolean][] = [
  ['what is true', { '==': [fact('partner.id'), 7] }, true],
  ['what is not', { '==': [fact('venue.city'), 'Paris'] }, false],
  ['what counts as true', fact('product.name'), true],
  ['what cannot be decided for want of a fact', { '!=': [fact('product.category'), 'x'] }, false],
  ['what compares things that have no order', { '<': [fact('product.slug'), 3] }, false],
];

for (const [what, scope, holds] of CASES) {
  test(`a scope with ${what} ${holds ? 'holds' : 'does not hold'}`, () => {
    assert.equal(scopeFault(scope), undefined);
    assert.equal(compileScope(scope)(facts), holds);
  });
}

test('a scope asks for partners wherever it names one of their facts', () => {
  assert.ok(tellsPartnersApart({ and: [{ '!': [{ missing: ['partner.id'] }] }, true] }));
  assert.ok(tellsPartnersApart({ some: [fact('partner.categoryIds'), { '==': [fact(''), 3] }] }));
  assert.ok(!tellsPartnersApart({ '==': [fact('product.name'), 'partner.id'] }));
});

test('ids are found where they are compared with partners, categories and venues, and nowhere else', () => {
  const found = referencesIn({
    if: [
      { '===': [1, { var: ['partner.id'] }] },
      { '!=': [fact('venue.id'), '1|house|x'] },
      { in: [fact('partner.id'), [2, 3]] },
      { in: [4, fact('partner.categoryIds')] },
      { none: [fact('partner.categoryIds'), { in: [fact(''), [5, 6]] }] },
      { all: [fact('partner.categoryIds'), { '<': [fact(''), 100] }] },
      { some: [[7, 8], { '==': [fact(''), 9] }] },
      { '==': [fact('product.slug'), 'dinner'] },
      { '==': [fact('partner.id'), { '+': [10, 11] }] },
      { '<': [fact('partner.id'), 12] },
    ],
  });
  assert.deepEqual(
    Object.values(found).map((ids) => [...ids]),
    [[1, 2, 3], [4, 5, 6], ['1|house|x']],
  );
  assert.ok(Object.values(referencesIn(null)).every((ids) => ids.size === 0));
});
