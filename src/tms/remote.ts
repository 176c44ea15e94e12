/** What the gateway asks of a system that it reaches over the network, and of the protocol that the system speaks. */
import type { TObject } from 'typebox';
import { DEADLINES } from '../kernel/deadlines.ts';
import type { VenueId } from '../kernel/ids.ts';
import { withinDeadline } from '../kernel/request-scope.ts';
import type {
  BookingRequest,
  Capabilities,
  LocalConnector,
  Operations,
  Outcome,
  SystemBooking,
} from './contract.ts';

export interface TimedCall {
  signal: AbortSignal;
  deadlineMs: number;
}

export interface RemoteCall extends TimedCall {
  /** Whose account at the system is used. */
  operatorId: number;
}

/** A call for a request ends before the request has to be answered. */
export function callFor(operatorId: number): RemoteCall {
  const deadlineMs = withinDeadline(DEADLINES.remoteCall);
  return { operatorId, signal: AbortSignal.timeout(deadlineMs), deadlineMs };
}

export interface RemoteConnector extends Operations<RemoteCall, BookingRequest> {
  flavour: 'remote';
  slug: string;
  capabilities: Capabilities;
  /** A booking id that the system knows already is answered with that booking. */
  book(call: RemoteCall, request: BookingRequest): Promise<Outcome<SystemBooking>>;
  /** Whether the system can be reached and lets one in with this account; absent: that only shows when it is used. */
  checkAccount?(call: RemoteCall, account: SystemAccount): Promise<Outcome<void>>;
  /** One page of the venues and products that the account has there, in an order that stays; the first without a cursor. */
  catalogue?(call: RemoteCall, cursor: string | null): Promise<Outcome<CataloguePage>>;
  /** Bookings that may have changed there since `cursor`; null: from now on. Absent: bookings are looked at in turn. */
  changes?(call: RemoteCall, cursor: string | null): Promise<Outcome<ChangesPage>>;
  /** Reads what the system has sent by itself; one that is forged or too old is refused as `rejected`. */
  readNotification?(
    account: SystemAccount,
    notification: SystemNotification,
  ): Promise<Outcome<{ bookingIds: string[] }>>;
}

export type Connector = LocalConnector | RemoteConnector;

/** An operator's account at a system. */
export interface SystemAccount {
  settings: Settings;
  /** The credentials at the system; empty: none are stored. */
  credentials: Record<string, string>;
}

export type Settings = Record<string, string | number | boolean>;

export interface SystemNotification {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
  nowMs: number;
}

/** What has happened is not told but asked for with `find`, so that order, repetition and delay do not matter. */
export interface ChangesPage {
  /** Our ids; the system may name bookings that are not ours. */
  bookingIds: string[];
  /** Where to go on. */
  cursor: string;
  hasMore: boolean;
}

export interface CataloguePage {
  venues: SystemVenue[];
  /** Null: this was the last page. */
  next: string | null;
  /** Venues in all pages; absent: the system does not say. */
  total?: number;
}

/** A venue as its system knows it. What is absent there stays as it is here. */
export interface SystemVenue {
  /** The third segment of our id. */
  resourceId: string;
  name: string;
  timeZone: string;
  currency?: string;
  summary?: string;
  description?: string;
  address?: {
    street?: string;
    area?: string;
    city?: string;
    postcode?: string;
    countryCode?: string;
  };
  position?: { lat: number; lng: number };
  phone?: string;
  website?: string;
  hours?: SystemHours;
  spaces?: { id: string; name: string; description?: string }[];
  products: SystemProduct[];
}

export interface SystemProduct {
  /** The fourth segment of our id. */
  key: string;
  name: string;
  description?: string;
  /** Minutes between starts. */
  timeIntervalMinutes?: number;
  hours?: SystemHours;
  minGuests?: number;
  maxGuests?: number;
  /** What a guest pays; absent where guests pay for what they have. */
  pricePence?: number;
}

/** Minutes of the trading day; a period may end after midnight, beyond 1440. */
export interface SystemHours {
  weekly: { weekday: number; opens: number; closes: number }[];
  exceptions?: { date: string; periods: { opens: number; closes: number }[] }[];
}

/** What a system of the platform is made of, besides its protocol. */
export interface SystemSetup {
  slug: string;
  settings: Settings;
  /** Undefined: the operator has no account at the system. */
  findAccount(operatorId: number): Promise<SystemAccount | undefined>;
  /** What the system calls the spaces of a venue, by our ids. Absent: spaces cannot be asked for there. */
  findSpaces?(venueId: VenueId): Promise<ReadonlyMap<number, string>>;
  /** The transport for all calls; it refuses addresses that the environment does not allow. */
  fetch: SystemFetch;
}

export type SystemFetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<SystemResponse>;

export interface SystemResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The whole body, which is never longer than the transport allows. */
  body: Buffer;
}

/** A way of talking to systems; each is a folder under `src/tms/`, or a package that `CONNECTORS` names. */
export interface Protocol {
  name: string;
  /** What each has to be set to, as JSON schemas with descriptions: people fill in forms that are made of them. */
  settings: TObject;
  accountSettings: TObject;
  /** Sealed; values are texts. */
  credentials: TObject;
  connect(setup: SystemSetup): RemoteConnector;
}
