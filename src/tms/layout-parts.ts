/** The four kinds of things that a layout consists of: what makes each of them fit the others. */
import { invalid, type Problem, problem } from '../kernel/problem.ts';
import {
  type Area,
  type Combination,
  type Layout,
  type LayoutList,
  type PartFields,
  placeOf,
  type Table,
  type TablePlace,
  type Zone,
} from './layout.ts';

/** So many can a venue have. */
export const MOST: Record<LayoutList, number> = { zones: 200, areas: 500, tables: 2000, combinations: 2000 };

/** A bound of the column. */
export const MAX_COVERS = 32_767;

type Optional<Value> = { [Key in keyof Value]?: Value[Key] | null | undefined };
type TableInput = Pick<Table, 'areaId' | 'name' | 'maxCovers'> &
  Optional<Pick<Table, 'minCovers' | 'isActive'> & TablePlace>;
type CombinationInput = Pick<Combination, 'tableIds'> &
  Optional<Pick<Combination, 'minCovers' | 'maxCovers'>>;

export interface Kind<Document extends { id: number }, Input> {
  /** Its name in the audit log. */
  noun: 'zone' | 'area' | 'table' | 'combination';
  /** Where they are in the layout. */
  list: LayoutList;
  /** So many can a venue have. */
  most: number;
  noSuch(id: number): Problem;
  /** What is stored, by field; throws where it would not fit the rest. `before`: what it replaces. */
  fieldsOf(input: Input, layout: Layout, before?: Document): PartFields;
}

export const noSuchZone = (id: number): Problem =>
  problem('VENUE-N-003', { detail: `The venue has no zone ${id}.` });

export const zones: Kind<Zone, Omit<Zone, 'id'>> = {
  noun: 'zone',
  list: 'zones',
  most: MOST.zones,
  noSuch: noSuchZone,
  fieldsOf: ({ name }) => ({ name }),
};

export const areas: Kind<Area, Omit<Area, 'id'>> = {
  noun: 'area',
  list: 'areas',
  most: MOST.areas,
  noSuch: (id) => problem('HTTP-N-404', { detail: `The venue has no area ${id}.` }),
  fieldsOf({ zoneId, name }, layout) {
    if (!layout.zones.some(({ id }) => id === zoneId)) throw noSuchZone(zoneId);
    return { zoneId, name };
  },
};

export const tables: Kind<Table, TableInput> = {
  noun: 'table',
  list: 'tables',
  most: MOST.tables,
  noSuch: (id) => problem('HTTP-N-404', { detail: `The venue has no table ${id}.` }),
  fieldsOf(input, layout, before) {
    const { areaId, name, minCovers, maxCovers, isActive, ...placed } = input;
    if (!layout.areas.some(({ id }) => id === areaId))
      throw invalid('areaId', 'must be an area of the venue');
    const joined = layout.combinations.find(({ tableIds }) => before && tableIds.includes(before.id));
    if (joined && areaId !== before?.areaId)
      throw invalid('areaId', `must stay: combination ${joined.id} joins the table with others of its area`);
    return {
      areaId,
      name,
      isActive: isActive ?? true,
      ...coversOf(minCovers ?? 1, maxCovers),
      ...placeOf(placed),
    };
  },
};

export const combinations: Kind<Combination, CombinationInput> = {
  noun: 'combination',
  list: 'combinations',
  most: MOST.combinations,
  noSuch: (id) => problem('HTTP-N-404', { detail: `The venue has no combination ${id}.` }),
  fieldsOf(input, layout, before) {
    const tableIds = input.tableIds.toSorted((a, b) => a - b);
    const joined = layout.tables.filter(({ id }) => tableIds.includes(id));
    if (joined.length < tableIds.length) throw invalid('tableIds', 'must be tables of the venue');
    if (new Set(joined.map(({ areaId }) => areaId)).size > 1)
      throw invalid('tableIds', 'must be tables of one area');
    const same = layout.combinations.find(
      ({ id, tableIds: others }) =>
        id !== before?.id &&
        others.length === tableIds.length &&
        others.every((other) => tableIds.includes(other)),
    );
    if (same) throw invalid('tableIds', 'are joined already, by another combination');
    const seats = joined.map(({ maxCovers }) => maxCovers);
    const least = input.minCovers ?? Math.max(...seats) + 1;
    const most = input.maxCovers ?? seats.reduce((sum, each) => sum + each, 0);
    return { tableIds, ...coversOf(least, most) };
  },
};

function coversOf(least: number, most: number): PartFields {
  if (most > MAX_COVERS) throw invalid('maxCovers', `must be at most ${MAX_COVERS}, and is ${most}`);
  if (least > most) throw invalid('maxCovers', `must not be less than minCovers, which is ${least}`);
  return { minCovers: least, maxCovers: most };
}

/** What cannot be without it: areas without their zone, tables without their area, joined tables without one of them. */
export function partsBelow(
  { areas, tables, combinations }: Layout,
  noun: Kind<never, never>['noun'],
  id: number,
): Pick<Layout, 'areas' | 'tables' | 'combinations'> {
  const areasBelow = noun === 'zone' ? areas.filter(({ zoneId }) => zoneId === id) : [];
  const areaIds = new Set(noun === 'area' ? [id] : areasBelow.map((area) => area.id));
  const tablesBelow = tables.filter(({ areaId }) => areaIds.has(areaId));
  const tableIds = new Set(noun === 'table' ? [id] : tablesBelow.map((table) => table.id));
  return {
    areas: areasBelow,
    tables: tablesBelow,
    combinations: combinations.filter((joined) => joined.tableIds.some((tableId) => tableIds.has(tableId))),
  };
}
