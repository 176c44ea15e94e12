import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { datedHours, minutesOf, weeklyHours } from '../../../src/features/venues/hours/hours.ts';
import { clockTime, minuteOfDay } from '../../../src/kernel/zone-time.ts';

const minute = fc.integer({ min: 0, max: 1439 });

test('a minute of the day survives the way to the clock and back', () => {
  fc.assert(fc.property(minute, (value) => assert.equal(minuteOfDay(clockTime(value)), value)));
});

test('a period lasts more than nothing and at most a day, and reads back as it was written', () => {
  fc.assert(
    fc.property(minute, minute, (opens, closes) => {
      const period = { opens: clockTime(opens), closes: clockTime(closes) };
      const minutes = minutesOf(period);
      const length = minutes.closes - minutes.opens;
      assert.ok(length > 0 && length <= 1440);
      assert.equal(clockTime(minutes.closes), period.closes);
    }),
  );
});

test('a bar that closes at three closes on the next day', () => {
  assert.deepEqual(minutesOf({ opens: '18:00', closes: '03:00' }), { opens: 1080, closes: 1620 });
});

test('a week has seven entries, Monday first, and a day without rows is closed', () => {
  const week = weeklyHours([{ weekday: 7, opens: 600, closes: 900 }]);
  assert.deepEqual(
    week.map(({ weekday, day, periods }) => [weekday, day, periods.length]),
    [
      [1, 'monday', 0],
      [2, 'tuesday', 0],
      [3, 'wednesday', 0],
      [4, 'thursday', 0],
      [5, 'friday', 0],
      [6, 'saturday', 0],
      [7, 'sunday', 1],
    ],
  );
});

test('rows of one date become one entry', () => {
  assert.deepEqual(
    datedHours([
      { date: '2026-12-24', opens: 600, closes: 720, reason: 'Christmas Eve' },
      { date: '2026-12-24', opens: 780, closes: 900, reason: 'Christmas Eve' },
      { date: '2026-12-25', opens: null, closes: null, reason: null },
    ]),
    [
      {
        date: '2026-12-24',
        isClosed: false,
        periods: [
          { opens: '10:00', closes: '12:00' },
          { opens: '13:00', closes: '15:00' },
        ],
        reason: 'Christmas Eve',
      },
      { date: '2026-12-25', isClosed: true, periods: [], reason: null },
    ],
  );
});
