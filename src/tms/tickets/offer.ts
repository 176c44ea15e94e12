import { addDays, dayClock, localOf, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { Obstacle } from '../contract.ts';

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
  /** Tickets of the type that was asked about. */
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
  /** The operator has agreed: only what is sold out is still in the way. */
  isConfirmedByOperator?: boolean;
}

/**
 * Why so many tickets cannot be had now; undefined when they can. Availability and booking both decide here,
 * so that what is offered can be bought. What can never change is told before what can.
 */
export function obstacleTo(
  type: TicketType,
  occurrence: Occurrence,
  startMs: number,
  { zone, guests, nowMs, isConfirmedByOperator = false }: Asked,
): Obstacle | undefined {
  const isSoldOut = occurrence.sold + guests > type.capacity;
  if (isConfirmedByOperator) return startMs < nowMs ? 'too-soon' : isSoldOut ? 'taken' : undefined;
  if (guests < type.minPerBooking || guests > Math.min(type.maxPerBooking, type.capacity))
    return 'party-never-fits';
  if (startMs - nowMs < type.salesCloseMinutesBefore * MS_PER_MINUTE) return 'too-soon';
  if (type.salesOpenDaysBefore !== null) {
    const firstDayOfSales = addDays(occurrence.date, -type.salesOpenDaysBefore);
    if (localOf(zone, nowMs).date < firstDayOfSales) return 'too-far';
  }
  return isSoldOut ? 'taken' : undefined;
}
