import type { Tx } from '../../../db/database.ts';
import type { ManagedCategory, ManagedVenueType } from './venue-schema.ts';

export async function listCategoryEntries(tx: Tx): Promise<ManagedCategory[]> {
  return [...(await tx<ManagedCategory[]>`select id, slug, name from category order by id`)];
}

export async function listVenueTypeEntries(tx: Tx): Promise<ManagedVenueType[]> {
  return [...(await tx<ManagedVenueType[]>`select slug, name from venue_type order by slug`)];
}

export async function findCategoryEntry(tx: Tx, slug: string): Promise<ManagedCategory | undefined> {
  const [found] = await tx<ManagedCategory[]>`select id, slug, name from category where slug = ${slug}`;
  return found;
}

export async function findVenueTypeEntry(tx: Tx, slug: string): Promise<ManagedVenueType | undefined> {
  const [found] = await tx<ManagedVenueType[]>`select slug, name from venue_type where slug = ${slug}`;
  return found;
}

export async function saveCategory(tx: Tx, slug: string, name: string): Promise<void> {
  await tx`insert into category (slug, name) values (${slug}, ${name})
    on conflict (slug) do update set name = excluded.name`;
}

export async function saveVenueType(tx: Tx, slug: string, name: string): Promise<void> {
  await tx`insert into venue_type (slug, name) values (${slug}, ${name})
    on conflict (slug) do update set name = excluded.name`;
}

/**
 * False when products are in it. A transaction that adds a product meanwhile waits, and then finds the category gone.
 */
export async function deleteCategory(tx: Tx, slug: string): Promise<boolean> {
  await tx`select from category where slug = ${slug} for update`;
  const { count } = await tx`
    delete from category c where slug = ${slug} and not exists (select from product where category_id = c.id)`;
  return count > 0;
}

/** False when venues are of that type; the same otherwise. */
export async function deleteVenueType(tx: Tx, slug: string): Promise<boolean> {
  await tx`select from venue_type where slug = ${slug} for update`;
  const { count } = await tx`
    delete from venue_type where slug = ${slug} and not exists (select from venue where types @> array[${slug}])`;
  return count > 0;
}
