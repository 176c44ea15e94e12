import { insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { MenuDocument, MenuItemDocument, PackageDocument } from './document.ts';

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

/** Items that come with the number of one that is there stay what they are to whoever has ordered them. */
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
