import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../http/validation/paging.ts';
import { problem } from '../../kernel/problem.ts';
import { getPartner } from '../partners/service.ts';
import type { AccountsContext } from './context.ts';
import { deleteDeveloper, findDeveloper, insertDeveloper, listDevelopers } from './developer-store.ts';
import type { PartnerMember } from './schema.ts';

/** The people who work for a partner. It sees nothing of their work for others. */
export interface Developers {
  listDevelopers(partnerId: number, page: PageQuery): Promise<PageOf<PartnerMember>>;
  getDeveloper(partnerId: number, userId: string): Promise<PartnerMember>;
  /** The last one may go too: the platform can invite others. */
  removeDeveloper(
    actor: Actor,
    developer: { partnerId: number; userId: string },
    ifMatch: string | undefined,
  ): Promise<void>;
}

/** Partners have no audit log of their own: the platform's has these entries. */
export const aboutDeveloper = (partnerId: number, userId: string) => ({
  operatorId: null,
  subject: `developer ${partnerId} ${userId.toLowerCase()}`,
});

/** Does nothing where the user is a developer already. */
export async function addDeveloper(
  { auditLog }: AccountsContext,
  tx: Tx,
  { actor, userId, partnerId }: { actor: Actor; userId: string; partnerId: number },
): Promise<void> {
  if (!(await insertDeveloper(tx, partnerId, userId))) return;
  const after = await findDeveloper(tx, partnerId, userId);
  await auditLog.record(tx, {
    ...aboutDeveloper(partnerId, userId),
    actor,
    action: 'developer.add',
    after,
  });
}

export function createDevelopers({ sql, auditLog }: AccountsContext): Developers {
  async function getDeveloper(tx: Tx, partnerId: number, userId: string): Promise<PartnerMember> {
    const developer = await findDeveloper(tx, partnerId, userId);
    if (developer) return developer;
    throw problem('USER-N-002', { detail: `No user of partner ${partnerId} has the id ${userId}.` });
  }

  return {
    listDevelopers: (partnerId, page) =>
      inSnapshot(sql, async (tx) => {
        await getPartner(tx, partnerId);
        const { developers, total } = await listDevelopers(tx, partnerId, windowOf(page));
        return pageOf(developers, total, page);
      }),

    getDeveloper: (partnerId, userId) => getDeveloper(sql, partnerId, userId),

    removeDeveloper: (actor, { partnerId, userId }, ifMatch) =>
      auditLog.remove({
        ...aboutDeveloper(partnerId, userId),
        actor,
        action: 'developer.remove',
        ifMatch,
        find: (tx) => getDeveloper(tx, partnerId, userId),
        write: (tx) => deleteDeveloper(tx, partnerId, userId),
      }),
  };
}
