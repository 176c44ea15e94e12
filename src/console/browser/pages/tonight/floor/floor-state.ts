/** What each table is at a moment. */
import {
  type Diary,
  type DiaryBooking,
  endOf,
  isOver,
  QUARTER_MS,
  shownState,
  startOf,
  tableIdsOf,
} from '../evening.ts';

import type { Held } from '../holds.ts';

export type TableState =
  | 'free'
  | 'soon'
  | 'blocked'
  | 'held'
  | 'inactive'
  | 'expected'
  | 'arrived'
  | 'seated'
  | 'late'
  | 'unpaid';

export interface TableNow {
  state: TableState;
  booking?: DiaryBooking;
  /** The party that comes next. */
  next?: DiaryBooking;
}

/** A table whose next party comes this soon is not given to another lightly. */
const SOON_MS = 2 * QUARTER_MS;

export function tableStates(diary: Diary, atMs: number, holds: readonly Held[] = []): Map<number, TableNow> {
  const states = new Map<number, TableNow>();
  const tables = diary.areas.flatMap((area) => area.tables);
  for (const table of tables) {
    const own = diary.bookings.filter(
      (booking) => !isOver(booking) && tableIdsOf(booking, tables).includes(table.id),
    );
    // Who sits stays until they leave, whatever the end of their booking says.
    const booking = own.find(
      (one) => startOf(one) <= atMs && (endOf(one) > atMs || one.visit.state === 'seated'),
    );
    const next = own.find((one) => startOf(one) > atMs);
    const isBlocked = diary.blocks.some(
      ({ tableIds, from, to }) =>
        tableIds.includes(table.id) && Date.parse(from) <= atMs && Date.parse(to) > atMs,
    );
    const isHeld = holds.some(
      ({ tableIds, fromMs, toMs }) => tableIds.includes(table.id) && fromMs <= atMs && toMs > atMs,
    );
    const state: TableState = booking
      ? (shownState(booking, atMs) as TableState)
      : !table.isActive
        ? 'inactive'
        : isBlocked
          ? 'blocked'
          : isHeld
            ? 'held'
            : next && startOf(next) - atMs <= SOON_MS
              ? 'soon'
              : 'free';
    states.set(table.id, { state, ...(booking && { booking }), ...(next && { next }) });
  }
  return states;
}

/** Parties that have arrived and do not sit yet, and those without a table. */
export function waitingAt(diary: Diary, atMs: number): DiaryBooking[] {
  return diary.bookings.filter(
    (booking) =>
      booking.visit.state === 'arrived' ||
      (booking.visit.state === 'expected' &&
        booking.tables.length === 0 &&
        startOf(booking) <= atMs + 4 * QUARTER_MS),
  );
}
