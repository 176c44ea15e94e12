/** What people change about themselves. */
import type { Actor } from '../../http/actor.ts';
import { checkPassword, wrongPair } from './attempts.ts';
import { type Context, changeOf, getUser } from './context.ts';
import { emailKeyOf } from './email.ts';
import { assertStrong, hashPassword } from './password.ts';
import type { User } from './schema.ts';
import { deleteSessionsOf } from './session-store.ts';
import * as store from './store.ts';
import { deleteOpenTokens } from './token-store.ts';

export interface OwnAccount {
  rename(actor: Actor, name: string, ifMatch: string | undefined): Promise<User>;
  changePassword(
    actor: Actor,
    passwords: { currentPassword: string; newPassword: string; ip: string },
    ifMatch: string | undefined,
  ): Promise<User>;
}

export function createOwnAccount(context: Context): OwnAccount {
  const { sql, trail } = context;
  return {
    rename: (actor, name, ifMatch) =>
      trail.change({
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
      return trail.change({
        ...changeOf(actor, 'user.change-password', actor.id, ifMatch),
        async write(tx) {
          // It may have been reset since it was checked, because somebody else knew it.
          if ((await store.lockCredentials(tx, actor.id))?.password !== stored) throw wrongPair();
          await store.updatePassword(tx, actor.id, hashed);
          await deleteSessionsOf(tx, actor.id);
          await deleteOpenTokens(tx, actor.id);
        },
      });
    },
  };
}
