/** What a system in our database tells and does for people at the venue, besides bookings as partners make them. */
import type { Tx } from '../db/database.ts';
import type { VenueId } from '../kernel/ids.ts';
import type { BlockStore } from './blocks.ts';

export interface DeskStore {
  /** The tables of these bookings and holds, and the time for which they have them. Those without a table are left out. */
  listSeats(tx: Tx, bookingIds: readonly string[]): Promise<Map<string, TakenSeat>>;
  /** From this instant on the tables of the booking are free for others. Its reservation stays. */
  release(tx: Tx, bookingId: string, at: Temporal.Instant): Promise<void>;
  /** The blocks that touch a time, the earliest first. */
  listBlocks(tx: Tx, venueId: VenueId, during: BlockedTime): Promise<ListedBlock[]>;
  /** How many guests may start at once, by product, on a trading day. */
  listPaces(tx: Tx, venueId: VenueId, date: string): Promise<Pace[]>;
  blocks: BlockStore;
}

/** The starts of a product on a day, and how many guests may begin at each. */
export interface Pace {
  /** Null: no limit. */
  coversPerStart: number | null;
  stepMinutes: number;
  /** In minutes of the trading day. */
  periods: { opens: number; closes: number }[];
}

export interface BlockedTime {
  from: Temporal.Instant;
  to: Temporal.Instant;
}

/** Tables that take no new bookings for a time. */
export interface ListedBlock extends BlockedTime {
  id: string;
  /** Ascending. */
  tableIds: number[];
  reason: string | null;
}

export interface TakenSeat {
  /** Ascending. */
  tableIds: number[];
  from: Temporal.Instant;
  to: Temporal.Instant;
}
