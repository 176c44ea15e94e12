/** Layouts as they are changed, under `lockLayout`. */
import { insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type {
  ComingStay,
  Layout,
  LayoutList,
  LayoutStore,
  PartFields,
  StayCount,
  StoredPart,
} from '../layout.ts';
import { lockLayout } from './store.ts';

/** Each list in the order of its ids. */
async function loadLayout(tx: Tx, venueId: VenueId): Promise<Layout> {
  const [layout] = await tx<[Layout]>`
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

const TABLES: Record<LayoutList, string> = {
  zones: 'house_zone',
  areas: 'house_area',
  tables: 'house_table',
  combinations: 'house_combination',
};

/** Columns are called like the fields. */
const columnsOf = <Fields extends PartFields>(fields: Fields): PartFields =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

async function insertPart(tx: Tx, list: LayoutList, venueId: VenueId, fields: PartFields): Promise<number> {
  const [part] = await tx<[{ id: number }]>`
    insert into ${tx(TABLES[list])} ${tx({ ...columnsOf(fields), venue_id: venueId })} returning id`;
  return part.id;
}

async function updatePart(tx: Tx, list: LayoutList, id: number, fields: PartFields): Promise<void> {
  await tx`update ${tx(TABLES[list])} set ${tx(columnsOf(fields))} where id = ${id}`;
}

/** Ids that nothing else will get. */
async function takeIds(tx: Tx, list: LayoutList, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval(pg_get_serial_sequence(${TABLES[list]}, 'id'))::int as id from generate_series(1, ${count}::int)`;
  return rows.map(({ id }) => id);
}

async function insertParts(
  tx: Tx,
  list: LayoutList,
  venueId: VenueId,
  parts: readonly StoredPart[],
): Promise<void> {
  await insertAll(
    tx,
    TABLES[list],
    parts.map((part) => ({ ...columnsOf(part), venue_id: venueId })),
  );
}

/** All rows have the same columns. In one statement, for the same reason as `deleteParts`. */
async function updateParts(tx: Tx, list: LayoutList, parts: readonly StoredPart[]): Promise<void> {
  const rows = parts.map(columnsOf);
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id');
  const [first, ...others] = columns.map((column) => tx`${tx(column)} = changed.${tx(column)}`);
  if (!first) return;
  const values = others.reduce((all, each) => tx`${all}, ${each}`, first);
  await tx`update ${tx(TABLES[list])} part set ${values}
    from jsonb_populate_recordset(null::${tx(TABLES[list])}, ${tx.json(rows as never)}) changed
    where part.id = changed.id`;
}

/** In one statement: each statement notifies of the venue anew, and concurrent bookings wait for all of it. */
async function deleteParts(tx: Tx, list: LayoutList, ids: readonly number[]): Promise<void> {
  await tx`delete from ${tx(TABLES[list])} where id = any(${ids as number[]}::int[])`;
}

/** Counts past and future stays per table; tables without any are left out. */
async function countStays(tx: Tx, tableIds: readonly number[], now: Temporal.Instant): Promise<StayCount[]> {
  const rows = await tx<StayCount[]>`
    select t.id as "tableId", t.name, count(*) as stays, count(*) filter (where upper(s.during) > ${now}) as coming
    from house_table t join house_stay s on s.table_id = t.id
    where t.id = any(${tableIds as number[]}::int[])
    group by t.id order by t.id`;
  return [...rows];
}

async function listComing(tx: Tx, tableIds: readonly number[], now: Temporal.Instant): Promise<ComingStay[]> {
  const rows = await tx<ComingStay[]>`
    select r.id as "bookingId", r.guests, array_agg(a.table_id order by a.table_id) as "tableIds"
    from house_reservation r join house_allocation a on a.reservation_id = r.id
    where r.id in (
      select reservation_id from house_allocation
      where table_id = any(${tableIds as number[]}::int[]) and upper(during) > ${now})
    group by r.id order by r.starts_at, r.id`;
  return [...rows];
}

/** What is placed in the zones: spaces, and products that name these zones and no other, and have no spaces. */
async function findDependants(tx: Tx, zoneIds: readonly number[]): Promise<string[]> {
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
async function placeSpace(tx: Tx, venueId: VenueId, spaceId: number, zoneId: number | null): Promise<void> {
  if (zoneId === null) {
    await tx`delete from house_space_zone where space_id = ${spaceId}`;
    return;
  }
  await tx`insert into house_space_zone (space_id, zone_id, venue_id) values (${spaceId}, ${zoneId}, ${venueId})
    on conflict (space_id) do update set zone_id = excluded.zone_id`;
}

async function listSpaceZones(tx: Tx, venueId: VenueId): Promise<Map<number, number>> {
  const rows = await tx<{ spaceId: number; zoneId: number }[]>`
    select space_id as "spaceId", zone_id as "zoneId" from house_space_zone where venue_id = ${venueId}`;
  return new Map(rows.map(({ spaceId, zoneId }) => [spaceId, zoneId]));
}

export const layout: LayoutStore = {
  lock: lockLayout,
  load: loadLayout,
  insertPart,
  updatePart,
  takeIds,
  insertParts,
  updateParts,
  deleteParts,
  countStays,
  listComing,
  findDependants,
  placeSpace,
  listSpaceZones,
  bookingsInSpace: (tx, venueId, spaceId) => tx`
    select id from house_reservation where venue_id = ${venueId} and space_id = ${spaceId}`,
};
