import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AvailabilityQuery } from '../../../src/features/availability/query.ts';
import { type ClosesOn, onTradingDay, windowOf } from '../../../src/features/availability/window.ts';

const ZONE = 'Europe/London';
const query = (parts: Partial<AvailabilityQuery>): AvailabilityQuery => ({
  partySize: 2,
  children: 0,
  includeUnavailable: false,
  ...parts,
});
const EVENING = { firstMinute: 1080, lastMinute: 1500, closesMinute: 1620 };
const LUNCH = { firstMinute: 720, lastMinute: 1260, closesMinute: 1380 };
/** A bar that shuts at three every night. */
const untilThree = () => EVENING.closesMinute;

const included = (parts: Partial<AvailabilityQuery>, minutes: number[], day = EVENING) => {
  const window = windowOf(query(parts), ZONE, untilThree);
  return minutes.filter((minute) => window.includes({ minute, startMs: 0 }, day));
};

function refusal(parts: Partial<AvailabilityQuery>, closesOn: ClosesOn = untilThree): string {
  try {
    windowOf(query(parts), ZONE, closesOn);
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('a clock time is after midnight only where the day trades so late and begins after it', () => {
  assert.equal(onTradingDay('00:30', EVENING), 1470);
  assert.equal(onTradingDay('19:00', EVENING), 1140);
  assert.equal(onTradingDay('09:00', LUNCH), 540);
  assert.equal(onTradingDay('00:30', LUNCH), 30);
});

test('the hour of closing is still that night, though nobody can begin then', () => {
  assert.equal(onTradingDay('03:00', EVENING), 1620);
  assert.equal(onTradingDay('03:01', EVENING), 181);
  assert.deepEqual(included({ date: '2026-12-05', endTime: '03:00' }, [1080, 1500]), [1080, 1500]);
});

test('time keeps the starts within an hour on either side, ends included', () => {
  assert.deepEqual(
    included({ date: '2026-12-05', time: '20:00' }, [1139, 1140, 1200, 1260, 1261]),
    [1140, 1200, 1260],
  );
  assert.deepEqual(
    included({ date: '2026-12-05', time: '00:30' }, [1380, 1410, 1470, 1530, 1531]),
    [1410, 1470, 1530],
  );
});

test('startTime and endTime bound the start, ends included, also across midnight', () => {
  const minutes = [1080, 1200, 1380, 1500, 1560];
  assert.deepEqual(included({ date: '2026-12-05', startTime: '20:00' }, minutes), [1200, 1380, 1500, 1560]);
  assert.deepEqual(included({ date: '2026-12-05', endTime: '20:00' }, minutes), [1080, 1200]);
  assert.deepEqual(included({ date: '2026-12-05', endTime: '01:00' }, minutes), [1080, 1200, 1380, 1500]);
  assert.deepEqual(
    included({ date: '2026-12-05', startTime: '23:00', endTime: '01:00' }, minutes),
    [1380, 1500],
  );
  assert.deepEqual(included({ date: '2026-12-05', startTime: '09:00' }, [720, 900], LUNCH), [720, 900]);
});

test('a window of instants looks at the trading days it can touch, the one before included', () => {
  const window = windowOf(
    query({ startDateTime: '2026-12-05T23:00:00Z', endDateTime: '2026-12-07T01:00:00+00:00' }),
    ZONE,
    untilThree,
  );
  assert.deepEqual(window.dates, ['2026-12-04', '2026-12-05', '2026-12-06', '2026-12-07']);
});

test('without endDateTime, endTime is the next time that clocks show it', () => {
  const hour = 3_600_000;
  const eight = Date.parse('2026-12-05T20:00:00Z');
  const until = (endTime: string, startMs: number) =>
    windowOf(query({ startDateTime: '2026-12-05T20:00:00Z', endTime }), ZONE, untilThree).includes(
      { minute: 1200, startMs },
      LUNCH,
    );
  assert.ok(until('21:00', eight + hour));
  assert.ok(!until('21:00', eight + hour + 60_000));
  assert.ok(until('01:00', eight + 5 * hour), 'after midnight, whether the house trades so late or not');
  assert.ok(!until('01:00', eight + 5 * hour + 60_000));
  assert.ok(!until('21:00', eight - 60_000));
});

test('a product whose hours nobody knows may trade until any hour', () => {
  const late = { startDateTime: '2026-12-05T05:00:00Z', date: '2026-12-04' };
  assert.equal(refusal(late), 'AVAIL-N-009');
  assert.equal(
    refusal(late, () => undefined),
    'accepted',
  );
});

test('a plus sign that arrived as a space is understood', () => {
  const window = windowOf(query({ startDateTime: '2026-07-05T19:00:00 01:00' }), ZONE, untilThree);
  assert.equal(window.instants?.startMs, Date.parse('2026-07-05T18:00:00Z'));
});

for (const [parts, code] of [
  [{}, 'VALID-N-001'],
  [{ startDateTime: 'tonight' }, 'VALID-N-001'],
  [{ startDateTime: '2026-02-30T19:00:00Z' }, 'VALID-N-001'],
  [{ startDateTime: '2026-12-05T19:00:00' }, 'AVAIL-N-010'],
  [{ startDateTime: '2026-12-05T19:00' }, 'AVAIL-N-010'],
  [{ endDateTime: '2026-12-05T19:00:00Z' }, 'AVAIL-N-010'],
  [{ date: '2026-12-05', endDateTime: '2026-12-05T19:00:00Z' }, 'AVAIL-N-010'],
  [{ startDateTime: '2026-12-05T19:00:00Z', endDateTime: '2026-12-05T18:59:59Z' }, 'AVAIL-N-010'],
  [{ startDateTime: '2026-12-05T19:00:00Z', endDateTime: '2026-12-05T19:00:00' }, 'AVAIL-N-010'],
  [{ startDateTime: '2026-12-05T19:00:00Z', endDateTime: '2026-12-07T19:00:01Z' }, 'AVAIL-N-010'],
  [{ startDateTime: '2026-12-05T19:00:00Z', endDateTime: '2026-12-07T19:00:00Z' }, 'accepted'],
  [{ startDateTime: '2026-12-05T19:00:00Z', endDateTime: '2026-12-05T19:00:00Z' }, 'accepted'],
  [{ startDateTime: '2026-12-05T19:00:00Z', date: '2026-12-06' }, 'AVAIL-N-009'],
  [{ startDateTime: '2026-12-05T19:00:00Z', date: '2026-12-05' }, 'accepted'],
  [{ startDateTime: '2026-12-05T00:30:00Z', date: '2026-12-04' }, 'accepted'],
  [{ startDateTime: '2026-12-05T03:00:00Z', date: '2026-12-04' }, 'accepted'],
  [{ startDateTime: '2026-12-05T03:01:00Z', date: '2026-12-04' }, 'AVAIL-N-009'],
  [{ startDateTime: '2026-12-05T19:00:00Z', date: '2026-12-04' }, 'AVAIL-N-009'],
  [{ startDateTime: '2026-12-05T00:30:00Z', date: '2026-12-03' }, 'AVAIL-N-009'],
  [{ date: '9999-12-30' }, 'VALID-N-001'],
  [{ date: '9999-12-29' }, 'accepted'],
  [{ date: '0001-01-01' }, 'VALID-N-001'],
  [{ date: '0001-01-02' }, 'accepted'],
  [{ startDateTime: '0001-01-02T12:00:00Z' }, 'VALID-N-001'],
  [{ startDateTime: '0001-01-03T12:00:00Z' }, 'accepted'],
  [{ startDateTime: '9999-12-31T23:59:59-23:59' }, 'VALID-N-001'],
  [{ startDateTime: '9999-12-29T00:00:00Z', endDateTime: '9999-12-30T00:00:00Z' }, 'VALID-N-001'],
  [{ startDateTime: '2026-12-05T19:00:00Z', startTime: '19:30' }, 'AVAIL-N-009'],
  [{ startDateTime: '2026-07-05T19:00:00Z', startTime: '20:00' }, 'accepted'],
  [
    { startDateTime: '2026-12-05T19:00:00Z', endDateTime: '2026-12-05T21:00:00Z', endTime: '22:00' },
    'AVAIL-N-009',
  ],
  [
    { startDateTime: '2026-12-05T19:00:00Z', endDateTime: '2026-12-05T21:00:00Z', endTime: '21:00' },
    'accepted',
  ],
] as const) {
  test(`${JSON.stringify(parts)} is ${code}`, () => assert.equal(refusal(parts), code));
}
