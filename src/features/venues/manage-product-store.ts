import type { Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { listHouseProducts } from '../../tms/house/manage-store.ts';
import { listTicketTypes } from '../../tms/tickets/manage-store.ts';
import { hoursDocument } from './hours.ts';
import { hoursOf } from './hours-store.ts';
import type { ManagedProduct } from './manage-product-schema.ts';
import type { ProductRecord } from './record.ts';

type ProductRow = Omit<ManagedProduct, 'compositeId' | 'hours' | 'house' | 'effective' | 'tickets'> &
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
      p.payment_rules as "paymentRules", p.refund_terms as "refundTerms",
      array(select space_id from product_space s where s.product_id = p.id order by 1) as "spaceIds",
      array(select package_id from product_package k where k.product_id = p.id order by 1) as "packageIds",
      array(select menu_id from product_menu m where m.product_id = p.id order by 1) as "menuIds",
      ${hoursOf(tx, 'product', tx`product_id = p.id`)}
    from product p
    where p.venue_id = ${venueId} and ${productId ? tx`p.id = ${productId}` : tx`true`}
    order by p.position, p.id`;
  const seated = await listHouseProducts(tx, venueId, productId);
  const sold = await listTicketTypes(tx, venueId, productId);
  return products.map(({ id, hours, exceptions, ...product }) => ({
    compositeId: id,
    ...product,
    hours: hoursDocument({ hours, exceptions }),
    house: seated.get(id)?.house ?? null,
    effective: seated.get(id)?.seating ?? null,
    tickets: sold.get(id) ?? null,
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

export async function deleteProduct(tx: Tx, id: ProductId): Promise<void> {
  await tx`delete from product where id = ${id}`;
}
