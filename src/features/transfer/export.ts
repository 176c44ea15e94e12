/** An operator read back as the document that it could be imported from, with nothing left to a default. */
import type { Tx } from '../../db/database.ts';
import { timestampOf } from '../../kernel/clock.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import { LOCAL_SYSTEMS, type VenueParts } from '../../tms/systems.ts';
import { listRules, type Rule } from '../booking-rules/service.ts';
import { policiesOf, timesOf } from '../layout/service.ts';
import {
  type AvailabilityRuleDocument,
  type BookingRuleDocument,
  findStoredOperator,
  type HoursRows,
  hoursDocument,
  loadStoredVenues,
  type OperatorDocument,
  type ProductDocument,
  photoUrl,
  type SpaceDocument,
  type StoredOperator,
  type StoredProduct,
  type StoredRule,
  type StoredSpace,
  type StoredVenue,
  type VenueDocument,
  type VenueKey,
} from '../venues/service.ts';
import { listPartners } from './store.ts';

/** To be called in one snapshot. `publicUrl` is where pictures are that we keep ourselves. */
export async function exportOperator(
  tx: Tx,
  operatorId: number,
  publicUrl: string,
): Promise<OperatorDocument> {
  const operator = await findStoredOperator(tx, operatorId);
  if (!operator) throw problem('OPRTR-N-001', { detail: `There is no operator ${operatorId}.` });
  const venues = await loadStoredVenues(tx, operatorId);
  const surroundings = { parts: await exportParts(tx, venues), publicUrl };
  return {
    ...operator,
    bookingRules: await exportRules(tx, operator, venues),
    venues: venues.map((venue) => venueDocument(venue, surroundings)),
  };
}

interface Surroundings {
  /** What their systems keep of the venues. */
  parts: ReadonlyMap<VenueId, VenueParts>;
  publicUrl: string;
}

async function exportParts(tx: Tx, venues: readonly StoredVenue[]): Promise<Map<VenueId, VenueParts>> {
  const parts = new Map<VenueId, VenueParts>();
  for (const { slug, catalogue } of LOCAL_SYSTEMS) {
    const ids = venues.filter(({ tms }) => tms === slug).map(({ id }) => id);
    for (const [id, part] of await catalogue.exportVenues(tx, ids)) parts.set(id, { [slug]: part });
  }
  return parts;
}

function venueDocument(venue: StoredVenue, around: Surroundings): VenueDocument {
  const { parts, publicUrl } = around;
  const { id, closedAt, photos, spaces, hours, exceptions, products, availabilityRules, ...plain } = venue;
  return sparse<VenueDocument>({
    ...plain,
    photos: photos.map((photo) => photoDocument(photo, publicUrl)),
    spaces: spaces.map(spaceDocument),
    closedAt: closedAt && timestampOf(closedAt),
    hours: writtenHours({ hours, exceptions }),
    products: products.map((product) => productDocument(product, availabilityRules)),
    availabilityRules: rulesOf(null, availabilityRules),
    ...parts.get(id),
  });
}

function photoDocument(
  photo: StoredVenue['photos'][number],
  publicUrl: string,
): VenueDocument['photos'][number] {
  const { mediaId: _, url: __, ...plain } = photo;
  return sparse({ url: photoUrl(photo, publicUrl), ...plain });
}

function spaceDocument({ spendOverrides, ...plain }: StoredSpace): SpaceDocument {
  return {
    ...plain,
    policies: policiesOf(plain.policies),
    minimumSpendOverrides: spendOverrides.map(({ opens, closes, ...override }) => ({
      ...override,
      ...timesOf({ opens, closes }),
    })),
  };
}

function productDocument(product: StoredProduct, rules: readonly StoredRule[]): ProductDocument {
  const { hours, exceptions, ...plain } = product;
  return sparse<ProductDocument>({
    ...plain,
    hours: writtenHours({ hours, exceptions }),
    availabilityRules: rulesOf(plain.key, rules),
  });
}

/** Those of one product, or those of the venue itself. A rule whose targets no longer exist is left out. */
function rulesOf(key: string | null, rules: readonly StoredRule[]): AvailabilityRuleDocument[] {
  return rules
    .filter(({ productKey }) => productKey === key)
    .flatMap(({ productKey: _, partners, partnerCategories, ...rule }) => {
      const isAimed = partners !== null || partnerCategories !== null;
      if (isAimed && !partners?.length && !partnerCategories?.length) return [];
      return sparse<AvailabilityRuleDocument>({
        ...rule,
        partners: partners?.length ? partners : null,
        partnerCategories: partnerCategories?.length ? partnerCategories : null,
      });
    });
}

function writtenHours(hours: HoursRows): VenueDocument['hours'] {
  const { weekly, exceptions } = hoursDocument(hours);
  return { weekly, exceptions: exceptions.map((exception) => sparse(exception)) };
}

/** What is not there is left out. */
function sparse<Shape extends object>(shape: { [Key in keyof Shape]: Shape[Key] | null }): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== null)) as Shape;
}

/**
 * Names by id, by which rules go as an operator would write them again elsewhere; an id in no list belongs to something
 * deleted.
 */
interface Names {
  partners: ReadonlyMap<number, string>;
  categories: ReadonlyMap<number, string>;
  venues: ReadonlyMap<VenueId, VenueKey>;
}

async function exportRules(
  tx: Tx,
  operator: StoredOperator,
  venues: readonly StoredVenue[],
): Promise<BookingRuleDocument[]> {
  const rules = await listRules(tx, operator.id);
  const partners = await listPartners(tx, { ids: rules.flatMap(({ partnerIds }) => partnerIds ?? []) });
  const names: Names = {
    partners: new Map(partners.map(({ id, reference }) => [id, reference])),
    categories: new Map(operator.partnerCategories.map(({ id, slug }) => [id, slug])),
    venues: new Map(venues.map(({ id, tms, resourceId }) => [id, { tms, resourceId }])),
  };
  return rules.map((rule) => ruleDocument(rule, names)).filter((rule) => rule !== undefined);
}

/** Undefined: none of its targets exist any more, and without them it would apply to all. */
function ruleDocument(rule: Rule, names: Names): BookingRuleDocument | undefined {
  const { operatorId: _operator, version: _version, isActive, ...written } = rule;
  const { partnerIds, categoryIds, venueIds, ...plain } = written;
  const partners = namesOf(partnerIds, names.partners);
  const partnerCategories = namesOf(categoryIds, names.categories);
  const venues = namesOf(venueIds, names.venues);
  const aims = partners !== null || partnerCategories !== null;
  const isForNobody = aims && !partners?.length && !partnerCategories?.length;
  const lists = [venues, plain.productSlugs, plain.items];
  if (isForNobody || lists.some((list) => list?.length === 0)) return undefined;
  // A deleted partner may leave an empty list beside categories that still exist.
  const aim = { partners: partners?.length ? partners : null, venues };
  const members = {
    ...plain,
    ...aim,
    isActive: isActive ? null : false,
    partnerCategories: partnerCategories?.length ? partnerCategories : null,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function namesOf<Id, Name>(ids: readonly Id[] | null, names: ReadonlyMap<Id, Name>): Name[] | null {
  if (ids === null) return null;
  return ids.flatMap((id) => names.get(id) ?? []);
}
