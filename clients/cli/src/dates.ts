/** Days, times and spans as people type them. */
import { UsageError } from './command.ts';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MS_PER_DAY = 86_400_000;
const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: MS_PER_DAY };

/** Whether the day depends on which one it is at the venue. */
export const isRelative = (text: string) => !/^\d{4}-\d{2}-\d{2}$/.test(text);

/** The date at a place now. */
export function todayIn(timeZone: string, nowMs: number): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return parts.format(nowMs);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** `2026-12-05`, `today`, `tomorrow`, `+7d`, `friday` or `fri`: the next one, which may be today. */
export function readDate(text: string, today: string): string {
  const word = text.toLowerCase();
  if (!isRelative(text)) return assertDate(text);
  if (word === 'today') return today;
  if (word === 'tomorrow') return addDays(today, 1);
  const [, days, unit] = /^\+(\d{1,3})([dw]?)$/.exec(word) ?? [];
  if (days !== undefined) return addDays(today, Number(days) * (unit === 'w' ? 7 : 1));
  const weekday = WEEKDAYS.findIndex((name) => name === word || name.slice(0, 3) === word);
  if (weekday < 0)
    throw new UsageError(`«${text}» is no day. Say 2026-12-05, today, tomorrow, +7d or friday.`);
  const current = new Date(`${today}T00:00:00Z`).getUTCDay();
  return addDays(today, (weekday - current + 7) % 7);
}

function assertDate(text: string): string {
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text)
    throw new UsageError(`There is no day ${text}.`);
  return text;
}

/** `19:30`, `7:30`, `19.30` or `7pm`. */
export function readTime(text: string): string {
  const [, hours, minutes = '00', half] = /^(\d{1,2})(?:[:.](\d{2}))?\s?(am|pm)?$/i.exec(text) ?? [];
  const isTwelveHours = half !== undefined;
  const given = Number(hours);
  const isPossible = isTwelveHours ? given >= 1 && given <= 12 : given <= 23 && /[:.]/.test(text);
  if (hours === undefined || !isPossible || Number(minutes) > 59)
    throw new UsageError(`«${text}» is no time. Say 19:30.`);
  const hour = isTwelveHours ? (given % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : given;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** A moment: `2026-12-05T10:00:00Z`, or so long ago: `30s`, `10m`, `2h`, `1d`. */
export function readSince(text: string, nowMs: number): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms =
    count === undefined ? Date.parse(text) : nowMs - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  if (Number.isNaN(ms))
    throw new UsageError(`«${text}» is no moment. Say 10m, 2h, 1d or 2026-12-05T10:00:00Z.`);
  return new Date(ms).toISOString();
}

/** A whole number of at least 1. */
export function readCount(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`${name} must be a whole number, such as 2.`);
  return Number(text);
}
