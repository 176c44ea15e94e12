import { insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/problem.ts';
import {
  DEFAULT_DURATION,
  DEFAULT_TURN_TIMES,
  type HouseProductDocument,
  type TurnTime,
} from './document.ts';

/** How a product is seated, with nothing left to a default. */
export interface SeatedProduct {
  zoneIds: number[];
  minGuests: number;
  maxGuests: number;
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

/** The layout of a venue as far as its products depend on it. */
export interface Seating {
  zoneIds: number[];
  /** The largest party that a table or combination takes; 1 where there are none. */
  largest: number;
}

export async function findSeating(tx: Tx, venueId: VenueId): Promise<Seating> {
  const [seating] = await tx<[Seating]>`
    select array(select id from house_zone where venue_id = ${venueId} order by id) as "zoneIds",
      greatest(1, (select max(max_covers) from house_table where venue_id = ${venueId}),
        (select max(max_covers) from house_combination where venue_id = ${venueId})) as largest`;
  return seating;
}

/** Makes the product what the document says; it must exist. What the document leaves open follows from the layout. */
export async function saveHouseProduct(
  tx: Tx,
  venueId: VenueId,
  product: HouseProductDocument,
  { zoneIds: allZones, largest }: Seating,
): Promise<void> {
  const productId = `${venueId}|${product.key}`;
  const { turnTimes = DEFAULT_TURN_TIMES, duration = DEFAULT_DURATION, zoneIds = allZones } = product;
  const { minMinutes, maxMinutes, stepMinutes } = duration;
  if (turnTimes.length === 0 || turnTimes.some(({ minutes }) => minutes < minMinutes || minutes > maxMinutes))
    throw invalid('turnTimes', `of ${productId} must lie within its bounds of duration`);
  const row = {
    product_id: productId,
    venue_id: venueId,
    min_guests: product.minGuests ?? 1,
    max_guests: product.maxGuests ?? largest,
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
    zoneIds.map((zoneId) => ({ product_id: productId, zone_id: zoneId, venue_id: venueId })),
  );
}

/** All of the venue's, or one of them. */
export async function listHouseProducts(
  tx: Tx,
  venueId: VenueId,
  productId?: ProductId,
): Promise<Map<ProductId, SeatedProduct>> {
  const rows = await tx<{ productId: ProductId; house: SeatedProduct }[]>`
    select h.product_id as "productId", json_build_object(
      'zoneIds', array(select zone_id from house_product_zone z where z.product_id = h.product_id order by zone_id),
      'minGuests', min_guests, 'maxGuests', max_guests, 'turnTimes', turn_times,
      'duration', json_build_object('minMinutes', min_duration_minutes, 'maxMinutes', max_duration_minutes,
        'stepMinutes', duration_step_minutes),
      'coversPerStart', covers_per_start, 'instantLimit', instant_limit, 'isRequestOnly', is_request_only,
      'takesEnquiries', takes_enquiries, 'noticeMinutes', notice_minutes, 'horizonDays', horizon_days,
      'policy', policy, 'cancellationPolicy', cancellation_policy) as house
    from house_product h
    where h.venue_id = ${venueId} and ${productId ? tx`h.product_id = ${productId}` : tx`true`}`;
  return new Map(rows.map((row) => [row.productId, row.house]));
}
