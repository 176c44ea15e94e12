/** Whom and what a rule concerns, apart from its conditions. */
import type { VenueId } from '../../kernel/ids.ts';
import type { Facts } from './facts.ts';
import type { Rule } from './rule.ts';

export interface Partner {
  id: number;
  /** Those of the rule's operator. */
  categoryIds: readonly number[];
}

/** What decides which rules a booking meets. */
export type Aimed = Pick<Facts, 'partner' | 'venue' | 'product'>;

export const PARTNER_SCOPES = ['all_partners', 'you', 'your_categories'] as const;
export type PartnerScope = (typeof PARTNER_SCOPES)[number];

/** How a rule reaches a partner; undefined: it does not. Who is no partner is reached by what is for all of them. */
export function scopeFor(
  { partnerIds, categoryIds }: Rule,
  partner: Partner | null,
): PartnerScope | undefined {
  if (partnerIds === null && categoryIds === null) return 'all_partners';
  if (partner === null) return undefined;
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

export function concerns(rule: Rule, { partner, venue, product }: Aimed): boolean {
  return (
    isAboutVenue(rule, venue.id as VenueId) &&
    isAboutProduct(rule, product.slug) &&
    scopeFor(rule, partner) !== undefined
  );
}
