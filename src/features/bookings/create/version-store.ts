import type { Fragment, Tx } from '../../../db/database.ts';
import type { ProductId, VenueId } from '../../../kernel/ids.ts';

export interface Basis {
  venueId: VenueId;
  productId: ProductId;
  partnerId: number;
  /** When the venue, as it was read, had last changed. */
  venueUpdatedAt: Temporal.Instant;
  /** Which version of the partner's mapping was read with it. */
  channelVersion: string;
  /** Which version of the operator's booking rules was asked. */
  rulesVersion: number;
}

/** Whether what a decision was made on still stands: the venue as it was, and the partner's right to book there. */
export async function isStillTrue(tx: Tx, basis: Basis): Promise<boolean> {
  const found = await tx`select where ${standing(tx, basis)}`;
  return found.length > 0;
}

/** The same as a part of another statement, which may have the basis as a document. */
export function standing(tx: Tx, basis: Basis | Record<keyof Basis, Fragment>): Fragment {
  const { venueId, productId, partnerId, venueUpdatedAt, channelVersion, rulesVersion } = basis;
  return tx`exists (
    select from venue v
      join venue_mapping c on c.venue_id = v.id and c.partner_id = ${partnerId} and c.version::text = ${channelVersion}
      join product_mapping m on m.venue_id = v.id and m.product_id = ${productId} and m.partner_id = c.partner_id
      join partner_operator a on a.operator_id = v.operator_id and a.partner_id = m.partner_id and not a.is_suspended
      left join rulebook r on r.operator_id = v.operator_id
    where v.id = ${venueId} and v.updated_at = ${venueUpdatedAt} and coalesce(r.version, 0) = ${rulesVersion})`;
}

/** As `standing` reads it from a document of another statement. */
export const standingIn = (tx: Tx, document: Fragment): Fragment =>
  standing(tx, {
    venueId: tx`${document} ->> 'venueId'`,
    productId: tx`${document} ->> 'productId'`,
    partnerId: tx`(${document} -> 'partnerId')::integer`,
    venueUpdatedAt: tx`(${document} ->> 'venueUpdatedAt')::timestamptz`,
    channelVersion: tx`${document} ->> 'channelVersion'`,
    rulesVersion: tx`(${document} -> 'rulesVersion')::bigint`,
  });
