/** The order in which an operator wants its rules carried out. */
import type { Tx } from '../../../db/database.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import { invalid } from '../../../kernel/problem.ts';
import type { Rule } from '../engine/rule.ts';
import { reorderRules } from '../store.ts';
import { listRules, lockRules } from './storing.ts';

export interface RuleOrder {
  operatorId: number;
  ruleIds: readonly string[];
}

/**
 * All rules that are on are named, each once; their priorities become their places in the list. Those that are off may
 * be left out, and keep their priorities then.
 */
export async function orderRules(tx: Tx, clock: Clock, { operatorId, ruleIds }: RuleOrder): Promise<void> {
  await lockRules(tx, operatorId);
  const wanted = ruleIds.map((id) => id.toLowerCase());
  assertOrder(wanted, await listRules(tx, operatorId));
  await reorderRules(tx, wanted, nowOf(clock));
}

function assertOrder(wanted: readonly string[], rules: readonly Rule[]): void {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const isExpression = (id: string | undefined) => byId.get(id ?? '')?.effect === 'expression';
  for (const [index, id] of wanted.entries()) {
    const at = `ruleIds.${index}`;
    if (!byId.has(id)) throw invalid(at, 'is no booking rule of this operator');
    if (wanted.indexOf(id) < index) throw invalid(at, 'is named twice');
    // Expressions see what fixed effects have made of a booking, whatever their priorities are.
    if (isExpression(wanted[index - 1]) && !isExpression(id))
      throw invalid(at, 'must come before all expression rules, because it is carried out before them');
  }
  const active = rules.filter(({ isActive }) => isActive);
  const missing = active.find(({ id }) => !wanted.includes(id));
  if (missing)
    throw invalid('ruleIds', `must name all ${active.length} active rules; ${missing.id} is missing`);
}
