import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dueAfter } from '../../../../src/features/feed/scheduler.ts';
import { parseVenueId } from '../../../../src/kernel/ids.ts';
import { bistroApp, NOW, VENUE } from '../bistro.ts';

const bistro = bistroApp();
const SPREAD_HOURS = 2;

const zone = fc.constantFrom('Europe/London', 'America/Havana', 'Australia/Lord_Howe', 'Pacific/Kiritimati');
const nowMs = fc.integer({ min: Date.parse('2030-01-01'), max: Date.parse('2031-01-01') });
const venueId = fc.integer({ min: 1, max: 9999 }).map((id) => parseVenueId(`${id}|house|x`));

test('a venue is looked over early on its next day, and made anew early on its next Monday', () => {
  fc.assert(
    fc.property(zone, nowMs, venueId, (timeZone, ms, id) => {
      const now = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
      const { dueAt, fullDueAt } = dueAfter(ms, id, timeZone);
      const [day, full] = [dueAt, fullDueAt].map((at) => at.toZonedDateTimeISO(timeZone));
      assert.ok(day && full);
      assert.ok(day.toPlainDate().equals(now.toPlainDate().add({ days: 1 })));
      assert.equal(full.dayOfWeek, 1);
      assert.ok(full.toPlainDate().since(now.toPlainDate()).days <= 7);
      assert.ok(Temporal.PlainDate.compare(full, now) > 0);
      for (const at of [day, full]) assert.ok(at.since(at.startOfDay()).total('hours') <= SPREAD_HOURS);
    }),
  );
});

const dueTimes = async () => {
  const [row] = await bistro().sql<{ due: Temporal.Instant; full: Temporal.Instant }[]>`
    select due_at as due, full_due_at as full from feed_venue where venue_id = ${VENUE}`;
  assert.ok(row);
  return row;
};

test('a run because of a change shortly before everything is due does not put that off', async () => {
  const { make, sql } = bistro();
  await make({ hours: 0 }, { isFull: true });
  const { full } = await dueTimes();
  const hours = full.since(NOW).total('hours') - 0.01;
  await sql`update venue set name = 'Other' where id = ${VENUE}`;
  await make({ hours: Math.floor(hours), minutes: Math.floor((hours % 1) * 60) });
  assert.equal(String((await dueTimes()).due), String(full));
  await make({ hours: Math.ceil(hours) }, { isFull: true });
  assert.equal(full.until((await dueTimes()).full).total('hours'), 7 * 24);
});
