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
export const statedZones = (tx: Tx) => tx`case when h.states_zones then
  array(select zone_id from house_product_zone z where z.product_id = h.product_id order by zone_id) end`;
