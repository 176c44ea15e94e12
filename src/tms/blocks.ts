/** Tables that take no new bookings for a time, in systems whose tables are in our database. Their bookings stay. */
import type { Tx } from '../db/database.ts';
import type { VenueId } from '../kernel/ids.ts';

/** What is blocked, and when. One of the three lists is given. */
export interface BlockFields {
  from: Temporal.Instant;
  /** Excluded. */
  to: Temporal.Instant;
  tableIds: number[] | null;
  areaIds: number[] | null;
  zoneIds: number[] | null;
  reason: string | null;
}

export interface StoredBlock extends BlockFields {
  id: string;
  /** Of an area or a zone: the tables that it has now, or had when the block ended. By id. */
  tables: { id: number; name: string }[];
  createdAt: Temporal.Instant;
}

/** A booking at a table of a block. */
export interface BlockedStay {
  bookingId: string;
  from: Temporal.Instant;
  to: Temporal.Instant;
}

export interface BlockWindow {
  /** Blocks that touch this time; absent: without a bound. */
  from?: Temporal.Instant | undefined;
  to?: Temporal.Instant | undefined;
  limit: number;
  offset: number;
}

export interface BlockStore {
  /** In the order of their beginning. */
  list(tx: Tx, venueId: VenueId, window: BlockWindow): Promise<{ blocks: StoredBlock[]; total: number }>;
  find(tx: Tx, venueId: VenueId, id: string): Promise<StoredBlock | undefined>;
  /** Those that are not over. */
  count(tx: Tx, venueId: VenueId, now: Temporal.Instant): Promise<number>;
  /** The layout must be locked, so that no booking gets a table meanwhile. */
  insert(
    tx: Tx,
    venueId: VenueId,
    block: BlockFields & { id: string; createdAt: Temporal.Instant },
  ): Promise<void>;
  /** The same. */
  update(tx: Tx, venueId: VenueId, id: string, block: BlockFields): Promise<void>;
  remove(tx: Tx, id: string): Promise<void>;
  /** The bookings at the tables of a block while it lasts, the earliest first. */
  listStays(tx: Tx, id: string, limit: number): Promise<{ stays: BlockedStay[]; total: number }>;
}
