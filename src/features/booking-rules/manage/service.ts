/** An operator's changes of its rules, each with an audit entry. */
import type { Sql, Tx } from '../../../db/database.ts';
import type { Actor } from '../../../http/auth/actor.ts';
import { type Clock, nowOf, timestampOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import { instantOf } from '../../../kernel/rfc3339.ts';
import type { AuditLog } from '../../audit/service.ts';
import { compileRule } from '../engine/compiled.ts';
import { operationsOf, type Rule } from '../engine/rule.ts';
import { compileAll } from '../engine/rulebooks.ts';
import type { Rules } from '../service.ts';
import { operatorExists } from '../store.ts';
import { managedRuleView, summaryFor } from '../view.ts';
import { readDraft } from './draft.ts';
import { type CreationWindow, type PastCreations, sentenceOf, tryRule } from './dry-run.ts';
import { orderRules } from './ordering.ts';
import type { DryRunBody, DryRunResult, ManagedRule, RuleOrder } from './schema.ts';
import {
  changeRule,
  checkReferences,
  createRule,
  getOwnRule,
  listRules,
  lockRules,
  retireOwnRule,
} from './storing.ts';

/** The actor of a change and the operator whose rules it changes. */
export interface Doing {
  actor: Actor;
  operatorId: number;
  ifMatch: string | undefined;
}

export interface ManagedRules {
  /** In the order in which they are carried out. */
  list(operatorId: number, options: { includeInactive: boolean }): Promise<ManagedRule[]>;
  get(operatorId: number, ruleId: string): Promise<ManagedRule>;
  create(doing: Doing, draft: unknown): Promise<ManagedRule>;
  replace(doing: Doing, ruleId: string, draft: unknown): Promise<ManagedRule>;
  retire(doing: Doing, ruleId: string): Promise<void>;
  getOrder(operatorId: number): Promise<RuleOrder>;
  order(doing: Doing, order: RuleOrder): Promise<RuleOrder>;
  /** What a rule would have done; nothing is stored. */
  dryRun(operatorId: number, trial: DryRunBody): Promise<DryRunResult>;
}

export interface ManagedRulesDeps {
  sql: Sql;
  clock: Clock;
  auditLog: AuditLog;
  rules: Pick<Rules, 'forget'>;
  bookings: PastCreations;
}

const DEFAULT_HOURS = 90 * 24;

export function createManagedRules({
  sql,
  clock,
  auditLog,
  rules,
  bookings,
}: ManagedRulesDeps): ManagedRules {
  /** The caller sees its own change at once, without waiting for the notification. */
  async function changing<Result>(operatorId: number, change: Promise<Result>): Promise<Result> {
    const result = await change;
    rules.forget(operatorId);
    return result;
  }

  /** What is about one rule. The lock comes first, so that what is read stays true until it is changed. */
  const aboutRule = ({ actor, operatorId, ifMatch }: Doing, ruleId: string) => ({
    actor,
    operatorId,
    ifMatch,
    subject: `booking-rule ${ruleId.toLowerCase()}`,
    find: async (tx: Tx) => {
      await lockRules(tx, operatorId);
      return managedRuleView(await getOwnRule(tx, operatorId, ruleId));
    },
  });

  const orderOf = async (tx: Tx, operatorId: number): Promise<RuleOrder> => ({
    ruleIds: (await listRules(tx, operatorId)).map(({ id }) => id),
  });

  async function assertOperator(operatorId: number): Promise<void> {
    if (!(await operatorExists(sql, operatorId))) throw problem('OPRTR-N-001');
  }

  return {
    async list(operatorId, { includeInactive }) {
      await assertOperator(operatorId);
      const rules = await listRules(sql, operatorId);
      return rules.filter(({ isActive }) => isActive || includeInactive).map(managedRuleView);
    },

    get: async (operatorId, ruleId) => managedRuleView(await getOwnRule(sql, operatorId, ruleId)),

    create: ({ actor, operatorId }, draft) =>
      changing(
        operatorId,
        auditLog.create({
          actor,
          action: 'booking-rule.create',
          write: async (tx) =>
            managedRuleView(await createRule(tx, clock, { id: newId(clock), operatorId, draft })),
          about: ({ id }) => ({ operatorId, subject: `booking-rule ${id}` }),
        }),
      ),

    replace: (doing, ruleId, draft) =>
      changing(
        doing.operatorId,
        auditLog.change({
          ...aboutRule(doing, ruleId),
          action: 'booking-rule.change',
          write: (tx) => changeRule(tx, clock, { id: ruleId, operatorId: doing.operatorId, draft }),
        }),
      ),

    retire: (doing, ruleId) =>
      changing(
        doing.operatorId,
        auditLog.remove({
          ...aboutRule(doing, ruleId),
          action: 'booking-rule.retire',
          write: (tx) => retireOwnRule(tx, clock, { operatorId: doing.operatorId, ruleId }),
        }),
      ),

    async getOrder(operatorId) {
      await assertOperator(operatorId);
      return orderOf(sql, operatorId);
    },

    order: async ({ actor, operatorId, ifMatch }, { ruleIds }) => {
      await assertOperator(operatorId);
      return changing(
        operatorId,
        auditLog.change({
          actor,
          operatorId,
          ifMatch,
          subject: `booking-rules ${operatorId}`,
          action: 'booking-rules.order',
          find: async (tx) => {
            await lockRules(tx, operatorId);
            return orderOf(tx, operatorId);
          },
          write: (tx) => orderRules(tx, clock, { operatorId, ruleIds }),
        }),
      );
    },

    async dryRun(operatorId, { rule: draft, ruleId, from, to }) {
      await assertOperator(operatorId);
      const window = windowOf({ from, to }, nowOf(clock));
      const drafted = readDraft(draft, 'rule');
      const replaced = ruleId == null ? undefined : await getOwnRule(sql, operatorId, ruleId);
      await checkReferences(sql, operatorId, drafted, { at: 'rule', before: replaced });
      const rule: Rule = { ...drafted, id: replaced?.id ?? newId(clock), operatorId, version: 1 };
      assertAsked(rule);
      const total = await bookings.countCreations(operatorId, window);
      // One that is switched off, or can no longer be carried out, has done nothing.
      const [before] = replaced?.isActive ? compileAll([replaced], () => {}) : [];
      const trial = await tryRule(compileRule(rule), before, bookings.pastCreations(operatorId, window));
      return {
        from: timestampOf(window.from),
        to: timestampOf(window.to),
        total,
        considered: trial.considered,
        touched: trial.considered - trial.drafted.unchanged,
        ...trial.drafted,
        replaced: trial.replaced,
        summary: sentenceOf(trial, total),
        ruleSummary: summaryFor(rule),
        examples: trial.examples,
      };
    },
  };
}

/** PostgreSQL writes years before it in another way. */
const FIRST = Temporal.Instant.from('0001-01-01T00:00:00Z');

function windowOf({ from, to }: Given, now: Temporal.Instant): CreationWindow {
  const end = to == null ? now : instantOf(to);
  const byDefault = end.subtract({ hours: DEFAULT_HOURS });
  const start = from == null ? later(byDefault, FIRST) : instantOf(from);
  if (Temporal.Instant.compare(start, end) >= 0) throw invalid('from', 'must be before to');
  return { from: start, to: end };
}

interface Given {
  from: string | null | undefined;
  to: string | null | undefined;
}

const later = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? b : a);

/** Of the past only creations are known: when bookings were amended, paid or cancelled is not kept. */
function assertAsked(rule: Rule): void {
  if (operationsOf(rule).includes('booking_create')) return;
  throw invalid(
    rule.effect === 'expression' ? 'rule.hook' : 'rule.params.action',
    'must be one that applies when a booking is made; no other can be tried',
  );
}
