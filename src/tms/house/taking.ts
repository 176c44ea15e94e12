import { type BookingRequest, type Refusal, refused, type Taking } from '../contract.ts';
import { type Unit, unitsFor } from './allocation.ts';
import type { HouseBook, HouseProduct } from './book.ts';
import { decide, type Seat, type Wish, wishOf } from './decision.ts';
import type { LiveState } from './slots.ts';
import { takeSeat, takingDocument } from './store.ts';

const NOBODY: LiveState = {
  stays: { tableIds: [], startsMs: [], endsMs: [] },
  guestsByStartMs: new Map(),
};

/** A party that finds so many taken is looked after the long way. */
const MOST_UNITS = 32;

/**
 * Takes a seat within somebody else's statement. Whatever can be decided without looking at others is decided here; of
 * what would seat the party, the statement takes the first that is free. Undefined: this is not for a statement alone.
 */
export function takingOf(
  book: HouseBook,
  request: BookingRequest,
  { reference, lockNames }: { reference: string; lockNames(seat: Seat): string[] },
): Taking | undefined {
  const product = book.products.get(request.productId);
  const wished = product && wishOf(product, request);
  if (wished?.kind !== 'ok') return undefined;
  const wish = wished.value;
  const decided = decide(wish, request, NOBODY);
  if (decided.kind !== 'ok') return undefined;
  const seat = decided.value;
  const { startMs, durationMinutes, guests } = seat;
  const fitting = unitsFor(wish.product.units, guests);
  const taking = {
    seat,
    reference,
    locks: lockNames(seat),
    units: fitting.slice(0, MOST_UNITS).map((unit) => describe(book, wish.product, unit)),
    coversPerStart: wish.product.coversPerStart,
    version: book.version,
  };
  return {
    order: `${request.venueId} ${request.date}`,
    document: takingDocument(request, taking),
    take: takeSeat,
    held: {
      bookingId: request.bookingId,
      reference,
      startMs,
      durationMinutes,
      guests,
      pricePerGuestPence: null,
    },
    refusal: (answer) =>
      answer === null || fitting.length > MOST_UNITS ? undefined : refusalWhenFull(wish, request),
  };
}

/** With what is known of its place, which the statement gives back for the one that it took. */
function describe({ tables }: HouseBook, { spaces }: HouseProduct, unit: Unit) {
  const parts = unit.tableIds.flatMap((id) => tables.get(id) ?? []);
  return {
    tableIds: unit.tableIds.map(String),
    spaceId: spaces.find(({ units }) => units.includes(unit))?.spaceId ?? null,
    tables: parts.map(({ name }) => name),
    areaId: parts[0]?.areaId,
    areaName: parts[0]?.areaName,
  };
}

/** What is said of that start when every table of the product is taken. */
function refusalWhenFull(wish: Wish, request: BookingRequest): Refusal {
  const tableIds = [...new Set(wish.product.units.flatMap((unit) => unit.tableIds))];
  const stays = {
    tableIds,
    startsMs: tableIds.map(() => request.startMs),
    endsMs: tableIds.map(() => wish.endMs),
  };
  const decided = decide(wish, request, { ...NOBODY, stays });
  return decided.kind === 'ok' ? refused('taken') : decided;
}
