import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, dateTimeOf, localOf, weekdayOf } from '../../src/kernel/zone-time.ts';

/** Offsets and dates are remembered and counted; these laws hold them against `Temporal`, which does neither. */

const zone = fc.constantFrom(
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'America/St_Johns',
  'UTC',
);
/** From days of offsets in whole seconds to a year of five digits. */
const anyInstant = fc.integer({ min: Date.UTC(1840, 0), max: Date.UTC(10_001, 0) });
const quarter = fc
  .integer({ min: Date.UTC(2020, 0) / 900_000, max: Date.UTC(2035, 0) / 900_000 })
  .map((count) => count * 900_000);
const instants = fc.array(fc.tuple(zone, fc.oneof(anyInstant, quarter)), { minLength: 1, maxLength: 40 });

test('local times and offsets are those of Temporal, in whatever order instants and zones are asked for', () => {
  fc.assert(
    fc.property(instants, (asked) => {
      for (const [name, epochMs] of [...asked, ...asked]) {
        const local = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(name);
        assert.equal(
          dateTimeOf(name, epochMs),
          local.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
        );
        assert.deepEqual(localOf(name, epochMs), {
          date: local.toPlainDate().toString(),
          minute: local.hour * 60 + local.minute,
        });
      }
    }),
  );
});

test('the first instant of an offset has it, and the millisecond before does not', () => {
  const change = Date.UTC(2026, 9, 25, 1);
  for (const order of [
    [change, change - 1],
    [change - 1, change],
  ]) {
    const shown = new Map(order.map((epochMs) => [epochMs, dateTimeOf('Europe/London', epochMs)]));
    assert.equal(shown.get(change), '2026-10-25T01:00:00+00:00');
    assert.equal(shown.get(change - 1), '2026-10-25T01:59:59+01:00');
  }
});

test('more instants of one offset than are remembered are all shown right', () => {
  const begin = Date.UTC(2026, 0, 1);
  for (let minute = 0; minute < 12_000; minute += 1) {
    const shown = dateTimeOf('UTC', begin + minute * 60_000);
    assert.equal(shown, `${new Date(begin + minute * 60_000).toISOString().slice(0, 19)}+00:00`);
  }
});

test('days and weekdays are counted as Temporal counts them', () => {
  const date = fc
    .integer({ min: -800_000, max: 2_900_000 })
    .map((days) => Temporal.PlainDate.from('1970-01-01').add({ days }).toString());
  fc.assert(
    fc.property(date, fc.integer({ min: -1000, max: 1000 }), (from, days) => {
      const there = Temporal.PlainDate.from(from).add({ days });
      assert.equal(addDays(from, days), there.toString());
      assert.equal(weekdayOf(from), Temporal.PlainDate.from(from).dayOfWeek);
    }),
  );
});
