import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { dayClock, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { Outcome, PlaceRequest } from '../contract.ts';
import { ok, refused } from '../contract.ts';
import { pickUnit, type Unit } from './allocation.ts';
import { type HouseBook, type HouseProduct, type HouseSpace, isDurationAllowed, turnTime } from './book.ts';
import { tablesTaken } from './occupancy.ts';
import { findStart, isClosedOn, isShownAt, type LiveState, type SlotStart, slotsAt } from './slots.ts';

/** The chosen unit for a party: what is stored once the decision is final. */
export interface Seat {
  unit: Unit;
  spaceId: number | null;
  guests: number;
  startMs: number;
  /** When it takes the tables: at the start, or now where a party that has begun changes over. */
  fromMs: number;
  endMs: number;
  durationMinutes: number;
}

/** When the party would sit, and where the product lets it; what must be known before live state is read. */
export interface SeatDraft {
  /** The product, narrowed to the space that was asked for. */
  product: HouseProduct;
  guests: number;
  durationMinutes: number;
  fromMs: number;
  endMs: number;
}

/** What a reservation has that is to be changed. */
export interface HeldSeat {
  fromMs: number;
  toMs: number;
  guests: number;
  tableIds: readonly number[];
}

/** The part of a request that can be refused without looking at other bookings. */
export function draftOf(
  { tables }: Pick<HouseBook, 'tables'>,
  product: HouseProduct,
  request: PlaceRequest,
  held?: HeldSeat,
): Outcome<SeatDraft> {
  const { startMs, nowMs, isConfirmedByOperator = false, overrides = [] } = request;
  const narrowed =
    request.spaceId === null
      ? ok(outside(product, request.blockedSpaceIds ?? []))
      : inSpace(product, request.spaceId);
  if (narrowed.kind !== 'ok') return narrowed;
  const guests = request.adults + request.children;
  const durationMinutes = request.durationMinutes ?? turnTime(product, guests);
  if (
    request.durationMinutes !== null &&
    !overrides.includes('duration') &&
    !isDurationAllowed(product.bounds, durationMinutes)
  )
    return refused('duration');
  const chosen = asOperatorAllows(narrowed.value, tables, { ...request, guests }, held);
  if (chosen.kind !== 'ok') return chosen;
  const hasBegun = isConfirmedByOperator && held?.fromMs === startMs && startMs < nowMs;
  const endMs = startMs + durationMinutes * MS_PER_MINUTE;
  if (hasBegun && endMs <= nowMs) return refused('duration', 'The stay would have ended by now.');
  return ok({ product: chosen.value, guests, durationMinutes, fromMs: hasBegun ? nowMs : startMs, endMs });
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

/** The product without the limits that the operator sets aside, and with the tables that it has chosen. */
function asOperatorAllows(
  product: HouseProduct,
  tables: HouseBook['tables'],
  request: PlaceRequest & { guests: number },
  held: HeldSeat | undefined,
): Outcome<HouseProduct> {
  const { isConfirmedByOperator, overrides = [], tableIds, guests, startMs } = request;
  if (!isConfirmedByOperator) return ok(product);
  const units = tableIds ? joined(tableIds, tables) : ok(preferring(product.units, tables, request, held));
  if (units.kind !== 'ok') return units;
  const consented = {
    ...product,
    instantLimit: null,
    isRequestOnly: false,
    takesEnquiries: false,
    units: units.value,
  };
  const keepsStart = held?.fromMs === startMs;
  return ok({
    ...consented,
    ...(overrides.includes('notice') && { noticeMinutes: 0, horizonDays: null }),
    ...(held?.guests === guests && {
      minGuests: Math.min(product.minGuests, guests),
      maxGuests: Math.max(product.maxGuests, guests),
    }),
    // Notice is about new starts.
    ...(keepsStart && { noticeMinutes: Number.NEGATIVE_INFINITY, horizonDays: null }),
    ...(overrides.includes('pacing') && { coversPerStart: null }),
    ...(overrides.includes('covers') && {
      minGuests: 1,
      maxGuests: guests,
      units: forAnyParty(units.value, guests),
    }),
  });
}

/** Tables that the operator puts together, whether or not the layout joins them. */
function joined(tableIds: readonly number[], tables: HouseBook['tables']): Outcome<Unit[]> {
  if (tableIds.length === 0) return refused('no-such-table', 'names no table');
  const missing = tableIds.find((id) => !tables.has(id));
  if (missing !== undefined)
    return refused('no-such-table', `names ${missing}, which is no table in use there`);
  const chosen = [...new Set(tableIds)].flatMap((id) => tables.get(id) ?? []);
  const maxCovers = chosen.reduce((sum, table) => sum + table.maxCovers, 0);
  return ok([
    {
      tableIds: chosen.map(({ id }) => id).sort((a, b) => a - b),
      minCovers: Math.min(...chosen.map(({ minCovers }) => minCovers)),
      maxCovers,
      coversTiedUp: maxCovers,
    },
  ]);
}

/** A party keeps its tables where they are free: of the same size whatever they seat, else where they seat it. */
function preferring(
  units: readonly Unit[],
  tables: HouseBook['tables'],
  { guests, spaceId }: { guests: number; spaceId: number | null },
  held: HeldSeat | undefined,
): readonly Unit[] {
  const own = held && joined(held.tableIds, tables);
  const [unit] = own?.kind === 'ok' ? own.value : [];
  if (!held || !unit) return units;
  const isInside = (id: number) => units.some(({ tableIds }) => tableIds.includes(id));
  if (spaceId !== null && !unit.tableIds.every(isInside)) return units;
  const known = units.find(({ tableIds }) => tableIds.join() === unit.tableIds.join()) ?? unit;
  const kept = held.guests === guests ? forAnyParty([known], guests) : [known];
  return [...kept, ...units.filter((other) => other !== known)];
}

/** Every unit, whatever it seats: those large enough first, then the largest of the others. */
function forAnyParty(units: readonly Unit[], guests: number): Unit[] {
  const large = units.filter(({ maxCovers }) => maxCovers >= guests);
  const small = units
    .filter(({ maxCovers }) => maxCovers < guests)
    .toSorted((a, b) => b.maxCovers - a.maxCovers);
  return [...large, ...small].map((unit) => ({
    ...unit,
    minCovers: 1,
    maxCovers: Math.max(unit.maxCovers, guests),
  }));
}

/** Whether the party can be confirmed at once, and at which table. Asks the functions that slots come from. */
export function decide(draft: SeatDraft, request: PlaceRequest, live: LiveState): Outcome<Seat> {
  const { product, guests, durationMinutes, fromMs, endMs } = draft;
  const { date, zone, startMs, nowMs } = request;
  const findUnit = () => pickUnit(product.units, guests, tablesTaken(live.stays, fromMs, endMs));
  const start = startIn(product, request, durationMinutes);
  if (start.kind !== 'ok') return start;
  const party = { guests, durationMinutes, zone, nowMs };
  const [slot] = slotsAt(product, date, [start.value], party, live);
  if (slot?.obstacle === 'taken' && request.isConfirmedByOperator && findUnit()) return refused('paced');
  if (slot?.obstacle) return refused(slot.untimely ?? slot.obstacle);
  if (slot?.type !== 'book')
    return refused(slot?.requestReason === 'exceeds_auto_confirm' ? 'over-instant-limit' : 'enquiry-only');
  const unit = findUnit();
  if (!unit) return refused('taken');
  return ok({ unit, spaceId: spaceOf(product, unit), guests, startMs, fromMs, endMs, durationMinutes });
}

/** The space that has all tables of the unit. */
function spaceOf({ spaces }: HouseProduct, { tableIds }: Unit): number | null {
  const holds = (space: HouseSpace) =>
    tableIds.every((id) => space.units.some((unit) => unit.tableIds.length === 1 && unit.tableIds[0] === id));
  return spaces.find(holds)?.spaceId ?? null;
}

/** The start in the hours of the product, or at whatever time the operator opens for it. */
function startIn(product: HouseProduct, request: PlaceRequest, durationMinutes: number): Outcome<SlotStart> {
  const { date, zone, minute, startMs, overrides = [] } = request;
  const clock = dayClock(zone, date);
  if (overrides.includes('hours'))
    return isShownAt(clock, minute, startMs) ? ok({ minute, startMs }) : refused('not-a-start');
  if (isClosedOn(product, date)) return refused('closed');
  const start = findStart(product, clock, request, durationMinutes);
  return start ? ok(start) : refused('not-a-start');
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
    const { unit, startMs, fromMs, endMs } = other.seat;
    for (const tableId of unit.tableIds) {
      tableIds.push(tableId);
      startsMs.push(fromMs);
      endsMs.push(endMs);
    }
    if (other.productId === productId) guests.set(startMs, (guests.get(startMs) ?? 0) + other.seat.guests);
  }
  return { stays: { tableIds, startsMs, endsMs }, guestsByStartMs: guests };
}
