import type { Tx } from '../../db/database.ts';
import type { Visibility } from '../../http/caller.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { visibleProducts, visibleVenues } from '../venues/service.ts';

/** An operator of whom the caller sees something. */
export interface SeenOperator {
  operatorId: number;
  /** The operator's categories that the partner is in; of callers that are no partner, none. */
  categoryIds: number[];
}

export async function listSeenOperators(tx: Tx, visibility: Visibility): Promise<SeenOperator[]> {
  const partnerId = visibility.kind === 'partner' ? visibility.partnerId : null;
  const rows = await tx<SeenOperator[]>`
    select o.id as "operatorId",
      array(select g.id from partner_category g join partner_category_member i on i.category_id = g.id
        where g.operator_id = o.id and i.partner_id = ${partnerId} order by g.id) as "categoryIds"
    from operator o
    where exists (select from venue v where v.operator_id = o.id and ${visibleVenues(tx, visibility)})
    order by o.id`;
  return [...rows];
}

/** Those of the venues that the caller may know of. */
export async function findVisible(
  tx: Tx,
  visibility: Visibility,
  venueIds: readonly VenueId[],
): Promise<Set<VenueId>> {
  if (venueIds.length === 0) return new Set();
  const rows = await tx<{ id: VenueId }[]>`
    select v.id from venue v where v.id = any(${[...venueIds]}::text[]) and ${visibleVenues(tx, visibility)}`;
  return new Set(rows.map(({ id }) => id));
}

/** Undefined: there is no such product that the caller may know of. */
export async function findProduct(
  tx: Tx,
  visibility: Visibility,
  id: ProductId,
): Promise<{ slug: string | null } | undefined> {
  const [row] = await tx<{ slug: string | null }[]>`
    select p.slug from product p join venue v on v.id = p.venue_id
    where p.id = ${id} and ${visibleProducts(tx, visibility)} and ${visibleVenues(tx, visibility)}`;
  return row;
}
