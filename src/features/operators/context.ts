/** What the services of the platform share: their dependencies, and how they read and lock an operator. */

import type { Config } from '../../config.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import type { Registry } from '../../tms/registry.ts';
import type { AuditLog } from '../audit/service.ts';
import type { Operator } from './schema.ts';
import { findOperator, lockOperator } from './store.ts';

export interface PlatformDeps {
  config: Pick<Config, 'environment'>;
  sql: Sql;
  clock: Clock;
  encryptionKeys: Keyring;
  registry: Registry;
  auditLog: AuditLog;
}

const noSuchOperator = (id: number) => problem('OPRTR-N-001', { detail: `There is no operator ${id}.` });

export async function getOperator(tx: Tx, id: number): Promise<Operator> {
  const operator = await findOperator(tx, id);
  if (operator) return operator;
  throw noSuchOperator(id);
}

/** Locks the operator: until the transaction ends no other one changes what belongs to it. */
export async function holdOperator(tx: Tx, id: number): Promise<void> {
  if (!(await lockOperator(tx, id))) throw noSuchOperator(id);
}

export const notFound = (detail: string): Problem => problem('HTTP-N-404', { detail });
