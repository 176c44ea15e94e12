/** Quarters of an hour and ranges of trading days, also when the clocks change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayRange, quartersOf, shownRange } from '../../../src/features/diary/day.ts';
import { parsePosition, positionText } from '../../../src/features/diary/position.ts';

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const LONDON = 'Europe/London';

test('the night on which the clocks go back has an hour more, and the one in spring an hour less', () => {
  const hours = ({ from, to }: ReturnType<typeof dayRange>) => from.until(to).total('hours');
  assert.equal(hours(dayRange(LONDON, '2026-10-24')), 31);
  assert.equal(hours(dayRange(LONDON, '2026-10-25')), 31);
  assert.equal(hours(dayRange(LONDON, '2027-03-28')), 29);
  assert.equal(hours(dayRange(LONDON, '2026-07-01')), 30);
});

test('a party through the hour that comes twice is present in eight quarters of two hours', () => {
  const startMs = ms('2026-10-24T23:30Z');
  const endMs = ms('2026-10-25T01:30Z');
  const quarters = quartersOf(LONDON, [{ startMs, endMs, covers: 4 }]);
  assert.equal(quarters.length, 8);
  assert.deepEqual(quarters[0], {
    at: '2026-10-25T00:30:00+01:00',
    present: 4,
    starting: 4,
    maxStarting: null,
  });
  assert.deepEqual(
    quarters.slice(1, 7).map(({ at }) => at.slice(11)),
    [
      '00:45:00+01:00',
      '01:00:00+01:00',
      '01:15:00+01:00',
      '01:30:00+01:00',
      '01:45:00+01:00',
      '01:00:00+00:00',
    ],
  );
  const spring = [{ startMs: ms('2027-03-28T00:30Z'), endMs: ms('2027-03-28T01:30Z'), covers: 2 }];
  assert.deepEqual(
    quartersOf(LONDON, spring).map(({ at }) => at.slice(11)),
    ['00:30:00+00:00', '00:45:00+00:00', '02:00:00+01:00', '02:15:00+01:00'],
  );
  assert.equal(
    shownRange(LONDON, '2026-10-24', [{ startMs, endMs, covers: 4 }]).to,
    '2026-10-25T01:30:00+00:00',
  );
});

test('covers of quarters are what counting party by party gives', () => {
  const base = ms('2026-12-05T17:00Z');
  const sitting = fc.record({
    startMs: fc.integer({ min: 0, max: 600 }).map((minute) => base + minute * 60_000),
    length: fc.integer({ min: 1, max: 300 }),
    covers: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(sitting, { maxLength: 20 }), (drawn) => {
      const sittings = drawn.map(({ startMs, length, covers }) => ({
        startMs,
        endMs: startMs + length * 60_000,
        covers,
      }));
      const quarters = quartersOf(LONDON, sittings);
      const sum = (values: number[]) => values.reduce((all, each) => all + each, 0);
      assert.equal(sum(quarters.map(({ starting }) => starting)), sum(sittings.map(({ covers }) => covers)));
      for (const { at, present } of quarters) {
        const from = ms(at);
        const there = sittings.filter(({ startMs, endMs }) => startMs < from + 900_000 && endMs > from);
        assert.equal(present, sum(there.map(({ covers }) => covers)), at);
      }
    }),
  );
});

test('positions are read back, and what PostgreSQL would refuse is none', () => {
  const cluster = '7709219276091266977-00000001';
  for (const snapshot of ['5:5:', '5:9:', '5:9:5,7,8', '773:800:773'])
    assert.deepEqual(parsePosition(positionText({ cluster, snapshot })), { cluster, snapshot });
  for (const text of [
    '',
    'x',
    cluster,
    `${cluster}.`,
    `${cluster}.9:5:`,
    `${cluster}.0:5:`,
    `${cluster}.5:9:9`,
  ])
    assert.equal(parsePosition(text), undefined, text);
  for (const text of [
    `${cluster}.5:9:4`,
    `${cluster}.5:9:7,6`,
    `${cluster}.5:9:7,`,
    `${cluster}.5:9:7 or 1=1`,
  ])
    assert.equal(parsePosition(text), undefined, text);
});
