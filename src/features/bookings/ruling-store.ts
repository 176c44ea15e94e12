import type { Tx } from '../../db/database.ts';
import type { MinimumSpendBand } from '../venues/document.ts';
import type { BookingRecord } from './record.ts';

/** What rules need to know besides the booking itself, as it is now, also where the partner no longer sees it. */
export interface Surroundings {
  slug: string | null;
  category: string | null;
  /** The operator's categories that the partner is in. */
  categoryIds: number[];
  spaceName: string | null;
  /** Of the space; null without one. */
  bands: MinimumSpendBand[] | null;
}

type Placed = Pick<BookingRecord, 'productId' | 'operatorId' | 'partnerId' | 'spaceId'>;

export async function findSurroundings(tx: Tx, booking: Placed): Promise<Surroundings> {
  const { productId, operatorId, partnerId, spaceId } = booking;
  const [row] = await tx<[Surroundings]>`
    select p.slug, c.slug as category, s.name as "spaceName", s.policies -> 'minimumSpend' as bands,
      array(select k.id from partner_category k join partner_category_member m on m.category_id = k.id
        where k.operator_id = ${operatorId} and m.partner_id = ${partnerId} order by k.id) as "categoryIds"
    from product p
      left join category c on c.id = p.category_id
      left join space s on s.id = ${spaceId}
    where p.id = ${productId}`;
  return row;
}
