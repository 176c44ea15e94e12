import { continueNumbering, insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/problem.ts';
import { type CombinationDocument, type HouseDocument, placeOf, type TableDocument } from './document.ts';
import { saveHouseProduct } from './manage-store.ts';

/** Writes the book of a venue whose products and spaces are already there. */
export async function importHouse(tx: Tx, venueId: VenueId, document: HouseDocument): Promise<void> {
  const { zones, spaceZones = [] } = document;
  const areas = zones.flatMap((zone) => zone.areas.map((area) => ({ zone_id: zone.id, ...area })));
  const tables = areas.flatMap((area) => area.tables.map((table) => ({ areaId: area.id, ...table })));
  await insertAll(
    tx,
    'house_zone',
    zones.map(({ id, name }) => ({ id, venue_id: venueId, name })),
  );
  await insertAll(
    tx,
    'house_area',
    areas.map(({ id, zone_id, name }) => ({ id, zone_id, venue_id: venueId, name })),
  );
  await insertAll(
    tx,
    'house_table',
    tables.map(({ id, areaId, name, minCovers = 1, maxCovers, isActive = true, ...placed }) => ({
      id,
      area_id: areaId,
      venue_id: venueId,
      name,
      min_covers: minCovers,
      max_covers: maxCovers,
      is_active: isActive,
      ...placeOf(placed),
    })),
  );
  for (const { tableIds, minCovers, maxCovers } of combinationsOf(document, tables)) {
    await tx`insert into house_combination (venue_id, table_ids, min_covers, max_covers)
      values (${venueId}, ${tableIds}, ${minCovers}, ${maxCovers})`;
  }
  await insertAll(
    tx,
    'house_space_zone',
    spaceZones.map(({ spaceId, zoneId }) => ({ space_id: spaceId, zone_id: zoneId, venue_id: venueId })),
  );
  for (const product of document.products) await saveHouseProduct(tx, venueId, product);
  await continueNumbering(tx, ['house_zone', 'house_area', 'house_table']);
}

interface PlacedTable extends TableDocument {
  areaId: number;
}

function combinationsOf(
  { combinations = [] }: HouseDocument,
  tables: readonly PlacedTable[],
): Required<CombinationDocument>[] {
  return combinations.map(({ tableIds, minCovers, maxCovers }) => {
    const joined = tables.filter(({ id }) => tableIds.includes(id));
    if (tableIds.length < 2 || joined.length !== tableIds.length)
      throw invalid('combinations', `must name two or more tables of the venue, not ${tableIds.join(', ')}`);
    if (new Set(joined.map(({ areaId }) => areaId)).size > 1)
      throw invalid('combinations', `can only join tables of one area, not ${tableIds.join(', ')}`);
    const covers = joined.map((table) => table.maxCovers);
    return {
      tableIds,
      minCovers: minCovers ?? Math.max(...covers) + 1,
      maxCovers: maxCovers ?? covers.reduce((sum, each) => sum + each, 0),
    };
  });
}
