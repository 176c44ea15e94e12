import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, textOf } from '../../src/console/browser/components/audit/changes.ts';

test('only what is different is shown, by its path', () => {
  const before = {
    name: 'Soho Grill',
    hours: { mon: '12:00', tue: '12:00' },
    tags: ['a'],
    tables: [{ id: 1, seats: 2 }],
  };
  const after = {
    name: 'Soho Grill',
    hours: { mon: '13:00', tue: '12:00' },
    tags: ['a', 'b'],
    tables: [
      { id: 1, seats: 4 },
      { id: 2, seats: 2 },
    ],
  };
  assert.deepEqual(changesOf(before, after), [
    { path: 'hours.mon', before: '12:00', after: '13:00' },
    { path: 'tags', before: ['a'], after: ['a', 'b'] },
    { path: 'tables[0].seats', before: 2, after: 4 },
    { path: 'tables[1]', before: undefined, after: { id: 2, seats: 2 } },
  ]);
});

test('what is new or gone is shown member by member, and nothing where nothing changed', () => {
  assert.deepEqual(changesOf(null, { role: 'staff' }), [{ path: 'role', before: undefined, after: 'staff' }]);
  assert.deepEqual(changesOf({ role: 'staff' }, null), [{ path: 'role', before: 'staff', after: undefined }]);
  assert.deepEqual(changesOf({ a: [1] }, { a: [1] }), []);
  assert.deepEqual(changesOf(null, null), []);
  assert.deepEqual(changesOf([], ['x']), [{ path: '', before: [], after: ['x'] }]);
});

test('a value is a line of text', () => {
  assert.equal(textOf(undefined), undefined);
  assert.equal(textOf('x'), 'x');
  assert.equal(textOf(false), 'false');
  assert.equal(textOf([1, 2]), '1, 2');
  assert.equal(textOf([]), '[]');
  assert.equal(textOf({ a: 1 }), '{\n  "a": 1\n}');
});
