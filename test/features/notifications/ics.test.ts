import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { type CalendarEntry, calendarOf } from '../../../src/features/notifications/ics.ts';

/** Read by another implementation, which knows no zones but the one in the file. */

const entry: CalendarEntry = {
  bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
  state: 'confirmed',
  sequence: 3,
  stamp: Temporal.Instant.from('2026-11-15T10:00:00Z'),
  startsAt: Temporal.Instant.from('2026-11-21T19:30:00Z'),
  durationMinutes: 90,
  timeZone: 'Europe/London',
  summary: 'Soho Grill',
  description: 'Dear Ada,\n\nYour booking is confirmed.\n',
  location: 'Soho Grill, 12 Dean Street, London',
  organizer: { name: 'Soho Grill', email: 'desk@soho-grill.example' },
  attendee: { name: 'Ada Lovelace', email: 'ada+table@example.com' },
};

function parsed(change: Partial<CalendarEntry> = {}) {
  const { method, content } = calendarOf({ ...entry, ...change });
  const calendar = new ICAL.Component(ICAL.parse(content));
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents('vtimezone'))
    ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  const component = calendar.getFirstSubcomponent('vevent');
  assert.ok(component);
  const event = new ICAL.Event(component);
  return { method, content, calendar, component, event };
}

const instants = ({ event }: ReturnType<typeof parsed>) =>
  [event.startDate, event.endDate].map((time) => time.toUnixTime() * 1000);

test('an entry says what, where, when and who, and what is to be done with it', () => {
  const { method, calendar, component, event } = parsed();
  assert.equal(method, 'REQUEST');
  assert.deepEqual(
    ['version', 'calscale', 'method', 'prodid'].map((name) => calendar.getFirstPropertyValue(name)),
    ['2.0', 'GREGORIAN', 'REQUEST', '-//Maitred//Bookings//EN'],
  );
  assert.deepEqual(
    [event.uid, event.sequence, event.summary, event.location, event.description],
    [`${entry.bookingId}@maitred`, 3, entry.summary, entry.location, entry.description],
  );
  assert.equal(event.startDate.zone.tzid, 'Europe/London');
  assert.equal(component.getFirstPropertyValue('status'), 'CONFIRMED');
  assert.equal(String(component.getFirstPropertyValue('dtstamp')), '2026-11-15T10:00:00Z');
  const [organizer, attendee] = ['organizer', 'attendee'].map((name) => component.getFirstProperty(name));
  assert.equal(organizer?.getFirstValue(), 'mailto:desk@soho-grill.example');
  assert.equal(organizer?.getFirstParameter('cn'), 'Soho Grill');
  assert.equal(attendee?.getFirstValue(), 'mailto:ada+table@example.com');
  assert.equal(attendee?.getFirstParameter('partstat'), 'ACCEPTED');
  assert.equal(attendee?.getFirstParameter('rsvp'), 'FALSE');
});

test('a cancelled booking takes its entry away, one that is asked for again makes it tentative', () => {
  const cancelled = parsed({ state: 'cancelled', sequence: 4 });
  assert.equal(cancelled.method, 'CANCEL');
  assert.equal(cancelled.calendar.getFirstPropertyValue('method'), 'CANCEL');
  assert.equal(cancelled.component.getFirstPropertyValue('status'), 'CANCELLED');
  assert.deepEqual([cancelled.event.uid, cancelled.event.sequence], [parsed().event.uid, 4]);
  const tentative = parsed({ state: 'tentative' });
  assert.deepEqual(
    [tentative.method, tentative.component.getFirstPropertyValue('status')],
    ['REQUEST', 'TENTATIVE'],
  );
});

const ZONES = [
  'Europe/London',
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Tehran',
  'Asia/Gaza',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Antarctica/Troll',
  'UTC',
];

test('in every zone and at every moment it is read as the moments that were meant', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2034, 0, 1) / 60_000 }),
      fc.integer({ min: 15, max: 1440 }),
      (timeZone, minute, durationMinutes) => {
        const startsAt = Temporal.Instant.fromEpochMilliseconds(minute * 60_000);
        const read = parsed({ timeZone, startsAt, durationMinutes });
        const from = startsAt.epochMilliseconds;
        assert.deepEqual(instants(read), [from, from + durationMinutes * 60_000], read.content);
      },
    ),
    { numRuns: 1000 },
  );
});

test('around the nights in which clocks change it is so too, minute by minute', () => {
  for (const timeZone of ZONES) {
    const start = Temporal.ZonedDateTime.from(`2026-01-01T00:00[${timeZone}]`);
    let next = start.getTimeZoneTransition('next');
    while (next && next.year <= 2027) {
      for (let minutes = -180; minutes <= 180; minutes += 15) {
        const startsAt: Temporal.Instant = next.toInstant().add({ minutes });
        const read = parsed({ timeZone, startsAt, durationMinutes: 90 });
        const from: number = startsAt.epochMilliseconds;
        assert.deepEqual(instants(read), [from, from + 90 * 60_000], `${timeZone}\n${read.content}`);
      }
      next = next.getTimeZoneTransition('next');
    }
  }
});

test('lines are of 75 octets at most, and any text comes back as it was', () => {
  const printable = fc
    .string({ unit: 'grapheme', maxLength: 300 })
    .map((text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim());
  fc.assert(
    fc.property(printable, printable, printable, (summary, location, name) => {
      const read = parsed({ summary, location, attendee: { ...entry.attendee, name } });
      for (const line of read.content.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
      assert.ok(!/[^\r]\n|\r[^\n]/.test(read.content));
      assert.ok(read.content.isWellFormed());
      assert.deepEqual([read.event.summary, read.event.location], [summary, location]);
    }),
  );
});

test('what looks like a line of a calendar stays text', () => {
  const evil = 'Ada\r\nATTENDEE:mailto:eve@example.com\r\nBEGIN:VALARM';
  const read = parsed({
    summary: evil,
    location: evil,
    description: evil,
    organizer: { name: `"${evil}";X=1:`, email: 'desk@soho-grill.example' },
    attendee: { name: evil, email: 'ada@example.com' },
  });
  assert.equal(read.component.getAllProperties('attendee').length, 1);
  assert.equal(read.component.getAllSubcomponents().length, 0);
  assert.equal(read.component.getFirstProperty('attendee')?.getFirstValue(), 'mailto:ada@example.com');
  assert.equal(
    read.component.getFirstProperty('organizer')?.getFirstValue(),
    'mailto:desk@soho-grill.example',
  );
});
