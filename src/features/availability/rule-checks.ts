import type { VenueId } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { scopeFault } from '../rules/scope.ts';
import { definitionErrors } from '../venues/rule-definition.ts';
import type { ManagedRule, RuleDraft } from './manage-schema.ts';

/** What an operator decides about a rule, complete. */
export type RuleContent = Omit<ManagedRule, 'id' | 'version' | 'createdAt' | 'updatedAt'>;

/** Where a rule is. */
export interface RuleAddress {
  venueId: VenueId;
  ruleId: string;
}

/** The draft with everything that was left out; throws where it is wrong in itself. */
export function contentOf(draft: RuleDraft): RuleContent {
  const content: RuleContent = {
    type: draft.type,
    definition: draft.definition,
    effect: draft.effect ?? 'disable',
    productKey: draft.productKey ?? null,
    spaceId: draft.spaceId ?? null,
    partnerIds: draft.partnerIds ?? null,
    categoryIds: draft.categoryIds ?? null,
    scope: draft.scope ?? null,
    channel: draft.channel ?? 'all',
    isActive: draft.isActive ?? true,
  };
  assertDefined(content);
  if (content.channel === 'marketplace') assertFitForMarketplace(content);
  assertNamesSomebody(content);
  const fault = content.scope === null ? undefined : scopeFault(content.scope);
  if (fault !== undefined) throw problem('OPRUL-N-013', { detail: fault });
  return content;
}

function assertDefined({ type, definition }: RuleContent): void {
  const errors = definitionErrors(type, definition);
  if (!errors) return;
  throw problem('VALID-N-001', {
    detail: `A ${type} rule is not defined like that.`,
    errors: Object.fromEntries(Object.entries(errors).map(([name, said]) => [`definition.${name}`, said])),
  });
}

function assertFitForMarketplace(content: RuleContent): void {
  const { type, effect, spaceId, definition } = content;
  const isWholeWeekdays =
    type === 'recurring' && definition.startDate === undefined && definition.endDate === undefined;
  if (!isWholeWeekdays || effect !== 'disable' || spaceId !== null) {
    throw problem('OPRUL-N-010', {
      detail: 'Use the type recurring with weekdays and nothing else, the effect disable, and no space.',
    });
  }
  assertScopeAllowed(content, [content.partnerIds, content.categoryIds, content.scope]);
}

/** `scope`: whatever would narrow it. */
export function assertScopeAllowed(
  { channel }: Pick<RuleContent, 'channel'>,
  scope: readonly unknown[],
): void {
  if (channel === 'all' || scope.every((part) => part === null)) return;
  throw problem('OPRUL-N-015', {
    detail: 'A rule for the marketplace has neither partnerIds nor categoryIds nor scope.',
  });
}

/** What is kept for nobody would be taken from everybody. */
export function assertNamesSomebody({
  effect,
  partnerIds,
  categoryIds,
}: Pick<RuleContent, 'effect' | 'partnerIds' | 'categoryIds'>): void {
  const named = (partnerIds?.length ?? 0) + (categoryIds?.length ?? 0);
  if (effect === 'reserve' && named === 0) {
    throw invalid('effect', 'can only be reserve when partnerIds or categoryIds name for whom');
  }
}
