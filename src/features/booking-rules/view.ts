import type { VenueId } from '../../kernel/ids.ts';
import { type ExpressionRule, type FixedEffect, operationsOf, type Rule } from './engine/rule.ts';
import type { PartnerScope } from './engine/scope.ts';
import { checkStored } from './manage/draft.ts';
import type { ManagedRule } from './manage/schema.ts';
import type { BookingRule } from './schema.ts';
import { summaryOf } from './summary/summary.ts';

/** A rule as shown to a caller that may see these venues. */
export function ruleView(rule: Rule, partnerScope: PartnerScope, visible: ReadonlySet<VenueId>): BookingRule {
  const venues = (rule.venueIds ?? []).filter((id) => visible.has(id)).map((id) => ({ id }));
  const errorCode = errorCodeOf(rule);
  return {
    id: rule.id,
    operatorId: rule.operatorId,
    effect: rule.effect,
    appliesTo: {
      partnerScope,
      allVenues: rule.venueIds === null,
      venues,
      allProducts: rule.productSlugs === null,
      products: (rule.productSlugs ?? []).map((slug) => ({ slug })),
      conditions: rule.conditions,
      items: rule.items,
    },
    params: rule.effect === 'expression' ? {} : rule.params,
    name: rule.name,
    description: rule.description,
    message: rule.message,
    summary: summaryOf(rule, { partnerScope, venueCount: venues.length }),
    whenApplied: operationsOf(rule),
    consequence: CONSEQUENCES[rule.effect],
    ...(errorCode && { errorCode }),
    priority: rule.priority,
    ...(rule.effect === 'expression' && expressionView(rule)),
  };
}

const CONSEQUENCES: Record<Rule['effect'], BookingRule['consequence']> = {
  route_to_enquiry: 'turns_booking_into_enquiry',
  require_deposit: 'requires_deposit',
  same_package: 'rejects_booking',
  booking_window: 'rejects_booking',
  party_size_limit: 'rejects_booking',
  require_preorder: 'rejects_booking',
  suppress_preorder_email: 'skips_preorder_email',
  expression: 'conditional',
};

type ErrorCode = NonNullable<BookingRule['errorCode']>;

/** Undefined: it never refuses. */
const FIXED_CODES: Record<Exclude<FixedEffect, 'booking_window'>, ErrorCode | undefined> = {
  route_to_enquiry: undefined,
  require_deposit: 'BKRUL-N-001',
  same_package: 'BKRUL-N-002',
  party_size_limit: 'BKRUL-N-005',
  require_preorder: 'BKRUL-N-006',
  suppress_preorder_email: undefined,
};

function errorCodeOf(rule: Rule): ErrorCode | undefined {
  if (rule.effect === 'expression') return rejects(rule) ? 'BKRUL-N-100' : undefined;
  if (rule.effect !== 'booking_window') return FIXED_CODES[rule.effect];
  const { action, minNoticeHours } = rule.params;
  if (action === 'amend') return 'BKRUL-N-003';
  if (action === 'cancel') return 'BKRUL-N-004';
  return minNoticeHours === null ? 'AVAIL-N-008' : 'AVAIL-N-007';
}

const rejects = ({ then }: ExpressionRule) => then.some((action) => 'reject' in action);

function expressionView(rule: ExpressionRule) {
  const { hook, when, then } = rule;
  const written = then.flatMap((action) => ('set' in action ? [action.set.fact] : []));
  const flagged = then.flatMap((action) => ('flag' in action ? [action.flag.name] : []));
  return {
    hook,
    when,
    then,
    outcomes: { rejects: rejects(rule), writes: [...new Set(written)], flags: [...new Set(flagged)] },
  };
}

/** A rule as its operator wrote it, with what was filled in. */
export function managedRuleView(rule: Rule): ManagedRule {
  return {
    id: rule.id,
    operatorId: rule.operatorId,
    version: rule.version,
    isActive: rule.isActive,
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
  return summaryFor(rule);
}

/** As a partner whom it concerns reads it, who sees all venues that it names. */
export const summaryFor = (rule: Rule): string =>
  summaryOf(rule, { partnerScope: 'all_partners', venueCount: rule.venueIds?.length ?? 0 });
