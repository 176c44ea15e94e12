import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addMonths,
  closureOn,
  isDay,
  periodsOn,
  shadeOf,
  weekdayOf,
  weeksOf,
} from '../../src/console/browser/pages/calendar/month.ts';
import { draftOf, newRule, valuesOfRule } from '../../src/console/browser/pages/calendar/rule-values.ts';
import { weeklyOf, weekOf } from '../../src/console/browser/pages/calendar/week-hours.ts';
import { managedRuleExample } from '../../src/features/availability/operator-rules/schema.ts';

test('a month is shown in whole weeks from Monday on', () => {
  const weeks = weeksOf('2026-11');
  assert.equal(weeks[0]?.[0], '2026-10-26');
  assert.equal(weeks.at(-1)?.at(-1), '2026-12-06');
  for (const [monday = ''] of weeks) assert.equal(weekdayOf(monday), 1);
  assert.equal(weeksOf('2027-02').length, 4);
  assert.equal(addMonths('2026-12', 1), '2027-01');
  assert.equal(addMonths('2026-01', -1), '2025-12');
  assert.equal(isDay('2026-13-01'), false);
});

test('an exception takes the place of the week', () => {
  const lunch = { opens: '12:00', closes: '15:00' };
  const dinner = { opens: '18:00', closes: '23:00' };
  const hours = {
    weekly: [
      { weekdays: [6, 7], periods: [lunch] },
      { weekdays: [5, 6], periods: [dinner] },
    ],
    exceptions: [{ date: '2026-12-26', periods: [], reason: 'Boxing Day' }],
  } as Parameters<typeof periodsOn>[0];
  assert.deepEqual(periodsOn(hours, '2026-11-21'), [lunch, dinner]);
  assert.deepEqual(periodsOn(hours, '2026-11-18'), []);
  assert.deepEqual(periodsOn(hours, '2026-12-26'), []);
});

test('a closure that ends in the small hours is of the evening before', () => {
  const evening = { from: '2026-12-05T18:00', to: '2026-12-06T03:00', productKeys: null };
  assert.equal(closureOn(evening, '2026-12-05'), 'part');
  assert.equal(closureOn(evening, '2026-12-06'), undefined);
  const days = { from: '2026-12-24', to: '2026-12-26', productKeys: null };
  assert.equal(closureOn(days, '2026-12-26'), 'whole');
  assert.equal(closureOn({ ...days, productKeys: ['dinner'] }, '2026-12-24'), 'part');
  assert.equal(closureOn(days, '2026-12-27'), undefined);
});

test('shades go from none to the fullest day', () => {
  assert.deepEqual(
    [0, 1, 50, 76, 100].map((covers) => shadeOf(covers, 100)),
    [0, 1, 2, 4, 4],
  );
  assert.equal(shadeOf(0, 0), 0);
});

test('a week is grouped again as it was', () => {
  const weekly = [
    { weekdays: [1, 3], periods: [{ opens: '12:00', closes: '23:00' }] },
    { weekdays: [6], periods: [{ opens: '10:00', closes: '24:00' }] },
  ] as Parameters<typeof weekOf>[0];
  assert.deepEqual(weeklyOf(weekOf(weekly)), weekly);
});

test('a rule that was only looked at is sent back as it was', () => {
  const { id, version, createdAt, updatedAt, ...sent } = managedRuleExample;
  assert.deepEqual(draftOf(valuesOfRule(managedRuleExample)), sent);
});

test('the type of a rule follows from what is filled in', () => {
  const values = newRule('2026-11-20');
  assert.equal(draftOf(values).type, 'recurring_with_time');
  assert.equal(draftOf({ ...values, hasTimes: false }).type, 'recurring');
  assert.equal(draftOf({ ...values, days: 'every', hasTimes: false }).type, 'time_based');
  const dated = draftOf({
    ...values,
    days: 'dates',
    dates: '2026-12-25, 2026-12-24 2026-12-25',
    hasTimes: false,
  });
  assert.deepEqual(
    [dated.type, dated.definition],
    ['specific_dates', { dates: ['2026-12-24', '2026-12-25'] }],
  );
});
