import { continueNumbering, insertAll, sparseRows } from '../../db/bulk-insert.ts';
import type { Fragment, Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/problem.ts';
import { placeOf } from '../layout.ts';
import {
  type CombinationDocument,
  DEFAULT_DURATION,
  DEFAULT_TURN_TIMES,
  type HouseDocument,
  type HouseProductDocument,
  type TableDocument,
  type TurnTime,
} from './document.ts';

/** How a product is seated. Null: it follows from the layout, as `Seating` says. */
export interface SeatedProduct {
  zoneIds: number[] | null;
  minGuests: number | null;
  maxGuests: number | null;
  turnTimes: TurnTime[];
  duration: { minMinutes: number; maxMinutes: number; stepMinutes: number };
  coversPerStart: number | null;
  instantLimit: number | null;
  isRequestOnly: boolean;
  takesEnquiries: boolean;
  noticeMinutes: number;
  horizonDays: number | null;
  policy: string | null;
  cancellationPolicy: string | null;
}

/** Where the guests of a product sit and how large their parties are, with the layout as it is now. */
export interface Seating {
  zoneIds: number[];
  minGuests: number;
  maxGuests: number;
}

export async function listZoneIds(tx: Tx, venueId: VenueId): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`select id from house_zone where venue_id = ${venueId}`;
  return rows.map(({ id }) => id);
}

/** Makes the product what the document says; it must exist. */
export async function saveHouseProduct(
  tx: Tx,
  venueId: VenueId,
  product: HouseProductDocument,
): Promise<void> {
  const productId = `${venueId}|${product.key}`;
  const { turnTimes = DEFAULT_TURN_TIMES, duration = DEFAULT_DURATION, zoneIds } = product;
  const { minMinutes, maxMinutes, stepMinutes } = duration;
  if (turnTimes.length === 0 || turnTimes.some(({ minutes }) => minutes < minMinutes || minutes > maxMinutes))
    throw invalid('turnTimes', `of ${productId} must lie within its bounds of duration`);
  const row = {
    product_id: productId,
    venue_id: venueId,
    states_zones: zoneIds !== undefined,
    min_guests: product.minGuests ?? null,
    max_guests: product.maxGuests ?? null,
    turn_times: tx.json(turnTimes as never),
    min_duration_minutes: minMinutes,
    max_duration_minutes: maxMinutes,
    duration_step_minutes: stepMinutes,
    covers_per_start: product.coversPerStart ?? null,
    instant_limit: product.instantLimit ?? null,
    is_request_only: product.isRequestOnly ?? false,
    takes_enquiries: product.takesEnquiries ?? false,
    notice_minutes: product.noticeMinutes ?? 0,
    horizon_days: product.horizonDays ?? null,
    policy: product.policy ?? null,
    cancellation_policy: product.cancellationPolicy ?? null,
  };
  await tx`insert into house_product ${tx(row)} on conflict (product_id) do update set ${tx(row)}`;
  await tx`delete from house_product_zone where product_id = ${productId}`;
  await insertAll(
    tx,
    'house_product_zone',
    (zoneIds ?? []).map((zoneId) => ({ product_id: productId, zone_id: zoneId, venue_id: venueId })),
  );
}

/** All of the venue's, or one of them. */
export async function listHouseProducts(
  tx: Tx,
  venueId: VenueId,
  productId?: ProductId,
): Promise<Map<ProductId, { house: SeatedProduct; seating: Seating }>> {
  const rows = await tx<{ productId: ProductId; house: SeatedProduct; seating: Seating }[]>`
    select h.product_id as "productId", json_build_object('zoneIds', s.zone_ids, 'minGuests', s.min_guests,
        'maxGuests', s.max_guests) as seating, json_build_object(
      'zoneIds', ${statedZones(tx)},
      'minGuests', h.min_guests, 'maxGuests', h.max_guests, 'turnTimes', turn_times,
      'duration', json_build_object('minMinutes', min_duration_minutes, 'maxMinutes', max_duration_minutes,
        'stepMinutes', duration_step_minutes),
      'coversPerStart', covers_per_start, 'instantLimit', instant_limit, 'isRequestOnly', is_request_only,
      'takesEnquiries', takes_enquiries, 'noticeMinutes', notice_minutes, 'horizonDays', horizon_days,
      'policy', policy, 'cancellationPolicy', cancellation_policy) as house
    from house_product h join house_seating s using (product_id)
    where h.venue_id = ${venueId} and ${productId ? tx`h.product_id = ${productId}` : tx`true`}`;
  return new Map(rows.map(({ productId: id, house, seating }) => [id, { house, seating }]));
}

/** Of the products `h`; null: they take those that the venue has. */
const statedZones = (tx: Tx) => tx`case when h.states_zones then
  array(select zone_id from house_product_zone z where z.product_id = h.product_id order by zone_id) end`;

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

/** The house documents of these venues, as `importHouse` reads them; what follows from the layout is left out. */
export async function exportHouses(
  tx: Tx,
  venueIds: readonly VenueId[],
): Promise<Map<VenueId, HouseDocument>> {
  const found = await tx<{ venueId: VenueId; house: HouseDocument }[]>`
    select v.id as "venueId", json_build_object(
      'zones', ${zonesOf(tx)},
      'combinations', ${sparseRows(
        tx,
        tx`select table_ids as "tableIds", min_covers as "minCovers", max_covers as "maxCovers"
           from house_combination c where c.venue_id = v.id order by c.id`,
      )},
      'spaceZones', ${sparseRows(
        tx,
        tx`select space_id as "spaceId", zone_id as "zoneId"
           from house_space_zone s where s.venue_id = v.id order by space_id`,
      )},
      'products', ${productsOf(tx)}) as house
    from unnest(${[...venueIds] as string[]}::text[]) as v (id)`;
  return new Map(found.map(({ venueId, house }) => [venueId, house]));
}

function zonesOf(tx: Tx): Fragment {
  const tables = sparseRows(
    tx,
    tx`select id, name, min_covers as "minCovers", max_covers as "maxCovers", is_active as "isActive",
         x, y, width, height, shape, rotation
       from house_table t where t.area_id = a.id order by t.id`,
  );
  const areas = sparseRows(
    tx,
    tx`select id, name, ${tables} as tables from house_area a where a.zone_id = z.id order by a.id`,
  );
  return sparseRows(
    tx,
    tx`select id, name, ${areas} as areas from house_zone z where z.venue_id = v.id order by z.id`,
  );
}

function productsOf(tx: Tx): Fragment {
  return sparseRows(
    tx,
    tx`select split_part(h.product_id, '|', 4) as key,
         ${statedZones(tx)} as "zoneIds",
         min_guests as "minGuests", max_guests as "maxGuests", turn_times as "turnTimes",
         json_build_object('minMinutes', min_duration_minutes, 'maxMinutes', max_duration_minutes,
           'stepMinutes', duration_step_minutes) as duration,
         covers_per_start as "coversPerStart", instant_limit as "instantLimit",
         is_request_only as "isRequestOnly", takes_enquiries as "takesEnquiries",
         notice_minutes as "noticeMinutes", horizon_days as "horizonDays", policy,
         cancellation_policy as "cancellationPolicy"
       from house_product h join product p on p.id = h.product_id
       where h.venue_id = v.id order by p.position, p.id`,
  );
}
