import { randomInt } from 'node:crypto';
import { batchLoader } from '../../db/batch-loader.ts';
import type { Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { dayClock, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import {
  type AvailabilityQuery,
  type Forecast,
  type ForecastQuery,
  type LocalConnector,
  type Outcome,
  ok,
  type PlaceRequest,
  type ProductAvailability,
  type Refusal,
  refused,
  type SystemBooking,
} from '../contract.ts';
import { createAnswerCache } from './answer-cache.ts';
import { type HouseProduct, isDurationAllowed, partyLimitsOf, turnTime } from './book.ts';
import { type LockedClaim, lockClaims } from './claims.ts';
import type { ConfigCache } from './config-cache.ts';
import { inSpace } from './decision.ts';
import { forecastOf } from './forecast.ts';
import { type HasEnded, hasEnded, occupiedBy } from './holds/held.ts';
import { createHolds } from './holds/operations.ts';
import { deleteHolds, sweepHolds } from './holds/store.ts';
import { loadState } from './load-state.ts';
import { movePastStays } from './past-store.ts';
import { bookingOf, type DecidedSeat, insertSeats, seatFor } from './seats.ts';
import { daySlots, type LiveState, type SlotStart, startsOf } from './slots.ts';
import { createStayCache } from './stay-cache.ts';
import * as store from './store.ts';
import { wouldBook } from './would-book.ts';

/** The built-in reservation book. It lives in our database, so a booking and its tables commit together. */

export interface HouseOptions {
  configs: ConfigCache;
  /** Say when another database may have taken over. */
  notifications?: Notifications;
  /** Whole numbers below a bound, for references. */
  random?: (bound: number) => number;
  /** These are replaced only by tests which show that they are needed. */
  lock?: typeof store.lockDays;
  hasEnded?: HasEnded;
}

const NO_REFERENCE: Refusal = { kind: 'unavailable', detail: 'No unused reference was found.' };

export function createHouse({
  configs,
  notifications,
  random = (bound) => randomInt(bound),
  lock = store.lockDays,
  hasEnded: isOver = hasEnded,
}: HouseOptions): LocalConnector {
  const stays = createStayCache(notifications);
  const answerFor = createAnswerCache();
  const occupied = occupiedBy(isOver);
  /** Otherwise every question of one request about a venue that is not cached would load its configuration. */
  const sharedConfigs: ConfigCache = {
    kept: configs.kept,
    load: batchLoader(
      (venueId) => venueId,
      (tx, venueIds) => Promise.all(venueIds.map((venueId) => configs.load(tx, venueId))),
    ),
  };

  async function availability(tx: Tx, query: AvailabilityQuery): Promise<Outcome<ProductAvailability>> {
    const loaded = await loadState(tx, sharedConfigs, {
      ids: query,
      planFor: (product) => planDays(product, query),
      read: stays.read,
    });
    if (loaded.kind !== 'ok') return loaded;
    const { plan, live } = loaded.value;
    const { product, party, days } = plan;
    const { bounds, policy, cancellationPolicy } = product;
    const slotsOn = (state: LiveState) =>
      days.map(({ date, starts }) => daySlots(product, date, starts, party, state));
    const answer = answerFor(query, product, live, () => ({
      bounds,
      policy,
      cancellationPolicy,
      partySizes: (spaceId, most) => partyLimitsOf(product, spaceId, most),
      days: slotsOn(occupied(live, query.nowMs)),
    }));
    return ok(answer);
  }

  async function forecast(tx: Tx, query: ForecastQuery): Promise<Forecast | undefined> {
    const book = await configs.load(tx, query.venueId);
    const product = book?.products.get(query.productId);
    return product && forecastOf(product, query);
  }

  /** One after the other, so that each sees the seats that those before it were given. */
  async function book(tx: Tx, requests: readonly PlaceRequest[]): Promise<Outcome<SystemBooking>[]> {
    const claims = requests.map((request) => ({ request }));
    const locked = await lockClaims(tx, claims, { configs, lock });
    const outcomes = new Map<string, Outcome<SystemBooking>>();
    // The first of two equal calls may have taken the very table that the second one misses.
    const repeated = requests.filter((_, index) => {
      const claim = locked[index];
      return claim?.kind !== 'ok' || claim.value.live.isReserved;
    });
    for (const [bookingId, earlier] of await store.findReservations(tx, repeated.map(idOf)))
      outcomes.set(bookingId, ok(earlier));
    const claimed = new Map<string, DecidedSeat>();
    for (const [index, request] of requests.entries()) {
      const { bookingId } = request;
      if (outcomes.has(bookingId) || claimed.has(bookingId)) continue;
      const claim = locked[index] as Outcome<LockedClaim>;
      const given = [...claimed.values()];
      const seat = claim.kind === 'ok' ? seatFor(request, claim.value, { given, occupied }) : claim;
      if (seat.kind === 'ok') claimed.set(bookingId, seat.value);
      else outcomes.set(bookingId, seat);
    }
    for (const [bookingId, outcome] of await insertSeats(tx, [...claimed.values()], random))
      outcomes.set(bookingId, outcome);
    const isTaken = (claim: Outcome<LockedClaim> | undefined) =>
      claim?.kind === 'ok' && claim.value.live.isHeld;
    // The booking has its place now.
    const held = requests.filter(({ bookingId }, index) => claimed.has(bookingId) && isTaken(locked[index]));
    await deleteHolds(tx, held.map(idOf));
    return requests.map(({ bookingId }) => outcomes.get(bookingId) ?? NO_REFERENCE);
  }

  /** Locks the reservation before the days, in the order of a caller that has locked its own booking first. */
  async function amend(tx: Tx, request: PlaceRequest): Promise<Outcome<SystemBooking>> {
    const held = await store.lockReservation(tx, request.bookingId, request.venueId);
    if (!held) return refused('not-found');
    const leavingIds = [request.bookingId];
    const [claim] = await lockClaims(tx, [{ request, leaves: held, leavingIds }], { configs, lock });
    if (claim?.kind !== 'ok') return claim ?? refused('not-found');
    const moved = seatFor(request, claim.value, { given: [], occupied });
    if (moved.kind !== 'ok') return moved;
    await store.moveReservations(tx, [moved.value]);
    return ok(bookingOf(held.reference, moved.value));
  }

  /** Each is decided as if both had left; the second then finds what the first has taken. */
  async function swap(
    tx: Tx,
    requests: readonly [PlaceRequest, PlaceRequest],
  ): Promise<Outcome<SystemBooking[]>> {
    const held = new Map<string, store.LockedReservation>();
    // In one order, so that two swaps of the same bookings do not wait for each other.
    for (const { bookingId, venueId } of requests.toSorted((a, b) => (a.bookingId < b.bookingId ? -1 : 1))) {
      const reservation = await store.lockReservation(tx, bookingId, venueId);
      if (!reservation) return refused('not-found');
      held.set(bookingId, reservation);
    }
    const leavingIds = requests.map(idOf);
    const [first, second] = requests;
    const claims = [
      { request: first, other: second },
      { request: second, other: first },
    ].map(({ request, other }) => ({
      request: { ...request, tableIds: held.get(other.bookingId)?.tableIds ?? [] },
      leaves: held.get(request.bookingId) as store.LockedReservation,
      leavingIds,
    }));
    const locked = await lockClaims(tx, claims, { configs, lock });
    const moved: DecidedSeat[] = [];
    for (const [index, { request }] of claims.entries()) {
      const claim = locked[index] as Outcome<LockedClaim>;
      if (claim.kind !== 'ok') return claim;
      const seat = seatFor(request, claim.value, { given: moved, occupied });
      if (seat.kind !== 'ok') return seat;
      moved.push(seat.value);
    }
    await store.moveReservations(tx, moved);
    return ok(moved.map((seat) => bookingOf(held.get(seat.bookingId)?.reference ?? '', seat)));
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
    book,
    wouldBook: (tx, requests) => wouldBook(tx, requests, { configs: sharedConfigs, stays, occupied }),
    amend,
    swap,
    cancel: async (tx, bookingId) => ok(await store.deleteReservation(tx, bookingId)),
    find: async (tx, bookingId) => ok(await store.findReservation(tx, bookingId)),
    describe: store.describeProducts,
    holds: createHolds({ configs, lock, occupied, random }),
    sweepHolds,
    movePastStays,
  };
}

const idOf = ({ bookingId }: { bookingId: string }) => bookingId;

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
function rangeOf(days: readonly { starts: readonly SlotStart[] }[], durationMinutes: number) {
  const outermost = days.flatMap(({ starts }) => [starts.at(0) ?? [], starts.at(-1) ?? []]).flat();
  if (outermost.length === 0) return undefined;
  const instants = outermost.map(({ startMs }) => startMs);
  return { fromMs: Math.min(...instants), toMs: Math.max(...instants) + durationMinutes * MS_PER_MINUTE };
}
