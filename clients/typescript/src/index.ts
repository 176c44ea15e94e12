import { Bookings, Orders, read, Waitlist } from './bookings.ts';
import { Holds } from './holds.ts';
import { cursorPages, type Pages } from './pages.ts';
import {
  type CallOptions,
  keyOf,
  type MaitredOptions,
  type RawAnswer,
  type RequestOptions,
  Transport,
} from './transport.ts';
import type { ListRequestsQuery, LoggedRequest, LoggedRequests, OwnMandate } from './types.ts';
import { Availabilities, Listings, Rules, Venues } from './venues.ts';
import { Webhooks } from './webhooks.ts';

export type { BookingOptions, BookingSource } from './bookings.ts';
export { ConnectionError, isProblem, MaitredError, ProblemError, TimeoutError } from './errors.ts';
export * from './feed.ts';
export type { HeldBooking } from './holds.ts';
export type { Pages } from './pages.ts';
export type { TokenSource } from './tokens.ts';
export type {
  CallOptions,
  MaitredOptions,
  Query,
  RawAnswer,
  RequestOptions,
  Retry,
  WriteOptions,
} from './transport.ts';
export type * from './types.ts';
export type { Selected } from './venues.ts';
export * from './verify.ts';
export type { FollowOptions } from './webhooks.ts';

/**
 * A client of Maitred. One for a process is enough: it keeps the token, and calls may run at the same time.
 *
 * @example
 * const client = new Maitred({
 *   baseUrl: process.env.MAITRED_URL ?? 'http://127.0.0.1:3000',
 *   clientId: 'demo-partner',
 *   clientSecret: process.env.MAITRED_SECRET ?? 'demo-partner-secret',
 * });
 * console.log((await client.venues.list().all(3)).map((venue) => venue.name));
 */
export class Maitred {
  readonly #transport: Transport;
  readonly venues: Venues;
  readonly availability: Availabilities;
  readonly bookings: Bookings;
  readonly bookingRules: Rules;
  readonly holds: Holds;
  readonly waitlist: Waitlist;
  readonly listings: Listings;
  readonly orders: Orders;
  readonly webhooks: Webhooks;
  readonly requestLog: RequestLog;

  constructor(options: MaitredOptions) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.venues = new Venues(transport);
    this.availability = new Availabilities(transport);
    this.bookings = new Bookings(transport);
    this.bookingRules = new Rules(transport);
    this.holds = new Holds(transport);
    this.waitlist = new Waitlist(transport);
    this.listings = new Listings(transport);
    this.orders = new Orders(transport);
    this.webhooks = new Webhooks(transport);
    this.requestLog = new RequestLog(transport);
  }

  /**
   * What an agent may do for its partner, and what it has done of it.
   *
   * @example
   * console.log(await maitred.mandate());
   */
  mandate(options?: CallOptions): Promise<OwnMandate> {
    return this.#transport.body({ ...options, ...read('/mandate') });
  }

  /**
   * Any call, for what has no method here and for answers in TOON. A POST or PATCH is sent again after a lost answer only
   * with an `idempotencyKey`.
   *
   * @example
   * const answer = await maitred.request('GET', '/venues', { query: { city: 'London' }, accept: 'text/toon' });
   * console.log(answer.status, answer.body);
   */
  request<Body = unknown>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<RawAnswer<Body>> {
    const isRepeatable = !['POST', 'PATCH'].includes(method) || keyOf(options) !== undefined;
    return this.#transport.send({ ...options, method, path, isRepeatable }) as Promise<RawAnswer<Body>>;
  }
}

export class RequestLog {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Your calls of the last seven days and how they were answered, the newest first.
   *
   * @example
   * for (const { at, method, route, status } of await maitred.requestLog.list({ status: '4xx' }).all(20)) {
   *   console.log(at, method, route, status);
   * }
   */
  list(query?: ListRequestsQuery, options?: CallOptions): Pages<LoggedRequest, LoggedRequests> {
    return cursorPages(this.#transport, '/request-log', query, options);
  }
}
