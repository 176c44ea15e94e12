/** Where tables stand on a floor plan, in centimetres. Nothing of the page is needed for it. */

export interface PlanTable {
  id: number | string;
  name: string;
  maxCovers: number;
  x: number | null;
  y: number | null;
  width: number | null;
  height: number | null;
  shape: 'rectangle' | 'round' | null;
  rotation: number | null;
}

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
  shape: 'rectangle' | 'round';
  rotation: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** Everything stands on it after a drag. */
export const GRID = 10;
/** The largest position that the service takes. */
export const FARTHEST = 10_000;
/** How far chairs reach beyond the edge of a table. */
export const SEAT_REACH = 22;
const SEAT_RADIUS = 9;
const SEAT_WIDTH = 2 * SEAT_RADIUS + 2;
const SEAT_GAP = SEAT_REACH - SEAT_RADIUS;

export const snap = (value: number) => Math.round(value / GRID) * GRID;
export const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** A usual table for so many guests. */
export function sizeFor(covers: number): { width: number; height: number } {
  if (covers <= 2) return { width: 70, height: 70 };
  if (covers <= 4) return { width: 90, height: 90 };
  return { width: clamp(40 + Math.ceil(covers / 2) * 40, 120, 400), height: 90 };
}

const isPlaced = (table: PlanTable): table is PlanTable & Omit<Place, 'shape' | 'rotation'> =>
  table.x !== null && table.y !== null;

/** The place of a table as far as it has one. */
const placeOf = (table: PlanTable): Place | undefined =>
  isPlaced(table)
    ? {
        ...sizeFor(table.maxCovers),
        ...(table.width !== null && { width: table.width }),
        ...(table.height !== null && { height: table.height }),
        x: table.x,
        y: table.y,
        shape: table.shape ?? 'rectangle',
        rotation: table.rotation ?? 0,
      }
    : undefined;

/** The upright box around a table that is turned. */
export function boxOf({ x, y, width, height, rotation }: Omit<Place, 'shape'>): Box {
  const angle = (rotation * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [wide, high] = [width * cos + height * sin, width * sin + height * cos];
  return { x: x + width / 2 - wide / 2, y: y + height / 2 - high / 2, width: wide, height: high };
}

export function boxAround(places: readonly Omit<Place, 'shape'>[], margin = 0): Box {
  if (places.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const boxes = places.map(boxOf);
  const left = Math.min(...boxes.map(({ x }) => x)) - margin;
  const top = Math.min(...boxes.map(({ y }) => y)) - margin;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + margin;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + margin;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const AISLE = 60;
const ROW_WIDTH = 1_000;
const FIRST = 40;

/**
 * Where each table is drawn. Those without a position are put in rows below the others, one group after another, so
 * that every venue has a plan before it was drawn.
 */
export function proposePlaces<T extends PlanTable>(groups: readonly (readonly T[])[]): Map<T['id'], Place> {
  const places = new Map<T['id'], Place>();
  for (const table of groups.flat()) {
    const place = placeOf(table);
    if (place) places.set(table.id, place);
  }
  const taken = boxAround([...places.values()]);
  let y = places.size === 0 ? FIRST : snap(taken.y + taken.height + AISLE);
  for (const group of groups) {
    let [x, rowHeight] = [FIRST, 0];
    for (const table of group) {
      if (places.has(table.id)) continue;
      const size = {
        width: table.width ?? sizeFor(table.maxCovers).width,
        height: table.height ?? sizeFor(table.maxCovers).height,
      };
      if (x > FIRST && x + size.width > ROW_WIDTH) {
        [x, y, rowHeight] = [FIRST, y + rowHeight + AISLE, 0];
      }
      places.set(table.id, {
        ...size,
        x,
        y,
        shape: table.shape ?? 'rectangle',
        rotation: table.rotation ?? 0,
      });
      x += size.width + AISLE;
      rowHeight = Math.max(rowHeight, size.height);
    }
    if (rowHeight > 0) y += rowHeight + AISLE;
  }
  return places;
}

const evenly = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ((index + 0.5) / count - 0.5) * length);

/** The middles of its chairs, seen from the middle of the table before it is turned. */
export function seatsOf(
  covers: number,
  { width, height, shape }: Omit<Place, 'x' | 'y' | 'rotation'>,
): Point[] {
  if (shape === 'round') {
    const around = Math.PI * (Math.min(width, height) + 2 * SEAT_GAP);
    const count = Math.min(covers, Math.floor(around / SEAT_WIDTH));
    return Array.from({ length: count }, (_, index) => {
      const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
      return {
        x: Math.cos(angle) * (width / 2 + SEAT_GAP),
        y: Math.sin(angle) * (height / 2 + SEAT_GAP),
      };
    });
  }
  const count = covers;
  const isWide = width >= height;
  const [long, short] = isWide ? [width, height] : [height, width];
  // The heads of a table are used from five guests on: smaller ones often stand side by side.
  const heads = count >= 5 ? 2 : 0;
  // No more than can be drawn side by side.
  const atSides = Math.min(count - heads, 2 * Math.max(1, Math.floor(long / SEAT_WIDTH)));
  const ends = heads === 2 ? [-1, 1].map((side) => ({ along: side * (long / 2 + SEAT_GAP), across: 0 })) : [];
  const sides = [
    { side: -1, count: Math.ceil(atSides / 2) },
    { side: 1, count: Math.floor(atSides / 2) },
  ].flatMap(({ side, count: some }) =>
    evenly(some, long).map((along) => ({ along, across: side * (short / 2 + SEAT_GAP) })),
  );
  return [...sides, ...ends].map(({ along, across }) =>
    isWide ? { x: along, y: across } : { x: across, y: along },
  );
}
