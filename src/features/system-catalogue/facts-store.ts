import type { Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { Facts } from './merge.ts';

/** What systems say of the products of these venues. */
export async function listFacts(
  tx: Tx,
  venueIds: readonly VenueId[],
): Promise<(Facts & { productId: ProductId })[]> {
  const rows = await tx<(Facts & { productId: ProductId })[]>`
    select product_id as "productId", price_pence as "pricePence", min_guests as "minGuests",
      max_guests as "maxGuests"
    from system_product where venue_id = any(${[...venueIds]}::text[])`;
  return [...rows];
}

export async function saveFacts(
  tx: Tx,
  productId: ProductId,
  venueId: VenueId,
  { pricePence, minGuests, maxGuests }: Facts,
): Promise<void> {
  await tx`
    insert into system_product (product_id, venue_id, price_pence, min_guests, max_guests)
    values (${productId}, ${venueId}, ${pricePence}, ${minGuests}, ${maxGuests})
    on conflict (product_id) do update set price_pence = excluded.price_pence, min_guests = excluded.min_guests,
      max_guests = excluded.max_guests`;
}

export async function linkSpace(tx: Tx, venueId: VenueId, systemId: string, spaceId: number): Promise<void> {
  await tx`insert into system_space (venue_id, system_id, space_id) values (${venueId}, ${systemId}, ${spaceId})`;
}
