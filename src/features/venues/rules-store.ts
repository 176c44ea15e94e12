import type { Fragment, Tx } from '../../db/database.ts';
import type { Visibility } from '../../http/caller.ts';
import { rows } from './hours-store.ts';

/** The availability rules of the venues `v`. */
export function rulesOf(tx: Tx, visibility: Visibility): Fragment {
  return rows(
    tx,
    tx`select id, type, product_id as "productId", space_id as "spaceId", partner_ids as "partnerIds",
         category_ids as "categoryIds", scope, effect, definition
       from (${stored(tx)} union all ${managed(tx)}) r where ${concernsCaller(tx, visibility)} order by id`,
  );
}

/** What is about the marketplace is aimed at the partner that is one, or at nobody while there is none. */
function stored(tx: Tx): Fragment {
  return tx`
    select id, type, product_id, space_id, category_ids, scope, effect, definition,
      case channel when 'all' then partner_ids
        else array(select k.partner_id from venue_marketplace k where k.venue_id = v.id and k.is_enabled) end
        as partner_ids
    from availability_rule where venue_id = v.id and is_active`;
}

/** What the venue's own system hides on the marketplace is like a rule. Its id stays what it is as long as it does. */
function managed(tx: Tx): Fragment {
  return tx`
    select md5(v.id || entry::text)::uuid, 'recurring', v.id || '|' || (entry ->> 'productKey'), null, null, null, 'disable',
      jsonb_build_object('weekdays', entry -> 'weekdays'), array[k.partner_id]
    from venue_marketplace k, jsonb_array_elements(k.managed) as entry where k.venue_id = v.id and k.is_enabled`;
}

/** A partner knows of the rules that take something from it, and of no others. */
function concernsCaller(tx: Tx, visibility: Visibility): Fragment {
  if (visibility.kind !== 'partner') return tx`true`;
  const { partnerId } = visibility;
  const namesCaller = tx`(coalesce(${partnerId} = any(r.partner_ids), false) or exists (
    select from partner_category_member i where i.category_id = any(r.category_ids) and i.partner_id = ${partnerId}))`;
  return tx`case r.effect
    when 'reserve' then not ${namesCaller}
    else (r.partner_ids is null and r.category_ids is null) or ${namesCaller} end`;
}
