/**
 * Booking rules: what operators demand, shown before it is enforced. The same compiled rules decide about operations
 * on bookings, explain themselves to partners, and decide about slots.
 */
import type { Sql, Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import type { Caller, Visibility } from '../../http/auth/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type CompiledRule, takesPart } from './engine/compiled.ts';
import type { RuleContext } from './engine/effects.ts';
import type { KeptRules } from './engine/kept.ts';
import type { Operation } from './engine/rule.ts';
import { compileAll, createRulebooks, type Rulebook, SELECTIONS_KEPT } from './engine/rulebooks.ts';
import { applyRules, decidedRules, type Ruling, type SlotRuler, slotRulerOf } from './engine/ruling.ts';
import type { Aimed } from './engine/scope.ts';
import { explainRules } from './explain/explanation.ts';
import type { RulesExplained } from './explain/schema.ts';
import type { Offered } from './explain/wants.ts';
import { createListing, type RuleFilter } from './listing.ts';
import type { BookingRules, PartnerRules } from './schema.ts';
import { findVisible, loadRulebook } from './store.ts';

export interface Rules {
  /** The rules that could concern the caller, as far as it may see them. */
  list(caller: Caller, filter: RuleFilter): Promise<BookingRules>;
  /** The same for the people of a partner, with the venues that they are about. */
  listForPartner(partnerId: number, filter: RuleFilter): Promise<PartnerRules>;
  /** The ruling of the operator's rules on an operation; a caller in a transaction passes it. */
  consult(operation: Operation, ruleContext: RuleContext, tx?: Tx): Promise<VersionedRuling>;
  /** The rules that concern such a booking, with the version of all, to be evaluated later by `judgeKept`. */
  keep(facts: Aimed): Promise<KeptRules & { version: number }>;
  /** The same rule by rule, for the partner that it is about. */
  explain(operation: Operation, ruleContext: RuleContext, audience: Audience): Promise<RulesExplained>;
  /** What they do to the starts of a product; undefined: nothing. */
  slotRuler(facts: Aimed): Promise<SlotRuler | undefined>;
  /** Whether the operator has any rules for this operation, whomever they concern; a transaction as above. */
  hasRules(operatorId: number, operation: Operation, tx?: Tx): Promise<boolean>;
  /** What is kept of them has turned out to be old. */
  forget(operatorId: number): void;
}

export interface VersionedRuling extends Ruling {
  /** The version of the operator's rules that were evaluated. */
  version: number;
}

export interface Audience {
  visibility: Visibility;
  /** What could be ordered ahead. */
  offered: Offered;
}

export interface RulesDeps {
  sql: Sql;
  clock: Clock;
  notifications: Notifications;
  /** Told of stored rules that cannot be carried out any more, and are left out. */
  onBrokenRule?: (ruleId: string, error: unknown) => void;
}

export function createRules(deps: RulesDeps): Rules {
  const { onBrokenRule = () => {} } = deps;
  const rulebooks = createRulebooks(deps.sql, deps.notifications, {
    onBroken: ({ id }, error) => onBrokenRule(id, error),
  });
  const select = createSelection();
  return {
    ...createListing({ ...deps, rulebooks }),

    async consult(operation, ruleContext, tx) {
      const rulebook = await rulebooks.get(ruleContext.facts.venue.operatorId, tx);
      const ruling = applyRules(select(rulebook, operation, ruleContext.facts), ruleContext);
      return { ...ruling, version: rulebook.version };
    },

    async keep(facts) {
      const rulebook = await rulebooks.get(facts.venue.operatorId);
      const kept = (operation: Operation) => select(rulebook, operation, facts).map(({ rule }) => rule);
      return {
        create: kept('booking_create'),
        payment: kept('booking_payment'),
        version: rulebook.version,
      };
    },

    async explain(operation, ruleContext, { visibility, offered }) {
      const rulebook = await rulebooks.get(ruleContext.facts.venue.operatorId);
      const rules = select(rulebook, operation, ruleContext.facts);
      const named = rules.flatMap(({ rule }) => rule.venueIds ?? []);
      const visible = await findVisible(deps.sql, visibility, [...new Set(named)]);
      return explainRules(rules, ruleContext, { offered, visible });
    },

    async slotRuler(facts) {
      const rules = select(await rulebooks.get(facts.venue.operatorId), 'booking_create', facts);
      return rules.length === 0 ? undefined : slotRulerOf(rules);
    },

    async hasRules(operatorId, operation, tx) {
      const { rules } = await rulebooks.get(operatorId, tx);
      return rules.some(({ operations }) => operations.includes(operation));
    },

    forget: rulebooks.forget,
  };
}

/** The same few partners book the same products again and again, so the rules between them are looked for once. */
function createSelection() {
  const kept = new WeakMap<Rulebook, Map<string, readonly CompiledRule[]>>();
  return (rulebook: Rulebook, operation: Operation, facts: Aimed): readonly CompiledRule[] => {
    if (rulebook.rules.length === 0) return rulebook.rules;
    const selections = kept.getOrInsertComputed(rulebook, () => new Map());
    const { partner, product } = facts;
    const key = `${operation} ${product.id} ${product.slug} ${partner.id} ${partner.categoryIds.join()}`;
    if (selections.size >= SELECTIONS_KEPT) selections.clear();
    return selections.getOrInsertComputed(key, () =>
      rulebook.rules.filter((rule) => takesPart(rule, operation, facts)),
    );
  };
}

/** The rules of an operator as they are in a transaction, without what a node remembers of them. */
export async function readRules(tx: Tx, operatorId: number): Promise<readonly CompiledRule[]> {
  const { rules } = await loadRulebook(tx, operatorId);
  return compileAll(rules, () => {});
}

/** The rules that decide about the starts of a product, for one partner. */
export function slotRules(rules: readonly CompiledRule[], facts: Aimed): CompiledRule[] {
  return decidedRules(rules.filter((rule) => takesPart(rule, 'booking_create', facts)));
}

export type { CompiledRule } from './engine/compiled.ts';
export { daysAheadOf } from './engine/conditions.ts';
export type { Facts, PaymentFacts } from './engine/facts.ts';
export { bookingFacts, productFacts, venueFacts } from './engine/facts.ts';
export { type DemandedPreorder, judgeKept, type KeptRules, prospectOf } from './engine/kept.ts';
export { depositOf, refusalOf } from './engine/refusal.ts';
export type { Rule } from './engine/rule.ts';
export { EFFECTS } from './engine/rule.ts';
export { type Ruling, rulerBy, type SlotRuler, type Violation } from './engine/ruling.ts';
export type { Aimed } from './engine/scope.ts';
export {
  compileScope,
  referencesIn,
  type ScopeFacts,
  scopeFault,
  tellsPartnersApart,
} from './engine/scope.ts';
export { rulesAnswerExample } from './explain/example.ts';
export { ruleVerdict } from './explain/schema.ts';
export { factsIn } from './expression/limits.ts';
export { readDraft } from './manage/draft.ts';
export { SHAPES } from './manage/draft-schema.ts';
export type { CreationWindow, PastCreation } from './manage/dry-run.ts';
export { createRule, listRules, MAX_ACTIVE_RULES } from './manage/storing.ts';
