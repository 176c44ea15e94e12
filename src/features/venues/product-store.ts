import { insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import { type ProductId, parseProductId, type VenueId } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/problem.ts';
import type { ProductDocument } from './document.ts';
import { insertHours, replaceHours } from './hours-store.ts';

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
