import type { Tx } from '../db/database.ts';
import type { ProductId, VenueId } from '../kernel/ids.ts';

/**
 * What the gateway asks of a table management system. A local system lives in our database and takes part in
 * the caller's transaction; a remote one (`remote.ts`) is reached over the network and gets a deadline. Both answer
 * with one of a closed set of outcomes and never throw for anything a system can do.
 */

export type SlotType = 'book' | 'request';
export type RequestReason = 'fully_booked' | 'exceeds_auto_confirm' | 'request_only';

/** Why a start that lies in the product's hours cannot be had. */
export type Obstacle = Untimely | 'taken' | 'party-never-fits';
/** What is wrong with the time alone, for any party. */
export type Untimely = 'too-soon' | 'too-far';

/** A space of the product that could seat the party, at one start; one that never could is not named. */
export interface SlotSpace {
  spaceId: number;
  isFree: boolean;
}

export interface Slot {
  /** Trading day and minute of it. */
  date: string;
  minute: number;
  startMs: number;
  durationMinutes: number;
  /** Absent obstacle: it can be had, as `type` says. */
  type: SlotType;
  requestReason?: RequestReason;
  obstacle?: Obstacle;
  /** Beside a party that never fits, which would hide it: no other party could have this start either. */
  untimely?: Untimely;
  spaces: SlotSpace[];
  /** What is left of it, for parties of any size; absent: the system does not say. */
  spots?: Spots;
}

export interface DurationBounds {
  minMinutes: number;
  maxMinutes: number;
  stepMinutes: number;
}

export interface DayAvailability {
  date: string;
  /** Closed that day for every caller. */
  isClosed: boolean;
  slots: Slot[];
}

/** How many guests one booking may have, whatever is free. */
export interface PartySizes {
  smallest: number;
  /** The largest that is confirmed at once; 0: none is. */
  atOnce: number;
  /** The largest that the operator can be asked about. */
  byEnquiry: number;
}

export interface ProductAvailability {
  bounds: DurationBounds;
  /** In one space, or with null in all of them, of parties up to `most`; absent or undefined: the system does not say. */
  partySizes?(spaceId: number | null, most: number): PartySizes | undefined;
  /** What the system would charge or wants said; shown to guests. */
  policy: string | null;
  cancellationPolicy: string | null;
  days: DayAvailability[];
}

export interface AvailabilityQuery {
  productId: ProductId;
  venueId: VenueId;
  zone: string;
  /** Trading days, ascending. */
  dates: readonly string[];
  adults: number;
  children: number;
  /** Absent: what the system gives a party of that size. */
  durationMinutes?: number;
  /** The requested space, if any: refused when it can seat no party at all. */
  spaceId?: number;
  nowMs: number;
}

/** Where and when a party wants to be. */
export interface PlaceRequest {
  /** Our booking id; a system that sees it twice does nothing the second time. */
  bookingId: string;
  productId: ProductId;
  venueId: VenueId;
  zone: string;
  date: string;
  minute: number;
  /** Clocks may show the minute twice, and seconds may have been asked for: only what begins at this instant is meant. */
  startMs: number;
  adults: number;
  children: number;
  durationMinutes: number | null;
  spaceId: number | null;
  /** Spaces that an operator's rule blocks; without a requested space, the party sits in another. */
  blockedSpaceIds?: readonly number[];
  nowMs: number;
  /** The operator itself asks, or accepts an enquiry: what only needs its consent does not refuse. */
  isConfirmedByOperator?: boolean;
  /** The limits that the operator sets aside. */
  overrides?: readonly Override[];
  /** The tables that the operator has chosen; absent: the system chooses. */
  tableIds?: readonly number[];
}

/** A place, and what the venue wants to know of those who come. */
export interface BookingRequest extends PlaceRequest {
  details: BookingDetails;
}

export interface BookingDetails {
  /** Null: forgotten since. Names are null of a party that walked in. */
  guest: {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phone: string | null;
  } | null;
  company: string | null;
  notes: string | null;
  preorders: readonly PreorderLine[];
  /** Who sold it; null: the venue took the booking itself. */
  partner: { name: string; bookingId: string | null } | null;
  /** What was paid ahead, in the currency of the venue. */
  depositPence: number | null;
}

/** Something that was ordered ahead. */
export interface PreorderLine {
  name: string;
  quantity: number;
  pricePence: number | null;
}

/** Limits of a venue that its operator can set aside for one booking. That a table is taken is not one of them. */
export const OVERRIDES = ['notice', 'pacing', 'hours', 'covers', 'duration'] as const;
export type Override = (typeof OVERRIDES)[number];

export interface SystemBooking {
  bookingId: string;
  /** The system's own number for it. */
  reference: string;
  tables: string[];
  areaId: number | null;
  areaName: string | null;
  startMs: number;
  durationMinutes: number;
  /** Children included. */
  guests: number;
  /** What the system charges for each guest; null where guests pay for what they have. */
  pricePerGuestPence: number | null;
  /** What has become of the visit; absent: the system does not say. */
  visit?: SystemVisit;
}

export const SYSTEM_VISITS = ['expected', 'arrived', 'seated', 'left', 'no_show'] as const;
export type SystemVisit = (typeof SYSTEM_VISITS)[number];

/** A place that is kept for a booking which is not made yet. */
export interface SystemHold {
  /** The id that the booking will have. */
  bookingId: string;
  startMs: number;
  durationMinutes: number;
  /** From then on the place is free for others, whether or not it was released. */
  expiresMs: number;
  /** What the system charges for each guest, and what it wants guests to know; absent: it does not say. */
  pricePerGuestPence?: number | null;
  policy?: string | null;
  cancellationPolicy?: string | null;
}

export type RefusalReason =
  | 'closed'
  | 'taken'
  /** A table is free, but as many guests begin then as the operator lets begin at once; only operators are told. */
  | 'paced'
  /** No stay of this length begins then, however empty the house is. */
  | 'not-a-start'
  /** Only the operator can confirm it: a larger party than is confirmed at once, or for another reason. */
  | 'over-instant-limit'
  | 'enquiry-only'
  | 'duration'
  | 'too-soon'
  | 'too-far'
  | 'party-never-fits'
  | 'no-such-product'
  /** A chosen table that the venue does not have, or not in use. */
  | 'no-such-table'
  | 'space-without-zone'
  | 'zone-without-areas'
  | 'not-found'
  /** There is no hold any more, or there never was one. */
  | 'hold-ended'
  /** A card must be charged first, which cannot be done from here. */
  | 'card-required'
  | 'rejected';

export type Outcome<Value> =
  | { kind: 'ok'; value: Value }
  | { kind: 'refused'; reason: RefusalReason; detail?: string }
  | { kind: 'rate-limited'; retryAfterSeconds: number }
  /** Certainly not applied. */
  | { kind: 'unavailable'; detail?: string }
  /** It may or may not have been applied; ask with `find`. */
  | { kind: 'unknown'; detail?: string };
export type Refusal = Exclude<Outcome<never>, { kind: 'ok' }>;

export const ok = <Value>(value: Value): Outcome<Value> => ({ kind: 'ok', value });
export const refused = (reason: RefusalReason, detail?: string): Refusal => ({
  kind: 'refused',
  reason,
  ...(detail !== undefined && { detail }),
});

/** What guests get from a system. */
export const CAPABILITIES = ['table_reservation', 'event_ticket'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export interface Capabilities {
  capability: Capability;
  /** Whether it says at which tables guests sit. */
  tellsTables: boolean;
}

export interface Operations<Context, Request extends PlaceRequest> {
  availability(context: Context, query: AvailabilityQuery): Promise<Outcome<ProductAvailability>>;
  /** Moves or resizes a booking in one step; refused, everything stays as it was. */
  amend(context: Context, request: Request): Promise<Outcome<SystemBooking>>;
  /** Cancelling what is not there is ok. */
  cancel(context: Context, bookingId: string): Promise<Outcome<void>>;
  /** A hold is not found. */
  find(context: Context, bookingId: string): Promise<Outcome<SystemBooking | undefined>>;
  /** Absent: the system cannot keep a place, and has none of the following. */
  holds?: HoldOperations<Context, Request>;
}

/** Everything here may be repeated. */
export interface HoldOperations<Context, Request extends PlaceRequest> {
  /**
   * Keeps a place for the booking that will have this id. A system may keep it for a shorter time than asked. Held again,
   * it is answered with the same hold while that lasts; once it is booked, as `hold-ended`.
   */
  hold(context: Context, request: PlaceRequest, untilMs: number): Promise<Outcome<SystemHold>>;
  /** The hold ends later, or is refused as `hold-ended`. A system in our database goes by `nowMs`. */
  extend(context: Context, bookingId: string, untilMs: number, nowMs: number): Promise<Outcome<SystemHold>>;
  /** The hold becomes the booking, at the held place; a hold that has ended is refused as `hold-ended`. */
  confirm(context: Context, request: Request): Promise<Outcome<SystemBooking>>;
  /** Releasing what is not held is ok; a booking stays. */
  release(context: Context, bookingId: string): Promise<Outcome<void>>;
}

/** Of a system in our database: several at once, under the rules of `book`. */
export interface LocalHoldOperations extends HoldOperations<Tx, PlaceRequest> {
  holdAll(tx: Tx, asked: readonly HoldRequest[]): Promise<Outcome<SystemHold>[]>;
  confirmAll(tx: Tx, requests: readonly PlaceRequest[]): Promise<Outcome<SystemBooking>[]>;
}

export interface HoldRequest {
  request: PlaceRequest;
  untilMs: number;
}

/** What a system knows of a product besides the catalogue, for every caller and day. */
export interface ProductFacts {
  productId: ProductId;
  /** What a guest pays; null where guests pay for what they have. */
  pricePence: number | null;
  /** Guests of one booking. */
  minQuantity: number;
  maxQuantity: number;
  /** The largest booking that is confirmed at once; 0: none is. */
  maxInstantQuantity: number;
}

/** Tables that could seat the party or tickets, and how many of them are free. */
export interface Spots {
  total: number;
  open: number;
}

export interface ForecastSlot extends Slot {
  spots: Spots;
  spaces: (SlotSpace & Spots)[];
}

/** What a product has to offer on any day; made of its configuration, and of stays that are read when they are needed. */
export interface Forecast {
  /** Another one whenever the configuration would give other slots. */
  fingerprint: string;
  bounds: DurationBounds;
  /** The parties that it can be had for or enquired about at all, by their guests, ascending. */
  partySizes: readonly number[];
  noticeMinutes: number;
  horizonDays: number | null;
  /** The time in which stays matter to a trading day; undefined: it is closed. */
  rangeOn(date: string): { fromMs: number; toMs: number } | undefined;
  /** Reads the stays of these days, which ascend. */
  read(tx: Tx, dates: readonly string[]): Promise<ForecastSlots>;
}

/** The same slots that availability gives for that day and party at that moment, as if nothing were held. */
export type ForecastSlots = (date: string, guests: number, nowMs: number) => ForecastSlot[];

export interface ForecastQuery {
  productId: ProductId;
  venueId: VenueId;
  zone: string;
}

/** What a request would get. */
export interface ProposedPlace {
  durationMinutes: number;
  /** Ascending; none where the system has no tables. */
  tableIds: readonly number[];
}

export interface LocalConnector extends Operations<Tx, PlaceRequest> {
  flavour: 'local';
  slug: string;
  capabilities: Capabilities;
  holds?: LocalHoldOperations;
  /**
   * Several requests at once, each with its own outcome; a refusal of one leaves the others alone. They are decided in
   * the order given, as if they had come one after the other. All locks are taken in one order, so that two
   * transactions that book several do not deadlock.
   */
  book(tx: Tx, requests: readonly PlaceRequest[]): Promise<Outcome<SystemBooking>[]>;
  /**
   * What `book`, or `amend` where the booking has a place already, would answer to each of these at this moment. Each
   * stands for itself, all are for one product, and nothing is locked or written.
   */
  wouldBook(tx: Tx, requests: readonly PlaceRequest[]): Promise<Outcome<ProposedPlace>[]>;
  /** Two bookings of one venue exchange their tables; absent: the system has none to exchange. */
  swap?(tx: Tx, requests: readonly [PlaceRequest, PlaceRequest]): Promise<Outcome<SystemBooking[]>>;
  /** All products of these venues that it knows; absent: it says nothing of them. */
  describe?(tx: Tx, venueIds: readonly VenueId[]): Promise<ProductFacts[]>;
  /** Deletes holds that ended long ago, so many at a time, and says how many; ended holds are in the way of none. */
  sweepHolds?(tx: Tx, nowMs: number): Promise<number>;
  /**
   * Puts what is long over where new bookings do not read it, for some venues after the given one at a time. Says after
   * which venue to go on; undefined: that was the last.
   */
  movePastStays?(tx: Tx, nowMs: number, after: string): Promise<string | undefined>;
  /** Absent: it can only be asked day by day. */
  forecast?(tx: Tx, query: ForecastQuery): Promise<Forecast | undefined>;
}

/** The operations on one hold, by those on several. */
export function holdingOneByOne(
  operations: Omit<LocalHoldOperations, 'hold' | 'confirm'>,
): LocalHoldOperations {
  return {
    ...operations,
    async hold(tx, request, untilMs) {
      const [outcome] = await operations.holdAll(tx, [{ request, untilMs }]);
      return outcome as Outcome<SystemHold>;
    },
    async confirm(tx, request) {
      const [outcome] = await operations.confirmAll(tx, [request]);
      return outcome as Outcome<SystemBooking>;
    },
  };
}

/** A single request to a system that takes several. */
export async function bookOne(
  connector: LocalConnector,
  tx: Tx,
  request: PlaceRequest,
): Promise<Outcome<SystemBooking>> {
  const [outcome] = await connector.book(tx, [request]);
  return outcome as Outcome<SystemBooking>;
}
