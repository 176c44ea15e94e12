import type { LiveState } from '../slots.ts';

/** A place that is kept for a booking which is not made yet. */
export interface Hold {
  bookingId: string;
  tableIds: readonly number[];
  startMs: number;
  endMs: number;
  expiresMs: number;
  /** Those that count towards the pace of the product that was asked about. */
  guests: number;
}

export interface HoldingState extends LiveState {
  /** Also those that have ended: only the one who asks knows the time. */
  holds: readonly Hold[];
}

/** Replaced only by the test which shows that the clock is needed. */
export type HasEnded = (hold: Hold, nowMs: number) => boolean;
export const hasEnded: HasEnded = ({ expiresMs }, nowMs) => expiresMs <= nowMs;

/** The live state at that moment for a request, for which holds of these bookings are not in the way. */
export type Occupied = (live: HoldingState, nowMs: number, exceptIds?: readonly string[]) => LiveState;

export const occupiedBy =
  (isOver: HasEnded): Occupied =>
  (live, nowMs, exceptIds = []) => {
    const current = live.holds.filter((hold) => !isOver(hold, nowMs) && !exceptIds.includes(hold.bookingId));
    return current.length === 0 ? live : withHolds(live, current);
  };

function withHolds({ stays, guestsByStartMs }: LiveState, holds: readonly Hold[]): LiveState {
  const taken = holds.flatMap(({ tableIds, ...hold }) => tableIds.map((tableId) => ({ tableId, ...hold })));
  const guests = new Map(guestsByStartMs);
  for (const hold of holds)
    if (hold.guests > 0) guests.set(hold.startMs, (guests.get(hold.startMs) ?? 0) + hold.guests);
  return {
    stays: {
      tableIds: [...stays.tableIds, ...taken.map(({ tableId }) => tableId)],
      startsMs: [...stays.startsMs, ...taken.map(({ startMs }) => startMs)],
      endsMs: [...stays.endsMs, ...taken.map(({ endMs }) => endMs)],
    },
    guestsByStartMs: guests,
  };
}

/** Whether the same holds count at both moments. */
export function countsTheSame(holds: readonly Hold[], oneMs: number, otherMs: number): boolean {
  return holds.every((hold) => hasEnded(hold, oneMs) === hasEnded(hold, otherMs));
}
