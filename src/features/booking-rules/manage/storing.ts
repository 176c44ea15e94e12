/** Stores drafts of rules, in the transaction of the caller. */
import type { Tx } from '../../../db/database.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import { byPrecedence, type Rule } from '../engine/rule.ts';
import {
  countActiveRules,
  findRule,
  findUnknown,
  keepOperator,
  loadAllRules,
  operatorExists,
  retireRule,
  saveRule,
  tryLockRules,
} from '../store.ts';
import { type DraftedRule, readDraft, refuseFaults } from './draft.ts';

export const MAX_ACTIVE_RULES = 500;

/** By precedence, those that are switched off too. */
export async function listRules(tx: Tx, operatorId: number): Promise<Rule[]> {
  return (await loadAllRules(tx, operatorId)).sort(byPrecedence);
}

export interface NewRule {
  id: string;
  operatorId: number;
  /** A rule as it was sent, and not looked at before it comes here. */
  draft: unknown;
}

export async function createRule(tx: Tx, clock: Clock, { id, operatorId, draft }: NewRule): Promise<Rule> {
  const drafted = readDraft(draft);
  await lockRules(tx, operatorId);
  if (!(await operatorExists(tx, operatorId))) throw problem('OPRTR-N-001');
  if ((await countActiveRules(tx, operatorId)) >= MAX_ACTIVE_RULES) {
    throw problem('OPRTR-N-006', {
      detail: `An operator has at most ${MAX_ACTIVE_RULES} booking rules; retire one before you add another.`,
    });
  }
  await checkReferences(tx, operatorId, drafted);
  const rule: Rule = { ...drafted, id, operatorId, version: 1 };
  await saveRule(tx, rule, nowOf(clock));
  return rule;
}

/** The draft replaces all of the rule but its id. */
export async function changeRule(tx: Tx, clock: Clock, { id, operatorId, draft }: NewRule): Promise<Rule> {
  const drafted = readDraft(draft);
  await lockRules(tx, operatorId);
  const before = await getOwnRule(tx, operatorId, id);
  await checkReferences(tx, operatorId, drafted, { before });
  const rule: Rule = { ...drafted, id: before.id, operatorId, version: before.version + 1 };
  await saveRule(tx, rule, nowOf(clock));
  return rule;
}

/** It holds no longer and is not found again; what it refused can still be traced to it. */
export async function retireOwnRule(
  tx: Tx,
  clock: Clock,
  { operatorId, ruleId }: { operatorId: number; ruleId: string },
): Promise<void> {
  await lockRules(tx, operatorId);
  const { id } = await getOwnRule(tx, operatorId, ruleId);
  await retireRule(tx, id, nowOf(clock));
}

/** Two concurrent changes could each be valid and the result invalid, so the second is refused and can be repeated. */
export async function lockRules(tx: Tx, operatorId: number): Promise<void> {
  if (await tryLockRules(tx, operatorId)) return keepOperator(tx, operatorId);
  throw problem('VENUE-N-010', {
    detail: 'Another change of your booking rules is being applied at this moment.',
    retryAfterSeconds: 1,
  });
}

export async function getOwnRule(tx: Tx, operatorId: number, ruleId: string): Promise<Rule> {
  const rule = isUuid(ruleId) ? await findRule(tx, ruleId) : undefined;
  if (!rule) throw problem('OPRUL-N-005', { detail: 'There is no booking rule with this id.' });
  if (rule.operatorId !== operatorId) throw problem('OPRTR-N-002');
  return rule;
}

const MISSING = {
  partnerIds: 'which is no partner',
  categoryIds: 'which is no partner category of this operator',
  venueIds: 'which is no venue of this operator',
} as const;

interface Checked {
  /** Where the draft is in what was sent. */
  at?: string;
  /** The rule that the draft replaces: what it names may have been deleted, and may be sent back. */
  before?: Rule | undefined;
}

export async function checkReferences(
  tx: Tx,
  operatorId: number,
  drafted: DraftedRule,
  { at = '', before }: Checked = {},
): Promise<void> {
  const unknown = await findUnknown(tx, operatorId, {
    partnerIds: drafted.partnerIds ?? [],
    categoryIds: drafted.categoryIds ?? [],
    venueIds: drafted.venueIds ?? [],
  });
  const faults = (['partnerIds', 'categoryIds', 'venueIds'] as const).map((name): [string, string[]] => {
    const kept = new Set<number | string>(before?.[name]);
    const added = unknown[name].filter((id) => !kept.has(id));
    return [name, added.map((id) => `names ${id}, ${MISSING[name]}`)];
  });
  refuseFaults(
    faults.filter(([, messages]) => messages.length > 0),
    at,
  );
}
