/**
 * Floor plans of the demo. Venue 101 has zones and areas 1011, 1012 …, and tables 10101, 10102 …, counted in the
 * order in which they are written: new ones go to the end, so that the others keep their numbers.
 */
import type { SpaceDocument, VenueDocument } from '../features/venues/transfer/document.ts';

export type House = NonNullable<VenueDocument['house']>;
type HouseZone = House['zones'][number];
type HouseArea = HouseZone['areas'][number];
/** Where a table stands on the floor plan. */
export type Place = Pick<HouseArea['tables'][number], 'x' | 'y' | 'width' | 'height' | 'shape' | 'rotation'>;

export interface AreaPlan {
  name: string;
  /** Tables are called by it and their number in the area: W1, W2. */
  letter: string;
  /** How many each table seats. */
  seats: number[];
  /** Tables that can be pushed together, by their numbers in the area: `1+2`. */
  joined?: string[];
  /** One for each table; absent: it is on no plan. */
  places?: readonly Place[];
}

/** A room that is let whole counts as one large table. */
export interface RoomPlan {
  space: SpaceDocument;
  place?: Place | undefined;
}

export type ZonePlan = { name: string; areas: AreaPlan[] } | RoomPlan;

export type FloorPlan = Pick<House, 'zones' | 'combinations' | 'spaceZones'>;

/** `tablesFor(2, 6)` are six tables for two. */
export function tablesFor(guests: number, count: number): number[] {
  return Array.from({ length: count }, () => guests);
}

export function floorPlan(venueNumber: number, plans: ZonePlan[]): FloorPlan {
  let areas = 0;
  let tables = 0;
  const areaId = () => venueNumber * 10 + ++areas;
  const tableId = () => venueNumber * 100 + ++tables;
  const combinations: NonNullable<House['combinations']> = [];
  const spaceZones: NonNullable<House['spaceZones']> = [];

  const areaOf = ({ name, letter, seats, joined = [], places = [] }: AreaPlan): HouseArea => {
    const placed = seats.map((covers, index) => ({
      id: tableId(),
      name: `${letter}${index + 1}`,
      minCovers: leastCovers(covers),
      maxCovers: covers,
      ...places[index],
    }));
    for (const numbers of joined) {
      const names = numbers.split('+').map((number) => `${letter}${number}`);
      combinations.push({
        tableIds: placed.filter((table) => names.includes(table.name)).map(({ id }) => id),
      });
    }
    return { id: areaId(), name, tables: placed };
  };

  const zones = plans.map((plan, index): HouseZone => {
    const id = venueNumber * 10 + index + 1;
    if (!('space' in plan)) return { id, name: plan.name, areas: plan.areas.map(areaOf) };
    const { space, place } = plan;
    spaceZones.push({ spaceId: space.id, zoneId: id });
    const table = { id: tableId(), name: space.name, ...capacityOf(space), ...place };
    return { id, name: space.name, areas: [{ id: areaId(), name: space.name, tables: [table] }] };
  });
  return { zones, combinations, spaceZones };
}

/** A table for two takes one guest; larger ones are not given to parties that fill less than half of them. */
function leastCovers(covers: number): number {
  return covers <= 2 ? 1 : Math.ceil(covers / 2);
}

/** From the smallest party that any layout of the room is meant for to the largest that one of them holds. */
export function capacityOf({ capacities }: SpaceDocument): { minCovers: number; maxCovers: number } {
  const layouts = Object.values(capacities);
  return {
    minCovers: Math.min(...layouts.map(({ min }) => min)),
    maxCovers: Math.max(...layouts.map(({ max }) => max)),
  };
}
