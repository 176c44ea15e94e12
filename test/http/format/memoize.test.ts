import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memoize } from '../../../src/http/format/memoize.ts';

/** About. */
const BYTES_OF_A_SHORT_KEY = 330;

/** Has room for this many short keys in each generation. */
function counting(keys: number) {
  const computed: string[] = [];
  const lookUp = memoize(2 * (keys + 0.5) * BYTES_OF_A_SHORT_KEY, (key) => {
    computed.push(key);
    return key.toUpperCase();
  });
  return { computed, lookUp };
}

describe('what is remembered', () => {
  test('is computed once while it is asked for, however many other keys come by', () => {
    const { computed, lookUp } = counting(3);
    for (let other = 0; other < 20; other++) {
      assert.equal(lookUp('a'), 'A');
      lookUp(`other-${other}`);
    }
    assert.equal(computed.filter((key) => key === 'a').length, 1);
  });

  test('is forgotten when it has not been asked for during two generations', () => {
    const { computed, lookUp } = counting(3);
    lookUp('a');
    for (let other = 0; other < 8; other++) lookUp(`other-${other}`);
    lookUp('a');
    assert.equal(computed.filter((key) => key === 'a').length, 2);
  });

  test('is little when keys are long, and nothing when one is too long', () => {
    const { computed, lookUp } = counting(100);
    const long = (n: number) => `${n} ${'x'.repeat(500)}`;
    for (let n = 0; n < 10; n++) lookUp(long(n));
    lookUp(long(0));
    assert.equal(computed.filter((key) => key === long(0)).length, 2);
    const tooLong = 'y'.repeat(100_000);
    lookUp(tooLong);
    lookUp(tooLong);
    assert.equal(computed.filter((key) => key === tooLong).length, 2);
  });

  test('is nothing when computing failed', () => {
    let attempts = 0;
    const lookUp = memoize(10_000, () => {
      attempts++;
      throw new Error('no');
    });
    assert.throws(() => lookUp('a'));
    assert.throws(() => lookUp('a'));
    assert.equal(attempts, 2);
  });
});
