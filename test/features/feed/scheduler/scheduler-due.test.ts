import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dueAfter } from '../../../../src/features/feed/scheduler.ts';
import { parseVenueId } from '../../../../src/kernel/ids.ts';

const ZONES = Intl.supportedValuesOf('timeZone');
const zone = fc.constantFrom(...ZONES);
const venue = fc.integer({ min: 1, max: 1e6 }).map((id) => parseVenueId(`1|house|venue-${id}`));
const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2036, 0, 1) });
const HOUR_MS = 3_600_000;

const localOf = (instant: Temporal.Instant, timeZone: string) => instant.toZonedDateTimeISO(timeZone);
const today = (nowMs: number, timeZone: string) =>
  localOf(Temporal.Instant.fromEpochMilliseconds(nowMs), timeZone).toPlainDate();

test('a venue is next looked over when its next day has begun, within two hours, wherever it is', () => {
  fc.assert(
    fc.property(moment, venue, zone, (nowMs, venueId, timeZone) => {
      const { dueAt } = dueAfter(nowMs, venueId, timeZone);
      const due = localOf(dueAt, timeZone);
      const began = due.startOfDay();
      assert.equal(due.toPlainDate().toString(), today(nowMs, timeZone).add({ days: 1 }).toString());
      assert.ok(due.epochMilliseconds - began.epochMilliseconds < 2 * HOUR_MS);
    }),
  );
});

test('everything is made anew on the next Monday, at a time when it is looked over anyway', () => {
  fc.assert(
    fc.property(moment, venue, zone, (nowMs, venueId, timeZone) => {
      const { fullDueAt } = dueAfter(nowMs, venueId, timeZone);
      const monday = localOf(fullDueAt, timeZone).toPlainDate();
      const ahead = today(nowMs, timeZone).until(monday).days;
      assert.equal(monday.dayOfWeek, 1);
      assert.ok(ahead >= 1 && ahead <= 7);
      const dayBefore = monday.subtract({ days: 1 }).toZonedDateTime({ timeZone, plainTime: '12:00' });
      assert.ok(dueAfter(dayBefore.epochMilliseconds, venueId, timeZone).dueAt.equals(fullDueAt));
    }),
  );
});

test('venues of one zone are spread over the two hours', () => {
  const nowMs = Date.UTC(2027, 0, 1);
  const minutes = new Set(
    Array.from({ length: 1000 }, (_, index) =>
      dueAfter(nowMs, parseVenueId(`1|house|venue-${index}`), 'Europe/London').dueAt.toString(),
    ),
  );
  assert.ok(minutes.size > 100);
});
