import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ReadCache } from '../../src/db/read-cache.ts';

function cacheOf(maxSize: number) {
  let isTrustworthy = true;
  const cache = new ReadCache<string>(maxSize, () => isTrustworthy);
  const keep = (key: string, tags: string[] = [], size = 1) =>
    cache.keep(cache.beginRead(), key, key, size, tags);
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
          cache.keep(cache.beginRead(), each.key, each.key, each.size, [each.tag]);
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
