/** Booking rules as an operator would write them again elsewhere: partners, categories and venues go by their names. */
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { listRules, type Rule } from '../rules/service.ts';
import type { BookingRuleDocument, VenueKey } from '../venues/document.ts';
import type { StoredOperator, StoredVenue } from '../venues/service.ts';
import { listPartners } from './store.ts';

/** What ids stand for; an id that is in no list belongs to something that is gone. */
interface Names {
  partners: ReadonlyMap<number, string>;
  categories: ReadonlyMap<number, string>;
  venues: ReadonlyMap<VenueId, VenueKey>;
}

export async function exportRules(
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

/** Undefined: nothing is left of what it concerned, and without that it would concern everybody. */
function ruleDocument(rule: Rule, names: Names): BookingRuleDocument | undefined {
  const { operatorId: _operator, version: _version, partnerIds, categoryIds, venueIds, ...plain } = rule;
  const partners = namesOf(partnerIds, names.partners);
  const partnerCategories = namesOf(categoryIds, names.categories);
  const venues = namesOf(venueIds, names.venues);
  const aims = partners !== null || partnerCategories !== null;
  const isForNobody = aims && !partners?.length && !partnerCategories?.length;
  const lists = [venues, plain.productSlugs, plain.items];
  if (isForNobody || lists.some((list) => list?.length === 0)) return undefined;
  // A partner that is gone may leave an empty list beside categories that are still there.
  const aim = { partners: partners?.length ? partners : null, venues };
  const members = {
    ...plain,
    ...aim,
    partnerCategories: partnerCategories?.length ? partnerCategories : null,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function namesOf<Id, Name>(ids: readonly Id[] | null, names: ReadonlyMap<Id, Name>): Name[] | null {
  if (ids === null) return null;
  return ids.flatMap((id) => names.get(id) ?? []);
}
