import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ReadCache } from '../../src/db/read-cache.ts';

/** Far more than a cache counts for an entry beside its value. */
const UNIT = 10_000;

/** Has room for this many values of one unit. */
function cacheOf(units: number) {
  let isTrustworthy = true;
  const cache = new ReadCache<string>('answers', () => isTrustworthy, (units + 0.5) * UNIT);
  const keep = (key: string, tags: string[] = [], size = 1) =>
    cache.keep(cache.beginRead(), key, key, size * UNIT, tags);
  return { cache, keep, trust: (value: boolean) => (isTrustworthy = value) };
}

test('what is kept is found until its tag is dropped', () => {
  const { cache, keep } = cacheOf(10);
  keep('a', ['red', 'round']);
  keep('b', ['red']);
  keep('c', ['blue']);
  cache.drop('round');
  assert.equal(cache.get('a'), undefined);
  assert.equal(cache.get('b'), 'b');
  cache.drop('red');
  assert.equal(cache.get('b'), undefined);
  assert.equal(cache.get('c'), 'c');
});

test('a read that began before a change is not kept after it, whatever changed', () => {
  const { cache } = cacheOf(10);
  const ticket = cache.beginRead();
  cache.drop('something else');
  cache.keep(ticket, 'a', 'old', 1, []);
  assert.equal(cache.get('a'), undefined);
});

test('while changes would not be heard nothing is kept or served', () => {
  const { cache, keep, trust } = cacheOf(10);
  keep('a');
  trust(false);
  assert.equal(cache.get('a'), undefined);
  keep('b');
  trust(true);
  assert.equal(cache.get('b'), undefined);
});

test('the least recently used entry makes room', () => {
  const { cache, keep } = cacheOf(2);
  keep('a');
  keep('b');
  cache.get('a');
  keep('c');
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['a', undefined, 'c']);
});

test('under any sequence of calls the cache agrees with a plain list that forgets the oldest', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const tag = fc.constantFrom('red', 'blue');
  const step = fc.oneof(
    fc.record({ kind: fc.constant('keep' as const), key, tag, size: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ kind: fc.constant('get' as const), key }),
    fc.record({ kind: fc.constant('drop' as const), tag }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { cache } = cacheOf(5);
      let model: { key: string; tag: string; size: number }[] = [];
      for (const each of steps) {
        if (each.kind === 'keep') {
          cache.keep(cache.beginRead(), each.key, each.key, each.size * UNIT, [each.tag]);
          if (each.size > 5) continue;
          model = [...model.filter((entry) => entry.key !== each.key), each];
          while (model.reduce((sum, entry) => sum + entry.size, 0) > 5) model.shift();
        } else if (each.kind === 'drop') {
          cache.drop(each.tag);
          model = model.filter((entry) => entry.tag !== each.tag);
        } else {
          const known = model.find((entry) => entry.key === each.key);
          assert.equal(cache.get(each.key), known?.key);
          if (known) model = [...model.filter((entry) => entry !== known), known];
        }
      }
    }),
  );
});

test('an entry that grows takes the place of others, and the bytes of a cache never exceed what it may have', () => {
  const { cache, keep } = cacheOf(4);
  for (const key of ['a', 'b', 'c']) keep(key);
  cache.resize('c', 'c', 2 * UNIT);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)),
    ['a', 'b', 'c'],
  );
  cache.resize('c', 'c', 3 * UNIT);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)),
    [undefined, 'b', 'c'],
  );
  cache.resize('c', 'another value', 100 * UNIT);
  cache.resize('gone', 'gone', 100 * UNIT);
  assert.deepEqual([cache.get('b'), cache.get('c')], ['b', 'c']);
  cache.drop('nothing');
  assert.ok(cache.bytes > 4 * UNIT && cache.bytes <= 4.5 * UNIT, String(cache.bytes));
  cache.clear();
  assert.equal(cache.bytes, 0);
});

test('many small entries are as bounded as few large ones', () => {
  const cache = new ReadCache<number>('answers', () => true, 1024 ** 2);
  for (let n = 0; n < 100_000; n += 1) cache.keep(cache.beginRead(), `key ${n}`, n, 8, [`tag ${n}`]);
  assert.ok(cache.bytes <= 1024 ** 2);
  assert.equal(cache.get('key 99999'), 99_999);
  assert.equal(cache.get('key 0'), undefined);
});
