import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickUnit } from '../../../src/tms/house/allocation.ts';
import { makeProduct, table } from './books.ts';

const tables = [table(1, 8, 1), table(2, 4, 1), table(3, 2, 1), table(4, 4, 1), table(5, 2, 1)];
const combinations = [
  { tableIds: [5, 3], minCovers: 3, maxCovers: 4 },
  { tableIds: [2, 4], minCovers: 5, maxCovers: 6 },
  { tableIds: [2, 3], minCovers: 5, maxCovers: 6 },
];
const { units } = makeProduct({}, { tables, combinations });
const given = (guests: number, ...taken: number[]) => pickUnit(units, guests, new Set(taken))?.tableIds;

test('a party gets the smallest table that seats it', () => {
  assert.deepEqual(given(1), [3]);
  assert.deepEqual(given(3), [2]);
  assert.deepEqual(given(7), [1]);
});

test('what is taken is passed over, in the order of waste', () => {
  assert.deepEqual(given(2, 3), [5]);
  assert.deepEqual(given(2, 3, 5), [2]);
  assert.deepEqual(given(2, 2, 3, 4, 5), [1]);
  assert.equal(given(2, 1, 2, 3, 4, 5), undefined);
});

test('on equal waste one table comes before two', () => {
  assert.deepEqual(given(4, 2), [4]);
  assert.deepEqual(given(4, 2, 4), [3, 5]);
});

test('tables are joined before a large one is given to a small party', () => {
  assert.deepEqual(given(5), [2, 3], 'and of two pairs the one that leaves more seats to others');
  assert.deepEqual(given(5, 3), [2, 4]);
  assert.deepEqual(given(5, 2), [1]);
});

test('no party gets a table that is meant for larger ones', () => {
  const large = makeProduct({}, { tables: [table(1, 8, 5)] }).units;
  assert.equal(pickUnit(large, 4, new Set()), undefined);
  assert.deepEqual(pickUnit(large, 5, new Set())?.tableIds, [1]);
});
