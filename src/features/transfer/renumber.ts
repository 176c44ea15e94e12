/** A document with other ids in the place of those that are taken, wherever one of them is named. */
import type { Renumbered } from '../../tms/local-system.ts';
import { partsIn, type VenueParts } from '../../tms/systems.ts';
import type { AvailabilityRuleDocument, ProductDocument, VenueDocument } from '../venues/service.ts';
import type { NumberedKind, UuidKind } from './ids.ts';
import type { OperatorDocument } from './schema.ts';

/** What became of ids; what is not among them stays. */
export type Renumbering = Record<NumberedKind, ReadonlyMap<number, number>> &
  Record<UuidKind, ReadonlyMap<string, string>>;

export function renumber(document: OperatorDocument, changes: Renumbering): OperatorDocument {
  const { partnerCategories = [], bookingRules = [], venues } = document;
  return {
    ...document,
    partnerCategories: numbered(partnerCategories, changes.partnerCategories),
    bookingRules: bookingRules.map((rule) => identified(rule, changes.bookingRules)),
    venues: venues.map((venue) => renumberVenue(venue, changes)),
  };
}

function renumberVenue(venue: VenueDocument, changes: Renumbering): VenueDocument {
  const { spaces = [], packages = [], menus = [], availabilityRules = [], products } = venue;
  return {
    ...venue,
    spaces: numbered(spaces, changes.spaces),
    packages: numbered(packages, changes.packages),
    menus: numbered(menus, changes.menus).map((menu) => ({
      ...menu,
      items: numbered(menu.items, changes.menuItems),
    })),
    availabilityRules: renumberRules(availabilityRules, changes),
    products: products.map((product) => renumberProduct(product, changes)),
    ...renumberParts(venue, changes),
  };
}

function renumberProduct(product: ProductDocument, changes: Renumbering): ProductDocument {
  const { spaceIds = [], packageIds = [], menuIds = [], availabilityRules = [] } = product;
  return {
    ...product,
    spaceIds: spaceIds.map((id) => changed(id, changes.spaces)),
    packageIds: packageIds.map((id) => changed(id, changes.packages)),
    menuIds: menuIds.map((id) => changed(id, changes.menus)),
    availabilityRules: renumberRules(availabilityRules, changes),
  };
}

function renumberRules(
  rules: readonly AvailabilityRuleDocument[],
  { availabilityRules, spaces }: Renumbering,
): AvailabilityRuleDocument[] {
  return rules.map((rule) => ({
    ...identified(rule, availabilityRules),
    ...(rule.spaceId !== undefined && { spaceId: changed(rule.spaceId, spaces) }),
  }));
}

function renumberParts(venue: VenueParts, changes: Renumbering): VenueParts {
  const numberOf: Renumbered = (kind, id) => changed(id, changes[kind]);
  return Object.fromEntries(
    partsIn(venue).map(({ system, slug, part }) => [slug, system.catalogue.renumber(part, numberOf)]),
  );
}

const changed = <Id>(id: Id, changes: ReadonlyMap<Id, Id>): Id => changes.get(id) ?? id;

function numbered<Thing extends { id: number }>(
  things: readonly Thing[],
  changes: ReadonlyMap<number, number>,
): Thing[] {
  return things.map((thing) => ({ ...thing, id: changed(thing.id, changes) }));
}

function identified<Thing extends { id?: string }>(
  thing: Thing,
  changes: ReadonlyMap<string, string>,
): Thing {
  return thing.id === undefined ? thing : { ...thing, id: changed(thing.id, changes) };
}
