import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { crossedBands } from '../../../src/features/availability/minimum-spend.ts';
import type { SpendOverrideRecord } from '../../../src/features/venues/service.ts';
import type { MinimumSpendBand } from '../../../src/features/venues/transfer/document.ts';
import { addDays, type Weekday, weekdayOf } from '../../../src/kernel/zone-time.ts';

const band = (weekdays: Weekday[], startTime: string, endTime: string, amount: number): MinimumSpendBand => ({
  weekdays,
  startTime,
  endTime,
  amount,
});

const MONDAY = '2026-12-07';
const FRIDAY = '2026-12-11';

const crossed = (
  bands: MinimumSpendBand[],
  weekday: number,
  startMinute: number,
  durationMinutes: number,
  overrides: SpendOverrideRecord[] = [],
) => {
  const date = addDays(MONDAY, weekday - 1);
  return crossedBands({ bands, overrides }, { date, weekday, startMinute, durationMinutes });
};
const amounts = (...asked: Parameters<typeof crossed>) => crossed(...asked).map(({ amount }) => amount);

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
        const fewer = crossed(all, 5, start, short);
        const longer = crossed(all, 5, start, short + more);
        assert.ok(longer.length >= fewer.length);
      },
    ),
  );
});

const override = (
  [startDate, endDate]: [string, string],
  opens: number,
  closes: number,
  amount: number,
): SpendOverrideRecord => ({ startDate, endDate, opens, closes, amount });

test('on its dates an override holds in place of the weekly bands, and asks for nothing with 0', () => {
  const whole = override([FRIDAY, FRIDAY], 17 * 60, 26 * 60, 9);
  assert.deepEqual(amounts(evening, 5, 19 * 60, 180, [whole]), [9]);
  assert.deepEqual(crossed(evening, 5, 19 * 60, 180, [whole]), [
    { weekdays: [5], startTime: '17:00', endTime: '02:00', amount: 9 },
  ]);
  assert.deepEqual(amounts(evening, 5, 19 * 60, 180, [{ ...whole, amount: 0 }]), []);
  assert.deepEqual(amounts(evening, 6, 13 * 60, 60, [whole]), [3], 'not its date');
});

test('a weekly band still counts for a stay that is also in it outside the override', () => {
  const early = override([FRIDAY, FRIDAY], 17 * 60, 19 * 60, 9);
  assert.deepEqual(amounts(evening, 5, 17 * 60, 120, [early]), [9]);
  assert.deepEqual(amounts(evening, 5, 17 * 60, 121, [early]), [1, 9]);
  const middle = override([FRIDAY, FRIDAY], 18 * 60, 19 * 60, 9);
  assert.deepEqual(amounts(evening, 5, 17 * 60, 240, [middle]), [1, 9], 'once, though it is split');
});

test('an override of the night before reaches into the morning, and one of the next day is met after midnight', () => {
  const night = override([FRIDAY, FRIDAY], 22 * 60, 26 * 60, 9);
  const early = [band([6], '00:30', '03:00', 2)];
  assert.deepEqual(amounts(early, 6, 30, 60, [night]), [9]);
  assert.deepEqual(amounts(early, 6, 60, 90, [night]), [9, 2]);
  assert.deepEqual(amounts([], 4, 23 * 60, 120, [override([FRIDAY, FRIDAY], 0, 60, 7)]), [7]);
});

/** Minute by minute: those of an override are its own, and every band is met on each day by itself. */
function metMinuteByMinute(
  bands: MinimumSpendBand[],
  overrides: SpendOverrideRecord[],
  stay: { date: string; startMinute: number; durationMinutes: number },
): number[] {
  const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const met = new Map<string, { from: number; amount: number }>();
  for (let at = stay.startMinute; at < stay.startMinute + stay.durationMinutes; at += 1) {
    let isOverridden = false;
    for (const days of [-2, -1, 0, 1, 2, 3]) {
      const date = addDays(stay.date, days);
      const minute = at - days * 1440;
      for (const [index, { startDate, endDate, opens, closes, amount }] of overrides.entries()) {
        if (date < startDate || date > endDate || minute < opens || minute >= closes) continue;
        isOverridden = true;
        if (amount > 0) met.set(`override ${index} ${days}`, { from: opens + days * 1440, amount });
      }
    }
    if (isOverridden) continue;
    for (const days of [-2, -1, 0, 1, 2, 3]) {
      const weekday = weekdayOf(addDays(stay.date, days)) as Weekday;
      for (const [index, { weekdays, startTime, endTime, amount }] of bands.entries()) {
        const opens = minuteOf(startTime);
        const closes = minuteOf(endTime) + (endTime <= startTime ? 1440 : 0);
        const minute = at - days * 1440;
        if (weekdays.includes(weekday) && opens <= minute && minute < closes)
          met.set(`band ${index} ${days}`, { from: opens + days * 1440, amount });
      }
    }
  }
  return [...met.values()].sort((a, b) => a.from - b.from || a.amount - b.amount).map(({ amount }) => amount);
}

test('whatever overrides there are, a stay owes what it meets minute by minute', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const clock = minute.map(
    (value) => `${String(Math.floor(value / 60)).padStart(2, '0')}:${String(value % 60).padStart(2, '0')}`,
  );
  const amount = fc.integer({ min: 0, max: 5 });
  const bands = fc.array(
    fc
      .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), clock, clock, amount)
      .map(([days, from, to, asked]) => band(days as Weekday[], from, to, asked)),
    { maxLength: 5 },
  );
  const overrides = fc.array(
    fc
      .tuple(fc.integer({ min: -3, max: 3 }), fc.nat(3), minute, fc.integer({ min: 1, max: 1440 }), amount)
      .map(([day, more, opens, length, asked]) =>
        override([addDays(FRIDAY, day), addDays(FRIDAY, day + more)], opens, opens + length, asked),
      ),
    { maxLength: 4 },
  );
  const stay = fc.record({
    startMinute: fc.integer({ min: 0, max: 1800 }),
    durationMinutes: fc.integer({ min: 1, max: 900 }),
  });
  const sorted = (list: number[]) => list.toSorted((a, b) => a - b);
  fc.assert(
    fc.property(bands, overrides, stay, (weekly, dated, { startMinute, durationMinutes }) => {
      const found = amounts(weekly, 5, startMinute, durationMinutes, dated);
      const expected = metMinuteByMinute(weekly, dated, { date: FRIDAY, startMinute, durationMinutes });
      assert.deepEqual(sorted(found), sorted(expected));
    }),
    { numRuns: 300 },
  );
});
