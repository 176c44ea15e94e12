import type { Tx } from '../../db/database.ts';
import type { NewPartnerCategory, PartnerCategory } from './category-schema.ts';

const categories = (tx: Tx) => tx`
  select g.id, g.slug, g.name,
    array(select partner_id from partner_category_member m where m.category_id = g.id order by partner_id)
      as "partnerIds"
  from partner_category g`;

export async function listCategories(tx: Tx, operatorId: number): Promise<PartnerCategory[]> {
  return [
    ...(await tx<PartnerCategory[]>`${categories(tx)} where g.operator_id = ${operatorId} order by g.slug`),
  ];
}

/** Those of all operators that a partner is in. */
export async function listCategoriesWith(
  tx: Tx,
  partnerId: number,
): Promise<(PartnerCategory & { operatorId: number })[]> {
  const found = await tx<(PartnerCategory & { operatorId: number })[]>`
    select g.operator_id as "operatorId", its.* from partner_category g join (${categories(tx)}) its on its.id = g.id
    where exists (select from partner_category_member m where m.category_id = g.id and m.partner_id = ${partnerId})
    order by g.id`;
  return [...found];
}

export async function findCategory(
  tx: Tx,
  operatorId: number,
  id: number,
): Promise<PartnerCategory | undefined> {
  const [category] = await tx<PartnerCategory[]>`
    ${categories(tx)} where g.operator_id = ${operatorId} and g.id = ${id}`;
  return category;
}

export async function hasSlug(
  tx: Tx,
  operatorId: number,
  slug: string,
  exceptId: number | null,
): Promise<boolean> {
  const found = await tx`
    select from partner_category
    where operator_id = ${operatorId} and slug = ${slug} and id is distinct from ${exceptId}`;
  return found.length > 0;
}

/** The ids that exist; the lock keeps them until the transaction ends. */
export async function holdPartners(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from partner where id = any(${[...ids]}::integer[]) order by id for key share`;
  return rows.map(({ id }) => id);
}

export async function insertCategory(
  tx: Tx,
  operatorId: number,
  { slug, name, partnerIds }: NewPartnerCategory,
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into partner_category (operator_id, slug, name) values (${operatorId}, ${slug}, ${name}) returning id`;
  if (!row) throw new Error('PostgreSQL returned no category.');
  await saveMembers(tx, row.id, partnerIds);
  return row.id;
}

export async function updateCategory(
  tx: Tx,
  id: number,
  { slug, name, partnerIds }: NewPartnerCategory,
): Promise<void> {
  await tx`update partner_category set slug = ${slug}, name = ${name} where id = ${id}`;
  await saveMembers(tx, id, partnerIds);
}

/** Leaves unchanged members alone: what nodes have cached for them stays valid. */
async function saveMembers(tx: Tx, categoryId: number, partnerIds: readonly number[]): Promise<void> {
  const ids = [...partnerIds];
  await tx`
    delete from partner_category_member
    where category_id = ${categoryId} and partner_id <> all(${ids}::integer[])`;
  await tx`
    insert into partner_category_member (category_id, partner_id)
    select ${categoryId}, unnest(${ids}::integer[]) on conflict do nothing`;
}

/** Members are deleted first, while the operator of their category is still known. */
export async function deleteCategory(tx: Tx, id: number): Promise<void> {
  await saveMembers(tx, id, []);
  await tx`delete from partner_category where id = ${id}`;
}
