import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import { recordingRuleLosses } from '../availability/service.ts';
import { getOperator, holdOperator, type PlatformDeps } from '../operators/service.ts';
import {
  type CategoryPath,
  MOST_CATEGORIES,
  type NewPartnerCategory,
  type PartnerCategory,
} from './schema.ts';
import {
  deleteCategory,
  findCategory,
  hasSlug,
  holdPartners,
  insertCategory,
  listCategories,
  listCategoriesWith,
  updateCategory,
} from './store.ts';

export interface Categories {
  list(operatorId: number): Promise<{ data: PartnerCategory[] }>;
  get(path: CategoryPath): Promise<PartnerCategory>;
  create(actor: Actor, operatorId: number, category: NewPartnerCategory): Promise<PartnerCategory>;
  change(
    actor: Actor,
    path: CategoryPath,
    category: NewPartnerCategory,
    ifMatch: string | undefined,
  ): Promise<PartnerCategory>;
  remove(actor: Actor, path: CategoryPath, ifMatch: string | undefined): Promise<void>;
}

const aboutCategory = (operatorId: number, id: number) => ({
  operatorId,
  subject: `partner category ${id}`,
});

export function createCategories({ sql, auditLog }: PlatformDeps): Categories {
  async function get(tx: Tx, { operatorId, categoryId }: CategoryPath): Promise<PartnerCategory> {
    await getOperator(tx, operatorId);
    const category = await findCategory(tx, operatorId, categoryId);
    if (category) return category;
    throw problem('OPRUL-N-014', { detail: `Operator ${operatorId} has no category ${categoryId}.` });
  }

  const changing = (actor: Actor, action: string, path: CategoryPath, ifMatch: string | undefined) => ({
    ...aboutCategory(path.operatorId, path.categoryId),
    actor,
    action,
    ifMatch,
    async find(tx: Tx) {
      await holdOperator(tx, path.operatorId);
      return get(tx, path);
    },
  });

  return {
    async list(operatorId) {
      await getOperator(sql, operatorId);
      return { data: await listCategories(sql, operatorId) };
    },

    get: (path) => get(sql, path),

    create: (actor, operatorId, category) =>
      auditLog.create({
        actor,
        action: 'partner-category.create',
        async write(tx) {
          await holdOperator(tx, operatorId);
          if ((await listCategories(tx, operatorId)).length >= MOST_CATEGORIES)
            throw invalid('operatorId', `has ${MOST_CATEGORIES} categories already`);
          await assertStorable(tx, operatorId, category, null);
          return get(tx, { operatorId, categoryId: await insertCategory(tx, operatorId, category) });
        },
        about: ({ id }) => aboutCategory(operatorId, id),
      }),

    change: (actor, path, category, ifMatch) =>
      auditLog.change({
        ...changing(actor, 'partner-category.change', path, ifMatch),
        async write(tx) {
          await assertStorable(tx, path.operatorId, category, path.categoryId);
          await updateCategory(tx, path.categoryId, category);
        },
      }),

    remove: (actor, path, ifMatch) =>
      auditLog.remove({
        ...changing(actor, 'partner-category.delete', path, ifMatch),
        write(tx) {
          const gone = { list: 'categoryIds', id: path.categoryId } as const;
          return recordingRuleLosses(tx, { actor, auditLog, gone }, () =>
            deleteCategory(tx, path.categoryId),
          );
        },
      }),
  };
}

/** Records that a deleted partner leaves its categories, in the audit logs of their operators. */
export async function recordMembershipsEnd(
  tx: Tx,
  auditLog: AuditLog,
  actor: Actor,
  partnerId: number,
): Promise<void> {
  for (const { operatorId, ...before } of await listCategoriesWith(tx, partnerId)) {
    const after = { ...before, partnerIds: before.partnerIds.filter((id) => id !== partnerId) };
    const about = aboutCategory(operatorId, before.id);
    await auditLog.record(tx, { ...about, actor, action: 'partner-category.change', before, after });
  }
}

async function assertStorable(
  tx: Tx,
  operatorId: number,
  { slug, partnerIds }: NewPartnerCategory,
  ownId: number | null,
): Promise<void> {
  if (await hasSlug(tx, operatorId, slug, ownId)) throw invalid('slug', 'belongs to another category');
  const known = new Set(await holdPartners(tx, partnerIds));
  const unknown = partnerIds.find((id) => !known.has(id));
  if (unknown !== undefined) throw problem('PMAP-N-004', { detail: `There is no partner ${unknown}.` });
}
