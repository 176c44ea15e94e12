import type { ProductId } from '../../kernel/ids.ts';
import type { DurationBounds, PartySizes } from '../contract.ts';
import { byPreference, type Unit } from './allocation.ts';
import type { TurnTime } from './document.ts';

/**
 * The configuration of one venue in the form that slots are computed from. Rows come from the database in any
 * order; whatever depends on order is sorted here, so that the same venue always gives the same answers.
 */
export interface HouseBook {
  /** Changes whenever anything about the venue does. */
  version: string;
  /** Tables that take guests. */
  tables: ReadonlyMap<number, HouseTable>;
  products: ReadonlyMap<ProductId, HouseProduct>;
}

export interface HouseTable {
  id: number;
  name: string;
  areaId: number;
  areaName: string;
  zoneId: number;
  minCovers: number;
  maxCovers: number;
}

/** A stretch of the trading day in minutes, the end excluded. */
export interface Period {
  opens: number;
  closes: number;
}

/** A space of a product and the tables behind it; without a zone, or with an empty one, it has none. */
export interface HouseSpace {
  spaceId: number;
  zoneId: number | null;
  hasAreas: boolean;
  units: readonly Unit[];
}

export interface HouseProduct {
  id: ProductId;
  intervalMinutes: number;
  /** By weekday, 1 is Monday. */
  weekly: ReadonlyMap<number, readonly Period[]>;
  /** Dates with hours of their own; none of them: closed. */
  exceptions: ReadonlyMap<string, readonly Period[]>;
  minGuests: number;
  maxGuests: number;
  turnTimes: readonly TurnTime[];
  bounds: DurationBounds;
  coversPerStart: number | null;
  instantLimit: number | null;
  isRequestOnly: boolean;
  takesEnquiries: boolean;
  noticeMinutes: number;
  horizonDays: number | null;
  policy: string | null;
  cancellationPolicy: string | null;
  /** Every table and combination the product can use, the most willingly given first. */
  units: readonly Unit[];
  spaces: readonly HouseSpace[];
}

type CopiedFields = Omit<HouseProduct, 'weekly' | 'exceptions' | 'units' | 'spaces'>;

export interface ProductRow extends CopiedFields {
  hours: { weekday: number; opens: number; closes: number }[];
  exceptions: { date: string; opens: number | null; closes: number | null }[];
  zoneIds: number[];
  spaces: { spaceId: number; zoneId: number | null }[];
}

export interface BookRows {
  version: string;
  areas: { id: number; zoneId: number; name: string }[];
  tables: { id: number; areaId: number; name: string; minCovers: number; maxCovers: number }[];
  combinations: { tableIds: number[]; minCovers: number; maxCovers: number }[];
  products: ProductRow[];
}

export function compileBook(rows: BookRows): HouseBook {
  const areas = new Map(rows.areas.map((area) => [area.id, area]));
  const tables = new Map<number, HouseTable>();
  for (const table of rows.tables) {
    const area = areas.get(table.areaId);
    if (area) tables.set(table.id, { ...table, areaName: area.name, zoneId: area.zoneId });
  }
  const units = allUnits(rows, tables);
  const zonesWithAreas = new Set(rows.areas.map((area) => area.zoneId));
  const products = rows.products.map((row) => compileProduct(row, units, tables, zonesWithAreas));
  return {
    version: rows.version,
    tables,
    products: new Map(products.map((product) => [product.id, product])),
  };
}

/** A combination exists only while all of its tables do. */
function allUnits(rows: BookRows, tables: ReadonlyMap<number, HouseTable>): Unit[] {
  const coversOf = (tableId: number) => tables.get(tableId)?.maxCovers ?? 0;
  const single = [...tables.values()].map(({ id, minCovers, maxCovers }) => ({
    tableIds: [id],
    minCovers,
    maxCovers,
    coversTiedUp: maxCovers,
  }));
  const joined = rows.combinations
    .filter(({ tableIds }) => tableIds.every((id) => tables.has(id)))
    .map(({ tableIds, minCovers, maxCovers }) => ({
      tableIds: tableIds.toSorted((a, b) => a - b),
      minCovers,
      maxCovers,
      coversTiedUp: tableIds.reduce((sum, id) => sum + coversOf(id), 0),
    }));
  return [...single, ...joined].sort(byPreference);
}

function compileProduct(
  row: ProductRow,
  units: readonly Unit[],
  tables: ReadonlyMap<number, HouseTable>,
  zonesWithAreas: ReadonlySet<number>,
): HouseProduct {
  const { hours, exceptions, zoneIds, spaces, ...copied } = row;
  const unitsIn = (zones: readonly number[]) =>
    units.filter(({ tableIds }) => tableIds.every((id) => zones.includes(tables.get(id)?.zoneId ?? -1)));
  const compiledSpaces = spaces
    .toSorted((a, b) => a.spaceId - b.spaceId)
    .map(({ spaceId, zoneId }) => ({
      spaceId,
      zoneId,
      hasAreas: zoneId !== null && zonesWithAreas.has(zoneId),
      units: zoneId === null ? [] : unitsIn([zoneId]),
    }));
  return {
    ...copied,
    turnTimes: row.turnTimes.toSorted((a, b) => a.upTo - b.upTo),
    weekly: periodsBy(hours, (period) => period.weekday),
    exceptions: periodsBy(exceptions, (period) => period.date),
    // Spaces can share a zone, and a unit of it is still one unit.
    units:
      spaces.length === 0
        ? unitsIn(zoneIds)
        : [...new Set(compiledSpaces.flatMap((space) => space.units))].sort(byPreference),
    spaces: compiledSpaces,
  };
}

function periodsBy<Row extends { opens: number | null; closes: number | null }, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): Map<Key, Period[]> {
  const periods = new Map<Key, Period[]>();
  for (const [key, ofKey] of Map.groupBy(rows, keyOf)) {
    const open = ofKey.flatMap(({ opens, closes }) =>
      opens === null || closes === null ? [] : [{ opens, closes }],
    );
    periods.set(
      key,
      open.sort((a, b) => a.opens - b.opens || a.closes - b.closes),
    );
  }
  return periods;
}

export function periodsOn(product: HouseProduct, date: string, weekday: number): readonly Period[] {
  return product.exceptions.get(date) ?? product.weekly.get(weekday) ?? [];
}

/** The default duration of a stay. */
export function turnTime(product: HouseProduct, guests: number): number {
  const entry = product.turnTimes.find(({ upTo }) => guests <= upTo) ?? product.turnTimes.at(-1);
  return entry?.minutes ?? product.bounds.minMinutes;
}

/** All that are not refused whenever they come: the tables seat them, at once or when the operator agrees. */
export function partySizesOf(product: HouseProduct, units: readonly Unit[] = product.units): number[] {
  const { minGuests, maxGuests, takesEnquiries, isRequestOnly } = product;
  const most = takesEnquiries || isRequestOnly ? maxGuests : Math.min(maxGuests, unaskedLimit(product));
  const sizes: number[] = [];
  let next = minGuests;
  for (const { minCovers, maxCovers } of units.toSorted((a, b) => a.minCovers - b.minCovers)) {
    next = Math.max(next, minCovers);
    for (; next <= Math.min(maxCovers, most); next += 1) sizes.push(next);
  }
  return sizes;
}

/** Undefined where no party can be seated at all. */
export function partyLimitsOf(
  product: HouseProduct,
  spaceId: number | null,
  most: number,
): PartySizes | undefined {
  const space = product.spaces.find((candidate) => candidate.spaceId === spaceId);
  const units = spaceId === null ? product.units : (space?.units ?? []);
  const sizes = partySizesOf(product, units).filter((size) => size <= most);
  const [smallest] = sizes;
  const byEnquiry = sizes.at(-1);
  if (smallest === undefined || byEnquiry === undefined) return undefined;
  const atOnce = product.isRequestOnly ? 0 : (sizes.findLast((size) => size <= unaskedLimit(product)) ?? 0);
  return { smallest, atOnce, byEnquiry };
}

/** The largest party that is confirmed without the operator. */
const unaskedLimit = ({ instantLimit, coversPerStart }: HouseProduct) =>
  Math.min(instantLimit ?? Number.POSITIVE_INFINITY, coversPerStart ?? Number.POSITIVE_INFINITY);

export function isDurationAllowed(
  { minMinutes, maxMinutes, stepMinutes }: DurationBounds,
  minutes: number,
): boolean {
  return minutes >= minMinutes && minutes <= maxMinutes && (minutes - minMinutes) % stepMinutes === 0;
}
