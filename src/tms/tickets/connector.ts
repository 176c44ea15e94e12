import { batchLoader } from '../../db/batch-loader.ts';
import type { Tx } from '../../db/database.ts';
import {
  type AvailabilityQuery,
  type DurationBounds,
  type LocalConnector,
  type Outcome,
  ok,
  type PartySizes,
  type PlaceRequest,
  type ProductAvailability,
  type ProposedPlace,
  refused,
  type Slot,
  type SystemBooking,
} from '../contract.ts';
import { type Choice, choose, guestsOf } from './choice.ts';
import { deleteHold, sweepHolds } from './hold-store.ts';
import { createHolds } from './holds.ts';
import { type Occurrence, obstaclesTo, startOf, type TicketType } from './offer.ts';
import { asBooking, bookingName, NOT_SEATED } from './reservation.ts';
import * as database from './store.ts';
import { occurrenceName } from './store.ts';

/**
 * The built-in system for ticketed events. A guest is a ticket, children included; a slot is an occurrence.
 * Every change locks the booking first and then the occurrences it touches. Another store is passed in only by
 * the test which shows that this matters.
 */
export function createTickets(store: typeof database = database): LocalConnector {
  /** The read does not depend on the number of tickets, so it is not part of the key. */
  const offersOf = batchLoader(
    ({ productId, dates, nowMs }: AvailabilityQuery) => `${productId} ${dates.join()} ${nowMs}`,
    async (tx, queries) => queries.map((query) => store.findOffers(tx, query, query.dates)),
  );

  async function availability(tx: Tx, query: AvailabilityQuery): Promise<Outcome<ProductAvailability>> {
    const offers = await offersOf(tx, query);
    if (!offers) return refused('no-such-product');
    const bounds = boundsOf(offers);
    const wanted = query.durationMinutes;
    if (wanted !== undefined && (wanted < bounds.minMinutes || wanted > bounds.maxMinutes))
      return refused('duration');
    const byDate = Map.groupBy(offers.occurrences, ({ date }) => date);
    const days = query.dates.map((date) => {
      const occurrences = byDate.get(date) ?? [];
      const slots = occurrences
        .filter(({ durationMinutes }) => wanted === undefined || wanted === durationMinutes)
        .flatMap((occurrence) => slotOf(offers.type, occurrence, query) ?? []);
      return { date, isClosed: occurrences.length === 0, slots };
    });
    const { policy, cancellationPolicy, type } = offers;
    return ok({
      bounds,
      policy,
      cancellationPolicy,
      partySizes: (_, most) => quantitiesOf(type, most),
      days,
    });
  }

  async function book(tx: Tx, requests: readonly PlaceRequest[]): Promise<Outcome<SystemBooking>[]> {
    const names = [requests.map(({ bookingId }) => bookingName(bookingId)), requests.map(occurrenceName)];
    const locking = store.lock(
      tx,
      names.flatMap((each) => [...new Set(each)].sort()),
    );
    const outcomes: Outcome<SystemBooking>[] = [];
    for (const [index, request] of requests.entries()) {
      // Sent together and carried out in this order: what is read is what the locks have waited for.
      const [, known, offers] = await Promise.all([
        index === 0 ? locking : undefined,
        store.findReservation(tx, request.bookingId),
        store.findOffers(tx, request, [request.date]),
      ]);
      outcomes.push(known ? ok(asBooking(known)) : await bookTickets(tx, request, offers));
    }
    return outcomes;
  }

  async function bookTickets(
    tx: Tx,
    request: PlaceRequest,
    offers: database.Offers | undefined,
  ): Promise<Outcome<SystemBooking>> {
    if (!offers) return refused('no-such-product');
    const choice = choose(request, offers);
    return choice.kind === 'ok' ? take(tx, request, choice.value) : choice;
  }

  async function wouldBook(tx: Tx, requests: readonly PlaceRequest[]): Promise<Outcome<ProposedPlace>[]> {
    const [first] = requests;
    const dates = [...new Set(requests.map(({ date }) => date))];
    const offers = first && (await store.findOffers(tx, first, dates));
    return requests.map((request) => {
      if (!offers) return refused('no-such-product');
      const occurrences = offers.occurrences.filter(({ date }) => date === request.date);
      const choice = choose(request, { ...offers, occurrences });
      if (choice.kind !== 'ok') return choice;
      return ok({ durationMinutes: choice.value.occurrence.durationMinutes, tableIds: [] });
    });
  }

  async function amend(tx: Tx, request: PlaceRequest): Promise<Outcome<SystemBooking>> {
    const held = await lockReservation(tx, request.bookingId);
    if (held?.venueId !== request.venueId) return refused('not-found');
    const quantity = guestsOf(request);
    // Tickets are added with a booking of their own; an existing one can only give some back.
    if (quantity > held.quantity) return refused('rejected', 'increase');
    const [, offers] = await Promise.all([
      store.lock(tx, [...new Set([occurrenceName(held), occurrenceName(request)])].sort()),
      store.findOffers(tx, request, [request.date]),
    ]);
    if (!offers) return refused('no-such-product');
    const staysPut =
      held.productId === request.productId &&
      occurrenceName(held) === occurrenceName(request) &&
      held.startsAt.epochMilliseconds === request.startMs;
    if (staysPut) return shrink(tx, request, held, offers);
    const choice = choose(request, offers);
    if (choice.kind !== 'ok') return choice;
    const moved = await take(tx, request, choice.value);
    if (moved.kind === 'ok') await store.giveBack(tx, held.productId, held.occurrenceId, held.quantity);
    return moved;
  }

  /** Giving tickets back is not buying: neither the sales window nor a limit lowered since then is in the way. */
  async function shrink(
    tx: Tx,
    request: PlaceRequest,
    held: database.Reservation,
    { type }: database.Offers,
  ): Promise<Outcome<SystemBooking>> {
    const { productId, occurrenceId, durationMinutes, heldPricePence } = held;
    const quantity = guestsOf(request);
    if (request.durationMinutes !== null && request.durationMinutes !== durationMinutes)
      return refused('duration');
    if (quantity === held.quantity) return ok(asBooking(held));
    if (quantity < type.minPerBooking) return refused('party-never-fits');
    const startMs = held.startsAt.epochMilliseconds;
    await Promise.all([
      store.giveBack(tx, productId, occurrenceId, held.quantity - quantity),
      store.saveReservation(tx, held.id, { productId, occurrenceId, startMs, quantity, heldPricePence }),
    ]);
    return ok(asBooking({ ...held, quantity }));
  }

  async function take(
    tx: Tx,
    { bookingId, productId, startMs, ...request }: PlaceRequest,
    { occurrence: { id: occurrenceId, durationMinutes }, type: { pricePence } }: Choice,
  ): Promise<Outcome<SystemBooking>> {
    const quantity = guestsOf(request);
    const isSold = await store.sell(tx, productId, occurrenceId, quantity);
    if (!isSold) return refused('taken');
    const held = { productId, occurrenceId, startMs, quantity };
    const { reference } = await store.saveReservation(tx, bookingId, held);
    return ok({
      bookingId,
      reference,
      ...NOT_SEATED,
      startMs,
      durationMinutes,
      guests: quantity,
      pricePerGuestPence: pricePence,
    });
  }

  async function cancel(tx: Tx, bookingId: string): Promise<Outcome<void>> {
    const held = await lockReservation(tx, bookingId);
    if (!held) return ok(await deleteHold(tx, bookingId));
    await Promise.all([
      store.lock(tx, [occurrenceName(held)]),
      store.deleteReservation(tx, bookingId),
      store.giveBack(tx, held.productId, held.occurrenceId, held.quantity),
    ]);
    return ok(undefined);
  }

  async function lockReservation(tx: Tx, bookingId: string): Promise<database.Reservation | undefined> {
    const [, held] = await Promise.all([
      store.lock(tx, [bookingName(bookingId)]),
      store.findReservation(tx, bookingId),
    ]);
    return held;
  }

  async function find(tx: Tx, bookingId: string): Promise<Outcome<SystemBooking | undefined>> {
    const held = await store.findReservation(tx, bookingId);
    return ok(held && asBooking(held));
  }

  return {
    flavour: 'local',
    slug: 'tickets',
    capabilities: {
      capability: 'event_ticket',
      tellsTables: false,
    },
    availability,
    book,
    wouldBook,
    amend,
    cancel,
    find,
    describe: store.describeTypes,
    holds: createHolds(store),
    sweepHolds,
  };
}

/** Bounds of an event without occurrences, so that the refusal is not about the duration. */
const ANY_LENGTH = { shortest: 1, longest: 1440 };

function boundsOf({ shortestMinutes, longestMinutes }: database.Offers): DurationBounds {
  return {
    minMinutes: shortestMinutes ?? ANY_LENGTH.shortest,
    maxMinutes: longestMinutes ?? ANY_LENGTH.longest,
    stepMinutes: 1,
  };
}

/** Undefined where not even the smallest booking can be had. */
function quantitiesOf(
  { minPerBooking, maxPerBooking, capacity }: TicketType,
  most: number,
): PartySizes | undefined {
  const largest = Math.min(maxPerBooking, capacity, most);
  if (largest < minPerBooking) return undefined;
  return { smallest: minPerBooking, atOnce: largest, byEnquiry: largest };
}

function slotOf(
  type: database.Offers['type'],
  occurrence: Occurrence,
  query: AvailabilityQuery,
): Slot | undefined {
  const startMs = startOf(query.zone, occurrence);
  if (startMs === undefined) return undefined;
  const asked = { zone: query.zone, guests: guestsOf(query), nowMs: query.nowMs };
  const obstacles = obstaclesTo(type, occurrence, startMs, asked);
  const { date, minute, durationMinutes } = occurrence;
  const spots = { total: type.capacity, open: Math.max(0, type.capacity - occurrence.sold) };
  return { date, minute, startMs, durationMinutes, type: 'book', ...obstacles, spaces: [], spots };
}
