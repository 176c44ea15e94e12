/** The layout as it is edited: parts have keys, so that new ones can be named before they have ids. */
import type { Layout, LayoutInput } from '../../../../features/layout/schema.ts';
import { boxOf, type Place, proposePlaces } from '../../components/floor/geometry.ts';

export interface Part {
  key: string;
  /** Absent: it is new. */
  id?: number;
}
export interface PlanZone extends Part {
  name: string;
}
export interface PlanArea extends Part {
  zone: string;
  name: string;
}
export interface PlanTable extends Part, Place {
  area: string;
  name: string;
  minCovers: number;
  maxCovers: number;
  isActive: boolean;
}
export interface PlanCombination extends Part {
  tables: readonly string[];
  /** Null: the service works them out of its tables. */
  minCovers: number | null;
  maxCovers: number | null;
}
export interface Plan {
  zones: readonly PlanZone[];
  areas: readonly PlanArea[];
  tables: readonly PlanTable[];
  combinations: readonly PlanCombination[];
}

const keyOf = (id: number) => `id-${id}`;

/** Tables that were never drawn get a place, area by area. */
export function planOf({ zones, areas, tables, combinations }: Layout): Plan {
  const places = proposePlaces(areas.map(({ id }) => tables.filter(({ areaId }) => areaId === id)));
  return {
    zones: zones.map(({ id, name }) => ({ key: keyOf(id), id, name })),
    areas: areas.map(({ id, zoneId, name }) => ({ key: keyOf(id), id, zone: keyOf(zoneId), name })),
    tables: tables.map(({ id, areaId, name, minCovers, maxCovers, isActive }) => ({
      key: keyOf(id),
      id,
      area: keyOf(areaId),
      name,
      minCovers,
      maxCovers,
      isActive,
      ...(places.get(id) as Place),
    })),
    combinations: combinations.map(({ id, tableIds, minCovers, maxCovers }) => ({
      key: keyOf(id),
      id,
      tables: tableIds.map(keyOf),
      minCovers,
      maxCovers,
    })),
  };
}

export const countUnplaced = ({ tables }: Layout) =>
  tables.filter(({ x, y }) => x === null || y === null).length;

/** As `PUT` takes it: what has no id yet is named by its key. */
export function bodyOf({ zones, areas, tables, combinations }: Plan): LayoutInput {
  const sent = ({ key, id }: Part) => (id === undefined ? { ref: key } : { id });
  const named = (parts: readonly Part[]) => {
    const byKey = new Map(parts.map(({ key, id }) => [key, id ?? key]));
    return (key: string) => byKey.get(key) ?? key;
  };
  const [zoneIdOf, areaIdOf, tableIdOf] = [named(zones), named(areas), named(tables)];
  return {
    zones: zones.map((zone) => ({ ...sent(zone), name: zone.name })),
    areas: areas.map((area) => ({ ...sent(area), zoneId: zoneIdOf(area.zone), name: area.name })),
    tables: tables.map((table) => {
      const { name, minCovers, maxCovers, isActive, x, y, width, height, shape, rotation } = table;
      const fields = { name, minCovers, maxCovers, isActive, x, y, width, height, shape, rotation };
      return { ...sent(table), areaId: areaIdOf(table.area), ...fields };
    }),
    combinations: combinations.map((combination) => ({
      ...sent(combination),
      tableIds: combination.tables.map(tableIdOf),
      minCovers: combination.minCovers,
      maxCovers: combination.maxCovers,
    })),
  };
}

/** Room to pull tables to. */
const MARGIN = 200;
const STEP = 100;
const LEAST = { width: 800, height: 500 };

export function sizeOfPlan({ tables }: Plan): { width: number; height: number } {
  const boxes = tables.map(boxOf);
  const far = (ends: number[], least: number) =>
    Math.max(least, Math.ceil((Math.max(0, ...ends) + MARGIN) / STEP) * STEP);
  return {
    width: far(
      boxes.map(({ x, width }) => x + width),
      LEAST.width,
    ),
    height: far(
      boxes.map(({ y, height }) => y + height),
      LEAST.height,
    ),
  };
}
