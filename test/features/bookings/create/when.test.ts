import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startOf } from '../../../../src/features/bookings/create/draft.ts';
import type { HoursRows } from '../../../../src/features/venues/hours/hours.ts';
import { Problem } from '../../../../src/kernel/problem.ts';
import { clockTime } from '../../../../src/kernel/zone-time.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const hoursOf = (opens: number, closes: number): HoursRows => ({
  hours: EVERY_DAY.map((weekday) => ({ weekday, opens, closes })),
  exceptions: [],
});
const UNKNOWN: HoursRows = { hours: [], exceptions: [] };

const zone = fc.constantFrom(
  'Europe/London',
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'UTC',
);
const date = fc
  .integer({ min: 0, max: 60 * 365 })
  .map((days) => Temporal.PlainDate.from('2000-01-01').add({ days }).toString());
/** A trading day that ends before the next one begins. */
const tradingMinute = fc
  .tuple(fc.integer({ min: 0, max: 1430 }), fc.integer({ min: 10, max: 1440 }))
  .chain(([opens, length]) =>
    fc.record({
      hours: fc.constant(hoursOf(opens, opens + length)),
      minute: fc.integer({ min: opens, max: opens + length - 1 }),
    }),
  );

interface Asked {
  zone: string;
  date: string;
  hours: HoursRows;
  minute: number;
}

const anyStart = fc
  .record({ zone, date, trading: tradingMinute })
  .map(({ trading, ...rest }): Asked => ({ ...rest, ...trading }));
/** In the hours around a clock change, as the morning of its day or as the night of the one before. */
const changingStart = fc
  .record({
    zone,
    year: fc.integer({ min: 2012, max: 2036 }),
    minute: fc.integer({ min: 0, max: 240 }),
    isNight: fc.boolean(),
  })
  .map(({ zone: zoneName, year, minute, isNight }): Asked => {
    const newYear = Temporal.ZonedDateTime.from(`${year}-01-01T00:00[${zoneName}]`);
    const change = (newYear.getTimeZoneTransition('next') ?? newYear).toPlainDate();
    return isNight
      ? {
          zone: zoneName,
          date: change.subtract({ days: 1 }).toString(),
          minute: minute + 1440,
          hours: hoursOf(1080, 1700),
        }
      : { zone: zoneName, date: change.toString(), minute, hours: hoursOf(0, 600) };
  });
const start = fc.oneof(anyStart, changingStart);

/** The instants at which clocks in a zone show a minute of a trading day: none, one or two. */
function instantsOf(zoneName: string, day: string, minute: number): number[] {
  const local = Temporal.PlainDate.from(day).toPlainDateTime().add({ minutes: minute });
  const met = (['earlier', 'later'] as const)
    .map((disambiguation) => local.toZonedDateTime(zoneName, { disambiguation }))
    .filter((moment) => moment.toPlainDateTime().equals(local));
  return [...new Set(met.map((moment) => moment.epochMilliseconds))];
}

const written = (zoneName: string, epochMs: number) =>
  Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO(zoneName)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error.code;
  }
}

test('a trading day and a time are the first instant at which clocks show it, or BOOK-N-020', () => {
  let skipped = 0;
  fc.assert(
    fc.property(start, ({ zone: zoneName, date: day, hours, minute }) => {
      const moment = { date: day, time: clockTime(minute) };
      const [startMs] = instantsOf(zoneName, day, minute);
      if (startMs === undefined) {
        skipped += 1;
        assert.equal(
          codeOf(() => startOf(moment, zoneName, hours)),
          'BOOK-N-020',
        );
      } else assert.deepEqual(startOf(moment, zoneName, hours), { date: day, minute, startMs });
    }),
    { numRuns: 5000, seed: 1 },
  );
  assert.ok(skipped > 0, 'some of the times were skipped ones');
});

test('an instant is found on the trading day that runs then, whichever of two it is, alone and beside date and time', () => {
  let repeated = 0;
  fc.assert(
    fc.property(start, ({ zone: zoneName, date: day, hours, minute }) => {
      const instants = instantsOf(zoneName, day, minute);
      if (instants.length > 1) repeated += 1;
      for (const startMs of instants) {
        const expected = { date: day, minute, startMs };
        const dateTime = written(zoneName, startMs);
        const elsewhere = written('Asia/Tokyo', startMs);
        const time = clockTime(minute);
        for (const moment of [
          { dateTime },
          { dateTime: elsewhere },
          { dateTime, date: day },
          { dateTime, time },
          { dateTime: elsewhere, date: day, time },
          { dateTime, date: null, time: null },
        ])
          assert.deepEqual(startOf(moment, zoneName, hours), expected);
      }
    }),
    { numRuns: 3000, seed: 2 },
  );
  assert.ok(repeated > 0, 'some of the times came twice');
});

test('two forms are taken only when the instant is the one that dateTime says', () => {
  const time = fc.integer({ min: 0, max: 1439 }).map(clockTime);
  const near = fc.integer({ min: -3 * 1440, max: 3 * 1440 });
  fc.assert(
    fc.property(zone, date, tradingMinute, time, near, (zoneName, day, { hours }, shown, minutes) => {
      const midnightMs = Temporal.PlainDate.from(day).toZonedDateTime(zoneName).epochMilliseconds;
      const startMs = midnightMs + minutes * 60_000;
      const moment = { dateTime: written(zoneName, startMs), date: day, time: shown };
      const local = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(zoneName);
      const isSameTime = local.toPlainTime().toString({ smallestUnit: 'minute' }) === shown;
      const daysLater = local.toPlainDate().since(day, { largestUnit: 'days' }).days;
      const code = codeOf(() => startOf(moment, zoneName, hours));
      if (!isSameTime || daysLater < 0 || daysLater > 1) assert.equal(code, 'BOOK-N-018');
      else if (daysLater === 0) assert.equal(code, undefined);
      if (code === undefined) assert.equal(startOf(moment, zoneName, hours).startMs, startMs);
    }),
    { numRuns: 3000, seed: 3 },
  );
});

test('whatever is sent as date, time and dateTime, the answer is a start or one of three codes', () => {
  const text = fc.option(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.stringMatching(/^[0-9:TtZz.+ -]{0,40}$/),
      fc.constantFrom(
        '2027-03-28',
        '01:30',
        '2027-03-28T01:30:00Z',
        '9999-12-31',
        '0001-01-01T00:00:00+14:00',
      ),
    ),
    { nil: undefined },
  );
  fc.assert(
    fc.property(text, text, text, zone, (dateTime, day, time, zoneName) => {
      const code = codeOf(() => startOf({ dateTime, date: day, time }, zoneName, UNKNOWN));
      assert.ok([undefined, 'BOOK-N-018', 'BOOK-N-019', 'BOOK-N-020'].includes(code), `${code}`);
      if (dateTime === undefined && (day === undefined || time === undefined))
        assert.equal(code, 'BOOK-N-019');
    }),
    { numRuns: 5000, seed: 4 },
  );
});

test('an exception of the calendar changes to which day a night belongs', () => {
  const bar = hoursOf(18 * 60, 27 * 60);
  const early: HoursRows = {
    ...bar,
    exceptions: [{ date: '2026-12-05', opens: 18 * 60, closes: 23 * 60, reason: null }],
  };
  const night = { dateTime: '2026-12-06T01:00:00Z' };
  assert.deepEqual(startOf(night, 'Europe/London', bar).date, '2026-12-05');
  assert.deepEqual(startOf(night, 'Europe/London', early).date, '2026-12-06');
  assert.equal(
    codeOf(() => startOf({ ...night, date: '2026-12-05' }, 'Europe/London', early)),
    'BOOK-N-018',
  );
});

test('where nobody knows the hours the caller says to which trading day a night belongs', () => {
  const dateTime = '2026-12-06T01:00:00Z';
  const at = (moment: object) => startOf({ dateTime, ...moment }, 'Europe/London', UNKNOWN);
  assert.deepEqual(at({}), { date: '2026-12-06', minute: 60, startMs: Date.parse(dateTime) });
  assert.deepEqual(at({ date: '2026-12-05' }), {
    date: '2026-12-05',
    minute: 1500,
    startMs: Date.parse(dateTime),
  });
  assert.equal(
    codeOf(() => at({ date: '2026-12-04' })),
    'BOOK-N-018',
  );
});

test('seconds are part of the instant', () => {
  const bar = hoursOf(18 * 60, 23 * 60);
  const { startMs } = startOf({ date: '2026-12-05', time: '19:00:07' }, 'Europe/London', bar);
  assert.equal(startMs, Date.parse('2026-12-05T19:00:07Z'));
});
