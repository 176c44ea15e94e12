import type { ProductId } from '../../../src/kernel/ids.ts';
import { dayClock } from '../../../src/kernel/zone-time.ts';
import type { DayAvailability } from '../../../src/tms/contract.ts';
import {
  type BookRows,
  compileBook,
  type HouseBook,
  type HouseProduct,
  type ProductRow,
  turnTime,
} from '../../../src/tms/house/book.ts';
import { daySlots, type LiveState, startsOf } from '../../../src/tms/house/slots.ts';

/** Books made by hand, for tests of the pure part. */

export const PRODUCT = '1|house|test|dinner' as ProductId;
export const LONDON = 'Europe/London';
export const EMPTY: LiveState = {
  stays: { tableIds: [], startsMs: [], endsMs: [] },
  guestsByStartMs: new Map(),
};

export const hour = (hours: number, minutes = 0) => hours * 60 + minutes;
export const everyDay = (opens: number, closes: number) =>
  [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens, closes }));

/** One product in zone 1, open 18:00 to 22:00, every half hour, 90 minutes for everyone. */
export function productRow(changes: Partial<ProductRow> = {}): ProductRow {
  return {
    id: PRODUCT,
    intervalMinutes: 30,
    minGuests: 1,
    maxGuests: 20,
    turnTimes: [{ upTo: 2, minutes: 90 }],
    bounds: { minMinutes: 30, maxMinutes: 240, stepMinutes: 30 },
    coversPerStart: null,
    instantLimit: null,
    isRequestOnly: false,
    takesEnquiries: false,
    noticeMinutes: 0,
    horizonDays: null,
    policy: null,
    cancellationPolicy: null,
    hours: everyDay(hour(18), hour(22)),
    exceptions: [],
    zoneIds: [1],
    spaces: [],
    ...changes,
  };
}

export const table = (id: number, maxCovers: number, minCovers = 1, areaId = 1) => ({
  id,
  areaId,
  name: `T${id}`,
  minCovers,
  maxCovers,
});

/** Zone 1 has area 1, zone 2 has area 2, zone 3 has none. */
export function bookRows(changes: Partial<BookRows> = {}, product: Partial<ProductRow> = {}): BookRows {
  return {
    version: '1',
    areas: [
      { id: 1, zoneId: 1, name: 'Main room' },
      { id: 2, zoneId: 2, name: 'Cellar' },
    ],
    tables: [table(1, 2)],
    combinations: [],
    products: [productRow(product)],
    ...changes,
  };
}

export function productOf(book: HouseBook): HouseProduct {
  const product = book.products.get(PRODUCT);
  if (!product) throw new Error('The book has no such product.');
  return product;
}

export const makeProduct = (product: Partial<ProductRow> = {}, changes: Partial<BookRows> = {}) =>
  productOf(compileBook(bookRows(changes, product)));

export interface Asked {
  date?: string;
  zone?: string;
  guests?: number;
  durationMinutes?: number;
  nowMs?: number;
  live?: LiveState;
}

/** What the product offers on a day; asked long before unless told otherwise. */
export function offered(product: HouseProduct, asked: Asked = {}): DayAvailability {
  const { date = '2026-07-01', zone = LONDON, guests = 2, nowMs = 0, live = EMPTY } = asked;
  const durationMinutes = asked.durationMinutes ?? turnTime(product, guests);
  const starts = startsOf(product, dayClock(zone, date), durationMinutes);
  return daySlots(product, date, starts, { guests, durationMinutes, zone, nowMs }, live);
}

/** Minutes as clocks show them, past midnight above 24:00. */
export const clockTime = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

export const times = (day: DayAvailability) => day.slots.map(({ minute }) => clockTime(minute));

export function at(zone: string, date: string, minute: number): number {
  const ms = dayClock(zone, date).epochMsOf(minute);
  if (ms === undefined) throw new Error(`${date} has no minute ${minute} in ${zone}.`);
  return ms;
}

export interface Stay {
  tableId: number;
  startMs: number;
  endMs: number;
}

export const liveOf = (stays: readonly Stay[], guests: readonly [number, number][] = []): LiveState => ({
  stays: {
    tableIds: stays.map(({ tableId }) => tableId),
    startsMs: stays.map(({ startMs }) => startMs),
    endsMs: stays.map(({ endMs }) => endMs),
  },
  guestsByStartMs: new Map(guests),
});
