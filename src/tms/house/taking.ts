import { type BookingRequest, type Refusal, refused, type Taking } from '../contract.ts';
import { type Unit, unitsFor } from './allocation.ts';
import type { HouseBook, HouseProduct } from './book.ts';
import { decide, type Seat, type Wish, wishOf } from './decision.ts';
import type { LiveState } from './slots.ts';
import { takeSeats, takingDocument } from './store.ts';

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
    units: fitting.slice(0, MOST_UNITS),
    spaceIdOf: spaceOf(wish.product),
    coversPerStart: wish.product.coversPerStart,
    version: book.version,
  };
  return {
    order: `${request.venueId} ${new Date(startMs).toISOString()}`,
    document: takingDocument(request, taking),
    take: takeSeats,
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

/** Which of the product's spaces a unit is in, if it has any. */
function spaceOf({ spaces }: HouseProduct): (unit: Unit) => number | null {
  return (unit) => spaces.find(({ units }) => units.includes(unit))?.spaceId ?? null;
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
