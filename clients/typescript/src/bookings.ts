import { type NumberedPage, numberedPages, type Pages } from './pages.ts';
import { type CallOptions, keyOf, path, type Transport, type WriteOptions } from './transport.ts';
import type {
  Booking,
  BookingAmendment,
  BookingRequest,
  ListBookingsQuery,
  ListedBooking,
  ListedBookingPage,
  ListWaitlistQuery,
  NewWaitlistEntry,
  OfferedPayments,
  OrderChange,
  OrderRequest,
  OrderResult,
  PatchOperation,
  Payment,
  PaymentRequest,
  WaitlistEntry,
  WaitlistEntryPage,
} from './types.ts';
import type { Selected, Whole, WithFields } from './venues.ts';

/** Where a booking comes from, for statistics and rules; `api` unless given. */
export type BookingSource =
  | 'email'
  | 'phone'
  | 'api'
  | 'webhook'
  | 'js-tag'
  | 'chatbot'
  | 'puller'
  | 'portal';

export interface BookingOptions extends WriteOptions {
  source?: BookingSource;
}

/** The service takes up to half a minute for an order, and the answer is worth waiting for. */
const ORDER_ATTEMPT_MS = 35_000;
const ORDER_MS = 60_000;

/** What is sent with a creation: one key for all attempts, and the source if there is one. */
export function creation({ source, ...options }: BookingOptions = {}) {
  return {
    ...options,
    method: 'POST',
    isRepeatable: true,
    idempotencyKey: keyOf(options) ?? crypto.randomUUID(),
    ...(source && { headers: { ...options.headers, 'x-booking-source': source } }),
  };
}

export class Bookings {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Books a table or tickets, or asks the venue (`type: 'request'`). Done once, also where answers are lost on the way.
   *
   * @example
   * const booking = await maitred.bookings.create('1|house|soho-grill|dinner', {
   *   type: 'book',
   *   date: day,
   *   time: '19:30',
   *   partySize: 2,
   *   firstName: 'Ada',
   *   lastName: 'Lovelace',
   *   email: 'ada@example.com',
   * });
   * console.log(booking.id, booking.status);
   */
  create(compositeId: string, body: BookingRequest, options?: BookingOptions): Promise<Booking> {
    return this.#transport.body({ ...creation(options), path: path`/venues/${compositeId}/booking`, body });
  }

  /**
   * A booking as it is now. With `fields` only what you name.
   *
   * @example
   * const { status } = await maitred.bookings.get(booking.id, { fields: 'status' });
   * console.log(status);
   */
  get(bookingId: string, query?: { fields?: undefined }, options?: CallOptions): Promise<Booking>;
  get(bookingId: string, query: { fields: string }, options?: CallOptions): Promise<Selected<Booking>>;
  get(bookingId: string, query?: { fields?: string | undefined }, options?: CallOptions): Promise<unknown> {
    return this.#transport.body({ ...options, ...read(path`/venues/bookings/${bookingId}`), query });
  }

  /**
   * Your bookings, the oldest first.
   *
   * @example
   * for await (const { id, status } of maitred.bookings.list({ status: ['confirmed'], dateFrom: day })) {
   *   console.log(id, status);
   * }
   */
  list(query?: Whole<ListBookingsQuery>, options?: CallOptions): Pages<ListedBooking, ListedBookingPage>;
  list(
    query: WithFields<ListBookingsQuery>,
    options?: CallOptions,
  ): Pages<Selected<ListedBooking>, NumberedPage<Selected<ListedBooking>>>;
  list(query?: ListBookingsQuery, options?: CallOptions): unknown {
    return numberedPages<ListedBooking, ListedBookingPage>(
      this.#transport,
      '/venues/bookings',
      query,
      options,
    );
  }

  /**
   * Changes parts of a booking (JSON Patch). Operations that would do something else the second time, those that add to a
   * list, remove from one or remove a member, are not sent again when the answer is lost: then the error says
   * `isOutcomeKnown: false`, and `get` shows what became of it.
   *
   * @example
   * const later = await maitred.bookings.patch(booking.id, [{ op: 'replace', path: '/time', value: '20:00' }]);
   * console.log(later.time);
   */
  patch(bookingId: string, operations: readonly PatchOperation[], options?: CallOptions): Promise<Booking> {
    return this.#transport.body({
      ...options,
      method: 'PATCH',
      path: path`/venues/bookings/${bookingId}`,
      body: operations,
      isRepeatable: operations.every(isSameTwice),
    });
  }

  /**
   * Makes a booking what the body says; what it leaves out is cleared.
   *
   * @example
   * const changed = await maitred.bookings.replace(booking.id, {
   *   compositeId: '1|house|soho-grill|dinner',
   *   type: 'book',
   *   date: day,
   *   time: '19:30',
   *   partySize: 3,
   *   firstName: 'Ada',
   *   lastName: 'Lovelace',
   * });
   * console.log(changed.partySize);
   */
  replace(bookingId: string, body: BookingAmendment, options?: CallOptions): Promise<Booking> {
    return this.#transport.body({
      ...options,
      method: 'PUT',
      path: path`/venues/bookings/${bookingId}`,
      body,
      isRepeatable: true,
    });
  }

  /**
   * Cancels a booking and refunds what its terms say. A booking that is cancelled already is no error.
   *
   * @example
   * await maitred.bookings.cancel(booking.id);
   */
  cancel(bookingId: string, options?: CallOptions): Promise<void> {
    return this.#transport.body({ ...options, ...removal(path`/venues/bookings/${bookingId}`) });
  }

  /**
   * What can be paid for a booking, and through whom.
   *
   * @example
   * const { due, currency, options } = await maitred.bookings.paymentOptions(booking.id);
   * console.log(due, currency, options);
   */
  paymentOptions(bookingId: string, options?: CallOptions): Promise<OfferedPayments> {
    return this.#transport.body({
      ...options,
      ...read(path`/venues/bookings/${bookingId}/payment-options`),
    });
  }

  /**
   * Pays one of the options. Charged once, also where answers are lost on the way.
   *
   * @example
   * const [option] = (await maitred.bookings.paymentOptions(booking.id)).options;
   * if (option) {
   *   const payment = await maitred.bookings.pay(booking.id, { option: option.id, amount: option.amount });
   *   console.log(payment.status, payment.nextActionUrl);
   * }
   */
  pay(bookingId: string, body: PaymentRequest, options?: WriteOptions): Promise<Payment> {
    return this.#transport.body({
      ...creation(options),
      path: path`/venues/bookings/${bookingId}/payments`,
      body,
    });
  }
}

/** Setting a member is; a step into a list (`/-` or a number) or a removal is not. */
function isSameTwice({ op, path: pointer }: PatchOperation): boolean {
  return op === 'replace' || (op === 'add' && !/\/(-|\d+)$/.test(pointer));
}

export function read(address: string) {
  return { method: 'GET', path: address, isRepeatable: true };
}

/** Done again, the service answers the same. */
export function removal(address: string) {
  return { method: 'DELETE', path: address, isRepeatable: true };
}

export class Orders {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Several bookings with one call. What cannot be booked fails by itself, unless the order is all or nothing.
   *
   * @example
   * const order = await maitred.orders.create({
   *   items: [
   *     {
   *       compositeId: '1|house|soho-grill|dinner',
   *       date: day,
   *       time: '18:00',
   *       quantity: 2,
   *       firstName: 'Ada',
   *       lastName: 'Lovelace',
   *     },
   *   ],
   * });
   * console.log(order.orderId, order.status);
   */
  create(body: OrderRequest, options?: BookingOptions): Promise<OrderResult> {
    return this.#transport.body({ ...patient(creation(options)), path: '/v1/orders', body });
  }

  /**
   * An order as it is now.
   *
   * @example
   * const { status } = await maitred.orders.get(order.orderId);
   * console.log(status);
   */
  get(orderId: string, options?: CallOptions): Promise<OrderResult> {
    return this.#transport.body({ ...options, ...read(path`/v1/orders/${orderId}`) });
  }

  /**
   * Changes bookings of an order, each by itself.
   *
   * @example
   * const bookingId = order.items[0]?.bookingId ?? '';
   * const changed = await maitred.orders.change(order.orderId, { items: [{ bookingId, notes: 'By the window' }] });
   * console.log(changed.status);
   */
  change(orderId: string, body: OrderChange, options?: CallOptions): Promise<OrderResult> {
    const call = { ...options, method: 'PATCH', path: path`/v1/orders/${orderId}`, body, isRepeatable: true };
    return this.#transport.body(patient(call));
  }

  /**
   * Cancels the bookings named, or every one of the order if no list is given.
   *
   * @example
   * await maitred.orders.cancel(order.orderId);
   */
  cancel(orderId: string, bookingIds?: readonly string[], options?: CallOptions): Promise<OrderResult> {
    if (bookingIds?.length === 0) throw new TypeError('No booking is named, which would cancel every one');
    return this.#transport.body({
      ...patient(options ?? {}),
      ...removal(path`/v1/orders/${orderId}`),
      ...(bookingIds && { query: { bookingIds } }),
    });
  }
}

function patient<Call extends CallOptions>(call: Call) {
  const { timeoutMs = ORDER_MS, attemptTimeoutMs = ORDER_ATTEMPT_MS } = call;
  return { ...call, timeoutMs, attemptTimeoutMs };
}

export class Waitlist {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Puts a party on the waiting list of a product that is full.
   *
   * @example
   * const entry = await maitred.waitlist.join('1|house|soho-grill|dinner', {
   *   date: day,
   *   partySize: 2,
   *   from: '19:00',
   *   to: '21:00',
   *   firstName: 'Ada',
   *   lastName: 'Lovelace',
   * });
   * console.log(entry.id, entry.status);
   */
  join(compositeId: string, body: NewWaitlistEntry, options?: WriteOptions): Promise<WaitlistEntry> {
    return this.#transport.body({ ...creation(options), path: path`/venues/${compositeId}/waitlist`, body });
  }

  /**
   * Your parties that wait for a product.
   *
   * @example
   * const waiting = await maitred.waitlist.list('1|house|soho-grill|dinner', { status: ['waiting'] }).all();
   * console.log(waiting.length);
   */
  list(
    compositeId: string,
    query?: ListWaitlistQuery,
    options?: CallOptions,
  ): Pages<WaitlistEntry, WaitlistEntryPage> {
    return numberedPages(this.#transport, path`/venues/${compositeId}/waitlist`, query, options);
  }

  /**
   * One of them, with its offer if a place is kept for it.
   *
   * @example
   * const { status, offer } = await maitred.waitlist.get(entry.id);
   * console.log(status, offer);
   */
  get(entryId: string, options?: CallOptions): Promise<WaitlistEntry> {
    return this.#transport.body({ ...options, ...read(path`/venues/waitlist/${entryId}`) });
  }

  /**
   * Takes a party off the list. One that is off it already is no error.
   *
   * @example
   * await maitred.waitlist.leave(entry.id);
   */
  leave(entryId: string, options?: CallOptions): Promise<void> {
    return this.#transport.body({ ...options, ...removal(path`/venues/waitlist/${entryId}`) });
  }
}
