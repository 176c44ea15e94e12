import { continueNumbering, insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/problem.ts';
import {
  type CombinationDocument,
  DEFAULT_DURATION,
  DEFAULT_TURN_TIMES,
  type HouseDocument,
  type HouseProductDocument,
  type TableDocument,
} from './document.ts';

/** Writes the book of a venue whose products and spaces are already there. */
export async function importHouse(tx: Tx, venueId: VenueId, document: HouseDocument): Promise<void> {
  const { zones, spaceZones = [] } = document;
  const areas = zones.flatMap((zone) => zone.areas.map((area) => ({ zone_id: zone.id, ...area })));
  const tables = areas.flatMap((area) => area.tables.map((table) => ({ areaId: area.id, ...table })));
  const units = [...tables, ...combinationsOf(document, tables)];
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
    tables.map(({ id, areaId, name, minCovers = 1, maxCovers }) => ({
      id,
      area_id: areaId,
      venue_id: venueId,
      name,
      min_covers: minCovers,
      max_covers: maxCovers,
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
  const largest = Math.max(1, ...units.map(({ maxCovers }) => maxCovers));
  const allZones = zones.map(({ id }) => id);
  for (const product of document.products) await insertProduct(tx, venueId, product, largest, allZones);
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

async function insertProduct(
  tx: Tx,
  venueId: VenueId,
  product: HouseProductDocument,
  largestUnit: number,
  allZones: readonly number[],
): Promise<void> {
  const productId = `${venueId}|${product.key}`;
  const { turnTimes = DEFAULT_TURN_TIMES, duration = DEFAULT_DURATION, zoneIds = allZones } = product;
  const { minMinutes, maxMinutes, stepMinutes } = duration;
  if (turnTimes.length === 0 || turnTimes.some(({ minutes }) => minutes < minMinutes || minutes > maxMinutes))
    throw invalid('turnTimes', `of ${productId} must lie within its bounds of duration`);
  await tx`
    insert into house_product (product_id, venue_id, min_guests, max_guests, turn_times, min_duration_minutes,
      max_duration_minutes, duration_step_minutes, covers_per_start, instant_limit, is_request_only,
      takes_enquiries, notice_minutes, horizon_days, policy, cancellation_policy)
    values (${productId}, ${venueId}, ${product.minGuests ?? 1}, ${product.maxGuests ?? largestUnit},
      ${tx.json(turnTimes as never)}, ${minMinutes}, ${maxMinutes}, ${stepMinutes},
      ${product.coversPerStart ?? null}, ${product.instantLimit ?? null}, ${product.isRequestOnly ?? false},
      ${product.takesEnquiries ?? false}, ${product.noticeMinutes ?? 0}, ${product.horizonDays ?? null},
      ${product.policy ?? null}, ${product.cancellationPolicy ?? null})`;
  await insertAll(
    tx,
    'house_product_zone',
    zoneIds.map((zoneId) => ({ product_id: productId, zone_id: zoneId, venue_id: venueId })),
  );
}
