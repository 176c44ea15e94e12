import type { Fragment, Tx } from '../../db/database.ts';
import type { Visibility } from '../../http/auth/caller.ts';
import { visibleProducts, visibleVenues } from '../../http/auth/visibility-store.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { closuresOf } from './closure-store.ts';
import { withClosedDays } from './closures.ts';
import { flatLocation, plainFields } from './fields-store.ts';
import { rows, tradingHoursOf } from './hours/store.ts';
import type { CategoryRecord, OperatorSystems, VenueRecord } from './record.ts';
import { withoutScopes } from './rule-definition.ts';

/** How many of the venues `v` that meet a condition the caller may see; without a condition, how many in all. */
export async function countVisibleVenues(
  tx: Tx,
  visibility: Visibility,
  condition: Fragment | undefined,
): Promise<number> {
  const [counted] = await (visibility.kind === 'partner'
    ? countMapped(tx, visibility.partnerId, condition)
    : tx<{ total: number }[]>`
        select count(*) as total from venue v where ${visibleVenues(tx, visibility)} and ${condition ?? tx`true`}`);
  return counted?.total ?? 0;
}

/**
 * Every mapping has its venue, so those of a partner are counted without looking at venues. Those that meet a condition
 * are looked up one by one in an index: joined, every mapping of the partner would be read for the sake of a few.
 */
function countMapped(tx: Tx, partnerId: number, condition: Fragment | undefined) {
  const isMet = condition
    ? tx`m.venue_id = any(array(select v.id from venue v where ${condition}))`
    : tx`true`;
  return tx<{ total: number }[]>`
    select count(*) as total from venue_mapping m where m.partner_id = ${partnerId} and ${isMet}`;
}

function productsOf(tx: Tx, visibility: Visibility): Fragment {
  return rows(
    tx,
    tx`
    select p.id, p.name, p.slug,
      (select json_build_object('id', c.id, 'name', c.name, 'slug', c.slug) from category c where c.id = p.category_id) as category,
      p.time_interval_minutes as "timeIntervalMinutes",
      p.pre_order_required_type as "preOrderRequiredType",
      p.payment_rules as "paymentRules", p.refund_terms as "refundTerms",
      ${tradingHoursOf(tx, 'product', tx`product_id = p.id`)},
      array(select space_id from product_space s where s.product_id = p.id) as "spaceIds",
      array(select package_id from product_package k where k.product_id = p.id) as "packageIds",
      array(select menu_id from product_menu m where m.product_id = p.id) as "menuIds",
      ${feedOf(tx, visibility)} as "feedToken"
    from product p
    where p.venue_id = v.id and ${visibleProducts(tx, visibility)}
    order by p.position, p.id`,
  );
}

/** A partner has a feed of its own, or reads the shared one. */
function feedOf(tx: Tx, visibility: Visibility): Fragment {
  const isFor =
    visibility.kind === 'partner'
      ? tx`${visibility.partnerId} = any(f.reader_ids)`
      : tx`f.partner_id is null`;
  return tx`(select f.token from feed_channel f where f.product_id = p.id and ${isFor} limit 1)`;
}

function menusOf(tx: Tx): Fragment {
  const items = rows(
    tx,
    tx`select id, name, description, price_pence as "pricePence", diet_types as "dietTypes", allergens,
         configurable_options as options, type, sub_type as "subType", display_order as "displayOrder"
       from menu_item i where i.menu_id = n.id order by display_order, id`,
  );
  return rows(
    tx,
    tx`select id, slug, name, description, ${items} as items from menu n where n.venue_id = v.id order by position, id`,
  );
}

/** Of the spaces `s`. */
function spendOverridesOf(tx: Tx): Fragment {
  return rows(
    tx,
    tx`select start_date as "startDate", end_date as "endDate", starts_minute as opens, ends_minute as closes,
         amount_pence as amount
       from minimum_spend_override o where o.space_id = s.id order by start_date, starts_minute, id`,
  );
}

function channelOf(tx: Tx, visibility: Visibility): Fragment {
  if (visibility.kind !== 'partner') return tx`null::json as channel, false as "isSuspended"`;
  const { partnerId } = visibility;
  return tx`
    (select json_build_object('companyMode', company_mode, 'companyNames', company_names,
       'maxPartySize', max_party_size, 'isRequestOnly', is_request_only, 'guestMails', guest_mails,
       'deposit', m.deposit,       'version', m.version::text,
       'source', (select s.name from partner_source s
         where s.partner_id = ${partnerId} and s.operator_id = v.operator_id),
       'categoryIds', array(select g.id from partner_category g join partner_category_member i on i.category_id = g.id
         where g.operator_id = v.operator_id and i.partner_id = ${partnerId} order by g.id))
     from venue_mapping m where m.partner_id = ${partnerId} and m.venue_id = v.id) as channel,
    not exists (select from partner_operator a
      where a.partner_id = ${partnerId} and a.operator_id = v.operator_id and not a.is_suspended) as "isSuspended"`;
}

/** The venues with these ids that the caller may see, in the order of the ids. */
export async function loadVenues(
  tx: Tx,
  visibility: Visibility,
  ids: readonly VenueId[],
): Promise<VenueRecord[]> {
  const found = await tx<VenueRecord[]>`
    select v.id, o.name as "operatorName", ${plainFields(tx)}, ${flatLocation(tx)},
      array(select tms from operator_system y where y.operator_id = v.operator_id order by tms) as systems,
      v.closed_at is not null as "isClosed",
      v.created_at as "createdAt", v.updated_at as "updatedAt",
      ${rows(
        tx,
        tx`select t.slug, t.name from unnest(v.types) with ordinality as listed (slug, position)
           join venue_type t on t.slug = listed.slug order by listed.position`,
      )} as types,
      ${rows(tx, tx`select media_id as "mediaId", url, caption, width, height from venue_photo f where f.venue_id = v.id order by position, id`)} as photos,
      ${tradingHoursOf(tx, 'venue', tx`venue_id = v.id`)},
      ${rows(
        tx,
        tx`select id, name, description, floor_location as "floorLocation", facilities, capacities, policies,
             ${spendOverridesOf(tx)} as "spendOverrides"
           from space s where s.venue_id = v.id order by position, id`,
      )} as spaces,
      ${rows(
        tx,
        tx`select id, slug, name, description, price_pence as "pricePence", price_per as "pricePer"
           from package k where k.venue_id = v.id order by position, id`,
      )} as packages,
      ${menusOf(tx)} as menus,
      ${productsOf(tx, visibility)} as products,
      ${rulesOf(tx, visibility)} as rules,
      ${closuresOf(tx)} as closures,
      ${channelOf(tx, visibility)}
    from unnest(${[...ids]}::text[]) with ordinality as wanted (id, position)
    join venue v on v.id = wanted.id
    join operator o on o.id = v.operator_id
    where ${visibleVenues(tx, visibility)}
    order by wanted.position`;
  const closed = found.map(withClosedDays);
  return visibility.kind === 'partner'
    ? closed.map((venue) => withoutScopes(venue, partnerOf(venue, visibility.partnerId)))
    : closed;
}

const partnerOf = ({ channel }: VenueRecord, id: number) => ({ id, categoryIds: channel?.categoryIds ?? [] });

export async function findOwner(tx: Tx, id: VenueId): Promise<{ operatorId: number } | undefined> {
  const [row] = await tx<
    { operatorId: number }[]
  >`select operator_id as "operatorId" from venue where id = ${id}`;
  return row;
}

/** The operator's systems; undefined where the caller sees none of its venues. */
export async function findSystems(
  tx: Tx,
  visibility: Visibility,
  operatorId: number,
): Promise<OperatorSystems | undefined> {
  const [operator] = await tx<OperatorSystems[]>`
    select o.name as "operatorName",
      array(select tms from operator_system s where s.operator_id = o.id order by tms) as systems
    from operator o where o.id = ${operatorId}
      and exists (select from venue v where v.operator_id = o.id and ${visibleVenues(tx, visibility)})`;
  return operator;
}

/** Whether the caller may see this venue. */
export async function isVisible(tx: Tx, visibility: Visibility, id: VenueId): Promise<boolean> {
  const found = await tx`select from venue v where v.id = ${id} and ${visibleVenues(tx, visibility)}`;
  return found.length > 0;
}

/** Undefined: there is no such product. */
export async function findOnSale(tx: Tx, id: ProductId): Promise<boolean | undefined> {
  const [found] = await tx<{ isOnSale: boolean }[]>`
    select not is_withdrawn as "isOnSale" from product where id = ${id}`;
  return found?.isOnSale;
}

export async function listCategories(tx: Tx): Promise<CategoryRecord[]> {
  return [...(await tx<CategoryRecord[]>`select id, name, slug from category order by id`)];
}

/** The availability rules of the venues `v`. */
function rulesOf(tx: Tx, visibility: Visibility): Fragment {
  return rows(
    tx,
    tx`select id, type, product_id as "productId", space_id as "spaceId", partner_ids as "partnerIds",
         category_ids as "categoryIds", scope, effect, definition
       from (${stored(tx)} union all ${managed(tx)}) r where ${concernsCaller(tx, visibility)} order by id`,
  );
}

/** Marketplace rules target the partner that is the marketplace, or no partner while there is none. */
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

/** A partner sees only rules that take something from it. */
function concernsCaller(tx: Tx, visibility: Visibility): Fragment {
  if (visibility.kind !== 'partner') return tx`true`;
  const { partnerId } = visibility;
  const namesCaller = tx`(coalesce(${partnerId} = any(r.partner_ids), false) or exists (
    select from partner_category_member i where i.category_id = any(r.category_ids) and i.partner_id = ${partnerId}))`;
  return tx`case r.effect
    when 'reserve' then not ${namesCaller}
    else (r.partner_ids is null and r.category_ids is null) or ${namesCaller} end`;
}
