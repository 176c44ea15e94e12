import type { Sql, Tx } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Registry } from '../../tms/registry.ts';
import type { AvailabilityService } from '../availability/service.ts';
import type { Rules } from '../booking-rules/service.ts';
import type { Events } from '../events/service.ts';
import type { Idempotency } from '../idempotency/service.ts';
import type { Venues } from '../venues/service.ts';
import type { BookingRecord } from './record.ts';
import type { BookingStore } from './store.ts';

export interface BookingsDeps {
  sql: Sql;
  clock: Clock;
  encryptionKey: Buffer;
  venues: Venues;
  availability: AvailabilityService;
  registry: Registry;
  events: Events;
  idempotency: Idempotency;
  rules: Rules;
}

/** What everything that is done with bookings works with. */
export interface Context extends BookingsDeps {
  store: BookingStore;
  /** Absent where the partner itself acts. */
  operatorAction?: OperatorAction;
}

/** Checks the version before an action and records the action in the audit log. */
export interface OperatorAction {
  /** What guests are told with it, in mails that the action causes; absent: nothing more than what happened. */
  guestMessage?: string;
  /** Throws when the booking is not what it was taken for. */
  check(tx: Tx, booking: BookingRecord): Promise<void>;
  /** In the transaction that makes the change. */
  record(tx: Tx, change: RecordedChange): Promise<void>;
}

/** Documents without data of the guest. */
export interface RecordedChange {
  bookingId: string;
  what: 'booking' | 'message';
  before: object | null;
  after: object;
}
