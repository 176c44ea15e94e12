import type { Tx } from '../../../db/database.ts';
import type { Actor } from '../../../http/auth/actor.ts';
import { MAX_INTEGER } from '../../../http/manage-route.ts';
import { partsOfVenueId, type VenueId } from '../../../kernel/ids.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import type { AuditLog } from '../../audit/service.ts';
import { referencesIn, scopeFault } from '../../booking-rules/service.ts';
import { definitionErrors } from '../../venues/service.ts';
import { MAX_LISTED, type ManagedRule, type RuleDraft } from './schema.ts';
import {
  findRule,
  findUnknown,
  hasProduct,
  hasSpace,
  lockRulesAimedAt,
  NAMES,
  type RuleAddress,
  type RuleContent,
  type ScopeEntry,
} from './store.ts';

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

/** `scope`: everything that would narrow the rule. */
function assertScopeAllowed({ channel }: Pick<RuleContent, 'channel'>, scope: readonly unknown[]): void {
  if (channel === 'all' || scope.every((part) => part === null)) return;
  throw problem('OPRUL-N-015', {
    detail: 'A rule for the marketplace has neither partnerIds nor categoryIds nor scope.',
  });
}

/** A reserving rule without targets would take the slots from every partner. */
function assertNamesSomebody({
  effect,
  partnerIds,
  categoryIds,
}: Pick<RuleContent, 'effect' | 'partnerIds' | 'categoryIds'>): void {
  const named = (partnerIds?.length ?? 0) + (categoryIds?.length ?? 0);
  if (effect === 'reserve' && named === 0) {
    throw invalid('effect', 'can only be reserve when partnerIds or categoryIds name for whom');
  }
}

/** A rule for all partners becomes a rule for this entry alone. */
export function withEntry(rule: ManagedRule, { list, id }: ScopeEntry): ManagedRule {
  assertScopeAllowed(rule, [id]);
  const listed = rule[list] ?? [];
  if (listed.includes(id)) {
    throw problem('OPRUL-N-006', { detail: `The ${NAMES[list]} ${id} is there already.` });
  }
  if (listed.length >= MAX_LISTED) throw invalid(list, `must have at most ${MAX_LISTED} items`);
  return { ...rule, [list]: [...listed, id] };
}

/** A rule whose last entry is removed applies to no partner. */
export function withoutEntry(rule: ManagedRule, { list, id }: ScopeEntry): ManagedRule {
  const listed = rule[list] ?? [];
  if (!listed.includes(id)) {
    throw problem('OPRUL-N-007', { detail: `The rule does not name the ${NAMES[list]} ${id}.` });
  }
  const left = { ...rule, [list]: listed.filter((each) => each !== id) };
  assertNamesSomebody(left);
  return left;
}

/** Throws unless everything that a rule names is there, and stays until the transaction ends. */
export async function assertReferences(tx: Tx, venueId: VenueId, rule: RuleContent): Promise<void> {
  const { productKey, spaceId } = rule;
  if (productKey !== null && !(await hasProduct(tx, venueId, productKey)))
    throw invalid('productKey', 'is not a product of this venue');
  if (spaceId !== null && !(await hasSpace(tx, venueId, spaceId)))
    throw invalid('spaceId', 'is not a space of this venue');
  await assertScopeReferences(tx, venueId, rule);
}

type Targeting = Pick<RuleContent, 'partnerIds' | 'categoryIds' | 'scope'>;

const MEANINGS = {
  partnerIds: 'no partner',
  categoryIds: 'no category of partners of this operator',
  venueIds: 'no venue of this operator',
} as const;

export async function assertScopeReferences(tx: Tx, venueId: VenueId, rule: Targeting): Promise<void> {
  const named = referencesIn(rule.scope);
  for (const id of rule.partnerIds ?? []) named.partnerIds.add(id);
  for (const id of rule.categoryIds ?? []) named.categoryIds.add(id);
  const unknown = await findUnknown(tx, partsOfVenueId(venueId).operatorId, {
    partnerIds: [...named.partnerIds].filter(isNumericId),
    categoryIds: [...named.categoryIds].filter(isNumericId),
    venueIds: [...named.venueIds].filter((id) => typeof id === 'string'),
  });
  for (const kind of ['partnerIds', 'categoryIds', 'venueIds'] as const) {
    const fits = kind === 'venueIds' ? (id: unknown) => typeof id === 'string' : isNumericId;
    const [wrong] = [...[...named[kind]].filter((id) => !fits(id)), ...unknown[kind]];
    if (wrong !== undefined) {
      throw problem('OPRUL-N-014', { detail: `${JSON.stringify(wrong)} is ${MEANINGS[kind]}.` });
    }
  }
}

const isNumericId = (id: unknown): id is number =>
  Number.isInteger(id) && (id as number) > 0 && (id as number) <= MAX_INTEGER;

/**
 * Rules that target a deleted partner or category: they lose the entry or are deleted too, each with an audit entry.
 */

interface Removal {
  actor: Actor;
  auditLog: Pick<AuditLog, 'record'>;
  gone: ScopeEntry;
}

export async function recordingRuleLosses(
  tx: Tx,
  { actor, auditLog, gone }: Removal,
  remove: () => Promise<void>,
): Promise<void> {
  const aimed = await lockRulesAimedAt(tx, gone);
  await remove();
  for (const { venueId, rule: before } of aimed) {
    const address = { venueId, ruleId: before.id };
    const after = await findRule(tx, address);
    const action = after ? 'availability-rule.change' : 'availability-rule.remove';
    await auditLog.record(tx, { actor, action, ...aboutRule(address), before, after });
  }
}

export const aboutRule = ({ venueId, ruleId }: RuleAddress) => ({
  operatorId: partsOfVenueId(venueId).operatorId,
  subject: `availability-rule ${ruleId}`,
});
