/** Booking rules as operators store them, without a call for each. */
import { inTransaction, type Sql, type Tx } from '../../src/db/database.ts';
import type { Rule } from '../../src/features/booking-rules/engine/rule.ts';
import {
  changeRule,
  createRule,
  getOwnRule,
  listRules,
  retireOwnRule,
} from '../../src/features/booking-rules/manage/storing.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/crypto.ts';
import type { TestApp } from './app.ts';

export interface RuleStorage {
  create(operatorId: number, draft: unknown): Promise<Rule>;
  change(operatorId: number, ruleId: string, draft: unknown): Promise<Rule>;
  retire(operatorId: number, ruleId: string): Promise<void>;
  get(operatorId: number, ruleId: string): Promise<Rule>;
  list(operatorId: number): Promise<Rule[]>;
}

export function ruleStorage(sql: Sql, onChange: (operatorId: number) => void = () => {}): RuleStorage {
  async function changing<Result>(operatorId: number, change: (tx: Tx) => Promise<Result>): Promise<Result> {
    const result = await inTransaction(sql, change);
    onChange(operatorId);
    return result;
  }
  return {
    create: (operatorId, draft) =>
      changing(operatorId, (tx) =>
        createRule(tx, systemClock, { id: newId(systemClock), operatorId, draft }),
      ),
    change: (operatorId, id, draft) =>
      changing(operatorId, (tx) => changeRule(tx, systemClock, { id, operatorId, draft })),
    retire: (operatorId, ruleId) =>
      changing(operatorId, (tx) => retireOwnRule(tx, systemClock, { operatorId, ruleId })),
    get: (operatorId, ruleId) => getOwnRule(sql, operatorId, ruleId),
    list: (operatorId) => listRules(sql, operatorId),
  };
}

/** What is stored holds at once, as it does on the node that stored it. */
export const storageOf = ({ sql, services }: Pick<TestApp, 'sql' | 'services'>) =>
  ruleStorage(sql, services.rules.forget);
