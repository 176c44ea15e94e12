import { addDays, dayClock, localOf, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { Obstacle, Untimely } from '../contract.ts';

export interface TicketType {
  pricePence: number;
  /** Tickets of this type for each occurrence. */
  capacity: number;
  minPerBooking: number;
  maxPerBooking: number;
  salesOpenDaysBefore: number | null;
  salesCloseMinutesBefore: number;
}

export interface Occurrence {
  id: number;
  /** Trading day and minute of it. */
  date: string;
  minute: number;
  durationMinutes: number;
  /** Tickets of the type that was asked about, those that are held included. */
  sold: number;
}

/** Undefined where the clocks skip it: an occurrence that does not take place. */
export function startOf(zone: string, { date, minute }: Pick<Occurrence, 'date' | 'minute'>) {
  return dayClock(zone, date).epochMsOf(minute);
}

export interface Asked {
  zone: string;
  guests: number;
  nowMs: number;
  /** The operator has agreed: the size of the party is no obstacle. */
  isConfirmedByOperator?: boolean;
  /** The operator sells outside the times of sale. */
  waivesNotice?: boolean;
}

interface Obstacles {
  obstacle?: Obstacle;
  untimely?: Untimely;
}

/**
 * Why this many tickets cannot be had now; empty when they can. Availability and booking both decide here, so that
 * what is offered can be bought. Permanent reasons come before temporary ones.
 */
export function obstaclesTo(
  type: TicketType,
  occurrence: Occurrence,
  startMs: number,
  asked: Asked,
): Obstacles {
  const { guests, nowMs, isConfirmedByOperator = false, waivesNotice = false } = asked;
  const isSoldOut = occurrence.sold + guests > type.capacity;
  const untimely = waivesNotice
    ? startMs < nowMs && 'too-soon'
    : outsideSales(type, occurrence, startMs, asked);
  const neverFits = guests < type.minPerBooking || guests > Math.min(type.maxPerBooking, type.capacity);
  if (neverFits && !isConfirmedByOperator)
    return { obstacle: 'party-never-fits', ...(untimely && { untimely }) };
  if (untimely) return { obstacle: untimely };
  return isSoldOut ? { obstacle: 'taken' } : {};
}

function outsideSales(
  { salesOpenDaysBefore, salesCloseMinutesBefore }: TicketType,
  { date }: Occurrence,
  startMs: number,
  { zone, nowMs }: Asked,
): Untimely | undefined {
  if (startMs - nowMs < salesCloseMinutesBefore * MS_PER_MINUTE) return 'too-soon';
  if (salesOpenDaysBefore === null) return undefined;
  return localOf(zone, nowMs).date < addDays(date, -salesOpenDaysBefore) ? 'too-far' : undefined;
}
