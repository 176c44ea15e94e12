/**
 * Local time of a venue and the instants behind it. A venue's trading day begins at local midnight and may run into
 * the next morning, so a time is a date and a minute of that trading day; 1500 is one in the morning of the next
 * calendar day. Clock changes are handled here and nowhere else: a local time that was skipped has no instant, and a
 * time that occurs twice means the earlier one.
 */

export const MINUTES_PER_DAY = 1440;
/** A trading day ends no later than the end of the next calendar day. */
const MINUTES_PER_TRADING_DAY = 2 * MINUTES_PER_DAY;
export const MS_PER_MINUTE = 60_000;
export const MS_PER_HOUR = 60 * MS_PER_MINUTE;
export const MS_PER_DAY = MINUTES_PER_DAY * MS_PER_MINUTE;

/** A trading day runs into the next morning, and both need years of four digits in their zone and in UTC. */
export const FIRST_TRADING_DAY = '0001-01-02';
export const LAST_TRADING_DAY = '9999-12-29';

/** Whether we can reckon with that day. Years of other lengths begin with a sign, which sorts before every digit. */
export function isTradingDay(date: string): boolean {
  return FIRST_TRADING_DAY <= date && date <= LAST_TRADING_DAY;
}

/** The clock of one trading day in one zone. */
export interface DayClock {
  zone: string;
  date: string;
  /** The instant of a minute of the trading day, in milliseconds; undefined where the clocks skip it. */
  epochMsOf(minute: number): number | undefined;
}

const DAYS_REMEMBERED = 2000;
const remembered = new Map<string, DayClock>();

export function dayClock(zone: string, date: string): DayClock {
  const key = `${zone} ${date}`;
  const known = remembered.get(key);
  if (known) return known;
  const made = makeDayClock(zone, date);
  if (remembered.size >= DAYS_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
  remembered.set(key, made);
  return made;
}

function makeDayClock(zone: string, date: string): DayClock {
  const midnight = Temporal.PlainDate.from(date).toPlainDateTime();
  const first = midnight.toZonedDateTime(zone);
  const last = midnight.add({ minutes: MINUTES_PER_TRADING_DAY }).toZonedDateTime(zone);
  const change = first.getTimeZoneTransition('next');
  const isUniform =
    first.toPlainDateTime().equals(midnight) &&
    first.offsetNanoseconds === last.offsetNanoseconds &&
    (change === null || Temporal.ZonedDateTime.compare(change, last) > 0);
  if (isUniform) {
    const startMs = first.epochMilliseconds;
    return { zone, date, epochMsOf: (minute) => startMs + minute * MS_PER_MINUTE };
  }
  return {
    zone,
    date,
    epochMsOf: (minute) => instantOfLocal(zone, midnight.add({ minutes: minute }))?.epochMilliseconds,
  };
}

/** The instant of a minute, or of the first after it that the clocks do not skip. */
export function msFrom(clock: DayClock, minute: number): number {
  for (let at = minute; ; at += 1) {
    const ms = clock.epochMsOf(at);
    if (ms !== undefined) return ms;
  }
}

/** The instant of a local time: undefined in a gap, the earlier of the two in an overlap. */
export function instantOfLocal(zone: string, local: Temporal.PlainDateTime): Temporal.Instant | undefined {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return earlier.toPlainDateTime().equals(local) ? earlier.toInstant() : undefined;
}

/** A time during which the clocks of a zone keep their offset; its end is excluded. */
interface Stretch {
  fromMs: number;
  toMs: number;
  offsetMs: number;
  /** As `dateTime` shows it. */
  offset: string;
  /** What `dateTime` shows, by instant: starts lie on quarters of hours, so the same few come again and again. */
  texts: Map<number, string>;
}

/** Now, a later day and the clock change between them are about all that is asked of a zone at one time. */
const STRETCHES_PER_ZONE = 8;
const stretchesByZone = new Map<string, Stretch[]>();

/** Asking a zone for its offset is slow, so the answer is remembered for all the months that it holds. */
function stretchAt(zone: string, epochMs: number): Stretch {
  const known = stretchesByZone.get(zone) ?? [];
  for (const stretch of known) if (stretch.fromMs <= epochMs && epochMs < stretch.toMs) return stretch;
  const found = readStretch(zone, epochMs);
  stretchesByZone.set(zone, [found, ...known.slice(0, STRETCHES_PER_ZONE - 1)]);
  return found;
}

function readStretch(zone: string, epochMs: number): Stretch {
  const at = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone);
  // The change before an instant is never the one at that instant, with which a stretch begins.
  const before = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const after = at.getTimeZoneTransition('next');
  return {
    fromMs: before?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    toMs: after?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1e6,
    offset: at.toString({ timeZoneName: 'never' }).slice(-'+00:00'.length),
    texts: new Map(),
  };
}

/** The calendar date and minute that clocks in the zone show at an instant. */
export function localOf(zone: string, epochMs: number): { date: string; minute: number } {
  const wallMs = epochMs + stretchAt(zone, epochMs).offsetMs;
  const day = Math.floor(wallMs / MS_PER_DAY);
  return { date: dateOfDay(day), minute: Math.floor((wallMs - day * MS_PER_DAY) / MS_PER_MINUTE) };
}

const TEXTS_PER_STRETCH = 5000;

/** What `dateTime` shows: local time with the offset that holds at that instant. */
export function dateTimeOf(zone: string, epochMs: number): string {
  const { offsetMs, offset, texts } = stretchAt(zone, epochMs);
  const known = texts.get(epochMs);
  if (known !== undefined) return known;
  const wall = new Date(epochMs + offsetMs).toISOString();
  const text = wall.slice(0, -'.000Z'.length) + offset;
  if (texts.size >= TEXTS_PER_STRETCH) texts.clear();
  texts.set(epochMs, text);
  return text;
}

const datesByDay = new Map<number, string>();

/** The date so many days after the first of 1970. */
function dateOfDay(day: number): string {
  const known = datesByDay.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * MS_PER_DAY).toISOString().slice(0, -'T00:00:00.000Z'.length);
  if (datesByDay.size >= DAYS_REMEMBERED) datesByDay.clear();
  datesByDay.set(day, date);
  return date;
}

export function addDays(date: string, days: number): string {
  return dateOfDay(Date.parse(date) / MS_PER_DAY + days);
}

/** Whole days from a date to another; negative when that one comes before it. */
export function daysBetween(date: string, other: string): number {
  return (Date.parse(other) - Date.parse(date)) / MS_PER_DAY;
}

/** 1 is Monday. */
export function weekdayOf(date: string): number {
  return new Date(date).getUTCDay() || 7;
}

export function minuteOfDay(clockTime: string): number {
  const [hours, minutes] = clockTime.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

export function clockTime(minute: number): string {
  const inDay = minute % MINUTES_PER_DAY;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
}

/** 1 is Monday, 7 is Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Written as the zone database writes it; offsets are no zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return Temporal.Now.zonedDateTimeISO(name).timeZoneId === name;
  } catch {
    return false;
  }
}
