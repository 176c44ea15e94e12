/** Layouts as they are changed, under `lockLayout`. */
import { insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { TablePlace } from './document.ts';

export { lockLayout } from './store.ts';

export interface StoredLayout {
  zones: { id: number; name: string }[];
  areas: { id: number; zoneId: number; name: string }[];
  tables: ({
    id: number;
    areaId: number;
    name: string;
    minCovers: number;
    maxCovers: number;
    isActive: boolean;
  } & TablePlace)[];
  combinations: { id: number; tableIds: number[]; minCovers: number; maxCovers: number }[];
}

/** Each list in the order of its ids. */
export async function loadLayout(tx: Tx, venueId: VenueId): Promise<StoredLayout> {
  const [layout] = await tx<[StoredLayout]>`
    select
      array(select json_build_object('id', id, 'name', name)
        from house_zone where venue_id = ${venueId} order by id) as zones,
      array(select json_build_object('id', id, 'zoneId', zone_id, 'name', name)
        from house_area where venue_id = ${venueId} order by id) as areas,
      array(select json_build_object('id', id, 'areaId', area_id, 'name', name, 'minCovers', min_covers,
          'maxCovers', max_covers, 'isActive', is_active, 'x', x, 'y', y, 'width', width, 'height', height,
          'shape', shape, 'rotation', rotation)
        from house_table where venue_id = ${venueId} order by id) as tables,
      array(select json_build_object('id', id, 'tableIds', table_ids, 'minCovers', min_covers,
          'maxCovers', max_covers)
        from house_combination where venue_id = ${venueId} order by id) as combinations`;
  return layout;
}

/** The tables that a layout is kept in. */
export type LayoutTable = 'house_zone' | 'house_area' | 'house_table' | 'house_combination';
/** What such a row holds besides its id and its venue, by column. */
export type LayoutRow = Record<string, string | number | boolean | number[] | null>;
export type StoredRow = LayoutRow & { id: number };

export async function insertPart(
  tx: Tx,
  table: LayoutTable,
  venueId: VenueId,
  row: LayoutRow,
): Promise<number> {
  const [part] = await tx<[{ id: number }]>`
    insert into ${tx(table)} ${tx({ ...row, venue_id: venueId })} returning id`;
  return part.id;
}

export async function updatePart(tx: Tx, table: LayoutTable, id: number, row: LayoutRow): Promise<void> {
  await tx`update ${tx(table)} set ${tx(row)} where id = ${id}`;
}

/** Ids that nothing else will get. */
export async function takeIds(tx: Tx, table: LayoutTable, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval(pg_get_serial_sequence(${table}, 'id'))::int as id from generate_series(1, ${count}::int)`;
  return rows.map(({ id }) => id);
}

export async function insertParts(
  tx: Tx,
  table: LayoutTable,
  venueId: VenueId,
  rows: readonly StoredRow[],
): Promise<void> {
  await insertAll(
    tx,
    table,
    rows.map((row) => ({ ...row, venue_id: venueId })),
  );
}

/** All rows have the same columns. In one statement, for the same reason as `deleteParts`. */
export async function updateParts(tx: Tx, table: LayoutTable, rows: readonly StoredRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id');
  const [first, ...others] = columns.map((column) => tx`${tx(column)} = changed.${tx(column)}`);
  if (!first) return;
  const values = others.reduce((all, each) => tx`${all}, ${each}`, first);
  await tx`update ${tx(table)} part set ${values}
    from jsonb_populate_recordset(null::${tx(table)}, ${tx.json(rows as never)}) changed
    where part.id = changed.id`;
}

/** In one statement: each statement notifies of the venue anew, and concurrent bookings wait for all of it. */
export async function deleteParts(tx: Tx, table: LayoutTable, ids: readonly number[]): Promise<void> {
  await tx`delete from ${tx(table)} where id = any(${ids as number[]}::int[])`;
}

export interface StayCount {
  tableId: number;
  name: string;
  stays: number;
  /** Those of them that are not over. */
  coming: number;
}

/** Counts past and future stays per table; tables without any are left out. */
export async function countStays(
  tx: Tx,
  tableIds: readonly number[],
  now: Temporal.Instant,
): Promise<StayCount[]> {
  const rows = await tx<StayCount[]>`
    select t.id as "tableId", t.name, count(*) as stays, count(*) filter (where upper(s.during) > ${now}) as coming
    from house_table t join house_allocation s on s.table_id = t.id
    where t.id = any(${tableIds as number[]}::int[])
    group by t.id order by t.id`;
  return [...rows];
}

/** What is placed in the zones: spaces, and products that name these zones and no other, and have no spaces. */
export async function findDependants(tx: Tx, zoneIds: readonly number[]): Promise<string[]> {
  const isGone = (zone: string) => tx`${tx(zone)}.zone_id = any(${zoneIds as number[]}::int[])`;
  const rows = await tx<{ name: string }[]>`
    select s.name from space s join house_space_zone z on z.space_id = s.id
    where ${isGone('z')}
    union
    select p.name from product p join house_product_zone z on z.product_id = p.id
    where ${isGone('z')}
      and not exists (select from product_space s where s.product_id = p.id)
      and not exists (select from house_product_zone o where o.product_id = p.id and not ${isGone('o')})
    order by name`;
  return rows.map(({ name }) => name);
}

/** The zone that the guests of a space sit in; null: none. */
export async function placeSpace(
  tx: Tx,
  venueId: VenueId,
  spaceId: number,
  zoneId: number | null,
): Promise<void> {
  if (zoneId === null) {
    await tx`delete from house_space_zone where space_id = ${spaceId}`;
    return;
  }
  await tx`insert into house_space_zone (space_id, zone_id, venue_id) values (${spaceId}, ${zoneId}, ${venueId})
    on conflict (space_id) do update set zone_id = excluded.zone_id`;
}

export async function listSpaceZones(tx: Tx, venueId: VenueId): Promise<Map<number, number>> {
  const rows = await tx<{ spaceId: number; zoneId: number }[]>`
    select space_id as "spaceId", zone_id as "zoneId" from house_space_zone where venue_id = ${venueId}`;
  return new Map(rows.map(({ spaceId, zoneId }) => [spaceId, zoneId]));
}
