import { insertAll } from '../../../db/bulk-insert.ts';
import type { Fragment, Tx } from '../../../db/database.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { rows } from '../hours/store.ts';
import type { MenuDocument, MenuItemDocument, PackageDocument } from '../transfer/document.ts';
import type { ManagedMenu, ManagedPackage } from './schema.ts';

/** Something that is given its number as it is stored. */
type Unnumbered<Document> = Omit<Document, 'id'> & { id?: number };

export type NewPackage = Unnumbered<PackageDocument>;
export type MenuItemFields = Unnumbered<MenuItemDocument>;
export type MenuFields = Omit<Unnumbered<MenuDocument>, 'items'> & { items: MenuItemFields[] };

export async function insertPackage(
  tx: Tx,
  venueId: VenueId,
  entry: NewPackage,
  position: number,
): Promise<number> {
  const row = { ...numberOf(entry), venue_id: venueId, position, ...packageColumns(entry) };
  const [made] = await tx<[{ id: number }]>`insert into package ${tx(row)} returning id`;
  return made.id;
}

export async function updatePackage(tx: Tx, id: number, entry: NewPackage): Promise<void> {
  await tx`update package set ${tx(packageColumns(entry))} where id = ${id}`;
}

const packageColumns = ({ slug, name, description, pricePence, pricePer }: NewPackage) => ({
  slug: slug ?? null,
  name,
  description: description ?? null,
  price_pence: pricePence,
  price_per: pricePer,
});

export async function insertMenu(
  tx: Tx,
  venueId: VenueId,
  menu: MenuFields,
  position: number,
): Promise<number> {
  const row = { ...numberOf(menu), venue_id: venueId, position, ...menuColumns(menu) };
  const [{ id }] = await tx<[{ id: number }]>`insert into menu ${tx(row)} returning id`;
  await insertItems(tx, { menu_id: id, venue_id: venueId }, menu.items);
  return id;
}

/** Items sent with the number of an existing item keep it, so that earlier orders still refer to them. */
export async function updateMenu(tx: Tx, venueId: VenueId, id: number, menu: MenuFields): Promise<void> {
  await tx`update menu set ${tx(menuColumns(menu))} where id = ${id}`;
  await tx`delete from menu_item where venue_id = ${venueId} and menu_id = ${id}`;
  await insertItems(tx, { menu_id: id, venue_id: venueId }, menu.items);
}

const menuColumns = ({ slug, name, description }: MenuFields) => ({
  slug: slug ?? null,
  name,
  description: description ?? null,
});

/** Those that bring a number first: a row with one and a row without have different columns. */
async function insertItems(
  tx: Tx,
  key: { menu_id: number; venue_id: VenueId },
  items: readonly MenuItemFields[],
): Promise<void> {
  const rows = items.map((item, index) => ({
    ...numberOf(item),
    ...key,
    name: item.name,
    description: item.description ?? null,
    price_pence: item.pricePence,
    diet_types: item.dietTypes,
    allergens: item.allergens,
    configurable_options: tx.json((item.options ?? []) as never),
    type: item.type,
    sub_type: item.subType ?? null,
    display_order: index + 1,
  }));
  const isNumbered = (row: object) => 'id' in row;
  await insertAll(tx, 'menu_item', rows.filter(isNumbered));
  await insertAll(
    tx,
    'menu_item',
    rows.filter((row) => !isNumbered(row)),
  );
}

const numberOf = ({ id }: { id?: number }) => (id === undefined ? {} : { id });

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
