/** What the parts of this feature have in common: what they stand on, and how they take hold of what they change. */
import type { Config } from '../../config.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import type { Registry } from '../../tms/registry.ts';
import type { Trail } from '../audit/service.ts';
import type { Operator } from './operator-schema.ts';
import { findOperator, lockOperator } from './operator-store.ts';
import type { Partner } from './partner-schema.ts';
import { findPartner, holdPartner as tryHoldPartner } from './partner-store.ts';

export interface PlatformDeps {
  config: Pick<Config, 'environment'>;
  sql: Sql;
  clock: Clock;
  encryptionKey: Buffer;
  registry: Registry;
  trail: Trail;
}

const noSuchOperator = (id: number) => problem('OPRTR-N-001', { detail: `There is no operator ${id}.` });
const noSuchPartner = (id: number) => problem('PMAP-N-004', { detail: `There is no partner ${id}.` });

export async function getOperator(tx: Tx, id: number): Promise<Operator> {
  const operator = await findOperator(tx, id);
  if (operator) return operator;
  throw noSuchOperator(id);
}

/** Until the transaction ends nobody else changes what is below this operator. */
export async function holdOperator(tx: Tx, id: number): Promise<void> {
  if (!(await lockOperator(tx, id))) throw noSuchOperator(id);
}

export async function getPartner(tx: Tx, id: number): Promise<Partner> {
  const partner = await findPartner(tx, id);
  if (partner) return partner;
  throw noSuchPartner(id);
}

/** The partner stays what it is until the transaction ends. */
export async function holdPartner(tx: Tx, id: number): Promise<Partner> {
  if (!(await tryHoldPartner(tx, id))) throw noSuchPartner(id);
  return getPartner(tx, id);
}

export const notFound = (detail: string): Problem => problem('HTTP-N-404', { detail });
