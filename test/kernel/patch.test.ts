import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyPatch, type Json } from '../../src/kernel/patch.ts';
import { Problem } from '../../src/kernel/problem.ts';

const refused = (document: Json, patch: unknown) => {
  try {
    applyPatch(document, patch);
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'VALID-N-001');
    return error.options.errors ?? {};
  }
  return assert.fail('the patch was applied');
};

test('operations add, replace and remove, in objects and lists', () => {
  const document = { a: 1, list: ['x', 'y'] };
  const patched = applyPatch(document, [
    { op: 'add', path: '/b', value: { c: null } },
    { op: 'replace', path: '/a', value: 2 },
    { op: 'add', path: '/list/0', value: 'w' },
    { op: 'add', path: '/list/-', value: 'z' },
    { op: 'remove', path: '/list/1' },
  ]);
  assert.deepEqual(patched, { a: 2, list: ['w', 'y', 'z'], b: { c: null } });
  assert.deepEqual(document, { a: 1, list: ['x', 'y'] }, 'the original stays as it was');
});

test('escaped names are taken apart in the right order', () => {
  assert.deepEqual(applyPatch({ 'a/b': 1, '~1': 2 }, [{ op: 'remove', path: '/a~1b' }]), { '~1': 2 });
  assert.deepEqual(applyPatch({ 'a/b': 1, '~1': 2 }, [{ op: 'remove', path: '/~01' }]), { 'a/b': 1 });
});

test('every operation that cannot be read is named at once', () => {
  const errors = refused({}, [
    { op: 'move', from: '/a', path: '/b' },
    { op: 'add', path: 'b', value: 1 },
    { op: 'add', path: '/b' },
    'x',
    { op: 'remove', path: '/~2' },
  ]);
  assert.deepEqual(Object.keys(errors).toSorted(), ['0.op', '1.path', '2.value', '3', '4.path']);
  assert.deepEqual(Object.keys(refused({}, { op: 'add' })), ['body']);
});

for (const [path, why] of [
  ['/nothing', /leads to nothing/],
  ['/list/5', /leads to nothing/],
  ['/list/01', /index/],
  ['/list/-', /index/],
  ['/text/x', /no members/],
  ['/list/x/y', /index/],
  ['', /whole document/],
] as const) {
  test(`removing ${path || 'the document'} says why not`, () => {
    assert.match(refused({ list: ['a'], text: 't' }, [{ op: 'remove', path }])['0.path']?.[0] ?? '', why);
  });
}

test('a patch whose last operation fails changes nothing', () => {
  const document = { a: [1] };
  refused(document, [
    { op: 'add', path: '/a/-', value: 2 },
    { op: 'remove', path: '/b' },
  ]);
  assert.deepEqual(document, { a: [1] });
});

test('what is put in is not shared with what was sent', () => {
  const value = { inner: [1] };
  const patched = applyPatch({}, [
    { op: 'add', path: '/a', value },
    { op: 'add', path: '/a/inner/-', value: 2 },
  ]);
  assert.deepEqual(patched, { a: { inner: [1, 2] } });
  assert.deepEqual(value, { inner: [1] });
});

const name = fc.constantFrom(
  'a',
  'b',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '0',
  '-',
  'polluted',
  'list',
);
const pointer = fc.array(name, { maxLength: 4 }).map((names) => names.map((token) => `/${token}`).join(''));
const operation = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace'),
  path: fc.oneof(pointer, fc.string()),
  value: fc.jsonValue(),
});

test('no patch, however hostile, touches anything but its own copy or fails in another way', () => {
  const members = Object.getOwnPropertyNames(Object.prototype).length;
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 5 }), (patch) => {
      const document = { a: { b: 1 }, list: [1, { a: 2 }] };
      try {
        applyPatch(document, patch);
      } catch (error) {
        assert.ok(error instanceof Problem, String(error));
      }
      assert.deepEqual(document, { a: { b: 1 }, list: [1, { a: 2 }] });
      assert.equal(Object.getOwnPropertyNames(Object.prototype).length, members);
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
    }),
    { numRuns: 10_000 },
  );
});

test('adding and then removing a member gives the document back', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue()),
      fc.jsonValue(),
      (document, value) => {
        const fresh = 'freshname';
        const plain = JSON.parse(JSON.stringify(document)) as Json;
        const patch = [
          { op: 'add', path: `/${fresh}`, value },
          { op: 'remove', path: `/${fresh}` },
        ];
        assert.deepEqual(applyPatch(plain, patch), plain);
      },
    ),
  );
});
