/** What the views of an evening compute from the diary; nothing here touches the page. */
import type { Diary, DiaryBlock, DiaryBooking } from '../../../../features/diary/schema.ts';
import { keep } from '../../app/keep.ts';
import { awaitsPayment } from '../../components/booking/booking-facts.ts';

export type { Diary, DiaryBlock, DiaryBooking };
export type DiaryTable = Diary['areas'][number]['tables'][number];

export const MINUTE_MS = 60_000;
export const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A party that is not there this long after its time is shown as late. */
const LATE_AFTER_MS = 10 * MINUTE_MS;

/** `unpaid`: the place is kept until a payment confirms the booking. */
export type ShownState = DiaryBooking['visit']['state'] | 'late' | 'unpaid';

export function shownState(booking: DiaryBooking, nowMs: number): ShownState {
  const { state } = booking.visit;
  if (awaitsPayment(booking)) return 'unpaid';
  return state === 'expected' && nowMs > startOf(booking) + LATE_AFTER_MS ? 'late' : state;
}

export const startOf = (booking: Pick<DiaryBooking, 'start'>) => Date.parse(booking.start);
export const endOf = (booking: Pick<DiaryBooking, 'end'>) => Date.parse(booking.end);
export const guestsOf = ({ partySize, children }: DiaryBooking) => partySize + children;
export const isOver = ({ visit }: DiaryBooking) => visit.state === 'left' || visit.state === 'no_show';

export interface Span {
  fromMs: number;
  toMs: number;
}

/** Hours that are shown where nothing says otherwise, from midnight. */
const USUAL: Span = { fromMs: 12 * HOUR_MS, toMs: 23 * HOUR_MS };
/** From here on the evening is shown even if the first party comes later, so that there is room for an earlier one. */
const EVENING_MS = 17 * HOUR_MS;

/** Whole hours around everything that happens that day, and now if it is that day. */
export function spanOf(diary: Diary, nowMs: number): Span {
  const midnightMs = Date.parse(diary.range.from);
  const things = [
    ...diary.bookings.map((booking) => ({ fromMs: startOf(booking), toMs: endOf(booking) })),
    ...diary.enquiries.map((booking) => ({ fromMs: startOf(booking), toMs: endOf(booking) })),
  ];
  const endMs = Math.max(Date.parse(diary.range.to), midnightMs + USUAL.toMs);
  const isNow = nowMs >= midnightMs && nowMs < endMs;
  const from = Math.min(
    midnightMs + (things.length > 0 ? EVENING_MS : USUAL.fromMs),
    ...things.map(({ fromMs }) => fromMs),
    ...(isNow && nowMs > midnightMs + 8 * HOUR_MS ? [nowMs - HOUR_MS] : []),
  );
  const to = Math.max(
    midnightMs + USUAL.toMs,
    ...things.map(({ toMs }) => toMs),
    ...(isNow ? [Math.min(nowMs + HOUR_MS, endMs)] : []),
  );
  const round = (ms: number, how: (value: number) => number) =>
    midnightMs + how((ms - midnightMs) / HOUR_MS) * HOUR_MS;
  return { fromMs: Math.max(midnightMs, round(from, Math.floor)), toMs: round(to, Math.ceil) };
}

export interface TimelineRow {
  kind: 'area' | 'table' | 'unseated';
  key: string;
  name: string;
  table?: DiaryTable;
  top: number;
  height: number;
}

const ROW_PX = 44;
const AREA_PX = 32;

/** Rows from top to bottom: parties without a table, then each area with its tables in the order of the layout. */
export function rowsOf(diary: Diary, lanes: number): TimelineRow[] {
  const rows: TimelineRow[] = [];
  let top = 0;
  const add = (row: Omit<TimelineRow, 'top'>) => {
    rows.push({ ...row, top });
    top += row.height;
  };
  if (lanes > 0) add({ kind: 'unseated', key: 'unseated', name: '', height: lanes * ROW_PX });
  for (const area of diary.areas) {
    add({ kind: 'area', key: `area-${area.id}`, name: area.name, height: AREA_PX });
    for (const table of area.tables) {
      add({ kind: 'table', key: `table-${table.id}`, name: table.name, table, height: ROW_PX });
    }
  }
  return rows;
}

/** Puts what overlaps into lanes below each other: the index of its lane for each thing, and how many there are. */
export function lanesOf(things: readonly (Span & { id: string })[]): {
  lanes: Map<string, number>;
  count: number;
} {
  const freeFrom: number[] = [];
  const lanes = new Map<string, number>();
  for (const thing of [...things].sort((a, b) => a.fromMs - b.fromMs)) {
    const free = freeFrom.findIndex((ms) => ms <= thing.fromMs);
    const lane = free < 0 ? freeFrom.length : free;
    freeFrom[lane] = thing.toMs;
    lanes.set(thing.id, lane);
  }
  return { lanes, count: freeFrom.length };
}

/** A party that left before its time holds no table any more. It is shown where it sat, by the name of the table. */
export const tableIdsOf = (
  booking: Pick<DiaryBooking, 'tables'>,
  tables: readonly Pick<DiaryTable, 'id' | 'name'>[],
): number[] =>
  booking.tables.flatMap(({ id, name }) => id ?? tables.find((table) => table.name === name)?.id ?? []);

/** Neighbouring rows of a party are one block: the first row and the number of rows of each run. */
export function runsOf(indexes: readonly number[]): { first: number; count: number }[] {
  const runs: { first: number; count: number }[] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last.first + last.count === index) last.count++;
    else runs.push({ first: index, count: 1 });
  }
  return runs;
}

/** A party that sits past its end while the next one waits for the same table. */
export function overrunsOf(diary: Diary, nowMs: number): Map<string, DiaryBooking> {
  const found = new Map<string, DiaryBooking>();
  const present = diary.bookings.filter(
    ({ visit, end }) => visit.state === 'seated' && Date.parse(end) < nowMs,
  );
  for (const sitting of present) {
    const tables = new Set(sitting.tables.map(({ id }) => id));
    const next = diary.bookings.find(
      (booking) =>
        booking.id !== sitting.id &&
        (booking.visit.state === 'expected' || booking.visit.state === 'arrived') &&
        booking.tables.some(({ id }) => id !== null && tables.has(id)) &&
        startOf(booking) < nowMs + 2 * QUARTER_MS,
    );
    if (next) found.set(next.id, sitting);
  }
  return found;
}

export type AttentionKind = 'late' | 'overrun' | 'enquiry' | 'no_table';
export interface Attention {
  kind: AttentionKind;
  booking: DiaryBooking;
  /** The party at the table, where this one waits for it. */
  sitting?: DiaryBooking;
}

/** What the staff should look at, the most urgent first. */
export function attentionOf(diary: Diary, nowMs: number): Attention[] {
  const overruns = overrunsOf(diary, nowMs);
  const of = (kind: AttentionKind, bookings: readonly DiaryBooking[]): Attention[] =>
    bookings.map((booking) => ({ kind, booking }));
  const hasTables = diary.areas.length > 0;
  return [
    ...of(
      'late',
      diary.bookings.filter((booking) => shownState(booking, nowMs) === 'late'),
    ),
    ...diary.bookings.flatMap((booking): Attention[] => {
      const sitting = overruns.get(booking.id);
      return sitting ? [{ kind: 'overrun', booking, sitting }] : [];
    }),
    ...of(
      'no_table',
      hasTables ? diary.bookings.filter((booking) => booking.tables.length === 0 && !isOver(booking)) : [],
    ),
    ...of('enquiry', diary.enquiries),
  ];
}

export interface Totals {
  /** Guests expected that day in all. */
  covers: number;
  parties: number;
  seated: number;
  late: number;
  /** Parties whose deposit is not paid yet: they are in no other figure. */
  unpaid: number;
}

const isCounted = (booking: DiaryBooking) => booking.visit.state !== 'no_show' && !awaitsPayment(booking);

export function totalsOf(bookings: readonly DiaryBooking[], nowMs: number): Totals {
  const coming = bookings.filter(isCounted);
  const sum = (list: readonly DiaryBooking[]) =>
    list.reduce((total, booking) => total + guestsOf(booking), 0);
  return {
    covers: sum(coming),
    parties: coming.length,
    seated: sum(bookings.filter(({ visit }) => visit.state === 'seated')),
    late: bookings.filter((booking) => shownState(booking, nowMs) === 'late').length,
    unpaid: bookings.filter(awaitsPayment).length,
  };
}

export interface Quarter {
  atMs: number;
  present: number;
  starting: number;
}

/** Guests by quarter of an hour, over the span that is shown. */
export function quartersOf(bookings: readonly DiaryBooking[], { fromMs, toMs }: Span): Quarter[] {
  const quarters: Quarter[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += QUARTER_MS) quarters.push({ atMs, present: 0, starting: 0 });
  for (const booking of bookings) {
    if (!isCounted(booking)) continue;
    const [start, end, guests] = [startOf(booking), endOf(booking), guestsOf(booking)];
    for (const quarter of quarters) {
      if (start < quarter.atMs + QUARTER_MS && end > quarter.atMs) quarter.present += guests;
      if (start >= quarter.atMs && start < quarter.atMs + QUARTER_MS) quarter.starting += guests;
    }
  }
  return quarters;
}

const PAD = (value: number) => String(value).padStart(2, '0');

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
const clocks = keep((timeZone) => new Intl.DateTimeFormat('en-GB', { ...CLOCK, timeZone }));
const moments = keep((timeZone) => new Intl.DateTimeFormat('en-CA', { ...DAY, ...CLOCK, timeZone }));

/** The local clock at a moment of the day, `19:45`, by the offset that the diary has for that day. */
export const clockAt = (ms: number, timeZone: string): string => clocks(timeZone).format(ms);

/** The local date and time, `2026-11-21T19:45`, as routes take it. */
export function localAt(ms: number, timeZone: string): string {
  const parts = moments(timeZone).formatToParts(ms);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? PAD(0);
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}
