import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor, Role } from '../../http/auth/actor.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../http/validation/paging.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import { getOperator, holdOperator } from '../operators/service.ts';
import { type AccountsContext, getUser, roleOf, subjectOf } from './context.ts';
import type { Member } from './schema.ts';
import { countOthers, deleteRole, findMember, listMembers, saveRole } from './store.ts';

/** The people who work for an operator. It sees nothing of their work for other operators. */
export interface Members {
  listMembers(operatorId: number, page: PageQuery): Promise<PageOf<Member>>;
  getMember(operatorId: number, userId: string): Promise<Member>;
  setRole(
    actor: Actor,
    member: { operatorId: number; userId: string; role: string },
    ifMatch: string | undefined,
  ): Promise<Member>;
  removeMember(
    actor: Actor,
    member: { operatorId: number; userId: string },
    ifMatch: string | undefined,
  ): Promise<void>;
}

/** Recorded in the operator's own audit log, which shows nothing else of the user. */
export async function giveRole(
  { auditLog }: AccountsContext,
  tx: Tx,
  { actor, userId, operatorId, role }: { actor: Actor; userId: string; operatorId: number; role: Role },
): Promise<void> {
  await saveRole(tx, userId, operatorId, role);
  const after = await findMember(tx, operatorId, userId);
  await auditLog.record(tx, { actor, action: 'member.add', operatorId, subject: subjectOf(userId), after });
}

export function createMembers({ sql, auditLog }: AccountsContext): Members {
  async function getMember(tx: Tx, operatorId: number, userId: string): Promise<Member> {
    const member = await findMember(tx, operatorId, userId);
    if (member) return member;
    throw notMember(operatorId, userId);
  }

  /** The lock serialises two owners who take each other's role at the same moment. */
  async function assertOwnerStays(tx: Tx, operatorId: number, { id, role }: Member): Promise<void> {
    await holdOperator(tx, operatorId);
    if (role !== 'owner') return;
    const { others, owners } = await countOthers(tx, operatorId, id);
    if (others === 0 || owners > 0) return;
    throw problem('USER-N-008', {
      detail: 'This is the last owner, and others work here: make one of them an owner first.',
    });
  }

  return {
    listMembers: (operatorId, page) =>
      inSnapshot(sql, async (tx) => {
        await getOperator(tx, operatorId);
        const { members, total } = await listMembers(tx, operatorId, windowOf(page));
        return pageOf(members, total, page);
      }),

    getMember: (operatorId, userId) => getMember(sql, operatorId, userId),

    async setRole(actor, { operatorId, userId, role: text }, ifMatch) {
      const role = roleOf(text);
      return auditLog.change({
        actor,
        action: 'member.change',
        operatorId,
        subject: subjectOf(userId),
        ifMatch,
        find: (tx) => findMember(tx, operatorId, userId),
        async write(tx, before) {
          if (before && role !== 'owner') await assertOwnerStays(tx, operatorId, before);
          if (!before) await assertMayAdd(tx, actor, operatorId, userId);
          await saveRole(tx, userId, operatorId, role);
        },
      });
    },

    removeMember: (actor, { operatorId, userId }, ifMatch) =>
      auditLog.remove({
        actor,
        action: 'member.remove',
        operatorId,
        subject: subjectOf(userId),
        ifMatch,
        find: (tx) => getMember(tx, operatorId, userId),
        async write(tx, before) {
          await assertOwnerStays(tx, operatorId, before);
          await deleteRole(tx, userId, operatorId);
        },
      }),
  };
}

/** Operators invite people and do not know those of others; the platform knows them all. */
async function assertMayAdd(tx: Tx, actor: Actor, operatorId: number, userId: string): Promise<void> {
  if (!actor.isPlatform) throw notMember(operatorId, userId);
  await holdOperator(tx, operatorId);
  await getUser(tx, userId);
}

const notMember = (operatorId: number, userId: string): Problem =>
  problem('USER-N-002', { detail: `No user of operator ${operatorId} has the id ${userId}.` });
