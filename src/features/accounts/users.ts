import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor, Role } from '../../http/auth/actor.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../http/validation/paging.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { codeOf, invalid, type Problem, problem } from '../../kernel/problem.ts';
import { checkPassword, wrongPair } from './attempts.ts';
import { type AccountsContext, changeOf, getAssignable, getUser, roleOf, subjectOf } from './context.ts';
import { findDeveloper, insertDeveloper } from './developer-store.ts';
import { aboutDeveloper } from './developers.ts';
import { assertEmail, emailKeyOf, sendToken } from './mail-tokens.ts';
import { giveRole } from './members.ts';
import { assertStrong, hashPassword } from './password.ts';
import type { NewUserBody, User, UserBody } from './schema.ts';
import { deleteOpenTokens, deleteSessionsOf } from './session-store.ts';
import * as store from './store.ts';

export interface Users {
  listUsers(query: PageQuery & { email?: string }): Promise<PageOf<User>>;
  getUser(id: string): Promise<User>;
  createUser(actor: Actor, body: NewUserBody): Promise<User>;
  changeUser(actor: Actor, id: string, body: UserBody, ifMatch: string | undefined): Promise<User>;
  removeUser(actor: Actor, id: string, ifMatch: string | undefined): Promise<void>;
}

const UNIQUE_VIOLATION = '23505';

export const emailTaken = (): Problem =>
  problem('USER-N-001', { detail: 'Another user has this email address.' });

export function createUsers(context: AccountsContext): Users {
  const { sql, auditLog } = context;

  async function change(tx: Tx, before: User, body: UserBody): Promise<void> {
    const emailKey = emailKeyOf(body.email);
    const isMoved = emailKey !== emailKeyOf(before.email);
    const isVerified = before.isVerified && !isMoved;
    try {
      await store.updateAccount(tx, before.id, { ...body, emailKey, isVerified });
    } catch (error) {
      throw codeOf(error) === UNIQUE_VIOLATION ? emailTaken() : error;
    }
    if (!isMoved && !body.isDisabled) return;
    await deleteSessionsOf(tx, before.id);
    await deleteOpenTokens(tx, before.id);
    if (isMoved) await sendToken(context, tx, await getUser(tx, before.id), 'verification');
  }

  return {
    listUsers: ({ email = '', ...page }) =>
      inSnapshot(sql, async (tx) => {
        const { users, total } = await store.listUsers(tx, emailKeyOf(email), windowOf(page));
        return pageOf(users, total, page);
      }),

    getUser: (id) => getUser(sql, id),

    async createUser(actor, { email, name, password, isPlatform = false, roles = [] }) {
      assertEmail(email);
      assertStrong(password, email);
      const wanted = roles.map(({ operatorId, role }) => ({ operatorId, role: roleOf(role) }));
      if (new Set(wanted.map(({ operatorId }) => operatorId)).size < wanted.length)
        throw invalid('roles', 'names an operator twice');
      const hashed = await hashPassword(password);
      return auditLog.create({
        actor,
        action: 'user.create',
        async write(tx) {
          const user = await addUser(tx, context, { email, name, password: hashed, isPlatform });
          for (const { operatorId, role } of wanted) {
            await getAssignable(tx, operatorId);
            await giveRole(context, tx, { actor, userId: user.id, operatorId, role });
          }
          await sendToken(context, tx, user, 'verification');
          return getUser(tx, user.id);
        },
        about: ({ id }) => ({ operatorId: null, subject: subjectOf(id) }),
      });
    },

    async changeUser(actor, id, body, ifMatch) {
      assertEmail(body.email);
      return auditLog.change({
        ...changeOf(actor, 'user.change', id, ifMatch),
        write: (tx, before) => change(tx, before, body),
      });
    },

    removeUser: (actor, id, ifMatch) =>
      auditLog.remove({
        ...changeOf(actor, 'user.remove', id, ifMatch),
        async write(tx, { roles, partners }) {
          for (const { partnerId } of partners) {
            const before = await findDeveloper(tx, partnerId, id);
            const about = aboutDeveloper(partnerId, id);
            await auditLog.record(tx, { actor, action: 'developer.remove', ...about, before });
          }
          for (const { operatorId } of roles) {
            const about = { operatorId, subject: subjectOf(id) };
            const before = await store.findMember(tx, operatorId, id);
            await auditLog.record(tx, { actor, action: 'member.remove', ...about, before });
          }
          await store.deleteAccount(tx, id);
        },
      }),
  };
}

export interface AddedUser {
  email: string;
  name: string;
  /** As `hashPassword` makes it. */
  password: string;
  isPlatform: boolean;
  /** Absent: the address has still to be confirmed. */
  isVerified?: boolean;
  roles?: readonly { operatorId: number; role: Role }[];
  /** The partners that the user is a developer of. */
  developerOf?: readonly number[];
}

export async function addUser(
  tx: Tx,
  { clock }: Pick<AccountsContext, 'clock'>,
  added: AddedUser,
): Promise<User> {
  const { isVerified = false, roles = [], developerOf = [], ...user } = added;
  const id = newId(clock);
  const emailKey = emailKeyOf(user.email);
  const isNew = await store.insertAccount(tx, { ...user, id, emailKey, isVerified, createdAt: nowOf(clock) });
  if (!isNew) throw emailTaken();
  for (const { operatorId, role } of roles) await store.saveRole(tx, id, operatorId, role);
  for (const partnerId of developerOf) await insertDeveloper(tx, partnerId, id);
  return getUser(tx, id);
}

/** What people change about themselves. */

export interface OwnAccount {
  rename(actor: Actor, name: string, ifMatch: string | undefined): Promise<User>;
  changePassword(
    actor: Actor,
    passwords: { currentPassword: string; newPassword: string; ip: string },
    ifMatch: string | undefined,
  ): Promise<User>;
}

export function createOwnAccount(context: AccountsContext): OwnAccount {
  const { sql, auditLog } = context;
  return {
    rename: (actor, name, ifMatch) =>
      auditLog.change({
        ...changeOf(actor, 'user.rename', actor.id, ifMatch),
        write: (tx) => store.updateName(tx, actor.id, name),
      }),

    async changePassword(actor, { currentPassword, newPassword, ip }, ifMatch) {
      const { email } = await getUser(sql, actor.id);
      const emailKey = emailKeyOf(email);
      const stored = (await store.findCredentials(sql, emailKey))?.password;
      await checkPassword(context, { emailKey, password: currentPassword, stored, ip });
      assertStrong(newPassword, email);
      const hashed = await hashPassword(newPassword);
      return auditLog.change({
        ...changeOf(actor, 'user.change-password', actor.id, ifMatch),
        async write(tx) {
          // The password may have been reset since it was checked, because another person knew it.
          if ((await store.lockCredentials(tx, actor.id))?.password !== stored) throw wrongPair();
          await store.updatePassword(tx, actor.id, hashed);
          await deleteSessionsOf(tx, actor.id);
          await deleteOpenTokens(tx, actor.id);
        },
      });
    },
  };
}
