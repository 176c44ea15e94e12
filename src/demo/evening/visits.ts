/** How far the visits of the demo are at the moment of the first start. */
import { type BookingStatus, NOT_VISITED, type Visit } from '../../features/bookings/record.ts';
import { MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import { guestsIn, type Planned } from './plan.ts';

export interface Outcome {
  status: BookingStatus;
  visit: Visit;
  /** When the table was given up before the stay ended; null: it was not. */
  releasedMs: number | null;
  /** When the booking last changed, apart from the visit. */
  changedMs: number;
}

/** A party that has not come by then is entered as a no-show. */
const GIVEN_UP_AFTER = 30;

const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);
const between = (a: number, b: number) => Math.floor((a + b) / 2);
const after = ({ startMs }: Planned, minutes: number) => startMs + minutes * MS_PER_MINUTE;

export function outcomeAt(planned: Planned, nowMs: number, { isLate = false } = {}): Outcome {
  const { createdMs, startMs } = planned;
  const untouched = { visit: NOT_VISITED, releasedMs: null, changedMs: createdMs };
  switch (planned.fate) {
    case 'enquires':
      return { ...untouched, status: 'pending' };
    case 'cancels':
      return { ...untouched, status: 'cancelled', changedMs: between(createdMs, Math.min(startMs, nowMs)) };
    case 'stays-away': {
      const givenUpMs = after(planned, GIVEN_UP_AFTER);
      if (nowMs < givenUpMs) return { ...untouched, status: 'confirmed' };
      const visit: Visit = { ...NOT_VISITED, state: 'no_show' };
      return { status: 'no_show', visit, releasedMs: givenUpMs, changedMs: givenUpMs };
    }
    case 'comes':
      return isLate ? { ...untouched, status: 'confirmed' } : comingAt(planned, nowMs);
  }
}

function comingAt(planned: Planned, nowMs: number): Outcome {
  const minutes = planned.place.minutesFor(guestsIn(planned));
  const isWalkIn = planned.channel === 'walk_in';
  const arrivedMs = isWalkIn ? planned.createdMs : after(planned, planned.arrivesAfter);
  const seatedMs = isWalkIn ? planned.createdMs : after(planned, planned.sitsAfter);
  const leftMs = after(planned, minutes + planned.leavesAfter);
  const [arrivedAt, seatedAt, leftAt] = [arrivedMs, seatedMs, leftMs].map((ms) =>
    ms <= nowMs ? instant(ms) : null,
  ) as [Temporal.Instant | null, Temporal.Instant | null, Temporal.Instant | null];
  if (leftAt) {
    const visit = { state: 'left' as const, arrivedAt, seatedAt, leftAt };
    return {
      status: 'completed',
      visit,
      releasedMs: planned.leavesAfter < 0 ? leftMs : null,
      changedMs: leftMs,
    };
  }
  const state = seatedAt ? 'seated' : arrivedAt ? 'arrived' : 'expected';
  const visit = { state, arrivedAt, seatedAt, leftAt } as const;
  return { status: 'confirmed', visit, releasedMs: null, changedMs: planned.createdMs };
}

/** Between these it is late, and worth a telephone call. */
const LATE_FROM = 8;
const LATE_TO = 28;

/** The party that the house waits for: the last that should have come, and the largest of those. */
export function lateParty(tonight: readonly Planned[], nowMs: number): Planned | undefined {
  const isDue = ({ startMs, fate, channel }: Planned) =>
    fate === 'comes' &&
    channel !== 'walk_in' &&
    nowMs >= startMs + LATE_FROM * MS_PER_MINUTE &&
    nowMs <= startMs + LATE_TO * MS_PER_MINUTE;
  return tonight
    .filter(isDue)
    .sort((a, b) => b.startMs - a.startMs || guestsIn(b) - guestsIn(a))
    .at(0);
}
