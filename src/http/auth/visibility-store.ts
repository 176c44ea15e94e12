import type { Fragment, Tx } from '../../db/database.ts';
import type { Visibility } from './caller.ts';
/**
 * The venues of `v`, or of another alias of the table, that the caller may see. `holdsFor`, a condition on their ids,
 * is applied to the mappings too: PostgreSQL does not derive one from the other.
 */
export function visibleVenues(
  tx: Tx,
  visibility: Visibility,
  venue: Fragment = tx`v`,
  holdsFor: (id: Fragment) => Fragment = () => tx`true`,
): Fragment {
  switch (visibility.kind) {
    case 'partner':
      return tx`exists (select from venue_mapping m where m.partner_id = ${visibility.partnerId}
        and m.venue_id = ${venue}.id and ${holdsFor(tx`m.venue_id`)})`;
    case 'operator':
      return tx`${venue}.operator_id = ${visibility.operatorId}`;
    case 'platform':
      return tx`true`;
  }
}

/** The products of `p` on sale that the caller may see, given that it may see their venue. */
export function visibleProducts(tx: Tx, visibility: Visibility): Fragment {
  return visibility.kind === 'partner'
    ? tx`(not p.is_withdrawn and exists (select from product_mapping pm
        where pm.partner_id = ${visibility.partnerId} and pm.product_id = p.id))`
    : tx`not p.is_withdrawn`;
}
