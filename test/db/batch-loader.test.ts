import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchLoader } from '../../src/db/batch-loader.ts';
import type { Tx } from '../../src/db/database.ts';

/** Only told apart, never used. */
const database = (() => {}) as unknown as Tx;
const another = (() => {}) as unknown as Tx;

function lengthsOfWords() {
  const rounds: string[][] = [];
  const ask = batchLoader(
    (word: string) => word,
    async (_tx, words) => {
      rounds.push([...words]);
      if (words.includes('')) throw new Error('no word');
      return words.map((word) => word.length);
    },
  );
  return { rounds, ask };
}

const after = async <T>(promises: number, work: () => Promise<T>): Promise<T> => {
  for (let count = 0; count < promises; count += 1) await undefined;
  return work();
};

test('questions of one turn are asked together however many promises they waited for, equal ones once', async () => {
  const { rounds, ask } = lengthsOfWords();
  const words = ['table', 'chair', 'table', 'knife and fork'];
  const answers = await Promise.all(words.map((word, index) => after(index * 7, () => ask(database, word))));
  assert.deepEqual(answers, [5, 5, 5, 14]);
  assert.deepEqual(rounds, [['table', 'chair', 'knife and fork']]);
});

test('a later turn asks again, and so does each transaction', async () => {
  const { rounds, ask } = lengthsOfWords();
  await Promise.all([ask(database, 'table'), ask(another, 'table')]);
  await nextTurn();
  await ask(database, 'table');
  assert.deepEqual(rounds, [['table'], ['table'], ['table']]);
});

test('a failure is that of its turn alone', async () => {
  const { ask } = lengthsOfWords();
  const [bad, companion] = await Promise.allSettled([ask(database, ''), ask(database, 'table')]);
  assert.deepEqual([bad.status, companion.status], ['rejected', 'rejected']);
  assert.equal(await ask(database, 'table'), 5);
});
