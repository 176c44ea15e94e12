import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { instantOf, isClockTime, isDate, isDateTime, isTime } from '../../src/kernel/rfc3339.ts';

const calendarDay = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

describe('dates and times of RFC 3339', () => {
  test('every day that the calendar knows is a date, and its instant a date-time', () => {
    fc.assert(
      fc.property(calendarDay, (iso) => {
        assert.ok(isDate(iso.slice(0, 10)));
        assert.ok(isTime(iso.slice(11)));
        assert.ok(isDateTime(iso));
        assert.equal(instantOf(iso).epochMilliseconds, Date.parse(iso));
      }),
    );
  });

  test('a valid date with one character changed is valid exactly when Temporal can read it', () => {
    fc.assert(
      fc.property(
        calendarDay.map((iso) => iso.slice(0, 10)),
        fc.nat(9),
        fc.constantFrom(...'0123456789-:+ Tz'),
        (date, at, char) => {
          const changed = date.slice(0, at) + char + date.slice(at + 1);
          const shaped = /^\d{4}-\d{2}-\d{2}$/.test(changed);
          assert.equal(isDate(changed), shaped && isReadable(changed));
        },
      ),
    );
  });

  test('no text makes any of them throw, and what is a date-time always has an instant', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d:.TtZz+-]{0,40}$/)), (text) => {
        isDate(text);
        isTime(text);
        isClockTime(text);
        if (isDateTime(text)) instantOf(text);
      }),
    );
  });

  test('a leap second is accepted only where a month ends in UTC', () => {
    assert.ok(isDateTime('2016-12-31T23:59:60Z'));
    assert.ok(isDateTime('2017-01-01T00:59:60+01:00'));
    assert.ok(isDateTime('2016-12-31T18:59:60-05:00'));
    assert.ok(!isDateTime('2016-12-30T23:59:60Z'));
    assert.ok(!isDateTime('2016-12-31T00:59:60+01:00'));
    assert.ok(!isDateTime('2017-01-01T18:59:60-05:00'));
  });

  test('a fraction finer than a nanosecond is cut off rather than refused', () => {
    const instant = instantOf('1985-04-12T00:59:59.999999999999999Z');
    assert.equal(instant.toString(), '1985-04-12T00:59:59.999999999Z');
    assert.equal(instantOf('2026-07-01t19:30:00+01:00').toString(), '2026-07-01T18:30:00Z');
  });

  test('a clock time has hours and minutes, may have seconds, and never an offset', () => {
    for (const text of ['00:00', '23:59', '09:05:59', '23:59:59']) assert.ok(isClockTime(text), text);
    for (const text of [
      '24:00',
      '9:05',
      '19:60',
      '19:30:60',
      '19:30Z',
      '19:30\n',
      '',
      '1930',
      '19:30:00.5',
    ]) {
      assert.ok(!isClockTime(text), text);
    }
  });
});

function isReadable(date: string): boolean {
  try {
    Temporal.PlainDate.from(date);
    return true;
  } catch {
    return false;
  }
}
