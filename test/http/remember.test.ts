import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { remember } from '../../src/http/remember.ts';

function counting(limit: number) {
  const computed: string[] = [];
  const lookUp = remember(limit, (key) => {
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
    for (let other = 0; other < 6; other++) lookUp(`other-${other}`);
    lookUp('a');
    assert.equal(computed.filter((key) => key === 'a').length, 2);
  });

  test('is nothing when computing failed', () => {
    let attempts = 0;
    const lookUp = remember(3, () => {
      attempts++;
      throw new Error('no');
    });
    assert.throws(() => lookUp('a'));
    assert.throws(() => lookUp('a'));
    assert.equal(attempts, 2);
  });
});
