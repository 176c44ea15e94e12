/** What operators have to do with partners: whether they deal with each other, and under which name. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../http/validation/paging.ts';
import { problem } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import { getOperator, holdOperator, type PlatformDeps } from '../operators/service.ts';
import { getPartner, holdPartner } from './context.ts';
import { listMappingsAt } from './mapping-store.ts';
import { subjectOfMapping } from './mappings.ts';
import type { Association, AssociationChange, AssociationPath } from './schema.ts';
import { claimSource } from './sources.ts';
import {
  deleteAssociation,
  findAssociation,
  findSourceOf,
  hasMappingsAt,
  linkSource,
  listAssociations,
  listOperatorsOf,
  saveAssociation,
} from './store.ts';

export interface Associations {
  list(operatorId: number, page: PageQuery): Promise<PageOf<Association>>;
  get(path: AssociationPath): Promise<Association>;
  save(
    actor: Actor,
    path: AssociationPath,
    change: AssociationChange,
    ifMatch: string | undefined,
  ): Promise<Association>;
  remove(actor: Actor, path: AssociationPath, ifMatch: string | undefined): Promise<void>;
}

const aboutAssociation = ({ operatorId, partnerId }: AssociationPath) => ({
  operatorId,
  subject: `association ${operatorId} ${partnerId}`,
});

/** Records the end of a deleted partner's associations in the audit logs of their operators. */
export async function recordAssociationsEnd(
  tx: Tx,
  auditLog: AuditLog,
  actor: Actor,
  partnerId: number,
): Promise<void> {
  for (const operatorId of await listOperatorsOf(tx, partnerId)) {
    const path = { operatorId, partnerId };
    await recordMappingsEnd(tx, auditLog, actor, path);
    const before = await findAssociation(tx, path);
    await auditLog.record(tx, { ...aboutAssociation(path), actor, action: 'association.delete', before });
  }
}

async function recordMappingsEnd(
  tx: Tx,
  auditLog: AuditLog,
  actor: Actor,
  path: AssociationPath,
): Promise<void> {
  for (const before of await listMappingsAt(tx, path)) {
    const about = { operatorId: path.operatorId, subject: subjectOfMapping(before) };
    await auditLog.record(tx, { ...about, actor, action: 'mapping.delete', before });
  }
}

export function createAssociations({ sql, auditLog }: PlatformDeps): Associations {
  async function get(tx: Tx, path: AssociationPath): Promise<Association> {
    await getOperator(tx, path.operatorId);
    await getPartner(tx, path.partnerId);
    const association = await findAssociation(tx, path);
    if (association) return association;
    throw problem('BOOK-N-005', {
      detail: `Operator ${path.operatorId} has nothing to do with partner ${path.partnerId}.`,
    });
  }

  async function hold(tx: Tx, { operatorId, partnerId }: AssociationPath) {
    await holdOperator(tx, operatorId);
    return holdPartner(tx, partnerId);
  }

  return {
    list: (operatorId, page) =>
      inSnapshot(sql, async (tx) => {
        await getOperator(tx, operatorId);
        const { found, total } = await listAssociations(tx, operatorId, windowOf(page));
        return pageOf(found, total, page);
      }),

    get: (path) => get(sql, path),

    save: (actor, path, { isSuspended, source }, ifMatch) =>
      auditLog.change({
        ...aboutAssociation(path),
        actor,
        action: 'association.save',
        ifMatch,
        async find(tx) {
          await hold(tx, path);
          return findAssociation(tx, path);
        },
        async write(tx, before) {
          if (source != null) await claimSource(tx, path, source);
          else if (!before && !(await findSourceOf(tx, path.operatorId, path.partnerId)))
            throw problem('OPRTR-N-003', {
              detail: `Say with source what the systems of operator ${path.operatorId} call the partner.`,
            });
          await saveAssociation(tx, path, isSuspended);
        },
      }),

    remove: (actor, path, ifMatch) =>
      auditLog.remove({
        ...aboutAssociation(path),
        actor,
        action: 'association.delete',
        ifMatch,
        async find(tx) {
          await hold(tx, path);
          return get(tx, path);
        },
        async write(tx) {
          const { isMarketplace } = await getPartner(tx, path.partnerId);
          if (isMarketplace && (await hasMappingsAt(tx, path)))
            throw problem('PMAP-N-015', { detail: 'Take its venues off the marketplace first.' });
          await recordMappingsEnd(tx, auditLog, actor, path);
          await deleteAssociation(tx, path);
          const source = await findSourceOf(tx, path.operatorId, path.partnerId);
          if (source) await linkSource(tx, source.id, null);
        },
      }),
  };
}
