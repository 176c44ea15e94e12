/**
 * The entry that a booking is in the guest's calendar (RFC 5545), sent as RFC 5546 has it: a later one with the same
 * UID and a higher SEQUENCE takes the place of the one before, wherever it was read.
 */
import { oneLine } from '../mail/service.ts';
import { localStamp, timeZoneLines } from './time-zone.ts';

export interface CalendarEntry {
  bookingId: string;
  /** What becomes of the entry. */
  state: 'confirmed' | 'tentative' | 'cancelled';
  sequence: number;
  /** When this was said. */
  stamp: Temporal.Instant;
  startsAt: Temporal.Instant;
  durationMinutes: number;
  timeZone: string;
  summary: string;
  description: string;
  location: string;
  organizer: { name: string; email: string };
  attendee: { name: string; email: string };
}

const STATUS = { confirmed: 'CONFIRMED', tentative: 'TENTATIVE', cancelled: 'CANCELLED' } as const;

export function calendarOf(entry: CalendarEntry): { method: 'REQUEST' | 'CANCEL'; content: string } {
  const method = entry.state === 'cancelled' ? 'CANCEL' : 'REQUEST';
  const lines = [
    'BEGIN:VCALENDAR',
    'PRODID:-//Maitred//Bookings//EN',
    'VERSION:2.0',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...timesOf(entry).zone,
    ...eventLines(entry),
    'END:VCALENDAR',
  ];
  return { method, content: lines.map((line) => `${folded(line)}\r\n`).join('') };
}

function eventLines(entry: CalendarEntry): string[] {
  const { start, end } = timesOf(entry);
  const { organizer, attendee } = entry;
  return [
    'BEGIN:VEVENT',
    `UID:${entry.bookingId}@maitred`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${utcStamp(entry.stamp)}`,
    `DTSTART${start}`,
    `DTEND${end}`,
    `SUMMARY:${escaped(entry.summary)}`,
    `LOCATION:${escaped(entry.location)}`,
    `DESCRIPTION:${escaped(entry.description)}`,
    `STATUS:${STATUS[entry.state]}`,
    'TRANSP:OPAQUE',
    `ORGANIZER;CN=${parameter(organizer.name)}:${mailto(organizer.email)}`,
    // No answer is expected: the table is booked.
    `ATTENDEE;CN=${parameter(attendee.name)};CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:${mailto(attendee.email)}`,
    'END:VEVENT',
  ];
}

/**
 * On the clock of the venue, so that calendars show it as it is spoken of. Calendars disagree about the hour that clocks
 * show twice, so a booking that begins or ends in it is written in UTC.
 */
function timesOf({ startsAt, durationMinutes, timeZone }: CalendarEntry) {
  const endsAt = startsAt.add({ minutes: durationMinutes });
  const locals = [startsAt, endsAt].map((at) => at.toZonedDateTimeISO(timeZone).toPlainDateTime());
  const areClear = locals.every((local) => {
    const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
      local.toZonedDateTime(timeZone, { disambiguation }).toInstant(),
    );
    return first && second?.equals(first);
  });
  if (!areClear) return { start: `:${utcStamp(startsAt)}`, end: `:${utcStamp(endsAt)}`, zone: [] };
  const [start, end] = locals.map((local) => `;TZID=${timeZone}:${localStamp(local)}`);
  return { start, end, zone: timeZoneLines(timeZone, startsAt, endsAt) };
}

const utcStamp = (at: Temporal.Instant) => `${localStamp(at.toZonedDateTimeISO('UTC').toPlainDateTime())}Z`;

const escaped = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => oneLine(line).replace(/[\\;,]/g, '\\$&'))
    .join('\\n');

/** Quotation marks cannot be written in parameters. */
const parameter = (text: string) => `"${oneLine(text).replaceAll('"', "'")}"`;

const mailto = (address: string) => `mailto:${encodeURI(address).replace(/[?#]/g, encodeURIComponent)}`;

const LINE_OCTETS = 75;

/** Lines of at most 75 octets, none broken within a character. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}
