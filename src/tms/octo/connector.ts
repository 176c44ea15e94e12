/** A supplier of tickets or tours that speaks OCTO. A guest is a unit; a slot is an availability. */
import {
  type AvailabilityQuery,
  type BookingRequest,
  type HoldOperations,
  type Outcome,
  ok,
  type ProductAvailability,
  refused,
  type SystemBooking,
} from '../contract.ts';
import type { RemoteCall, RemoteConnector, SystemSetup } from '../remote.ts';
import { asSystemBooking, isAt, look, lookBriefly } from './attempts.ts';
import { contactOf, itemsAfter, newItems, notesOf } from './bodies.ts';
import { readCatalogue } from './catalogue.ts';
import { type Client, createClients, settled, then } from './client.ts';
import { createHolds } from './holds.ts';
import { availabilityOf, neverFits, quantitiesOf, startsIn } from './offer.ts';
import { createOffers } from './products.ts';
import { createReservations, unclear } from './reservations.ts';
import { Availabilities, Booking, Supplier, type UpdateBody } from './schema.ts';

/** Only until it is confirmed with the next call; long enough for a repetition after a crash. */
const BOOKING_HOLD_MINUTES = 10;
const PENDING = { kind: 'unavailable', detail: 'The system has not decided on the booking yet.' } as const;

export function createOcto(setup: SystemSetup): RemoteConnector {
  const clients = createClients(setup);
  const offers = createOffers(setup.settings);
  const reservations = createReservations(offers);
  const holds = createHolds(reservations);

  /** Every operation with the operator's own account. */
  const inAccount =
    <Args extends unknown[], Value>(operation: (client: Client, ...args: Args) => Promise<Outcome<Value>>) =>
    async (call: RemoteCall, ...args: Args): Promise<Outcome<Value>> =>
      then(await clients.open(call), (client) => operation(client, ...args));

  async function availability(
    client: Client,
    query: AvailabilityQuery,
  ): Promise<Outcome<ProductAvailability>> {
    return then(await offers.offerOf(client, query.productId), async ({ key, option, units }) => {
      const { productId, optionId } = key;
      const isNeverFitting = neverFits(option, units, query);
      // Of a party that never fits a supplier would say nothing.
      const party = isNeverFitting
        ? {}
        : { units: [...quantitiesOf(units, query)].map(([id, quantity]) => ({ id, quantity })) };
      const answer = await client.read('/availability', Availabilities, {
        productId,
        optionId,
        localDateStart: query.dates[0],
        localDateEnd: query.dates.at(-1),
        ...party,
      });
      const starts = await then(answer, (list) => startsIn(list, query.zone));
      return then(starts, (all) => availabilityOf(all, query, { option, isNeverFitting }));
    });
  }

  async function book(client: Client, request: BookingRequest): Promise<Outcome<SystemBooking>> {
    const { bookingId, details } = request;
    return then(await lookBriefly(client, bookingId), async (known) => {
      if (known.confirmed) return bookingOutcome(bookingId, known.confirmed);
      if (known.pending) return reservations.withdraw(client, known.pending);
      return then(await reservations.wantedBy(client, request), async (wanted) => {
        if (known.held && isAt(known.held, wanted)) return confirmNow(client, request, known.held, wanted);
        // A hold of an earlier request under this id, for another place.
        if (known.held) {
          const released = await reservations.cancelOne(client, known.held.uuid);
          if (released.kind !== 'ok') return released;
        }
        const notes = notesOf(details);
        const terms = { expirationMinutes: BOOKING_HOLD_MINUTES, contact: contactOf(details), notes };
        const reserved = await reservations.reserve(client, request, wanted, terms, known);
        return then(reserved, (held) => confirmNow(client, request, held, wanted));
      });
    });
  }

  type Wanted = Parameters<typeof reservations.confirm>[3];
  async function confirmNow(
    client: Client,
    request: BookingRequest,
    held: Booking,
    wanted: Wanted,
  ): Promise<Outcome<SystemBooking>> {
    if (held.status !== 'ON_HOLD') return reservations.confirmed(client, request.bookingId, held, wanted);
    if (!isAt(held, wanted)) return unclear('The system has reserved something else.');
    const outcome = await reservations.confirm(client, request, held, wanted);
    const hasEnded = outcome.kind === 'refused' && outcome.reason === 'hold-ended';
    return hasEnded
      ? { kind: 'unavailable', detail: 'The reservation ended before it was confirmed.' }
      : outcome;
  }

  async function amend(client: Client, request: BookingRequest): Promise<Outcome<SystemBooking>> {
    const { bookingId, details, durationMinutes } = request;
    return then(await look(client, bookingId), async ({ confirmed: current, pending }) => {
      if (!current) return pending ? PENDING : refused('not-found');
      const now = asSystemBooking(bookingId, current);
      return then(await reservations.wantedBy(client, request), async (wanted) => {
        const { productId, optionId, quantities } = wanted;
        const isSameOption = current.productId === productId && current.optionId === optionId;
        const isSameStart = isSameOption && now?.startMs === request.startMs;
        if (isSameStart && durationMinutes !== null && durationMinutes !== now.durationMinutes)
          return refused('duration');
        // More units at the same start are the supplier's to give: vacancies do not count those that stand.
        const start = isSameStart ? undefined : await reservations.findStart(client, request, wanted);
        if (start && start.kind !== 'ok') return start;
        const items = isSameOption ? itemsAfter(current, quantities) : newItems(quantities);
        const body: UpdateBody = {
          contact: contactOf(details),
          notes: notesOf(details),
          ...(!isSameOption && { productId, optionId }),
          ...(start && { availabilityId: start.value.availability.id }),
          ...(!isAt(current, wanted) && { unitItems: items }),
        };
        const answer = await client.write('PATCH', `/bookings/${current.uuid}`, Booking, body);
        if (answer.kind === 'ok') {
          if (answer.value.uuid !== current.uuid) return unclear('The system answered with another booking.');
          return reservations.confirmed(client, bookingId, answer.value, wanted);
        }
        if (answer.kind !== 'error' || answer.code === 'INVALID_BOOKING_UUID') return settled(answer);
        const more = isSameStart ? Math.max(0, wanted.guests - now.guests) : wanted.guests;
        return reservations.explain(client, request, wanted, answer, more);
      });
    });
  }

  async function cancel(client: Client, bookingId: string): Promise<Outcome<void>> {
    return then(await look(client, bookingId), async ({ active }) => {
      for (const { uuid } of active) {
        const cancelled = await reservations.cancelOne(client, uuid);
        if (cancelled.kind !== 'ok') return cancelled;
      }
      return ok(undefined);
    });
  }

  async function find(client: Client, bookingId: string): Promise<Outcome<SystemBooking | undefined>> {
    return then(await look(client, bookingId), ({ confirmed, pending }) => {
      if (confirmed) return bookingOutcome(bookingId, confirmed);
      return pending ? PENDING : ok(undefined);
    });
  }

  const { hold, extend, confirm, release } = holds;
  const holdOperations: HoldOperations<RemoteCall, BookingRequest> = {
    hold: inAccount(hold),
    extend: inAccount(extend),
    confirm: inAccount(confirm),
    release: inAccount(release),
  };
  return {
    flavour: 'remote',
    slug: setup.slug,
    capabilities: { capability: 'event_ticket', tellsTables: false },
    availability: inAccount(availability),
    book: inAccount(book),
    amend: inAccount(amend),
    cancel: inAccount(cancel),
    find: inAccount(find),
    holds: holdOperations,
    async checkAccount(call, account) {
      const answer = await clients.clientFor(call, account).read('/supplier', Supplier);
      return then(answer, ({ id, name }) => {
        const { supplierId } = account.settings;
        if (supplierId === undefined || supplierId === id) return ok(undefined);
        return refused('rejected', `The key belongs to the supplier ${id}, ${name}.`);
      });
    },
    catalogue: inAccount((client: Client, cursor: string | null) =>
      readCatalogue(client, setup.settings, cursor),
    ),
  };
}

function bookingOutcome(bookingId: string, booking: Booking): Outcome<SystemBooking> {
  const made = asSystemBooking(bookingId, booking);
  return made ? ok(made) : { kind: 'unavailable', detail: 'The booking has no start, or no units.' };
}
