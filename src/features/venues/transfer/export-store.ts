import { sparseRows } from '../../../db/bulk-insert.ts';
import type { Fragment, Tx } from '../../../db/database.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import type { SystemSlug } from '../../../tms/systems.ts';
import { locationObject, plainFields } from '../fields-store.ts';
import type { ExceptionRow, MinutePeriod, WeeklyRow } from '../hours/hours.ts';
import { hoursOf, rows } from '../hours/store.ts';
import type { PhotoRecord } from '../record.ts';
import type {
  AvailabilityRuleDocument,
  MinimumSpendOverrideDocument,
  OperatorDocument,
  ProductDocument,
  SpaceDocument,
  VenueDocument,
} from './document.ts';

/** An operator as it is stored, in the words of its document as far as SQL can say them. */
export type StoredOperator = Required<Omit<OperatorDocument, 'venues' | 'bookingRules'>>;

/** All members are there; null: left out in documents. */
type Stored<Shape> = {
  [Key in keyof Shape]-?: Record<never, never> extends Pick<Shape, Key>
    ? Exclude<Shape[Key], undefined> | null
    : Shape[Key];
};

interface StoredHours {
  hours: WeeklyRow[];
  exceptions: ExceptionRow[];
}

export interface StoredProduct
  extends Stored<Omit<ProductDocument, 'hours' | 'availabilityRules'>>,
    StoredHours {}

export interface StoredVenue
  extends Stored<
      Omit<
        VenueDocument,
        'hours' | 'photos' | 'spaces' | 'products' | 'availabilityRules' | 'closedAt' | SystemSlug
      >
    >,
    StoredHours {
  id: VenueId;
  closedAt: Temporal.Instant | null;
  photos: PhotoRecord[];
  spaces: StoredSpace[];
  products: StoredProduct[];
  availabilityRules: StoredRule[];
}

export interface StoredSpace extends Omit<SpaceDocument, 'minimumSpendOverrides'> {
  spendOverrides: (MinutePeriod & Omit<MinimumSpendOverrideDocument, 'startTime' | 'endTime'>)[];
}

export interface StoredRule extends Stored<AvailabilityRuleDocument> {
  /** The product that it is about alone. */
  productKey: string | null;
}

export async function findStoredOperator(tx: Tx, operatorId: number): Promise<StoredOperator | undefined> {
  const [operator] = await tx<StoredOperator[]>`
    select id, name,
      json_build_object('contactEmail', contact_email, 'bookingReplyTo', booking_reply_to,
        'defaultTimeZone', default_time_zone) as settings,
      array(select tms from operator_system s where s.operator_id = o.id order by tms) as systems,
      ${rows(
        tx,
        tx`select id, slug, name,
             array(select reference from partner p join partner_category_member m on m.partner_id = p.id
               where m.category_id = c.id order by reference) as partners
           from partner_category c where c.operator_id = o.id order by id`,
      )} as "partnerCategories"
    from operator o where id = ${operatorId}`;
  return operator;
}

export async function loadStoredVenues(tx: Tx, operatorId: number): Promise<StoredVenue[]> {
  const found = await tx<StoredVenue[]>`
    select v.id, v.tms, v.resource_id as "resourceId", ${plainFields(tx)}, v.types,
      json_strip_nulls(${locationObject(tx)}) as location, v.closed_at as "closedAt",
      (select json_build_object('tms', h.tms, 'resourceId', h.resource_id)
        from venue h where h.id = v.host_venue_id) as host,
      ${rows(
        tx,
        tx`select media_id as "mediaId", url, caption, width, height
           from venue_photo f where f.venue_id = v.id order by position, id`,
      )} as photos,
      ${hoursOf(tx, 'venue', tx`venue_id = v.id`)},
      ${spacesOf(tx)} as spaces,
      ${sparseRows(
        tx,
        tx`select id, slug, name, description, price_pence as "pricePence", price_per as "pricePer"
           from package k where k.venue_id = v.id order by position, id`,
      )} as packages,
      ${menusOf(tx)} as menus,
      ${productsOf(tx)} as products,
      ${rulesOf(tx)} as "availabilityRules",
      coalesce((select faqs from site_faq q where q.venue_id = v.id), '[]') as "siteFaqs"
    from venue v where v.operator_id = ${operatorId} order by v.id`;
  return [...found];
}

function spacesOf(tx: Tx): Fragment {
  const overrides = tx`
    select start_date as "startDate", end_date as "endDate", starts_minute as opens, ends_minute as closes,
      amount_pence as amount, reason
    from minimum_spend_override o where o.space_id = s.id order by start_date, starts_minute, id`;
  return sparseRows(
    tx,
    tx`select id, name, description, floor_location as "floorLocation", facilities, capacities, policies,
         ${rows(tx, overrides)} as "spendOverrides"
       from space s where s.venue_id = v.id order by position, id`,
  );
}

function menusOf(tx: Tx): Fragment {
  const items = tx`
    select id, name, description, price_pence as "pricePence", diet_types as "dietTypes", allergens,
      configurable_options as options, type, sub_type as "subType"
    from menu_item i where i.menu_id = n.id order by display_order, id`;
  return sparseRows(
    tx,
    tx`select id, slug, name, description, ${rows(tx, items)} as items
       from menu n where n.venue_id = v.id order by position, id`,
  );
}

function productsOf(tx: Tx): Fragment {
  return rows(
    tx,
    tx`select split_part(p.id, '|', 4) as key, p.name, p.slug,
         (select c.slug from category c where c.id = p.category_id) as category,
         p.time_interval_minutes as "timeIntervalMinutes", p.pre_order_required_type as "preOrderRequiredType",
         p.payment_rules as "paymentRules", p.refund_terms as "refundTerms",
         ${hoursOf(tx, 'product', tx`product_id = p.id`)},
         array(select space_id from product_space s where s.product_id = p.id order by 1) as "spaceIds",
         array(select package_id from product_package k where k.product_id = p.id order by 1) as "packageIds",
         array(select menu_id from product_menu m where m.product_id = p.id order by 1) as "menuIds"
       from product p where p.venue_id = v.id order by p.position, p.id`,
  );
}

/** Partners appear as references and categories as slugs; deleted ones are left out. */
function rulesOf(tx: Tx): Fragment {
  return rows(
    tx,
    tx`select id, split_part(product_id, '|', 4) as "productKey", type,
         case when partner_ids is not null then array(select reference from partner p
           where p.id = any(r.partner_ids) order by reference) end as partners,
         case when category_ids is not null then array(select slug from partner_category c
           where c.id = any(r.category_ids) order by slug) end as "partnerCategories",
         scope, channel, space_id as "spaceId", effect, definition, is_active as "isActive"
       from availability_rule r where r.venue_id = v.id order by id`,
  );
}
