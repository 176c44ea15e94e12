import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  daysOf,
  extremesOf,
  measureOf,
  type Row,
  seriesOf,
} from '../../src/console/browser/pages/reports/days.ts';
import { periodOf } from '../../src/console/browser/pages/reports/periods.ts';
import { groupsBy, hasCorrections, netByDay } from '../../src/console/browser/pages/reports/sums.ts';
import { moneyExample } from '../../src/features/reports/money-schema.ts';

const TODAY = '2026-03-02';
const asked = (text: string) => {
  const { name, from, to } = periodOf(new URLSearchParams(text), TODAY);
  return [name, from, to];
};

test('a period ends today and has as many days as it says', () => {
  assert.deepEqual(asked(''), ['30', '2026-02-01', TODAY]);
  assert.deepEqual(asked('period=7'), ['7', '2026-02-24', TODAY]);
  assert.equal(daysOf('2026-02-24', TODAY).length, 7);
  assert.deepEqual(asked('period=month'), ['month', '2026-03-01', '2026-03-31']);
  assert.deepEqual(asked('period=own&from=2025-12-30&to=2026-01-02'), ['own', '2025-12-30', '2026-01-02']);
});

test('an address that makes no sense shows the last thirty days', () => {
  assert.deepEqual(asked('period=century'), ['30', '2026-02-01', TODAY]);
  for (const wrong of ['', '&from=2026-02-01', '&from=2026-03-01&to=2026-02-01', '&from=x&to=y'])
    assert.deepEqual(asked(`period=own${wrong}`), ['own', '2026-02-01', TODAY]);
});

const row = (key: string, figures: Partial<Row> = {}): Row => ({
  key,
  name: key,
  bookings: 4,
  covers: 10,
  cancellations: 0,
  noShows: 1,
  spendPence: 5000,
  leadDays: 2.5,
  ...figures,
});

test('a day without bookings counts as nothing, and is a gap where an average is shown', () => {
  const days = daysOf('2026-02-28', '2026-03-02');
  const rows = [row('2026-02-28'), row('2026-03-02', { bookings: 0, covers: 0, noShows: 0, leadDays: null })];
  assert.deepEqual(seriesOf(rows, days, 'covers'), [10, 0, 0]);
  assert.deepEqual(seriesOf(rows, days, 'noShowRate'), [0.25, null, null]);
  assert.deepEqual(seriesOf(rows, days, 'leadDays'), [2.5, null, null]);
  assert.equal(measureOf(row('x'), 'spend'), 5000);
});

test('the sentence of a chart names its highest and lowest day, the first of equals', () => {
  assert.deepEqual(extremesOf([null, 3, 7, 3, 7]), {
    highest: { value: 7, index: 2 },
    lowest: { value: 3, index: 1 },
  });
  assert.equal(extremesOf([null, null]), undefined);
});

test('money by day is of one currency, and nothing where nothing moved', () => {
  const [day] = moneyExample.days;
  assert.ok(day);
  const days = [day, { ...day, key: '2026-11-16', currency: 'EUR', netPence: 700 }];
  const period = ['2026-11-14', '2026-11-15', '2026-11-16'];
  assert.deepEqual(netByDay(days, period, 'GBP'), [0, 19_500, 0]);
  assert.deepEqual(netByDay(days, period, 'EUR'), [0, 0, 700]);
});

test('money is grouped as the address says, with corrections where there are some', () => {
  assert.equal(groupsBy(moneyExample, 'venue'), moneyExample.venues);
  assert.equal(groupsBy(moneyExample, 'provider'), moneyExample.providers);
  assert.equal(hasCorrections(moneyExample.days), false);
  assert.equal(hasCorrections(moneyExample.days.map((day) => ({ ...day, correctedPence: -100 }))), true);
});
