import { continueNumbering, insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import { type ProductId, partsOfVenueId, type VenueId, venueIdOf } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { importHouse } from '../../tms/house/import-store.ts';
import { importTickets } from '../../tms/tickets/import-store.ts';
import type {
  AvailabilityRuleDocument,
  CompanyMode,
  Hours,
  OperatorDocument,
  ProductDocument,
  VenueDocument,
} from './document.ts';
import { minutesOf } from './hours.ts';
import { definitionErrors } from './rule-definition.ts';

interface Vocabulary {
  categories: { id: number; slug: string; name: string }[];
  venueTypes: { slug: string; name: string }[];
}

export interface VenueMapping {
  partnerId: number;
  venueId: VenueId;
  productIds: ProductId[];
  company?: { mode: Exclude<CompanyMode, 'none'>; names: string[] };
  maxPartySize?: number;
  isRequestOnly?: boolean;
}

export async function saveVocabulary(tx: Tx, { categories, venueTypes }: Vocabulary): Promise<void> {
  for (const { id, slug, name } of categories) {
    await tx`insert into category (id, slug, name) values (${id}, ${slug}, ${name})
      on conflict (id) do update set slug = excluded.slug, name = excluded.name`;
  }
  for (const { slug, name } of venueTypes) {
    await tx`insert into venue_type (slug, name) values (${slug}, ${name})
      on conflict (slug) do update set name = excluded.name`;
  }
  await continueNumbering(tx, ['category']);
}

/** Stores an operator that is not there yet, with everything below it. */
export async function insertOperator(tx: Tx, operator: OperatorDocument): Promise<void> {
  const { id, name, systems, partnerCategories = [], venues } = operator;
  await tx`insert into operator (id, name) values (${id}, ${name})`;
  await insertAll(
    tx,
    'operator_system',
    systems.map((tms) => ({ operator_id: id, tms })),
  );
  for (const category of partnerCategories) {
    await tx`insert into partner_category (id, operator_id, slug, name)
      values (${category.id}, ${id}, ${category.slug}, ${category.name})`;
    for (const reference of category.partners) {
      await tx`insert into partner_category_member (category_id, partner_id)
        values (${category.id}, ${await partnerIdOf(tx, reference)})`;
    }
  }
  for (const venue of venues) await insertVenue(tx, id, venue);
  for (const event of venues) await saveHost(tx, operator, event);
  await continueNumbering(tx, ['operator', 'space', 'package', 'menu', 'menu_item', 'partner_category']);
}

async function insertVenue(tx: Tx, operatorId: number, venue: VenueDocument): Promise<void> {
  const venueId = venueIdOf({ operatorId, tms: venue.tms, resourceId: venue.resourceId });
  const { content, location } = venue;
  await tx`
    insert into venue (id, operator_id, tms, resource_id, name, time_zone, content, phone_number, website,
      address, area, city, postcode, country_code, lat, lng, types, closed_at, search)
    values (${venueId}, ${operatorId}, ${venue.tms}, ${venue.resourceId}, ${venue.name}, ${venue.timeZone},
      ${tx.json(content)}, ${venue.phoneNumber ?? null}, ${venue.website ?? null},
      ${location.address ?? null}, ${location.area}, ${location.city}, ${location.postcode ?? null},
      ${location.countryCode}, ${location.lat}, ${location.lng}, ${venue.types}, ${venue.closedAt ?? null},
      setweight(to_tsvector('english', ${venue.name}), 'A')
        || setweight(to_tsvector('english', ${[location.city, location.area, ...venue.types].join(' ')}), 'B')
        || setweight(to_tsvector('english', ${[content.summary, content.description, ...content.highlights].join(' ')}), 'C'))`;
  await insertAll(
    tx,
    'venue_photo',
    venue.photos.map(({ url, caption, width, height }, position) => ({
      venue_id: venueId,
      url,
      caption: caption ?? null,
      width: width ?? null,
      height: height ?? null,
      position,
    })),
  );
  await insertHours(tx, 'venue', { venue_id: venueId }, venue.hours);
  await insertSpaces(tx, venueId, venue);
  await insertPreorders(tx, venueId, venue);
  for (const [position, product] of venue.products.entries())
    await insertProduct(tx, venueId, product, position);
  await insertRules(tx, { venue_id: venueId }, venue.availabilityRules ?? []);
  if (venue.house) await importHouse(tx, venueId, venue.house);
  if (venue.tickets) await importTickets(tx, venueId, venue.tickets);
}

/** Events and their hosts come in any order, so this waits until all of them are there. */
async function saveHost(
  tx: Tx,
  { id: operatorId, venues }: OperatorDocument,
  event: VenueDocument,
): Promise<void> {
  const { host } = event;
  if (!host) return;
  const house = venues.find(({ tms, resourceId }) => tms === host.tms && resourceId === host.resourceId);
  if (!house) throw invalid('host', `${host.tms}|${host.resourceId} is not a venue of this operator`);
  if (house.host || house.tickets)
    throw invalid('host', `${house.name} cannot host anything: it is an event itself, or hosted`);
  const idOf = ({ tms, resourceId }: VenueDocument) => venueIdOf({ operatorId, tms, resourceId });
  await tx`update venue set host_venue_id = ${idOf(house)} where id = ${idOf(event)}`;
}

async function insertHours(
  tx: Tx,
  owner: 'venue' | 'product',
  key: Record<string, string>,
  hours: Hours,
): Promise<void> {
  const weekly = hours.weekly.flatMap(({ weekdays, periods }) =>
    weekdays.flatMap((weekday) =>
      periods.map(minutesOf).map(({ opens, closes }) => ({
        ...key,
        weekday,
        opens_minute: opens,
        closes_minute: closes,
      })),
    ),
  );
  const dated = (hours.exceptions ?? []).flatMap(({ date, periods, reason = null }) => {
    const stretches = periods.length === 0 ? [{ opens: null, closes: null }] : periods.map(minutesOf);
    return stretches.map(({ opens, closes }) => ({
      ...key,
      date,
      opens_minute: opens,
      closes_minute: closes,
      reason,
    }));
  });
  await insertAll(tx, `${owner}_hours`, weekly);
  await insertAll(tx, `${owner}_exception`, dated);
}

async function insertSpaces(tx: Tx, venueId: VenueId, venue: VenueDocument): Promise<void> {
  await insertAll(
    tx,
    'space',
    (venue.spaces ?? []).map((space, position) => ({
      id: space.id,
      venue_id: venueId,
      name: space.name,
      description: space.description ?? null,
      floor_location: space.floorLocation ?? null,
      facilities: space.facilities,
      capacities: tx.json(space.capacities as never),
      policies: tx.json(space.policies as never),
      position,
    })),
  );
}

async function insertPreorders(tx: Tx, venueId: VenueId, venue: VenueDocument): Promise<void> {
  await insertAll(
    tx,
    'package',
    (venue.packages ?? []).map((entry, position) => ({
      id: entry.id,
      venue_id: venueId,
      slug: entry.slug ?? null,
      name: entry.name,
      description: entry.description ?? null,
      price_pence: entry.pricePence,
      price_per: entry.pricePer,
      position,
    })),
  );
  for (const [position, menu] of (venue.menus ?? []).entries()) {
    const { id, slug = null, name, description = null } = menu;
    await tx`insert into menu (id, venue_id, slug, name, description, position)
      values (${id}, ${venueId}, ${slug}, ${name}, ${description}, ${position})`;
    await insertAll(
      tx,
      'menu_item',
      menu.items.map((item, displayOrder) => ({
        id: item.id,
        venue_id: venueId,
        menu_id: id,
        name: item.name,
        description: item.description ?? null,
        price_pence: item.pricePence,
        diet_types: item.dietTypes,
        allergens: item.allergens,
        configurable_options: tx.json((item.options ?? []) as never),
        type: item.type,
        sub_type: item.subType ?? null,
        display_order: displayOrder + 1,
      })),
    );
  }
}

async function insertProduct(
  tx: Tx,
  venueId: VenueId,
  product: ProductDocument,
  position: number,
): Promise<void> {
  const productId = `${venueId}|${product.key}`;
  const key = { product_id: productId, venue_id: venueId };
  await tx`
    insert into product (id, venue_id, name, slug, category_id, time_interval_minutes, pre_order_required_type,
      payment_rules, refund_terms, position)
    values (${productId}, ${venueId}, ${product.name}, ${product.slug ?? null},
      ${await categoryIdOf(tx, product.category)}, ${product.timeIntervalMinutes},
      ${product.preOrderRequiredType ?? 'none'}, ${tx.json((product.paymentRules ?? []) as never)},
      ${tx.json((product.refundTerms ?? []) as never)}, ${position})`;
  await insertHours(tx, 'product', key, product.hours);
  await insertAll(
    tx,
    'product_space',
    (product.spaceIds ?? []).map((id) => ({ ...key, space_id: id })),
  );
  await insertAll(
    tx,
    'product_package',
    (product.packageIds ?? []).map((id) => ({ ...key, package_id: id })),
  );
  await insertAll(
    tx,
    'product_menu',
    (product.menuIds ?? []).map((id) => ({ ...key, menu_id: id })),
  );
  await insertRules(tx, key, product.availabilityRules ?? []);
}

async function insertRules(
  tx: Tx,
  key: { venue_id: string; product_id?: string },
  rules: readonly AvailabilityRuleDocument[],
): Promise<void> {
  for (const rule of rules) {
    const { type, effect = 'disable', spaceId = null, definition } = rule;
    const errors = definitionErrors(type, definition);
    if (errors) throw problem('VALID-N-001', { detail: `A ${type} rule is not well defined.`, errors });
    const partnerId = await partnerIdOf(tx, rule.partner);
    const categoryId = await partnerCategoryIdOf(tx, key.venue_id, rule.partnerCategory);
    await tx`insert into availability_rule (venue_id, product_id, space_id, partner_id, category_id, type, effect, definition)
      values (${key.venue_id}, ${key.product_id ?? null}, ${spaceId}, ${partnerId}, ${categoryId}, ${type}, ${effect},
        ${tx.json(definition as never)})`;
  }
}

/** A rule aimed at a partner that does not exist must not become one for everybody. */
async function partnerIdOf(tx: Tx, reference: string | undefined): Promise<number | null> {
  if (reference === undefined) return null;
  const [partner] = await tx<{ id: number }[]>`select id from partner where reference = ${reference}`;
  if (partner) return partner.id;
  throw problem('PMAP-N-004', { detail: `There is no partner with the reference ${reference}.` });
}

async function partnerCategoryIdOf(
  tx: Tx,
  venueId: string,
  slug: string | undefined,
): Promise<number | null> {
  if (slug === undefined) return null;
  const [category] = await tx<{ id: number }[]>`
    select c.id from partner_category c join venue v on v.operator_id = c.operator_id
    where v.id = ${venueId} and c.slug = ${slug}`;
  if (category) return category.id;
  throw problem('OPRUL-N-014', { detail: `The operator has no category of partners called ${slug}.` });
}

async function categoryIdOf(tx: Tx, slug: string | undefined): Promise<number | null> {
  if (slug === undefined) return null;
  const [category] = await tx<{ id: number }[]>`select id from category where slug = ${slug}`;
  if (category) return category.id;
  throw invalid('category', `${slug} is not a known category`);
}

export async function insertMapping(tx: Tx, mapping: VenueMapping): Promise<void> {
  const { partnerId, venueId, productIds, company, maxPartySize = null, isRequestOnly = false } = mapping;
  await tx`insert into partner_operator (partner_id, operator_id)
    values (${partnerId}, ${partsOfVenueId(venueId).operatorId}) on conflict do nothing`;
  await tx`insert into partner_source (partner_id, operator_id, name)
    select id, ${partsOfVenueId(venueId).operatorId}, reference from partner where id = ${partnerId}
    on conflict do nothing`;
  await tx`insert into venue_mapping (partner_id, venue_id, company_mode, company_names, max_party_size, is_request_only)
    values (${partnerId}, ${venueId}, ${company?.mode ?? 'none'}, ${company?.names ?? []}, ${maxPartySize}, ${isRequestOnly})`;
  await insertAll(
    tx,
    'product_mapping',
    productIds.map((id) => ({ partner_id: partnerId, product_id: id, venue_id: venueId })),
  );
}
