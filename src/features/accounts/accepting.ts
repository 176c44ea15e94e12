/** Whoever shows the token of an invite has read the mail, so the address is theirs. */
import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../http/actor.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { actorOfUser, type Context, getUser, subjectOf } from './context.ts';
import { emailKeyOf } from './email.ts';
import * as store from './invite-store.ts';
import { giveRole } from './members.ts';
import { assertStrong, hashPassword } from './password.ts';
import type { AcceptBody, Invite, User } from './schema.ts';
import { findMember, findUserByEmail, insertAccount, setPlatform, setVerified } from './store.ts';
import { tokenHashOf } from './tokens.ts';
import { emailTaken } from './users.ts';

export interface Accepting {
  accept(body: AcceptBody): Promise<User>;
}

export function createAccepting(context: Context): Accepting {
  const { clock, sql, trail } = context;

  async function getOpen(tx: Tx, tokenHash: Buffer): Promise<Invite> {
    const invite = await store.lockInvite(tx, tokenHash);
    if (!invite)
      throw problem('USER-N-004', { detail: 'There is no such invite; it may have been withdrawn.' });
    if (invite.acceptedAt) throw problem('USER-N-005', { detail: 'This invite has been accepted.' });
    if (Temporal.Instant.compare(Temporal.Instant.from(invite.expiresAt), nowOf(clock)) <= 0)
      throw problem('USER-N-006', { detail: `This invite was good until ${invite.expiresAt}.` });
    return invite;
  }

  /** A role that the user has been given meanwhile stays. */
  async function take(tx: Tx, tokenHash: Buffer, actor: Actor): Promise<void> {
    const { id, operatorId, role, isPlatform } = await getOpen(tx, tokenHash);
    await store.acceptInvite(tx, id, nowOf(clock));
    if (isPlatform) await setPlatform(tx, actor.id);
    if (operatorId === null || role === null || (await findMember(tx, operatorId, actor.id))) return;
    await giveRole(context, tx, { actor, userId: actor.id, operatorId, role });
  }

  function join(user: User, tokenHash: Buffer): Promise<User> {
    const actor = actorOfUser(user);
    return trail.change({
      actor,
      action: 'invite.accept',
      operatorId: null,
      subject: subjectOf(user.id),
      ifMatch: undefined,
      find: (tx) => getUser(tx, user.id),
      async write(tx, { isDisabled }) {
        if (isDisabled) throw problem('USER-N-010', { detail: 'Your account has been switched off.' });
        await take(tx, tokenHash, actor);
        await setVerified(tx, user.id, emailKeyOf(user.email));
      },
    });
  }

  async function register(
    { email }: Invite,
    tokenHash: Buffer,
    { name, password }: AcceptBody,
  ): Promise<User> {
    if (name === undefined) throw invalid('name', 'is required: there is no account with your address yet');
    if (password === undefined)
      throw invalid('password', 'is required: there is no account with your address yet');
    assertStrong(password, email);
    const hashed = await hashPassword(password);
    const actor = actorOfUser({ id: newId(clock), name });
    return trail.create({
      actor,
      action: 'invite.accept',
      async write(tx) {
        const account = { email, emailKey: emailKeyOf(email), password: hashed, isVerified: true };
        const { id } = actor;
        const added = { ...account, id, name, isPlatform: false, createdAt: nowOf(clock) };
        // Looked at first, since others may accept the same one at this moment.
        await getOpen(tx, tokenHash);
        if (!(await insertAccount(tx, added))) throw emailTaken();
        await take(tx, tokenHash, actor);
        return getUser(tx, id);
      },
      about: ({ id }) => ({ operatorId: null, subject: subjectOf(id) }),
    });
  }

  return {
    async accept(body) {
      const tokenHash = tokenHashOf(body.token);
      const invite = await getOpen(sql, tokenHash);
      const user = await findUserByEmail(sql, emailKeyOf(invite.email));
      return user ? join(user, tokenHash) : register(invite, tokenHash, body);
    },
  };
}
