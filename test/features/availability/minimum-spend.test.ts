import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { crossedBands } from '../../../src/features/availability/minimum-spend.ts';
import type { MinimumSpendBand, Weekday } from '../../../src/features/venues/document.ts';

const band = (weekdays: Weekday[], startTime: string, endTime: string, amount: number): MinimumSpendBand => ({
  weekdays,
  startTime,
  endTime,
  amount,
});

const amounts = (bands: MinimumSpendBand[], weekday: number, start: number, duration: number) =>
  crossedBands(bands, weekday, start, duration).map(({ amount }) => amount);

const evening = [
  band([5], '21:00', '02:00', 2),
  band([5], '17:00', '21:00', 1),
  band([6], '12:00', '17:00', 3),
];

test('a stay meets the bands it crosses, in the order of the evening', () => {
  assert.deepEqual(amounts(evening, 5, 19 * 60, 180), [1, 2]);
  assert.deepEqual(amounts(evening, 5, 17 * 60, 60), [1]);
  assert.deepEqual(amounts(evening, 4, 19 * 60, 180), []);
});

test('a stay that ends where a band begins does not meet it, nor one that begins where it ends', () => {
  assert.deepEqual(amounts(evening, 5, 18 * 60, 180), [1]);
  assert.deepEqual(amounts(evening, 5, 21 * 60, 60), [2]);
});

test('after midnight both the late band of the day and the early band of the next one count', () => {
  const bands = [band([5], '22:00', '01:00', 1), band([6], '00:30', '03:00', 2)];
  assert.deepEqual(amounts(bands, 5, 23 * 60, 150), [1, 2]);
  assert.deepEqual(amounts([band([1], '00:00', '03:00', 4)], 7, 23 * 60, 120), [4], 'Sunday into Monday');
});

test('a house that opens at midnight still meets the end of last night', () => {
  const lastNight = [band([5], '22:00', '02:00', 1), band([7], '22:00', '02:00', 2)];
  assert.deepEqual(amounts(lastNight, 6, 30, 60), [1]);
  assert.deepEqual(amounts(lastNight, 1, 30, 60), [2], 'Sunday into Monday');
  assert.deepEqual(amounts(lastNight, 6, 120, 60), []);
});

test('a longer stay never meets fewer bands', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const clock = minute.map(
    (value) => `${String(Math.floor(value / 60)).padStart(2, '0')}:${String(value % 60).padStart(2, '0')}`,
  );
  const bands = fc.array(
    fc
      .tuple(fc.integer({ min: 1, max: 7 }), clock, clock)
      .map(([day, from, to]) => band([day as Weekday], from, to, 1)),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(
      bands,
      minute,
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 0, max: 300 }),
      (all, start, short, more) => {
        const fewer = crossedBands(all, 5, start, short);
        const longer = crossedBands(all, 5, start, short + more);
        assert.ok(longer.length >= fewer.length);
      },
    ),
  );
});
