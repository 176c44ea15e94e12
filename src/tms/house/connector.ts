import { randomInt } from 'node:crypto';
import { inSameTurn } from '../../db/batch-loader.ts';
import type { Tx } from '../../db/database.ts';
import { addDays, dayClock, localOf, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import {
  type AvailabilityQuery,
  type BookingRequest,
  type Forecast,
  type ForecastQuery,
  type LocalConnector,
  type Outcome,
  ok,
  type ProductAvailability,
  refused,
  type SystemBooking,
  type Taking,
} from '../contract.ts';
import { type HouseBook, type HouseProduct, isDurationAllowed, partyLimitsOf, turnTime } from './book.ts';
import type { BookKeeper } from './books.ts';
import { decide, inSpace, type Seat, type Wish, wishOf } from './decision.ts';
import { createDiary } from './diary.ts';
import { forecastOf } from './forecast.ts';
import { createRecall } from './recall.ts';
import { makeReference } from './reference.ts';
import { daySlots, type Start, startsOf } from './slots.ts';
import * as store from './store.ts';
import { type Plan, type Situation, survey } from './survey.ts';
import { takingOf } from './taking.ts';

/** The built-in reservation book. It lives in our database, so a booking and its tables commit together. */

export interface HouseOptions {
  books: BookKeeper;
  /** Whole numbers below a bound, for references. */
  random?: (bound: number) => number;
  /** Left out only by the test which shows that it is needed. */
  lock?: typeof store.lockDays;
}

const REFERENCE_ATTEMPTS = 20;

export function createHouse({
  books,
  random = (bound) => randomInt(bound),
  lock = store.lockDays,
}: HouseOptions): LocalConnector {
  const diary = createDiary();
  const recall = createRecall();
  /** Of questions that come together, all those about a venue that is not known yet would load its book. */
  const sharedBooks: BookKeeper = {
    kept: books.kept,
    load: inSameTurn(
      (venueId) => venueId,
      (tx, venueIds) => Promise.all(venueIds.map((venueId) => books.load(tx, venueId))),
    ),
  };

  async function availability(tx: Tx, query: AvailabilityQuery): Promise<Outcome<ProductAvailability>> {
    const surveyed = await survey(tx, sharedBooks, {
      ids: query,
      planFor: (product) => planDays(product, query),
      read: diary.read,
    });
    if (surveyed.kind !== 'ok') return surveyed;
    const { plan, live } = surveyed.value;
    const { product, party, days } = plan;
    const { bounds, policy, cancellationPolicy } = product;
    const answer = recall(query, product, live, () => ({
      bounds,
      policy,
      cancellationPolicy,
      partySizes: (spaceId, most) => partyLimitsOf(product, spaceId, most),
      days: days.map(({ date, starts }) => daySlots(product, date, starts, party, live)),
    }));
    return ok(answer);
  }

  async function forecast(tx: Tx, query: ForecastQuery): Promise<Forecast | undefined> {
    const book = await books.load(tx, query.venueId);
    const product = book?.products.get(query.productId);
    return product && forecastOf(product, query);
  }

  /** What a decision about a request takes, while nobody else can decide on the same days. */
  function surveyLocked(
    tx: Tx,
    request: BookingRequest,
    own: Pick<store.Window, 'exceptBookingId' | 'newBookingId'>,
    leaving?: Stretch,
  ): Promise<Outcome<Situation<SeatPlan>>> {
    return survey(tx, books, {
      ids: request,
      planFor(product) {
        const wish = wishOf(product, request);
        if (wish.kind !== 'ok') return wish;
        const range = { fromMs: request.startMs, toMs: wish.value.endMs, ...own };
        return ok({ wish: wish.value, range });
      },
      read: store.readLive,
      // The days that a stay leaves change too. All are locked in their order, as whoever takes several does.
      prepare: ({ range }) => {
        const dates = [range, ...(leaving ? [leaving] : [])].flatMap((each) =>
          datesTouched(request.zone, each),
        );
        return lock(tx, request.venueId, [...new Set(dates)].sort());
      },
    });
  }

  async function bookSeat(tx: Tx, request: BookingRequest): Promise<Outcome<SystemBooking>> {
    const surveyed = await surveyLocked(tx, request, { newBookingId: request.bookingId });
    // The first of two equal calls may have taken the very table that the second one misses.
    if (surveyed.kind !== 'ok' || surveyed.value.live.isReserved) {
      const earlier = await store.findReservation(tx, request.bookingId);
      if (earlier) return ok(earlier);
    }
    const found = seatIn(surveyed, request);
    if (found.kind !== 'ok') return found;
    for (let attempt = 0; attempt < REFERENCE_ATTEMPTS; attempt += 1) {
      const reference = makeReference(random);
      if (await store.insertReservation(tx, request, reference, found.value.seat))
        return ok(bookingOf(request.bookingId, reference, found.value));
      const meanwhile = await store.findReservation(tx, request.bookingId);
      if (meanwhile) return ok(meanwhile);
    }
    return { kind: 'unavailable', detail: 'No unused reference was found.' };
  }

  function takeInStatement(request: BookingRequest): Taking | undefined {
    const book = books.kept(request.venueId);
    if (!book) return undefined;
    const lockNames = ({ startMs, endMs }: Seat) =>
      datesTouched(request.zone, { fromMs: startMs, toMs: endMs }).map((date) =>
        store.lockName(request.venueId, date),
      );
    return takingOf(book, request, { reference: makeReference(random), lockNames });
  }

  /** The reservation is locked before the days, as a caller who locked its own booking first would expect. */
  async function amend(tx: Tx, request: BookingRequest): Promise<Outcome<SystemBooking>> {
    const { bookingId } = request;
    const held = await store.lockReservation(tx, bookingId, request.venueId);
    if (!held) return refused('not-found');
    const surveyed = await surveyLocked(tx, request, { exceptBookingId: bookingId }, held);
    const found = seatIn(surveyed, request);
    if (found.kind !== 'ok') return found;
    await store.moveReservation(tx, request, found.value.seat);
    return ok(bookingOf(bookingId, held.reference, found.value));
  }

  return {
    flavour: 'local',
    slug: 'house',
    capabilities: {
      capability: 'table_reservation',
      tellsTables: true,
    },
    availability,
    forecast,
    book: bookSeat,
    // Without the usual lock there is no short way: it brings its own.
    ...(lock === store.lockDays && { taking: takeInStatement }),
    amend,
    cancel: async (tx, bookingId) => ok(await store.deleteReservation(tx, bookingId)),
    find: async (tx, bookingId) => ok(await store.findReservation(tx, bookingId)),
    describe: store.describeProducts,
  };
}

interface Stretch {
  fromMs: number;
  toMs: number;
}

interface SeatPlan extends Plan {
  wish: Wish;
}

interface Seated {
  book: HouseBook;
  seat: Seat;
}

function seatIn(surveyed: Outcome<Situation<SeatPlan>>, request: BookingRequest): Outcome<Seated> {
  if (surveyed.kind !== 'ok') return surveyed;
  const { book, plan, live } = surveyed.value;
  const decided = decide(plan.wish, request, live);
  return decided.kind === 'ok' ? ok({ book, seat: decided.value }) : decided;
}

/** The starts of each day, and the stretch of time that their stays could touch. */
function planDays(product: HouseProduct, query: AvailabilityQuery) {
  const { zone, dates, nowMs } = query;
  const guests = query.adults + query.children;
  const durationMinutes = query.durationMinutes ?? turnTime(product, guests);
  if (query.durationMinutes !== undefined && !isDurationAllowed(product.bounds, durationMinutes))
    return refused('duration');
  const space = query.spaceId === undefined ? ok(product) : inSpace(product, query.spaceId);
  if (space.kind !== 'ok') return space;
  const days = dates.map((date) => ({
    date,
    starts: startsOf(product, dayClock(zone, date), durationMinutes),
  }));
  const range = rangeOf(days, durationMinutes) ?? { fromMs: nowMs, toMs: nowMs };
  return ok({ product, party: { guests, durationMinutes, zone, nowMs }, days, range });
}

/** Undefined without a start. Nights overlap with mornings, so the last day need not hold the last start. */
function rangeOf(days: readonly { starts: readonly Start[] }[], durationMinutes: number) {
  const outermost = days.flatMap(({ starts }) => [starts.at(0) ?? [], starts.at(-1) ?? []]).flat();
  if (outermost.length === 0) return undefined;
  const instants = outermost.map(({ startMs }) => startMs);
  return { fromMs: Math.min(...instants), toMs: Math.max(...instants) + durationMinutes * MS_PER_MINUTE };
}

/**
 * The calendar days that a stay touches, ascending. Two stays that meet share one of them, whichever trading
 * days they belong to; so the lock of a trading day that runs past midnight includes that of the next.
 */
function datesTouched(zone: string, { fromMs, toMs }: Stretch): string[] {
  const last = localOf(zone, toMs - 1).date;
  const dates = [localOf(zone, fromMs).date];
  for (let date = dates[0] ?? last; date < last; ) {
    date = addDays(date, 1);
    dates.push(date);
  }
  return dates;
}

function bookingOf(bookingId: string, reference: string, { book, seat }: Seated): SystemBooking {
  const tables = seat.unit.tableIds.flatMap((id) => book.tables.get(id) ?? []);
  return {
    bookingId,
    reference,
    tables: tables.map(({ name }) => name),
    areaId: tables[0]?.areaId ?? null,
    areaName: tables[0]?.areaName ?? null,
    startMs: seat.startMs,
    durationMinutes: seat.durationMinutes,
    guests: seat.guests,
    pricePerGuestPence: null,
  };
}
