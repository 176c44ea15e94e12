import type { Sql, Tx } from '../../db/database.ts';
import type { Reads } from '../../db/reads.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import type { Registry } from '../../tms/registry.ts';
import type { AvailabilityService } from '../availability/service.ts';
import type { Rules } from '../booking-rules/service.ts';
import type { Events } from '../events/service.ts';
import type { Idempotency } from '../idempotency/service.ts';
import type { OfferTokens } from '../identity/service.ts';
import type { Mandates } from '../mandates/service.ts';
import type { Venues } from '../venues/service.ts';
import type { HoldCounts } from './holds/counts.ts';
import type { BookingRecord } from './record.ts';
import type { BookingStore } from './store.ts';

export interface BookingsDeps {
  sql: Sql;
  reads?: Reads;
  clock: Clock;
  encryptionKeys: Keyring;
  venues: Venues;
  availability: AvailabilityService;
  registry: Registry;
  events: Events;
  idempotency: Idempotency;
  rules: Rules;
  notices: BookingNotices;
  /** Whether guests can pay here. */
  takesPayments: boolean;
  offers: OfferTokens;
  mandates: Mandates;
}

/** Tells people of bookings, in the transaction that makes or changes them. */
export interface BookingNotices {
  tell(tx: Tx, changes: readonly ToldChange[]): Promise<void>;
  /** The guests of these bookings are forgotten: what waits to be sent about them goes. */
  forget(tx: Tx, bookingIds: readonly string[]): Promise<void>;
}

export interface ToldChange {
  /** Null: the booking is new. */
  before: BookingRecord | null;
  after: BookingRecord;
  /** Who writes to the guest, where the plan of a booking knows it already. */
  guestMails?: 'partner' | 'venue' | undefined;
  /** The client or user that made the change. */
  madeBy: string | null;
  /** For the guest, from the venue. */
  message?: string | undefined;
}

/** What everything that is done with bookings works with. */
export interface Context extends BookingsDeps {
  store: BookingStore;
  holdCounts: HoldCounts;
  /** Absent where the partner itself acts. */
  operatorAction?: OperatorAction;
}

/** Checks the version before an action and records the action in the audit log. */
export interface OperatorAction {
  /** Throws when the booking is not what it was taken for. */
  check(tx: Tx, booking: BookingRecord): Promise<void>;
  /** In the transaction that makes the change. */
  record(tx: Tx, change: RecordedChange): Promise<void>;
  /** The client or user that acts. */
  actorId?: string;
  /** What the mail to the guest says besides, such as why the venue is closed. */
  guestMessage?: string;
}

/** Documents without data of the guest. */
export interface RecordedChange {
  bookingId: string;
  what: 'booking' | 'message';
  before: object | null;
  after: object;
}
