/** What the built-in book says about one start, one table and one minute at a time. */
import type {
  ProductDocument,
  SpaceDocument,
  VenueDocument,
} from '../../../src/features/venues/transfer/document.ts';
import type { HouseProductDocument } from '../../../src/tms/house/document.ts';
import { dayAfter, MINUTE_MS, type NaiveStart, shownAt } from './naive-days.ts';

export interface Stay {
  tableIds: number[];
  startMs: number;
  minutes: number;
  guests: number;
  /** Key of the product it was booked as. */
  product: string;
}

export interface World {
  venue: VenueDocument;
  stays: Stay[];
  channel: { maxPartySize?: number; isRequestOnly?: boolean };
  /** Whether the asking partner is in the category `chosen`. */
  isChosen: boolean;
  nowMs: number;
}

export interface Question {
  product: string;
  partySize: number;
  children: number;
  date?: string;
  window?: { startMs: number; endMs?: number };
  time?: string;
  startTime?: string;
  endTime?: string;
  duration?: number;
  minimumSpend?: number;
  under18s?: boolean;
  accessibility?: boolean;
  occasionTypes?: string[];
}

export interface Case {
  world: World;
  question: Question;
  catalogue: ProductDocument;
  house: HouseProductDocument;
  guests: number;
  stayMinutes: number;
  /** The starts of each day that was looked at. */
  days: Map<string, NaiveStart[]>;
}

export interface Unit {
  tableIds: number[];
  zoneId: number;
}

/** The tables and combinations of the venue that seat so many guests. */
export function unitsSeating({ world, guests }: Case): Unit[] {
  const { zones = [], combinations = [] } = world.venue.house ?? {};
  const tables = zones.flatMap((zone) =>
    zone.areas.flatMap((area) => area.tables.map((table) => ({ zoneId: zone.id, ...table }))),
  );
  const single = tables
    .filter(({ minCovers = 1, maxCovers }) => minCovers <= guests && guests <= maxCovers)
    .map(({ id, zoneId }) => ({ tableIds: [id], zoneId }));
  const joined = combinations.flatMap(({ tableIds, minCovers, maxCovers }) => {
    const parts = tables.filter(({ id }) => tableIds.includes(id));
    const covers = parts.map((table) => table.maxCovers);
    const least = minCovers ?? Math.max(...covers) + 1;
    const most = maxCovers ?? covers.reduce((sum, each) => sum + each, 0);
    return least <= guests && guests <= most ? [{ tableIds, zoneId: parts[0]?.zoneId ?? 0 }] : [];
  });
  return [...single, ...joined];
}

function isFree({ tableIds }: Unit, startMs: number, { world, stayMinutes }: Case): boolean {
  for (let minute = 0; minute < stayMinutes; minute += 1) {
    const at = startMs + minute * MINUTE_MS;
    const isTaken = world.stays.some(
      (stay) =>
        stay.startMs <= at &&
        at < stay.startMs + stay.minutes * MINUTE_MS &&
        stay.tableIds.some((id) => tableIds.includes(id)),
    );
    if (isTaken) return false;
  }
  return true;
}

export function zonesOf({ world, catalogue, house }: Case): number[] {
  const { zones = [], spaceZones = [] } = world.venue.house ?? {};
  const spaceIds = catalogue.spaceIds ?? [];
  if (spaceIds.length === 0) return house.zoneIds ?? zones.map(({ id }) => id);
  return spaceZones.filter(({ spaceId }) => spaceIds.includes(spaceId)).map(({ zoneId }) => zoneId);
}

interface SystemView {
  type: 'book' | 'request';
  requestReason?: string;
  obstacle?: string;
}

/** What the house says by itself: the first line of the table of verdicts that holds. */
export function houseView(start: NaiveStart, asked: Case, units: Unit[]): SystemView {
  const { world, house, guests } = asked;
  const limit = house.instantLimit;
  const isAboveInstant = limit !== undefined && guests > limit;
  const largest = largestUnit(asked);
  const isOutside = guests < (house.minGuests ?? 1) || guests > (house.maxGuests ?? largest);
  const cannotAsk = isAboveInstant && !house.takesEnquiries && !house.isRequestOnly;
  if (units.length === 0 || isOutside || cannotAsk) return { type: 'book', obstacle: 'PARTY_SIZE' };
  if (start.startMs < world.nowMs + (house.noticeMinutes ?? 0) * MINUTE_MS)
    return { type: 'book', obstacle: 'AVAIL-N-007' };
  const today = shownAt(world.venue.timeZone, world.nowMs).date;
  if (house.horizonDays !== undefined && start.date > dayAfter(today, house.horizonDays))
    return { type: 'book', obstacle: 'AVAIL-N-008' };
  if (house.isRequestOnly) return { type: 'request', requestReason: 'request_only' };
  const beginning = world.stays.filter(
    (stay) => stay.product === asked.question.product && stay.startMs === start.startMs,
  );
  const already = beginning.reduce((sum, stay) => sum + stay.guests, 0);
  const isPacedOut = house.coversPerStart !== undefined && already + guests > house.coversPerStart;
  if (!isPacedOut && units.some((unit) => isFree(unit, start.startMs, asked)))
    return isAboveInstant ? { type: 'request', requestReason: 'exceeds_auto_confirm' } : { type: 'book' };
  return house.takesEnquiries
    ? { type: 'request', requestReason: 'fully_booked' }
    : { type: 'book', obstacle: 'AVAIL-N-005' };
}

function largestUnit({ world }: Case): number {
  const { zones = [], combinations = [] } = world.venue.house ?? {};
  const covers = new Map(
    zones.flatMap((zone) =>
      zone.areas.flatMap((area) => area.tables.map(({ id, maxCovers }) => [id, maxCovers] as const)),
    ),
  );
  const joined = combinations.map(
    ({ tableIds, maxCovers }) => maxCovers ?? tableIds.reduce((sum, id) => sum + (covers.get(id) ?? 0), 0),
  );
  return Math.max(1, ...covers.values(), ...joined);
}

export function isSpaceFree(space: SpaceDocument, start: NaiveStart, asked: Case, units: Unit[]): boolean {
  const zoneId = asked.world.venue.house?.spaceZones?.find(({ spaceId }) => spaceId === space.id)?.zoneId;
  return units.some((unit) => unit.zoneId === zoneId && isFree(unit, start.startMs, asked));
}

/** Whether the space has a table or a combination for so many guests at all. */
export function couldSeat(space: SpaceDocument, asked: Case, units: Unit[]): boolean {
  const zoneId = asked.world.venue.house?.spaceZones?.find(({ spaceId }) => spaceId === space.id)?.zoneId;
  return units.some((unit) => unit.zoneId === zoneId);
}
