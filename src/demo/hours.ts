import type { Hours, Period } from '../features/venues/hours/hours.ts';
import type { VenueDocument } from '../features/venues/transfer/document.ts';
import type { Weekday } from '../kernel/zone-time.ts';

type Exceptions = NonNullable<Hours['exceptions']>;

export const EVERY_DAY: Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/** `'12:00-15:00'` as the document writes it. */
export function periods(...texts: string[]): Period[] {
  return texts.map((text) => {
    const [opens, closes] = text.split('-');
    if (!opens || !closes) throw new Error(`"${text}" is not a period such as 12:00-15:00.`);
    return { opens, closes };
  });
}

export function daily(...texts: string[]): Hours['weekly'] {
  return [{ weekdays: EVERY_DAY, periods: periods(...texts) }];
}

export function inDays(today: Temporal.PlainDate, days: number): string {
  return today.add({ days }).toString();
}

/** The next two times that a day of the year comes round, so that a sandbox left running keeps its holidays. */
function holidays(today: Temporal.PlainDate, month: number, day: number): string[] {
  const thisYear = Temporal.PlainDate.from({ year: today.year, month, day });
  const next = Temporal.PlainDate.compare(thisYear, today) < 0 ? thisYear.add({ years: 1 }) : thisYear;
  return [next, next.add({ years: 1 })].map(String);
}

/** The coming dates that fall on a weekday, the first of them after today. */
export function weekly(today: Temporal.PlainDate, weekday: Weekday, count: number): string[] {
  const wait = ((weekday - today.dayOfWeek + 6) % 7) + 1;
  return Array.from({ length: count }, (_, week) => inDays(today, wait + 7 * week));
}

export function closedAtChristmas(today: Temporal.PlainDate): Exceptions {
  return holidays(today, 12, 25).map((date) => ({ date, periods: [], reason: 'Closed on Christmas Day' }));
}

export function onNewYearsEve(today: Temporal.PlainDate, ...texts: string[]): Exceptions {
  return holidays(today, 12, 31).map((date) => ({
    date,
    periods: periods(...texts),
    reason: 'Open late on New Year’s Eve',
  }));
}

/** One photo per caption; the file is named after it. The host is reserved for examples and serves nothing. */
export function photosOf(folder: string, ...captions: string[]): VenueDocument['photos'] {
  return captions.map((caption, index) => ({
    url: `https://images.maitred.example/${folder}/${fileName(caption)}.jpg`,
    caption,
    width: index === 0 ? 2000 : 1600,
    height: index === 0 ? 1125 : 1067,
  }));
}

function fileName(caption: string): string {
  const plain = caption.normalize('NFD').replace(/\p{Mark}/gu, '');
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
