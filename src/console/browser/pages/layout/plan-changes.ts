/** What can be done to a plan. Each answers a new plan, so that it can be taken back. */
import {
  clamp,
  FARTHEST,
  type PlanTable as FloorTable,
  GRID,
  proposePlaces,
  sizeFor,
} from '../../components/floor/geometry.ts';
import type { Part, Plan, PlanArea, PlanCombination, PlanTable, PlanZone } from './plan.ts';

let lastKey = 0;
const newKey = () => `new-${++lastKey}`;

/** `W4` after `W3`, `Bar 2` after `Bar`: the next name that is free. */
export function nextName(name: string, taken: readonly string[]): string {
  const [, stem = name, digits] = /^(.*?)(\d+)$/.exec(name) ?? [];
  let number = digits === undefined ? 2 : Number(digits) + 1;
  const named = () => (digits === undefined ? `${stem} ${number}` : `${stem}${number}`);
  while (taken.includes(named())) number++;
  return named();
}

type Changes<T> = Partial<Omit<T, 'key' | 'id'>>;
const changed = <T extends Part>(parts: readonly T[], keys: readonly string[], changes: Changes<T>) =>
  parts.map((part) => (keys.includes(part.key) ? { ...part, ...changes } : part));

export const changeTables = (plan: Plan, keys: readonly string[], changes: Changes<PlanTable>): Plan => ({
  ...plan,
  tables: changed(plan.tables, keys, changes),
});
export const changeArea = (plan: Plan, key: string, changes: Changes<PlanArea>): Plan => ({
  ...plan,
  areas: changed(plan.areas, [key], changes),
});
export const changeZone = (plan: Plan, key: string, changes: Changes<PlanZone>): Plan => ({
  ...plan,
  zones: changed(plan.zones, [key], changes),
});
export const changeCombination = (plan: Plan, key: string, changes: Changes<PlanCombination>): Plan => ({
  ...plan,
  combinations: changed(plan.combinations, [key], changes),
});

/** All of them by the same way, as far as none leaves the plan. */
export function moveTables(plan: Plan, keys: readonly string[], dx: number, dy: number): Plan {
  const moved = plan.tables.filter(({ key }) => keys.includes(key));
  if (moved.length === 0) return plan;
  const wayX = clamp(
    dx,
    -Math.min(...moved.map(({ x }) => x)),
    FARTHEST - Math.max(...moved.map(({ x }) => x)),
  );
  const wayY = clamp(
    dy,
    -Math.min(...moved.map(({ y }) => y)),
    FARTHEST - Math.max(...moved.map(({ y }) => y)),
  );
  return {
    ...plan,
    tables: plan.tables.map((table) =>
      keys.includes(table.key) ? { ...table, x: table.x + wayX, y: table.y + wayY } : table,
    ),
  };
}

export interface Added {
  plan: Plan;
  keys: string[];
}

export function duplicateTables(plan: Plan, keys: readonly string[]): Added {
  const taken = plan.tables.map(({ name }) => name);
  const copies = plan.tables
    .filter(({ key }) => keys.includes(key))
    .map(({ id: _, ...table }) => {
      const name = nextName(table.name, taken);
      taken.push(name);
      return { ...table, key: newKey(), name, x: table.x + 3 * GRID, y: table.y + 3 * GRID };
    });
  return {
    plan: { ...plan, tables: [...plan.tables, ...copies] },
    keys: copies.map(({ key }) => key),
  };
}

/** A table of four at the end of its area. */
export function addTable(plan: Plan, area: string): Added {
  const neighbours = plan.tables.filter((table) => table.area === area);
  const last = neighbours.at(-1);
  const name = nextName(
    last?.name ?? '0',
    plan.tables.map((table) => table.name),
  );
  const covers = last
    ? { minCovers: last.minCovers, maxCovers: last.maxCovers }
    : { minCovers: 1, maxCovers: 4 };
  const size = last ? { width: last.width, height: last.height } : sizeFor(covers.maxCovers);
  const key = newKey();
  // Its place is proposed as that of tables that were never drawn.
  const drawn = {
    ...covers,
    ...size,
    name,
    shape: last?.shape ?? 'rectangle',
    rotation: last?.rotation ?? 0,
  };
  const places = proposePlaces<FloorTable>([
    plan.tables.map((table) => ({ ...table, id: table.key })),
    [{ ...drawn, id: key, x: null, y: null }],
  ]);
  const proposed = places.get(key) ?? { x: 0, y: 0 };
  const beside = last && { x: last.x + last.width + 5 * GRID, y: last.y };
  const isFree = beside && !plan.tables.some((table) => touches(table, { ...size, ...beside }));
  const place = isFree ? beside : { x: proposed.x, y: proposed.y };
  return {
    plan: { ...plan, tables: [...plan.tables, { key, area, isActive: true, ...drawn, ...place }] },
    keys: [key],
  };
}

interface Upright {
  x: number;
  y: number;
  width: number;
  height: number;
}
const touches = (one: Upright, other: Upright) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** With the combinations that need one of them. */
export const removeTables = (plan: Plan, keys: readonly string[]): Plan => ({
  ...plan,
  tables: plan.tables.filter(({ key }) => !keys.includes(key)),
  combinations: plan.combinations.filter(({ tables }) => !tables.some((key) => keys.includes(key))),
});

export const joinTables = (plan: Plan, tables: readonly string[]): Plan => ({
  ...plan,
  combinations: [...plan.combinations, { key: newKey(), tables, minCovers: null, maxCovers: null }],
});
export const isJoined = ({ combinations }: Plan, keys: readonly string[]) =>
  combinations.some(
    ({ tables }) => tables.length === keys.length && keys.every((key) => tables.includes(key)),
  );
export const separate = (plan: Plan, key: string): Plan => ({
  ...plan,
  combinations: plan.combinations.filter((combination) => combination.key !== key),
});

export const addZone = (plan: Plan, name: string): Plan => ({
  ...plan,
  zones: [...plan.zones, { key: newKey(), name }],
});
export const addArea = (plan: Plan, zone: string, name: string): Plan => ({
  ...plan,
  areas: [...plan.areas, { key: newKey(), zone, name }],
});
/** Only what is empty: nothing disappears with it. */
export const removeArea = (plan: Plan, key: string): Plan => ({
  ...plan,
  areas: plan.areas.filter((area) => area.key !== key),
});
export const removeZone = (plan: Plan, key: string): Plan => ({
  ...plan,
  zones: plan.zones.filter((zone) => zone.key !== key),
});

/** For a venue that has nothing yet: one room, so that tables can be added at once. */
export function firstRoom(zone: string, area: string): Plan {
  const withZone = addZone({ zones: [], areas: [], tables: [], combinations: [] }, zone);
  return addArea(withZone, withZone.zones[0]?.key ?? '', area);
}
