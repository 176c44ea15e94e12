import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addDays,
  dateTimeOf,
  dayClock,
  instantOfLocal,
  localOf,
  weekdayOf,
} from '../../src/kernel/zone-time.ts';

const ZONES = [
  'Europe/London',
  'America/New_York',
  'America/Santiago',
  'America/Havana',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Asia/Dubai',
];
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const BEGIN = Date.UTC(2024, 0, 1);
const END = Date.UTC(2031, 0, 1);

function offsetMs(zone: string, epochMs: number): number {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}

/** The first instants of new offsets, found by nothing but asking for offsets. No two changes lie within a day. */
function clockChanges(zone: string): number[] {
  const changes: number[] = [];
  for (let day = BEGIN; day < END; day += MS_PER_DAY) {
    let [low, high] = [day, day + MS_PER_DAY];
    if (offsetMs(zone, low) === offsetMs(zone, high)) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetMs(zone, middle) === offsetMs(zone, low)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}

/** Lives through the minutes around a change one by one and notes when a clock on the wall first shows each. */
function firstShownAround(zone: string, change: number): Map<number, number> {
  const before = offsetMs(zone, change - 1);
  const after = offsetMs(zone, change);
  const shown = new Map<number, number>();
  for (let instant = change - 5 * MS_PER_DAY; instant < change + 5 * MS_PER_DAY; instant += MS_PER_MINUTE) {
    const wall = instant + (instant < change ? before : after);
    if (!shown.has(wall)) shown.set(wall, instant);
  }
  return shown;
}

const changes = ZONES.flatMap((zone) => clockChanges(zone).map((change) => ({ zone, change })));

test('the zones change their clocks as often as they are known to', () => {
  const perZone = Object.fromEntries(
    ZONES.map((zone) => [zone, changes.filter((c) => c.zone === zone).length]),
  );
  assert.equal(perZone['Europe/London'], 14);
  assert.equal(perZone['America/New_York'], 14);
  assert.equal(perZone['Australia/Lord_Howe'], 14);
  assert.equal(perZone['Pacific/Chatham'], 14);
  assert.ok((perZone['Africa/Casablanca'] ?? 0) > 0);
  assert.equal(perZone['Asia/Dubai'], 0);
  assert.equal(perZone['Pacific/Apia'], 0);
});

test('every minute of the trading days around every clock change has the instant that a wall clock shows', () => {
  for (const { zone, change } of changes) {
    const shown = firstShownAround(zone, change);
    const date = localOf(zone, change).date;
    for (const days of [-2, -1, 0, 1]) {
      const clock = dayClock(zone, addDays(date, days));
      const midnight = Date.parse(clock.date);
      // The day before yesterday meets this change only in its last hours.
      for (let minute = days === -2 ? 2700 : 0; minute <= 2880; minute += 1) {
        const actual = clock.epochMsOf(minute);
        if (actual === shown.get(midnight + minute * MS_PER_MINUTE)) continue;
        assert.fail(`${zone} ${clock.date} minute ${minute}: ${actual}`);
      }
    }
  }
});

test('local to instant to local is where it began, and back to the earlier instant in an overlap', () => {
  for (const { zone, change } of changes) {
    for (let minutes = -180; minutes < 180; minutes += 1) {
      const instant = change + minutes * MS_PER_MINUTE;
      const local = localOf(zone, instant);
      const back = dayClock(zone, local.date).epochMsOf(local.minute);
      const repeated = offsetMs(zone, change - 1) - offsetMs(zone, change);
      const isSecondTime = minutes >= 0 && minutes * MS_PER_MINUTE < repeated;
      assert.equal(back, isSecondTime ? instant - repeated : instant, `${zone} ${dateTimeOf(zone, instant)}`);
      assert.ok(back !== undefined);
      assert.deepEqual(localOf(zone, back), local);
    }
  }
});

const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const anyDate = fc.integer({ min: 0, max: 2556 }).map((days) => addDays('2024-01-01', days));
const anyMinute = fc.integer({ min: 0, max: 2880 });

test('the fast clock of a day equals the slow one, in every zone there is', () => {
  fc.assert(
    fc.property(anyZone, anyDate, anyMinute, (zone, date, minute) => {
      const local = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes: minute });
      assert.equal(dayClock(zone, date).epochMsOf(minute), instantOfLocal(zone, local)?.epochMilliseconds);
    }),
    { numRuns: 3000 },
  );
});

test('a day that a zone left out has no minute of its own, and the next one has all', () => {
  const skipped = dayClock('Pacific/Apia', '2011-12-30');
  for (let minute = 0; minute < 1440; minute += 1) assert.equal(skipped.epochMsOf(minute), undefined);
  assert.equal(skipped.epochMsOf(1440), Date.parse('2011-12-30T10:00:00Z'));
  assert.equal(dayClock('Pacific/Apia', '2011-12-31').epochMsOf(0), Date.parse('2011-12-30T10:00:00Z'));
});

test('a night out on the last Sunday of October: 01:30 is meant once, and the time shown has its offset', () => {
  const saturday = dayClock('Europe/London', '2026-10-24');
  const early = saturday.epochMsOf(25 * 60 + 30);
  assert.equal(early, Date.parse('2026-10-25T00:30:00Z'));
  assert.equal(dateTimeOf('Europe/London', early ?? 0), '2026-10-25T01:30:00+01:00');
  assert.equal(dateTimeOf('Europe/London', (early ?? 0) + 3_600_000), '2026-10-25T01:30:00+00:00');
  assert.equal(saturday.epochMsOf(26 * 60), Date.parse('2026-10-25T02:00:00Z'));
});

test('a night out on the last Sunday of March: 01:30 never comes', () => {
  const saturday = dayClock('Europe/London', '2026-03-28');
  assert.equal(saturday.epochMsOf(25 * 60 + 30), undefined);
  assert.equal(saturday.epochMsOf(26 * 60), Date.parse('2026-03-29T01:00:00Z'));
});

test('dates are counted by the calendar and weeks begin on Monday', () => {
  assert.equal(addDays('2028-02-28', 1), '2028-02-29');
  assert.equal(addDays('2026-01-01', -1), '2025-12-31');
  assert.deepEqual(['2026-03-30', '2026-03-31', '2026-04-05'].map(weekdayOf), [1, 2, 7]);
});
