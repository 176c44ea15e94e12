import { contentOf, MAX_RULES } from '../availability/service.ts';
import { readDraft } from '../booking-rules/service.ts';
import type { AvailabilityRuleDocument, BookingRuleDocument, VenueDocument } from '../venues/service.ts';
import { type Check, checkPartners, keyOf } from './faults.ts';
import { availabilityRulesOf } from './ids.ts';

/** Ids of names that are known; those that are not have been reported. */
const idsOf = (names: readonly string[], ids: ReadonlyMap<string, number>) =>
  names.flatMap((name) => ids.get(name) ?? []);

function checkAim(
  { faults, around, categoryIds }: Check,
  { partners = [], partnerCategories = [] }: { partners?: string[]; partnerCategories?: string[] },
  path: string,
): void {
  checkPartners(faults, around, partners, `${path}.partners`);
  for (const [index, slug] of partnerCategories.entries()) {
    if (!categoryIds.has(slug))
      faults.add(
        `${path}.partnerCategories.${index}`,
        `is ${slug}, which is no partner category of this document`,
        'OPRUL-N-014',
      );
  }
}

export function checkAvailabilityRules(check: Check, venue: VenueDocument, path: string): void {
  const lists = availabilityRulesOf(venue, path);
  const total = lists.reduce((sum, [rules]) => sum + rules.length, 0);
  if (total > MAX_RULES) {
    check.faults.add(path, `has ${total} availability rules, and ${MAX_RULES} is the most`, 'OPRTR-N-006');
    return;
  }
  const spaceIds = new Set(venue.spaces?.map(({ id }) => id));
  for (const [rules, at] of lists) {
    for (const [index, rule] of rules.entries()) {
      checkAvailabilityRule(check, rule, `${at}.${index}`);
      if (rule.spaceId !== undefined && !spaceIds.has(rule.spaceId))
        check.faults.add(`${at}.${index}.spaceId`, `is ${rule.spaceId}, which is no space of the venue`);
    }
  }
}

/** Targets are checked by name; the rest is checked as for rules that name ids. */
function checkAvailabilityRule(check: Check, rule: AvailabilityRuleDocument, path: string): void {
  const { id: _, partners, partnerCategories, ...plain } = rule;
  checkAim(check, rule, path);
  const aim = {
    partnerIds: partners?.map(() => 1) ?? null,
    categoryIds: partnerCategories?.map(() => 1) ?? null,
  };
  check.faults.attempt(path, () => contentOf({ ...plain, ...aim } as Parameters<typeof contentOf>[0]));
}

export function checkBookingRule(check: Check, rule: BookingRuleDocument, path: string): void {
  checkAim(check, rule, path);
  for (const [index, venue] of (rule.venues ?? []).entries()) {
    if (!check.venues.has(keyOf(venue)))
      check.faults.add(`${path}.venues.${index}`, `is ${keyOf(venue)}, which is no venue of this document`);
  }
  const { partners, partnerCategories } = rule;
  const { around, categoryIds } = check;
  const draft = draftOf(rule, {
    partnerIds: partners && idsOf(partners, around.partners),
    categoryIds: partnerCategories && idsOf(partnerCategories, categoryIds),
    venueIds: rule.venues?.map(keyOf),
  });
  check.faults.attempt(path, () => readDraft(draft));
}

interface Aim {
  partnerIds: number[] | undefined;
  categoryIds: number[] | undefined;
  venueIds: string[] | undefined;
}

/** A rule of a document as it is stored: names have become ids. */
export function draftOf(rule: BookingRuleDocument, aim: Aim): Record<string, unknown> {
  const { id: _id, partners: _partners, partnerCategories: _categories, venues: _venues, ...plain } = rule;
  const named = Object.entries(aim).filter(([, ids]) => ids !== undefined && ids.length > 0);
  return { ...plain, ...Object.fromEntries(named) };
}
