import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { dayClock, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { BookingRequest, Outcome } from '../contract.ts';
import { ok, refused } from '../contract.ts';
import { pickUnit, type Unit } from './allocation.ts';
import { type HouseProduct, isDurationAllowed, turnTime } from './book.ts';
import { tablesTaken } from './occupancy.ts';
import { findStart, isClosedOn, type LiveState, slotsAt } from './slots.ts';

/** The chosen unit for a party: what is stored once the decision is final. */
export interface Seat {
  unit: Unit;
  spaceId: number | null;
  guests: number;
  startMs: number;
  endMs: number;
  durationMinutes: number;
}

/** When the party would sit, and where the product lets it; what must be known before live state is read. */
export interface SeatDraft {
  /** The product, narrowed to the space that was asked for. */
  product: HouseProduct;
  guests: number;
  durationMinutes: number;
  endMs: number;
}

/** The part of a request that can be refused without looking at other bookings. */
export function draftOf(product: HouseProduct, request: BookingRequest): Outcome<SeatDraft> {
  const narrowed =
    request.spaceId === null
      ? ok(outside(product, request.blockedSpaceIds ?? []))
      : inSpace(product, request.spaceId);
  if (narrowed.kind !== 'ok') return narrowed;
  const guests = request.adults + request.children;
  const durationMinutes = request.durationMinutes ?? turnTime(product, guests);
  if (request.durationMinutes !== null && !isDurationAllowed(product.bounds, durationMinutes))
    return refused('duration');
  const endMs = request.startMs + durationMinutes * MS_PER_MINUTE;
  return ok({ product: narrowed.value, guests, durationMinutes, endMs });
}

export function inSpace(product: HouseProduct, spaceId: number): Outcome<HouseProduct> {
  const space = product.spaces.find((candidate) => candidate.spaceId === spaceId);
  if (!space) return refused('rejected', `Space ${spaceId} does not belong to this product.`);
  if (space.zoneId === null) return refused('space-without-zone');
  if (!space.hasAreas) return refused('zone-without-areas');
  return ok({ ...product, units: space.units, spaces: [space] });
}

function outside(product: HouseProduct, blockedSpaceIds: readonly number[]): HouseProduct {
  if (blockedSpaceIds.length === 0) return product;
  const spaces = product.spaces.filter(({ spaceId }) => !blockedSpaceIds.includes(spaceId));
  const open = new Set(spaces.flatMap(({ units }) => units));
  return { ...product, spaces, units: product.units.filter((unit) => open.has(unit)) };
}

/** Whether the party can be confirmed at once, and at which table. Asks the functions that slots come from. */
export function decide(draft: SeatDraft, request: BookingRequest, live: LiveState): Outcome<Seat> {
  const { product, guests, durationMinutes, endMs } = draft;
  const { date, zone, startMs, nowMs, isConfirmedByOperator = false } = request;
  if (isClosedOn(product, date)) return refused('closed');
  const start = findStart(product, dayClock(zone, date), request, durationMinutes);
  if (!start) return refused('not-a-start');
  const party = { guests, durationMinutes, zone, nowMs, isConfirmedByOperator };
  const [slot] = slotsAt(product, date, [start], party, live);
  if (slot?.obstacle) return refused(slot.untimely ?? slot.obstacle);
  if (slot?.type !== 'book')
    return refused(slot?.requestReason === 'exceeds_auto_confirm' ? 'over-instant-limit' : 'enquiry-only');
  const unit = pickUnit(product.units, guests, tablesTaken(live.stays, startMs, endMs));
  if (!unit) return refused('taken');
  const spaceId = product.spaces.find(({ units }) => units.includes(unit))?.spaceId ?? null;
  return ok({ unit, spaceId, guests, startMs, endMs, durationMinutes });
}

/** A seat that was given away after live state was read. */
export interface GivenSeat {
  venueId: VenueId;
  productId: ProductId;
  seat: Seat;
}

/** The live state for a product of a venue, with the seats that were given away since it was read. */
export function withSeats(
  { stays, guestsByStartMs }: LiveState,
  { venueId, productId }: { venueId: VenueId; productId: ProductId },
  given: readonly GivenSeat[],
): LiveState {
  const tableIds = [...stays.tableIds];
  const startsMs = [...stays.startsMs];
  const endsMs = [...stays.endsMs];
  const guests = new Map(guestsByStartMs);
  for (const other of given) {
    if (other.venueId !== venueId) continue;
    const { unit, startMs, endMs } = other.seat;
    for (const tableId of unit.tableIds) {
      tableIds.push(tableId);
      startsMs.push(startMs);
      endsMs.push(endMs);
    }
    if (other.productId === productId) guests.set(startMs, (guests.get(startMs) ?? 0) + other.seat.guests);
  }
  return { stays: { tableIds, startsMs, endsMs }, guestsByStartMs: guests };
}
