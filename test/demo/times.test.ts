import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { availabilityRules } from '../../src/demo/availability-rules.ts';
import { demoOperators } from '../../src/demo/operators.ts';
import type { Hours, Period } from '../../src/features/venues/hours/hours.ts';
import { AVAILABILITY_RULE_TYPES, CAPACITY_LAYOUTS } from '../../src/features/venues/transfer/document.ts';

/** Any day the demo may be seeded on, leap days and turns of the year among them. */
const anyDay = fc
  .integer({ min: 0, max: 4000 })
  .map((days) => Temporal.PlainDate.from('2024-01-01').add({ days }));

const today = Temporal.PlainDate.from('2026-03-14');
const venuesOn = (day: Temporal.PlainDate) => demoOperators(day).flatMap(({ venues }) => venues);

function minutesOf({ opens, closes }: Period): [number, number] {
  const [from = Number.NaN, to = Number.NaN] = [opens, closes].map((text) => {
    assert.match(text, /^([01]\d|2[0-3]):[0-5]\d$/);
    const time = Temporal.PlainTime.from(text);
    return time.hour * 60 + time.minute;
  });
  return [from, to > from ? to : to + 1440];
}

function periodsOn(hours: Hours, date: Temporal.PlainDate): [number, number][] {
  const exception = hours.exceptions?.find((entry) => entry.date === date.toString());
  const usual = hours.weekly.filter(({ weekdays }) => weekdays.some((weekday) => weekday === date.dayOfWeek));
  return (exception ? exception.periods : usual.flatMap(({ periods }) => periods)).map(minutesOf);
}

function assertWellFormed(hours: Hours, day: Temporal.PlainDate): void {
  const dates = (hours.exceptions ?? []).map(({ date }) => date);
  assert.equal(new Set(dates).size, dates.length, 'two exceptions on one date');
  for (const date of dates) assert.ok(Temporal.PlainDate.compare(date, day) >= 0, 'an exception in the past');
  for (const weekday of [0, 1, 2, 3, 4, 5, 6]) {
    const periods = periodsOn(hours, day.add({ days: weekday }));
    for (const [index, [opens]] of periods.entries()) {
      const previous = periods[index - 1];
      assert.ok(previous === undefined || previous[1] <= opens, 'periods overlap or are out of order');
    }
  }
}

test('every period parses and every exception is a date ahead, whatever day the demo begins', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      for (const venue of venuesOn(day)) {
        for (const { hours } of [venue, ...venue.products]) assertWellFormed(hours, day);
      }
    }),
    { numRuns: 25 },
  );
});

test('a product is never offered while its venue is shut', () => {
  const days = Array.from({ length: 366 }, (_, index) => today.add({ days: index }));
  for (const venue of venuesOn(today)) {
    for (const { key, hours } of venue.products) {
      for (const day of days) {
        const open = periodsOn(venue.hours, day);
        for (const [opens, closes] of periodsOn(hours, day)) {
          const isWithin = open.some(([from, to]) => from <= opens && closes <= to);
          assert.ok(isWithin, `${venue.resourceId}|${key} on ${day}`);
        }
      }
    }
  }
});

test('dinner at Soho Grill can be had every evening of the year', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 0, max: 400 }), (day, ahead) => {
      const dinner = venuesOn(day)
        .find(({ resourceId }) => resourceId === 'soho-grill')
        ?.products.find(({ key }) => key === 'dinner');
      assert.ok(dinner);
      const [evening] = periodsOn(dinner.hours, day.add({ days: ahead }));
      assert.ok(evening && evening[0] <= 17 * 60 && evening[1] >= 23 * 60);
    }),
    { numRuns: 60 },
  );
});

test('Night Owl trades until three', () => {
  const nightOwl = venuesOn(today).find(({ resourceId }) => resourceId === 'night-owl');
  assert.ok(nightOwl);
  assert.deepEqual(periodsOn(nightOwl.hours, today), [[18 * 60, 27 * 60]]);
});

test('the jazz night falls on Thursdays over the coming months, when its house is open', () => {
  // Christmas Day of 2025 is a Thursday.
  const examples: [Temporal.PlainDate][] = [[Temporal.PlainDate.from('2025-11-01')]];
  fc.assert(
    fc.property(anyDay, (day) => {
      const venues = venuesOn(day);
      const event = venues.find(({ resourceId }) => resourceId === 'jazz-night');
      const house = venues.find(({ resourceId }) => resourceId === 'blue-note');
      assert.ok(event && house);
      const dates = (event.hours.exceptions ?? []).map(({ date }) => Temporal.PlainDate.from(date));
      assert.ok(dates.length >= 25);
      for (const date of dates) {
        assert.equal(date.dayOfWeek, 4);
        assert.ok(Temporal.PlainDate.compare(date, day) > 0);
        assert.notDeepEqual(periodsOn(house.hours, date), []);
      }
    }),
    { numRuns: 25, examples },
  );
});

test('each evening in a private room crosses two minimum-spend bands that meet', () => {
  const rooms = venuesOn(today).find(({ resourceId }) => resourceId === 'soho-grill')?.spaces ?? [];
  assert.equal(rooms.length, 2);
  for (const { policies } of rooms) {
    for (const weekday of [1, 2, 3, 4, 5, 6, 7] as const) {
      const bands = policies.minimumSpend.filter(({ weekdays }) => weekdays.includes(weekday));
      assert.deepEqual(
        bands.map(({ startTime, endTime }) => `${startTime}-${endTime}`),
        ['12:00-17:00', '17:00-20:00', '20:00-00:00'],
      );
      assert.ok(bands.every(({ amount }) => Number.isInteger(amount) && amount > 0));
    }
  }
});

test('every layout has a room, and no room holds fewer than it needs', () => {
  const capacities = venuesOn(today).flatMap(({ spaces = [] }) => spaces.map((space) => space.capacities));
  const used = new Set(capacities.flatMap((capacity) => Object.keys(capacity)));
  assert.deepEqual([...used].sort(), [...CAPACITY_LAYOUTS].sort());
  for (const { min, max } of capacities.flatMap((capacity) => Object.values(capacity))) {
    assert.ok(min >= 1 && min <= max);
  }
});

test('operators 4 and 5 have a rule of every type, one of them for the other partner', () => {
  const ruled = demoOperators(today).flatMap(({ id, venues }) =>
    [...venues, ...venues.flatMap(({ products }) => products)].flatMap(({ availabilityRules: rules = [] }) =>
      rules.map((rule) => ({ operatorId: id, rule })),
    ),
  );
  const written = Object.values(availabilityRules(today)).flat();
  assert.equal(ruled.length, written.length, 'a rule names a venue or product that does not exist');
  assert.ok(ruled.every(({ operatorId }) => operatorId >= 4));
  assert.deepEqual(
    [...new Set(ruled.map(({ rule }) => rule.type))].sort(),
    [...AVAILABILITY_RULE_TYPES].sort(),
  );
  assert.deepEqual(
    ruled.flatMap(({ rule }) => rule.partners ?? []),
    ['other-partner'],
  );
});
