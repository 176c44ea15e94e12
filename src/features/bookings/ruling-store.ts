import type { Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { MinimumSpendBand, SpendOverrideRecord } from '../venues/service.ts';
import type { BookedVenue, BookingRecord } from './record.ts';

/** What rules need to know besides the booking itself, as it is now, also where the partner no longer sees it. */
export interface Surroundings {
  slug: string | null;
  category: string | null;
  /** The operator's categories that the partner is in. */
  categoryIds: number[];
  spaceName: string | null;
  /** Of the space; null without one. */
  bands: MinimumSpendBand[] | null;
  /** Of the space; those that a stay on that day can meet. */
  overrides: SpendOverrideRecord[];
}

type Placed = Pick<BookingRecord, 'productId' | 'operatorId' | 'partnerId' | 'spaceId' | 'date'>;

export async function findSurroundings(tx: Tx, booking: Placed): Promise<Surroundings> {
  const { productId, operatorId, partnerId, spaceId, date } = booking;
  const [row] = await tx<[Surroundings]>`
    select p.slug, c.slug as category, s.name as "spaceName", s.policies -> 'minimumSpend' as bands,
      array(select json_build_object('startDate', start_date, 'endDate', end_date, 'opens', starts_minute,
          'closes', ends_minute, 'amount', amount_pence)
        from minimum_spend_override
        where space_id = s.id and start_date <= ${date}::date + 1 and end_date >= ${date}::date - 1) as overrides,
      array(select k.id from partner_category k join partner_category_member m on m.category_id = k.id
        where k.operator_id = ${operatorId} and m.partner_id = ${partnerId} order by k.id) as "categoryIds"
    from product p
      left join category c on c.id = p.category_id
      left join space s on s.id = ${spaceId}
    where p.id = ${productId}`;
  return row;
}

type RuledFields =
  | 'type'
  | 'source'
  | 'date'
  | 'minute'
  | 'requestedDurationMinutes'
  | 'depositPence'
  | 'preorders';

/** As much of a booking as rules look at. */
export interface RuledBooking extends Pick<BookingRecord, RuledFields> {
  partnerId: number | null;
  venueId: VenueId;
  productId: ProductId;
  spaceId: number | null;
  adults: number;
  children: number;
  venue: Pick<BookedVenue, 'name' | 'productName' | 'timeZone'> & {
    location: Pick<BookedVenue['location'], 'area' | 'city'>;
  };
}

/** Of these, payments need more. */
export type RuledSurroundings = Pick<Surroundings, 'slug' | 'category' | 'categoryIds' | 'spaceName'>;
