import type { Fragment, Tx } from '../../../db/database.ts';
import type { ProductId, VenueId } from '../../../kernel/ids.ts';

/** The versions of everything that a decision about a booking at a venue was made on. */
export interface VenueVersion {
  venueId: VenueId;
  productId: ProductId;
  /** Null: a booking of the house, which needs no mapping. */
  partnerId: number | null;
  /** When the venue, as it was read, had last changed. */
  venueUpdatedAt: Temporal.Instant;
  /** Which version of the partner's mapping was read with it. */
  channelVersion: string;
  /** The version of the operator's booking rules that was evaluated; null: none. */
  rulesVersion: number | null;
  /** The client whose mandate was read, and its version; null: no partner's client. */
  clientId: string | null;
  mandateVersion: number | null;
}

/** Whether the venue is still as it was, and the partner still has the right to book there. */
export async function isCurrent(tx: Tx, version: VenueVersion): Promise<boolean> {
  const found = await tx`
    select from jsonb_array_elements(${tx.json([version] as never)}) as venue_version
    where ${versionCheck(tx, tx`venue_version`, { isOfHouse: version.partnerId === null })}`;
  return found.length > 0;
}

/** The same as a condition of another statement, for a version that is a JSON document there. */
export const versionCheck = (tx: Tx, version: Fragment, { isOfHouse = false } = {}): Fragment => tx`exists (
  select from venue v
    ${isOfHouse ? tx`` : mappingCheck(tx, version)}
    left join rulebook r on r.operator_id = v.operator_id
  where v.id = ${version} ->> 'venueId' and v.updated_at = (${version} ->> 'venueUpdatedAt')::timestamptz
    and coalesce(${version} ->> 'rulesVersion', r.version::text, '0') = coalesce(r.version, 0)::text
    ${isOfHouse ? tx`` : mandateCheck(tx, version)})`;

const mandateCheck = (tx: Tx, version: Fragment): Fragment => tx`
  and coalesce((select version from mandate where client_id = ${version} ->> 'clientId'), 0)
    = (${version} ->> 'mandateVersion')::bigint`;

const mappingCheck = (tx: Tx, version: Fragment): Fragment => tx`
  join venue_mapping c on c.venue_id = v.id and c.partner_id = (${version} -> 'partnerId')::integer
    and c.version::text = ${version} ->> 'channelVersion'
  join product_mapping m on m.venue_id = v.id and m.product_id = ${version} ->> 'productId'
    and m.partner_id = c.partner_id
  join partner_operator a on a.operator_id = v.operator_id and a.partner_id = m.partner_id and not a.is_suspended`;
