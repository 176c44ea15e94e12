import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import fc from 'fast-check';
import { estimateBytes } from '../../src/kernel/estimate-bytes.ts';

test('an estimate is at least what a value takes when it is written down', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.ok(estimateBytes({ value }) * 2 >= serialize(value).length);
    }),
  );
});

test('what is longer takes more, and what is shared counts once', () => {
  const shared = { text: 'x'.repeat(10_000) };
  assert.ok(estimateBytes([shared]) > 10_000);
  assert.ok(estimateBytes(Array.from({ length: 100 }, () => shared)) < 20_000);
  assert.ok(estimateBytes(Array.from({ length: 100 }, () => ({ ...shared, own: 1 }))) > 1_000_000);
  assert.ok(estimateBytes(new Map([['key', shared]])) > 10_000);
  assert.ok(estimateBytes(Buffer.alloc(10_000)) > 10_000);
});

test('circles and very long lists come to an end', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  assert.ok(estimateBytes(circle) < 1000);
  assert.ok(estimateBytes(Array.from({ length: 500_000 }, (_, n) => n)) > 4_000_000);
});
