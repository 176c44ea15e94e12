import { continueNumbering, insertAll } from '../../../db/bulk-insert.ts';
import type { Tx } from '../../../db/database.ts';
import { type ProductId, partsOfVenueId, type VenueId, venueIdOf } from '../../../kernel/ids.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import { partsIn } from '../../../tms/systems.ts';
import { scopeFault } from '../../booking-rules/service.ts';
import { venueFieldsOf } from '../fields.ts';
import { minutesOf } from '../hours/hours.ts';
import { insertHours } from '../hours/store.ts';
import { insertProduct } from '../manage/product-store.ts';
import { insertVenue, updateHost } from '../manage/store.ts';
import { insertMenu, insertPackage } from '../preorders/store.ts';
import type { DepositTerms } from '../record.ts';
import { definitionErrors } from '../rule-definition.ts';
import type {
  AvailabilityRuleDocument,
  CompanyMode,
  MinimumSpendOverrideDocument,
  OperatorDocument,
  ProductDocument,
  SpaceDocument,
  VenueDocument,
} from './document.ts';

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
  guestMails?: 'partner' | 'venue';
  deposit?: DepositTerms;
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
  for (const venue of venues) await importVenue(tx, id, venue);
  for (const event of venues) await saveHost(tx, operator, event);
  await continueNumbering(tx, ['operator', 'space', 'package', 'menu', 'menu_item', 'partner_category']);
}

async function importVenue(tx: Tx, operatorId: number, venue: VenueDocument): Promise<void> {
  const venueId = venueIdOf({ operatorId, tms: venue.tms, resourceId: venue.resourceId });
  const { tms, resourceId, closedAt = null } = venue;
  const isNew = await insertVenue(tx, {
    id: venueId,
    operatorId,
    tms,
    resourceId,
    closedAt,
    ...venueFieldsOf(venue),
  });
  if (!isNew) throw invalid('venues', `names ${venueId} twice`);
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
  await insertHours(tx, { venue_id: venueId }, venue.hours);
  await insertSpaces(tx, venueId, venue);
  await insertPreorders(tx, venueId, venue);
  for (const [position, product] of venue.products.entries())
    await importProduct(tx, venueId, product, position);
  await insertRules(tx, { venue_id: venueId }, venue.availabilityRules ?? []);
  for (const { system, part } of partsIn(venue)) await system.catalogue.importVenue(tx, venueId, part);
}

/** Events and their hosts come in any order, so this waits until all of them are there. */
async function saveHost(
  tx: Tx,
  { id: operatorId, venues }: OperatorDocument,
  event: VenueDocument,
): Promise<void> {
  const { host } = event;
  if (!host) return;
  const hosting = venues.find(({ tms, resourceId }) => tms === host.tms && resourceId === host.resourceId);
  if (!hosting) throw invalid('host', `${host.tms}|${host.resourceId} is not a venue of this operator`);
  if (hosting.host || partsIn(hosting).some(({ system }) => system.occurrences))
    throw invalid('host', `${hosting.name} cannot host anything: it is an event itself, or hosted`);
  const idOf = ({ tms, resourceId }: VenueDocument) => venueIdOf({ operatorId, tms, resourceId });
  await updateHost(tx, idOf(event), idOf(hosting));
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
  await insertSpendOverrides(tx, venueId, venue.spaces ?? []);
}

async function insertPreorders(tx: Tx, venueId: VenueId, venue: VenueDocument): Promise<void> {
  for (const [position, entry] of (venue.packages ?? []).entries())
    await insertPackage(tx, venueId, entry, position);
  for (const [position, menu] of (venue.menus ?? []).entries()) await insertMenu(tx, venueId, menu, position);
}

async function importProduct(
  tx: Tx,
  venueId: VenueId,
  product: ProductDocument,
  position: number,
): Promise<void> {
  if (!(await insertProduct(tx, venueId, product, position)))
    throw invalid('products', `names ${venueId}|${product.key} twice`);
  const key = { product_id: `${venueId}|${product.key}`, venue_id: venueId };
  await insertRules(tx, key, product.availabilityRules ?? []);
}

export async function insertMapping(tx: Tx, mapping: VenueMapping): Promise<void> {
  const { partnerId, venueId, productIds, company, maxPartySize = null } = mapping;
  const { isRequestOnly = false, guestMails = 'partner', deposit = 'declared' } = mapping;
  await tx`insert into partner_operator (partner_id, operator_id)
    values (${partnerId}, ${partsOfVenueId(venueId).operatorId}) on conflict do nothing`;
  await tx`insert into partner_source (partner_id, operator_id, name)
    select id, ${partsOfVenueId(venueId).operatorId}, reference from partner where id = ${partnerId}
    on conflict do nothing`;
  await tx`insert into venue_mapping (partner_id, venue_id, company_mode, company_names, max_party_size,
      is_request_only, guest_mails, deposit)
    values (${partnerId}, ${venueId}, ${company?.mode ?? 'none'}, ${company?.names ?? []}, ${maxPartySize},
      ${isRequestOnly}, ${guestMails}, ${deposit})`;
  await insertAll(
    tx,
    'product_mapping',
    productIds.map((id) => ({ partner_id: partnerId, product_id: id, venue_id: venueId })),
  );
}

async function insertRules(
  tx: Tx,
  key: { venue_id: string; product_id?: string },
  rules: readonly AvailabilityRuleDocument[],
): Promise<void> {
  for (const rule of rules) {
    const { type, effect = 'disable', channel = 'all', spaceId = null, scope = null, definition } = rule;
    const errors = definitionErrors(type, definition);
    if (errors) throw problem('VALID-N-001', { detail: `A ${type} rule is not well defined.`, errors });
    const fault = scope === null ? undefined : scopeFault(scope);
    if (fault !== undefined) throw problem('OPRUL-N-013', { detail: fault });
    await tx`
      insert into availability_rule (id, venue_id, product_id, space_id, partner_ids, category_ids, scope, channel, type,
        effect, definition, is_active)
      values (coalesce(${rule.id ?? null}::uuid, gen_random_uuid()), ${key.venue_id}, ${key.product_id ?? null}, ${spaceId}, ${await partnersOf(tx, rule)},
        ${await categoriesOf(tx, key.venue_id, rule)}, ${scope === null ? null : JSON.stringify(scope)}::text::json,
        ${channel}, ${type}, ${effect}, ${tx.json(definition as never)}, ${rule.isActive ?? true})`;
  }
}

/** A rule for a partner that does not exist must not become a rule for all. */
function partnersOf(tx: Tx, { partners }: AvailabilityRuleDocument): Promise<number[]> | null {
  return partners ? Promise.all(partners.map((reference) => partnerIdOf(tx, reference))) : null;
}

async function partnerIdOf(tx: Tx, reference: string): Promise<number> {
  const [partner] = await tx<{ id: number }[]>`select id from partner where reference = ${reference}`;
  if (partner) return partner.id;
  throw problem('PMAP-N-004', { detail: `There is no partner with the reference ${reference}.` });
}

function categoriesOf(
  tx: Tx,
  venueId: string,
  { partnerCategories }: AvailabilityRuleDocument,
): Promise<number[]> | null {
  return partnerCategories
    ? Promise.all(partnerCategories.map((slug) => partnerCategoryIdOf(tx, venueId, slug)))
    : null;
}

async function partnerCategoryIdOf(tx: Tx, venueId: string, slug: string): Promise<number> {
  const [category] = await tx<{ id: number }[]>`
    select c.id from partner_category c join venue v on v.operator_id = c.operator_id
    where v.id = ${venueId} and c.slug = ${slug}`;
  if (category) return category.id;
  throw problem('OPRUL-N-014', { detail: `The operator has no category of partners called ${slug}.` });
}

/** Of spaces that are there already. */
async function insertSpendOverrides(
  tx: Tx,
  venueId: VenueId,
  spaces: readonly Pick<SpaceDocument, 'id' | 'minimumSpendOverrides'>[],
): Promise<void> {
  await insertAll(
    tx,
    'minimum_spend_override',
    spaces.flatMap(({ id, minimumSpendOverrides = [] }) =>
      minimumSpendOverrides.map((override) => ({
        space_id: id,
        venue_id: venueId,
        ...columnsOf(override),
      })),
    ),
  );
}

function columnsOf({ startDate, endDate, startTime, endTime, amount, reason }: MinimumSpendOverrideDocument) {
  const { opens, closes } = minutesOf({ opens: startTime, closes: endTime });
  return {
    start_date: startDate,
    end_date: endDate,
    starts_minute: opens,
    ends_minute: closes,
    amount_pence: amount,
    reason: reason ?? null,
  };
}
