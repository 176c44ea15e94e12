/** When an event takes place. */
import type { Tx } from '../db/database.ts';
import type { VenueId } from '../kernel/ids.ts';
import { invalid } from '../kernel/problem.ts';
import { dayClock, isTradingDay } from '../kernel/zone-time.ts';

export interface OccurrenceDocument {
  /** Trading day. */
  date: string;
  /** Minute of the trading day; above 1440 is the next morning. */
  startsMinute: number;
  durationMinutes: number;
}

export interface StoredOccurrence extends OccurrenceDocument {
  id: number;
  isWithdrawn: boolean;
  hasTickets: boolean;
}

/** So many can an event have: far more than any has, and no more than can be read at once. */
export const MOST_OCCURRENCES = 10_000;

/** Where a system keeps the occurrences of its events. */
export interface OccurrenceStore {
  list(
    tx: Tx,
    venueId: VenueId,
    page: { from: string | undefined; limit: number; offset: number },
  ): Promise<{ occurrences: StoredOccurrence[]; total: number }>;
  count(tx: Tx, venueId: VenueId): Promise<number>;
  find(tx: Tx, venueId: VenueId, id: number): Promise<StoredOccurrence | undefined>;
  /** Undefined when the event takes place at that time already. */
  insert(tx: Tx, venueId: VenueId, occurrence: OccurrenceDocument): Promise<number | undefined>;
  update(tx: Tx, id: number, occurrence: OccurrenceDocument & { isWithdrawn: boolean }): Promise<void>;
  /** Whether another occurrence of the event has that start. */
  isStartTaken(
    tx: Tx,
    venueId: VenueId,
    occurrence: { id: number; date: string; startsMinute: number },
  ): Promise<boolean>;
  /** Blocks sales of the occurrence until the transaction ends; an earlier sale counts. */
  lock(tx: Tx, venueId: VenueId, id: number): Promise<void>;
  withdraw(tx: Tx, id: number): Promise<void>;
  delete(tx: Tx, id: number): Promise<void>;
}

/** The clocks are put forward at some time of one night a year. */
export function assertStart(
  timeZone: string,
  { date, startsMinute }: Pick<OccurrenceDocument, 'date' | 'startsMinute'>,
): void {
  if (!isTradingDay(date)) throw invalid('date', 'is too far away');
  if (dayClock(timeZone, date).epochMsOf(startsMinute) === undefined)
    throw invalid('startsMinute', 'is a time that the clocks skip on this day');
}
