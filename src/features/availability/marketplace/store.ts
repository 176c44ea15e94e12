import type { Tx } from '../../../db/database.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import type { VenueMarketplace } from '../operator-rules/schema.ts';

export async function findMarketplace(tx: Tx, venueId: VenueId): Promise<VenueMarketplace | undefined> {
  const [row] = await tx<VenueMarketplace[]>`
    select partner_id as "partnerId", listing_id as "listingId", is_enabled as "isEnabled", array(
      select json_build_object('productKey', entry -> 'productKey', 'weekdays', entry -> 'weekdays')
      from jsonb_array_elements(managed) with ordinality as listed (entry, position) order by position) as managed
    from venue_marketplace where venue_id = ${venueId}`;
  return row;
}

/** Locks the settings against changes until the transaction ends. */
export async function lockMarketplace(tx: Tx, venueId: VenueId): Promise<void> {
  await tx`select from venue_marketplace where venue_id = ${venueId} for update`;
}

export type StoredMarketplace = VenueMarketplace & { partnerId: number };

export async function saveMarketplace(tx: Tx, venueId: VenueId, place: StoredMarketplace): Promise<void> {
  const { partnerId, listingId, isEnabled, managed } = place;
  await tx`
    insert into venue_marketplace (venue_id, partner_id, listing_id, is_enabled, managed)
    values (${venueId}, ${partnerId}, ${listingId}, ${isEnabled}, ${tx.json(managed as never)})
    on conflict (venue_id) do update set (partner_id, listing_id, is_enabled, managed)
      = (excluded.partner_id, excluded.listing_id, excluded.is_enabled, excluded.managed)`;
}

export async function deleteMarketplace(tx: Tx, venueId: VenueId): Promise<void> {
  await tx`delete from venue_marketplace where venue_id = ${venueId}`;
}

/** It can neither go nor change until the transaction ends. */
export async function findPartner(
  tx: Tx,
  partnerId: number,
): Promise<{ isMarketplace: boolean } | undefined> {
  const [row] = await tx<{ isMarketplace: boolean }[]>`
    select is_marketplace as "isMarketplace" from partner where id = ${partnerId} for share`;
  return row;
}

export async function isMapped(tx: Tx, venueId: VenueId, partnerId: number): Promise<boolean> {
  const rows = await tx`select from venue_mapping where venue_id = ${venueId} and partner_id = ${partnerId}`;
  return rows.length > 0;
}

export async function mapAllProducts(tx: Tx, venueId: VenueId, partnerId: number): Promise<void> {
  await tx`
    insert into product_mapping (partner_id, product_id, venue_id)
    select ${partnerId}::integer, id, venue_id from product where venue_id = ${venueId}
    on conflict do nothing`;
}

export async function unmapVenue(tx: Tx, venueId: VenueId, partnerId: number): Promise<void> {
  await tx`delete from venue_mapping where venue_id = ${venueId} and partner_id = ${partnerId}`;
}

/**
 * The keys that are no product of the venue. The other products are locked against deletion until the transaction
 * ends.
 */
export async function findUnknownKeys(tx: Tx, venueId: VenueId, keys: readonly string[]): Promise<string[]> {
  const ids = keys.map((key) => `${venueId}|${key}`);
  const found = await tx<{ id: string }[]>`
    select id from product where id = any(${ids}::text[]) order by id for key share`;
  return keys.filter((key) => !found.some(({ id }) => id === `${venueId}|${key}`));
}
