import { checkStored } from './draft.ts';
import type { ManagedRule } from './manage-schema.ts';
import { operationsOf, type Rule } from './rule.ts';
import { summaryOf } from './summary.ts';

/** A rule as its operator wrote it, with what was filled in. */
export function managedRuleView(rule: Rule): ManagedRule {
  return {
    id: rule.id,
    operatorId: rule.operatorId,
    version: rule.version,
    effect: rule.effect,
    name: rule.name,
    description: rule.description,
    message: rule.message,
    priority: rule.priority,
    partnerIds: rule.partnerIds,
    categoryIds: rule.categoryIds,
    venueIds: rule.venueIds,
    productSlugs: rule.productSlugs,
    conditions: rule.conditions,
    ...particularsOf(rule),
    whenApplied: operationsOf(rule),
    summary: sentenceOf(rule),
  };
}

/** The same fields that a draft with this effect can have. */
function particularsOf(rule: Rule): Partial<ManagedRule> {
  switch (rule.effect) {
    case 'expression':
      return { hook: rule.hook, when: rule.when, then: rule.then };
    case 'same_package':
    case 'require_preorder':
      return { items: rule.items, params: { ...rule.params } };
    default:
      return { params: { ...rule.params } };
  }
}

/** A rule that an older version stored may not be one any more; it is shown, so that it can be put right. */
function sentenceOf(rule: Rule): string | null {
  try {
    checkStored(rule);
  } catch {
    return null;
  }
  return summaryOf(rule, { partnerScope: 'all_partners', venueCount: rule.venueIds?.length ?? 0 });
}
