/**
 * Scopes of availability rules: expressions with the same limits as those of booking rules, over the facts of
 * partner, venue and product only. A scope that evaluates to «skip» makes its rule apply to no partner.
 */

import type { VenueId } from '../../../kernel/ids.ts';
import { compileTest } from '../expression/expression.ts';
import { factsIn, faultsIn } from '../expression/limits.ts';
import { isIteration, isPlain, isScalar, LIMITS, type Scalar } from '../expression/shape.ts';
import { factsOf } from './fact-list.ts';
import type { Facts } from './facts.ts';
import type { Rule } from './rule.ts';

export type ScopeFacts = Pick<Facts, 'product' | 'venue'> & Partial<Pick<Facts, 'partner'>>;

const NAMES = new Set<string>(
  factsOf('booking.create')
    .map(({ name }) => name)
    .filter((name) => /^(partner|product|venue)\./.test(name)),
);

/** What is wrong with a scope, in a sentence; undefined when it can be stored. */
export function scopeFault(scope: unknown): string | undefined {
  if (!isPlain(scope)) return 'A scope is an object with one member, named for an operator.';
  if (JSON.stringify(scope).length > LIMITS.jsonLength) {
    return `A scope has at most ${LIMITS.jsonLength} characters.`;
  }
  return faultsIn(scope, (name) => NAMES.has(name))[0];
}

export const compileScope: (scope: unknown) => (facts: ScopeFacts) => boolean = compileTest;

/** Whether it depends on the partner. */
export function tellsPartnersApart(scope: unknown): boolean {
  return [...factsIn(scope)].some((name) => name.startsWith('partner.'));
}

/** What a scope names by id, as it is written there. */
export type ScopeReferences = Record<'partnerIds' | 'categoryIds' | 'venueIds', Set<Scalar>>;

/** What names stand for in a place, as far as those ids go. */
type Meaning = Partial<Record<string, keyof ScopeReferences>>;

const OUTSIDE: Meaning = { 'partner.id': 'partnerIds', 'venue.id': 'venueIds' };
const EACH_CATEGORY: Meaning = { '': 'categoryIds' };
const COMPARISONS = ['==', '===', '!=', '!=='];

/** The ids that a legal scope compares with; computed ids are not among them. */
export function referencesIn(scope: unknown): ScopeReferences {
  const references: ScopeReferences = { partnerIds: new Set(), categoryIds: new Set(), venueIds: new Set() };
  collect(scope, OUTSIDE, references);
  return references;
}

function collect(part: unknown, meaning: Meaning, references: ScopeReferences): void {
  if (Array.isArray(part)) {
    for (const element of part) collect(element, meaning, references);
  } else if (isPlain(part)) {
    for (const [operator, given] of Object.entries(part)) {
      const operands: unknown[] = Array.isArray(given) ? given : [given];
      noteIds(operator, operands, meaning, references);
      for (const [index, operand] of operands.entries()) {
        const inner = isIteration(operator) && index === 1 ? meaningInside(operands[0]) : meaning;
        collect(operand, inner, references);
      }
    }
  }
}

const meaningInside = (list: unknown): Meaning =>
  nameOf(list) === 'partner.categoryIds' ? EACH_CATEGORY : {};

function noteIds(
  operator: string,
  [left, right]: readonly unknown[],
  meaning: Meaning,
  references: ScopeReferences,
): void {
  const note = (named: unknown, values: unknown) => {
    const kind = meaning[nameOf(named) ?? 'nothing'];
    if (kind === undefined) return;
    for (const value of [values].flat()) if (isScalar(value)) references[kind].add(value);
  };
  if (COMPARISONS.includes(operator)) {
    note(left, right);
    note(right, left);
  } else if (operator === 'in') {
    note(left, right);
    if (nameOf(right) === 'partner.categoryIds' && isScalar(left)) references.categoryIds.add(left);
  }
}

/** The name that stands there, where nothing but a name does. */
function nameOf(part: unknown): string | undefined {
  if (!isPlain(part) || !('var' in part)) return undefined;
  return String([part.var].flat()[0]);
}

/** The targets of a rule, apart from its conditions. */

export interface Partner {
  /** Null: the house itself. */
  id: number | null;
  /** Those of the rule's operator. */
  categoryIds: readonly number[];
}

/** What decides which rules a booking meets. */
export type Aimed = Pick<Facts, 'partner' | 'venue' | 'product'>;

export const PARTNER_SCOPES = ['all_partners', 'you', 'your_categories'] as const;
export type PartnerScope = (typeof PARTNER_SCOPES)[number];

/** How a rule reaches a partner; undefined: it does not. Callers that are no partner are reached by rules for all. */
export function scopeFor(
  { partnerIds, categoryIds }: Rule,
  partner: Partner | null,
): PartnerScope | undefined {
  if (partnerIds === null && categoryIds === null) return 'all_partners';
  if (partner === null || partner.id === null) return undefined;
  if (partnerIds?.includes(partner.id)) return 'you';
  if (categoryIds?.some((id) => partner.categoryIds.includes(id))) return 'your_categories';
  return undefined;
}

export function isAboutVenue({ venueIds }: Rule, venueId: VenueId): boolean {
  return venueIds === null || venueIds.includes(venueId);
}

/** A product without a slug is in no list. */
export function isAboutProduct({ productSlugs }: Rule, slug: string | null | undefined): boolean {
  return productSlugs === null || (slug != null && productSlugs.includes(slug));
}

/** Which packages and menus it is about, by their slugs. */
export const isAboutItem =
  ({ items }: Pick<Rule, 'items'>) =>
  (slug: string): boolean =>
    items === null || items.includes(slug);

/** Rules that look at the partner, in their targets or in an expression, do not bind bookings of the house. */
export function concerns(rule: Rule, { partner, venue, product }: Aimed): boolean {
  if (partner.id === null && rule.effect === 'expression' && tellsPartnersApart(rule.when)) return false;
  return (
    isAboutVenue(rule, venue.id as VenueId) &&
    isAboutProduct(rule, product.slug) &&
    scopeFor(rule, partner) !== undefined
  );
}
