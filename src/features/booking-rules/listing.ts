/**
 * The rules that a caller may see. A partner sees what can concern it and nothing else: neither rules for other
 * partners nor venues that it does not distribute.
 */
import type { Sql } from '../../db/database.ts';
import { type Caller, type Visibility, visibilityOf } from '../../http/auth/caller.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import { isProductId, isVenueId, partsOfVenueId, type VenueId, venueOfProduct } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/problem.ts';
import { factsOf } from './engine/fact-list.ts';
import { canConcern } from './engine/partial-evaluation.ts';
import { HOOKS, type Rule } from './engine/rule.ts';
import type { Rulebooks } from './engine/rulebooks.ts';
import { isAboutProduct, isAboutVenue, type Partner, type PartnerScope, scopeFor } from './engine/scope.ts';
import type { BookingRules, BookingRulesQuery, PartnerRules } from './schema.ts';
import { findProduct, findVisible, listSeenOperators, listSeenVenues, type SeenOperator } from './store.ts';
import { ruleView } from './view.ts';

export type RuleFilter = BookingRulesQuery;

export interface ListingDeps {
  sql: Sql;
  clock: Clock;
  rulebooks: Rulebooks;
}

export interface Listing {
  list(caller: Caller, filter: RuleFilter): Promise<BookingRules>;
  listForPartner(partnerId: number, filter: RuleFilter): Promise<PartnerRules>;
}

/** What `venueId` of the filter names. */
interface Place {
  venueId: VenueId;
  /** Of the product, where one is named. */
  slug?: string | null;
}

interface Found {
  rule: Rule;
  partnerScope: PartnerScope;
}

export function createListing({ sql, clock, rulebooks }: ListingDeps): Listing {
  async function rulesSeen(visibility: Visibility, seen: readonly SeenOperator[], filter: RuleFilter) {
    const partnerId = visibility.kind === 'partner' ? visibility.partnerId : null;
    const matches = await matcherOf(sql, visibility, filter);
    const asked = seen.filter(({ operatorId }) => operatorId === (filter.operatorId ?? operatorId));
    const concerning = await Promise.all(
      asked.map(async ({ operatorId, categoryIds }) => {
        const { rules } = await rulebooks.get(operatorId);
        const partner = partnerId === null ? null : { id: partnerId, categoryIds };
        return rulesFor(partner, rules.map(({ rule }) => rule).filter(matches));
      }),
    );
    const found = concerning.flat();
    const named = found.flatMap(({ rule }) => rule.venueIds ?? []);
    const visible = await findVisible(sql, visibility, [...new Set(named)]);
    return found
      .filter(({ rule }) => rule.venueIds === null || rule.venueIds.some((id) => visible.has(id)))
      .map(({ rule, partnerScope }) => ruleView(rule, partnerScope, visible));
  }

  return {
    async list(caller, filter) {
      const visibility = visibilityOf(caller);
      const seen = await listSeenOperators(sql, visibility);
      const rules = await rulesSeen(visibility, seen, filter);
      return {
        generatedAt: timestampOf(nowOf(clock)),
        caller: callerView('partner' in caller ? caller.partner.id : null, seen),
        rules,
        hooks: HOOKS_VIEW,
      };
    },

    async listForPartner(partnerId, filter) {
      const visibility = { kind: 'partner', partnerId } as const;
      const rules = await rulesSeen(visibility, await listSeenOperators(sql, visibility), filter);
      const operators = await listSeenVenues(sql, visibility);
      return { generatedAt: timestampOf(nowOf(clock)), operators, rules };
    },
  };
}

/** The rules that reach the partner, with their scope. */
function rulesFor(partner: Partner | null, rules: readonly Rule[]): Found[] {
  return rules.flatMap((rule) => {
    const partnerScope = scopeFor(rule, partner);
    const isMeant = partnerScope && (partner === null || canConcern(rule, partner));
    return isMeant ? [{ rule, partnerScope }] : [];
  });
}

async function matcherOf(
  sql: Sql,
  visibility: Visibility,
  { venueId, effect, hook }: RuleFilter,
): Promise<(rule: Rule) => boolean> {
  const place = venueId === undefined ? undefined : await findPlace(sql, visibility, venueId);
  if (venueId !== undefined && !place) return () => false;
  return (rule) =>
    (effect === undefined || rule.effect === effect) &&
    (hook === undefined || (rule.effect === 'expression' && rule.hook === hook)) &&
    (place === undefined || isAbout(rule, place));
}

function isAbout(rule: Rule, { venueId, slug }: Place): boolean {
  const { operatorId } = partsOfVenueId(venueId);
  const isProductMet = slug === undefined || isAboutProduct(rule, slug);
  return rule.operatorId === operatorId && isAboutVenue(rule, venueId) && isProductMet;
}

/** Undefined: the caller sees nothing there. */
async function findPlace(sql: Sql, visibility: Visibility, id: string): Promise<Place | undefined> {
  if (isProductId(id)) {
    const product = await findProduct(sql, visibility, id);
    return product && { venueId: venueOfProduct(id), slug: product.slug };
  }
  if (!isVenueId(id))
    throw invalid(
      'venueId',
      'must be a venue id such as 1|house|soho-grill or a product id such as 1|house|soho-grill|dinner',
    );
  const visible = await findVisible(sql, visibility, [id]);
  return visible.has(id) ? { venueId: id } : undefined;
}

function callerView(partnerId: number | null, seen: readonly SeenOperator[]): BookingRules['caller'] {
  if (partnerId === null) return { partnerId, partnerCategoryIds: [], categoryIdsByOperator: {} };
  return {
    partnerId,
    partnerCategoryIds: seen.flatMap(({ categoryIds }) => categoryIds).sort((a, b) => a - b),
    categoryIdsByOperator: Object.fromEntries(
      seen.map(({ operatorId, categoryIds }) => [operatorId, categoryIds]),
    ),
  };
}

/** The facts that expressions can be about, by hook. */
export const HOOKS_VIEW = HOOKS.map((name) => ({
  name,
  facts: factsOf(name).map(({ name: fact, type, howToObtain }) => ({ name: fact, type, howToObtain })),
}));
