import type { Fragment, Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { BlockedStay, BlockFields, BlockStore, BlockWindow, StoredBlock } from '../blocks.ts';

const selected = (tx: Tx): Fragment => tx`
  select id, lower(during) as from, upper(during) as to, table_ids as "tableIds", area_ids as "areaIds",
    zone_ids as "zoneIds", reason, created_at as "createdAt",
    array(select json_build_object('id', t.id, 'name', t.name)
      from house_block_table l join house_table t on t.id = l.table_id where l.block_id = b.id order by t.id) as tables
  from house_block b`;

async function list(
  tx: Tx,
  venueId: VenueId,
  { from, to, limit, offset }: BlockWindow,
): Promise<{ blocks: StoredBlock[]; total: number }> {
  const isMeant = tx`venue_id = ${venueId}
    ${from === undefined ? tx`` : tx`and upper(during) > ${from}`}
    ${to === undefined ? tx`` : tx`and lower(during) < ${to}`}`;
  const blocks = await tx<StoredBlock[]>`
    ${selected(tx)} where ${isMeant} order by lower(during), id limit ${limit} offset ${offset}`;
  const [counted] = await tx<[{ total: number }]>`select count(*) as total from house_block where ${isMeant}`;
  return { blocks: [...blocks], total: counted.total };
}

async function find(tx: Tx, venueId: VenueId, id: string): Promise<StoredBlock | undefined> {
  const [block] = await tx<StoredBlock[]>`${selected(tx)} where id = ${id} and venue_id = ${venueId}`;
  return block;
}

async function count(tx: Tx, venueId: VenueId, now: Temporal.Instant): Promise<number> {
  const [counted] = await tx<[{ total: number }]>`
    select count(*) as total from house_block where venue_id = ${venueId} and upper(during) > ${now}`;
  return counted.total;
}

const columnsOf = ({ tableIds, areaIds, zoneIds, reason }: BlockFields) => ({
  table_ids: tableIds,
  area_ids: areaIds,
  zone_ids: zoneIds,
  reason,
});

async function insert(
  tx: Tx,
  venueId: VenueId,
  block: BlockFields & { id: string; createdAt: Temporal.Instant },
): Promise<void> {
  const { id, from, to, tableIds, areaIds, zoneIds, reason, createdAt } = block;
  await tx`
    insert into house_block (id, venue_id, during, table_ids, area_ids, zone_ids, reason, created_at)
    values (${id}, ${venueId}, tstzrange(${from}, ${to}), ${tableIds}, ${areaIds}, ${zoneIds}, ${reason}, ${createdAt})`;
  await takeTables(tx, id);
}

async function update(tx: Tx, venueId: VenueId, id: string, block: BlockFields): Promise<void> {
  await tx`delete from house_block_table where block_id = ${id}`;
  await tx`
    update house_block set during = tstzrange(${block.from}, ${block.to}), ${tx(columnsOf(block) as never)}
    where id = ${id} and venue_id = ${venueId}`;
  await takeTables(tx, id);
}

/** Inactive tables of an area or a zone too: they may be put to use while it is blocked. */
async function takeTables(tx: Tx, id: string): Promise<void> {
  await tx`
    insert into house_block_table (block_id, table_id, venue_id, during)
    select b.id, t.id, b.venue_id, b.during
    from house_block b join house_table t on t.venue_id = b.venue_id join house_area a on a.id = t.area_id
    where b.id = ${id} and (t.id = any(b.table_ids) or a.id = any(b.area_ids) or a.zone_id = any(b.zone_ids))`;
}

async function listStays(
  tx: Tx,
  id: string,
  limit: number,
): Promise<{ stays: BlockedStay[]; total: number }> {
  // A stay lasts at most a day: the index is by its end.
  const inside = tx`
    select s.reservation_id, min(lower(s.during)) as starts, max(upper(s.during)) as ends
    from house_block_table l join house_stay s on s.venue_id = l.venue_id and s.table_id = l.table_id
      and upper(s.during) > lower(l.during) and upper(s.during) < upper(l.during) + interval '1 day'
      and s.during && l.during
    where l.block_id = ${id} group by s.reservation_id`;
  const stays = await tx<BlockedStay[]>`
    select reservation_id as "bookingId", starts as from, ends as to from (${inside}) inside
    order by starts, reservation_id limit ${limit}`;
  const [counted] = await tx<[{ total: number }]>`select count(*) as total from (${inside}) inside`;
  return { stays: [...stays], total: counted.total };
}

export const blocks: BlockStore = {
  list,
  find,
  count,
  insert,
  update,
  listStays,
  remove: async (tx, id) => void (await tx`delete from house_block where id = ${id}`),
};
