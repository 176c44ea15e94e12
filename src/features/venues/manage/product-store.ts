import { insertAll } from '../../../db/bulk-insert.ts';
import type { Tx } from '../../../db/database.ts';
import { type ProductId, parseProductId, type VenueId } from '../../../kernel/ids.ts';
import { invalid } from '../../../kernel/problem.ts';
import { systemOf } from '../../../tms/systems.ts';
import { hoursDocument } from '../hours/hours.ts';
import { hoursOf, insertHours, replaceHours } from '../hours/store.ts';
import type { ProductRecord } from '../record.ts';
import type { ProductDocument } from '../transfer/document.ts';
import { type ManagedProduct, NO_SYSTEM_PARTS } from './product-schema.ts';

/** A product without the rules that hold for it. */
export type ProductFields = Omit<ProductDocument, 'availabilityRules'>;

export const productIdOf = (venueId: VenueId, key: string): ProductId =>
  parseProductId(`${venueId}|${key}`, 'key');

/** False when the venue has one with that key. */
export async function insertProduct(
  tx: Tx,
  venueId: VenueId,
  product: ProductFields,
  position: number,
): Promise<boolean> {
  const id = productIdOf(venueId, product.key);
  const row = { id, venue_id: venueId, position, ...(await columnsOf(tx, product)) };
  const { count } = await tx`insert into product ${tx(row)} on conflict (id) do nothing`;
  if (count === 0) return false;
  const key = { product_id: id, venue_id: venueId };
  await insertHours(tx, key, product.hours);
  await insertLinks(tx, key, product);
  return true;
}

export async function updateProduct(tx: Tx, venueId: VenueId, product: ProductFields): Promise<void> {
  const id = productIdOf(venueId, product.key);
  await tx`update product set ${tx(await columnsOf(tx, product))} where id = ${id}`;
  const key = { product_id: id, venue_id: venueId };
  await replaceHours(tx, key, product.hours);
  for (const table of ['product_space', 'product_package', 'product_menu'])
    await tx`delete from ${tx(table)} where product_id = ${id}`;
  await insertLinks(tx, key, product);
}

async function columnsOf(tx: Tx, product: ProductFields) {
  return {
    name: product.name,
    slug: product.slug ?? null,
    category_id: await categoryIdOf(tx, product.category),
    time_interval_minutes: product.timeIntervalMinutes,
    pre_order_required_type: product.preOrderRequiredType ?? 'none',
    payment_rules: tx.json((product.paymentRules ?? []) as never),
    refund_terms: tx.json((product.refundTerms ?? []) as never),
  };
}

async function insertLinks(
  tx: Tx,
  key: { product_id: ProductId; venue_id: VenueId },
  { spaceIds = [], packageIds = [], menuIds = [] }: ProductFields,
): Promise<void> {
  await insertAll(
    tx,
    'product_space',
    spaceIds.map((id) => ({ ...key, space_id: id })),
  );
  await insertAll(
    tx,
    'product_package',
    packageIds.map((id) => ({ ...key, package_id: id })),
  );
  await insertAll(
    tx,
    'product_menu',
    menuIds.map((id) => ({ ...key, menu_id: id })),
  );
}

async function categoryIdOf(tx: Tx, slug: string | undefined): Promise<number | null> {
  if (slug === undefined) return null;
  const [category] = await tx<{ id: number }[]>`select id from category where slug = ${slug} for key share`;
  if (category) return category.id;
  throw invalid('category', `${slug} is not a known category`);
}

type ProductRow = Omit<ManagedProduct, 'compositeId' | 'hours' | keyof typeof NO_SYSTEM_PARTS> &
  Pick<ProductRecord, 'id' | 'hours' | 'exceptions'>;

/** All products of the venue as their operator keeps them, or one of them. */
export async function listManagedProducts(
  tx: Tx,
  venueId: VenueId,
  productId?: ProductId,
): Promise<ManagedProduct[]> {
  const products = await tx<ProductRow[]>`
    select p.id, split_part(p.id, '|', 4) as key, p.name, p.slug,
      (select c.slug from category c where c.id = p.category_id) as category,
      p.time_interval_minutes as "timeIntervalMinutes", p.pre_order_required_type as "preOrderRequiredType",
      p.payment_rules as "paymentRules", p.refund_terms as "refundTerms", p.is_withdrawn as "isWithdrawn",
      array(select space_id from product_space s where s.product_id = p.id order by 1) as "spaceIds",
      array(select package_id from product_package k where k.product_id = p.id order by 1) as "packageIds",
      array(select menu_id from product_menu m where m.product_id = p.id order by 1) as "menuIds",
      ${hoursOf(tx, 'product', tx`product_id = p.id`)}
    from product p
    where p.venue_id = ${venueId} and ${productId ? tx`p.id = ${productId}` : tx`true`}
    order by p.position, p.id`;
  const ofSystem = await systemOf(venueId)?.catalogue.listProducts(tx, venueId, productId);
  return products.map(({ id, hours, exceptions, ...product }) => ({
    compositeId: id,
    ...product,
    hours: hoursDocument({ hours, exceptions }),
    ...NO_SYSTEM_PARTS,
    ...ofSystem?.get(id),
  }));
}

/** The things of a venue that products point to. */
export interface Belongings {
  spaceIds: number[];
  packageIds: number[];
  menuIds: number[];
}

export async function findBelongings(tx: Tx, venueId: VenueId): Promise<Belongings> {
  const [found] = await tx<[Belongings]>`
    select array(select id from space where venue_id = ${venueId}) as "spaceIds",
      array(select id from package where venue_id = ${venueId}) as "packageIds",
      array(select id from menu where venue_id = ${venueId}) as "menuIds"`;
  return found;
}

/** Takes products off sale or puts them on sale again. Their bookings and mappings stay. */
export async function markWithdrawn(tx: Tx, ids: readonly ProductId[], isWithdrawn: boolean): Promise<void> {
  await tx`update product set is_withdrawn = ${isWithdrawn}
    where id = any(${[...ids]}::text[]) and is_withdrawn <> ${isWithdrawn}`;
}

export async function deleteProduct(tx: Tx, id: ProductId): Promise<void> {
  await tx`delete from product where id = ${id}`;
}
