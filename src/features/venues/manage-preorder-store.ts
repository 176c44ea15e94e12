import type { Fragment, Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { rows } from './hours-store.ts';
import type { ManagedMenu, ManagedPackage } from './manage-preorder-schema.ts';

/** All packages of the venue, or one of them. */
export async function listManagedPackages(tx: Tx, venueId: VenueId, id?: number): Promise<ManagedPackage[]> {
  const found = await tx<ManagedPackage[]>`
    select id, name, slug, description, price_pence as "pricePence", price_per as "pricePer"
    from package where ${isMeant(tx, venueId, id)} order by position, id`;
  return [...found];
}

/** All menus of the venue, or one of them. */
export async function listManagedMenus(tx: Tx, venueId: VenueId, id?: number): Promise<ManagedMenu[]> {
  const items = tx`
    select id, name, description, price_pence as "pricePence", diet_types as "dietTypes", allergens,
      configurable_options as options, type, sub_type as "subType"
    from menu_item i where i.venue_id = ${venueId} and i.menu_id = menu.id order by display_order, id`;
  const found = await tx<ManagedMenu[]>`
    select id, name, slug, description, ${rows(tx, items)} as items
    from menu where ${isMeant(tx, venueId, id)} order by position, id`;
  return [...found];
}

const isMeant = (tx: Tx, venueId: VenueId, id: number | undefined): Fragment =>
  id === undefined ? tx`venue_id = ${venueId}` : tx`venue_id = ${venueId} and id = ${id}`;

/** Whether another one of the venue is called so. */
export async function isSlugTaken(
  tx: Tx,
  table: 'package' | 'menu',
  { venueId, slug, exceptId = 0 }: { venueId: VenueId; slug: string; exceptId: number | undefined },
): Promise<boolean> {
  const found = await tx`
    select from ${tx(table)} where venue_id = ${venueId} and slug = ${slug} and id <> ${exceptId}`;
  return found.length > 0;
}

/** A product that requires one of these and has no other. */
export async function findDependant(
  tx: Tx,
  table: 'package' | 'menu',
  id: number,
): Promise<{ name: string } | undefined> {
  const [links, column] = [tx(`product_${table}`), tx(`${table}_id`)];
  const [product] = await tx<{ name: string }[]>`
    select p.name from product p join ${links} own on own.product_id = p.id
    where own.${column} = ${id} and p.pre_order_required_type in (${table}, 'packageAndMenu')
      and not exists (select from ${links} other where other.product_id = p.id and other.${column} <> ${id})
    order by p.id limit 1`;
  return product;
}

export async function deletePreorder(tx: Tx, table: 'package' | 'menu', id: number): Promise<void> {
  await tx`delete from ${tx(table)} where id = ${id}`;
}
