import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionErrors } from '../../../src/features/venues/rule-definition.ts';
import type { AvailabilityRuleType } from '../../../src/features/venues/transfer/document.ts';

const times = { startTime: '18:00', endTime: '02:00' };
const range = { startDate: '2026-05-01', endDate: '2026-05-01' };

const good: [AvailabilityRuleType, object][] = [
  ['date_range', range],
  ['date_range_with_time', { ...range, ...times, reason: 'Film evenings' }],
  ['recurring', { weekdays: [1, 7] }],
  ['recurring', { weekdays: [1], startDate: '2026-05-01' }],
  ['recurring_with_time', { weekdays: [5], ...times }],
  ['specific_dates', { dates: ['2028-02-29'] }],
  ['specific_dates_with_time', { dates: ['2026-05-01'], ...times }],
  ['time_based', times],
];

for (const [type, definition] of good) {
  test(`${type} takes ${Object.keys(definition).join(', ')}`, () => {
    assert.equal(definitionErrors(type, definition), undefined);
  });
}

const bad: [AvailabilityRuleType, unknown, string[]][] = [
  ['date_range', {}, ['startDate', 'endDate']],
  ['date_range', { startDate: '2026-05-02', endDate: '2026-05-01' }, ['endDate']],
  ['date_range', { startDate: '2026-02-30', endDate: '2026-05-01' }, ['startDate']],
  ['date_range', { ...range, ...times }, ['startTime', 'endTime']],
  ['date_range_with_time', range, ['startTime', 'endTime']],
  ['recurring', { reason: 'No day named' }, ['weekdays']],
  ['recurring', { weekdays: [] }, ['weekdays']],
  ['recurring', { weekdays: [1, 1] }, ['weekdays']],
  ['recurring', { weekdays: [0, 8] }, ['weekdays.0', 'weekdays.1']],
  ['recurring', { weekdays: [1], dates: ['2026-05-01'] }, ['dates']],
  ['recurring', { weekdays: [1], startDate: '2026-05-02', endDate: '2026-05-01' }, ['endDate']],
  ['recurring_with_time', { weekdays: [1], startTime: '18:00' }, ['endTime']],
  ['specific_dates', { dates: ['tomorrow'] }, ['dates.0']],
  ['specific_dates_with_time', times, ['dates']],
  ['time_based', { startTime: '24:00', endTime: '7pm' }, ['startTime', 'endTime']],
  ['time_based', { ...times, weekdays: [1] }, ['weekdays']],
  ['time_based', { ...times, colour: 'red' }, ['colour']],
  ['time_based', { ...times, reason: '' }, ['reason']],
  ['time_based', null, ['']],
];

for (const [type, definition, fields] of bad) {
  test(`${type} refuses ${JSON.stringify(definition)}`, () => {
    assert.deepEqual(Object.keys(definitionErrors(type, definition) ?? {}), fields);
  });
}
