import { creation, read, removal } from './bookings.ts';
import { type CallOptions, path, type Transport, type WriteOptions } from './transport.ts';
import type { Booking, BookingRequest, Hold, HoldExtension, HoldRequest } from './types.ts';

/** What a booking says beyond the place: the guest, and what the guest wishes. */
export type HeldBooking = Omit<
  BookingRequest,
  | 'type'
  | 'partySize'
  | 'children'
  | 'dateTime'
  | 'date'
  | 'time'
  | 'duration'
  | 'spaceId'
  | 'holdId'
  | 'offerToken'
>;

/** A hold that is kept is extended when this little of it is left. */
const EXTEND_BEFORE_MS = 45_000;
/** What the service gives unless told. */
const USUAL_SECONDS = 300;
/** The most that the service gives. */
const LONGEST_SECONDS = 600;

export class Holds {
  readonly #transport: Transport;
  readonly #booked = new WeakSet<Hold>();

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Keeps a place while a guest decides, for five minutes unless `ttlSeconds` says otherwise.
   *
   * @example
   * const hold = await maitred.holds.create('1|house|soho-grill|dinner', { date: day, time: '18:00', partySize: 2 });
   * console.log(hold.id, hold.expiresAt, hold.offer.balance);
   */
  create(compositeId: string, body: HoldRequest, options?: WriteOptions): Promise<Hold> {
    return this.#transport.body({ ...creation(options), path: path`/venues/${compositeId}/holds`, body });
  }

  /**
   * A hold as it is now; it can be read for a week after its end.
   *
   * @example
   * const { status } = await maitred.holds.get(hold.id);
   * console.log(status);
   */
  get(holdId: string, options?: CallOptions): Promise<Hold> {
    return this.#transport.body({ ...options, ...read(path`/venues/holds/${holdId}`) });
  }

  /**
   * Keeps the place for longer, counted from now. That is possible once.
   *
   * @example
   * const longer = await maitred.holds.extend(hold.id, { ttlSeconds: 600 });
   * console.log(longer.expiresAt);
   */
  extend(holdId: string, body: HoldExtension = {}, options?: WriteOptions): Promise<Hold> {
    return this.#transport.body({ ...creation(options), path: path`/venues/holds/${holdId}/extend`, body });
  }

  /**
   * Gives a place back that is not needed any more. A hold that has ended is no error; one that was booked is
   * `HOLD-N-002`, whose `problem.bookingId` names the booking.
   *
   * @example
   * await maitred.holds.release(hold.id);
   */
  release(holdId: string, options?: CallOptions): Promise<void> {
    return this.#transport.body({ ...options, ...removal(path`/venues/holds/${holdId}`) });
  }

  /**
   * Books what is held, on the terms that were offered with it.
   *
   * @example
   * const booking = await maitred.holds.book(hold, { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' });
   * console.log(booking.id === hold.id, booking.status);
   */
  async book(hold: Hold, guest: HeldBooking, options?: WriteOptions): Promise<Booking> {
    const { compositeId, date, time, dateTime, partySize, children, duration, spaceId } = hold.slot;
    const booking = await this.#transport.body<Booking>({
      ...creation(options),
      path: path`/venues/${compositeId}/booking`,
      body: {
        ...guest,
        ...{ type: 'book', date, time, dateTime, partySize, children, duration, spaceId },
        holdId: hold.id,
        ...(hold.offerToken && { offerToken: hold.offerToken }),
      },
    });
    this.#booked.add(hold);
    return booking;
  }

  /**
   * Keeps a place for as long as `work` takes, if the service allows it: extends it once when it is about to end, and gives
   * it back unless it was booked with `book`. The hold that `work` gets always shows its present end and token.
   *
   * @example
   * const booking = await maitred.holds.keep(
   *   '1|house|soho-grill|dinner',
   *   { date: day, time: '18:30', partySize: 2 },
   *   (hold) => maitred.holds.book(hold, { firstName: 'Grace', lastName: 'Hopper' }),
   * );
   * console.log(booking.status);
   */
  async keep<Result>(
    compositeId: string,
    body: HoldRequest,
    work: (hold: Hold) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result> {
    const hold = await this.create(compositeId, body, options);
    // Not by `expiresAt`, because the clock here may be wrong.
    const leftMs = (body.ttlSeconds ?? USUAL_SECONDS) * 1000;
    const extend = () => this.#extendInPlace(hold);
    const timer = setTimeout(extend, Math.max(leftMs - EXTEND_BEFORE_MS, leftMs / 2));
    try {
      return await work(hold);
    } finally {
      clearTimeout(timer);
      // It ends by itself if the service cannot be told.
      if (!this.#booked.has(hold)) await this.release(hold.id).catch(() => {});
    }
  }

  /** Where that fails the hold ends when it said it would, and booking it says so. */
  async #extendInPlace(hold: Hold): Promise<void> {
    const extended = await this.extend(hold.id, { ttlSeconds: LONGEST_SECONDS }).catch(() => hold);
    Object.assign(hold, extended);
  }
}
