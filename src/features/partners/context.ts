import type { Tx } from '../../db/database.ts';
import { problem } from '../../kernel/problem.ts';
import type { Partner } from './schema.ts';
import { findPartner, holdPartner as tryHoldPartner } from './store.ts';

const noSuchPartner = (id: number) => problem('PMAP-N-004', { detail: `There is no partner ${id}.` });

export async function getPartner(tx: Tx, id: number): Promise<Partner> {
  const partner = await findPartner(tx, id);
  if (partner) return partner;
  throw noSuchPartner(id);
}

/** Locks the partner, which stays as it is until the transaction ends. */
export async function holdPartner(tx: Tx, id: number): Promise<Partner> {
  if (!(await tryHoldPartner(tx, id))) throw noSuchPartner(id);
  return getPartner(tx, id);
}
