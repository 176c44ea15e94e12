/**
 * Scopes ask who distributes what where. All of that is known as soon as a venue has been read for somebody, so they
 * are worked out there, once, and nothing that goes by rules has to know of them.
 */
import { productFacts, venueFacts } from '../rules/fact-document.ts';
import { compileScope, type ScopeFacts, tellsPartnersApart } from '../rules/scope.ts';
import type { ProductRecord, RuleRecord, VenueRecord } from './record.ts';

/**
 * The venue with the rules that hold for this partner; a rule that holds for some of the products stands there once
 * for each. Null: somebody who is no partner, and whom rules leave alone that tell partners apart.
 */
export function withoutScopes(venue: VenueRecord, partner: ScopeFacts['partner'] | null): VenueRecord {
  if (venue.rules.every(({ scope }) => scope === null)) return venue;
  return { ...venue, rules: venue.rules.flatMap((rule) => resolved(rule, venue, partner)) };
}

function resolved(
  rule: RuleRecord,
  venue: VenueRecord,
  partner: ScopeFacts['partner'] | null,
): RuleRecord | RuleRecord[] {
  const { scope, productId } = rule;
  if (scope === null) return rule;
  if (partner === null && tellsPartnersApart(scope)) return [];
  const holds = compileScope(scope);
  const about = venue.products.filter(({ id }) => productId === null || productId === id);
  const held = about.filter((product) =>
    holds({ ...(partner && { partner }), venue: venueFacts(venue), product: factsOf(product) }),
  );
  if (held.length === about.length && held.length > 0) return { ...rule, scope: null };
  return held.map(({ id }) => ({ ...rule, scope: null, productId: id }));
}

const factsOf = (product: ProductRecord) =>
  productFacts({ ...product, category: product.category?.slug ?? null });
