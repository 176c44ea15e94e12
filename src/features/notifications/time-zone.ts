/**
 * VTIMEZONE (RFC 5545, 3.6.5) of an IANA zone around one event. Calendars that know the zone by name ignore it; the
 * others need the offsets that hold on that day.
 */

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
/** How many of the same transitions in a row make a rule. */
const YEARS_OF_A_RULE = 3;

/** A change of the offset: standard time begins or ends. */
interface Transition {
  /** On the clock as it was until then, which is how calendars count it. */
  onset: Temporal.PlainDateTime;
  fromNs: number;
  toNs: number;
}

export function timeZoneLines(zone: string, from: Temporal.Instant, to: Temporal.Instant): string[] {
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances(zone, from, to), 'END:VTIMEZONE'];
}

function observances(zone: string, from: Temporal.Instant, to: Temporal.Instant): string[] {
  const start = from.toZonedDateTimeISO(zone);
  const before = transitionsBefore(start, 2);
  const [last] = before;
  // No change in all its history before the event, or none after it: one offset is all there is to say.
  if (!last || !start.getTimeZoneTransition('next'))
    return observance(last ?? fixed(start), null, 'STANDARD');
  const rules = before.map((each) => ({ transition: each, rule: ruleOf(zone, each) }));
  if (before.length === 2 && rules.every(({ rule }) => rule !== null))
    return rules.flatMap(({ transition, rule }) => observance(transition, rule));
  // An irregular zone: what holds at the beginning, and each change until the end.
  return [last, ...transitionsAfter(start, to)].flatMap((each) => observance(each, null));
}

const fixed = (at: Temporal.ZonedDateTime): Transition => ({
  onset: Temporal.PlainDateTime.from('1970-01-01T00:00:00'),
  fromNs: at.offsetNanoseconds,
  toNs: at.offsetNanoseconds,
});

function transitionAt(at: Temporal.ZonedDateTime): Transition {
  const before = at.subtract({ nanoseconds: 1 });
  const onset = at.toInstant().toZonedDateTimeISO(before.offset).toPlainDateTime();
  return { onset, fromNs: before.offsetNanoseconds, toNs: at.offsetNanoseconds };
}

/** The latest first. */
function transitionsBefore(start: Temporal.ZonedDateTime, most: number): Transition[] {
  const found: Transition[] = [];
  // One that happens at the start itself holds already.
  let at = start.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  while (at && found.length < most) {
    found.push(transitionAt(at));
    at = at.getTimeZoneTransition('previous');
  }
  return found;
}

function transitionsAfter(start: Temporal.ZonedDateTime, to: Temporal.Instant): Transition[] {
  const found: Transition[] = [];
  let at = start.getTimeZoneTransition('next');
  while (at && Temporal.Instant.compare(at.toInstant(), to) <= 0) {
    found.push(transitionAt(at));
    at = at.getTimeZoneTransition('next');
  }
  return found;
}

/** The yearly rule that this transition and those of the next years follow; null: they follow none. */
function ruleOf(zone: string, { onset, fromNs, toNs }: Transition): string | null {
  const years = [...Array(YEARS_OF_A_RULE).keys()].map((year) => onset.add({ years: year }));
  const same = years.map((year) => {
    const next = year.subtract({ days: 10 }).toZonedDateTime(zone).getTimeZoneTransition('next');
    return next && transitionAt(next);
  });
  const isRegular = same.every(
    (each) =>
      each?.fromNs === fromNs &&
      each.toNs === toNs &&
      each.onset.month === onset.month &&
      each.onset.dayOfWeek === onset.dayOfWeek &&
      each.onset.toPlainTime().equals(onset.toPlainTime()),
  );
  if (!isRegular) return null;
  const days = same.map((each) => each as Transition).map((each) => each.onset);
  const nth = days.map(({ day }) => Math.ceil(day / 7));
  const isLast = days.every(({ day, daysInMonth }) => day + 7 > daysInMonth);
  const [first] = nth;
  const week = isLast ? -1 : nth.every((each) => each === first) ? first : undefined;
  if (week === undefined) return null;
  return `FREQ=YEARLY;BYMONTH=${onset.month};BYDAY=${week}${WEEKDAYS[onset.dayOfWeek - 1]}`;
}

function observance(
  { onset, fromNs, toNs }: Transition,
  rule: string | null,
  name = toNs > fromNs ? 'DAYLIGHT' : 'STANDARD',
): string[] {
  return [
    `BEGIN:${name}`,
    `DTSTART:${localStamp(onset)}`,
    `TZOFFSETFROM:${offset(fromNs)}`,
    `TZOFFSETTO:${offset(toNs)}`,
    ...(rule === null ? [] : [`RRULE:${rule}`]),
    `END:${name}`,
  ];
}

function offset(nanoseconds: number): string {
  const minutes = Math.round(Math.abs(nanoseconds) / 60e9);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${nanoseconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
}

/** As `20261121T193000`. */
export const localStamp = (at: Temporal.PlainDateTime) =>
  at.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
