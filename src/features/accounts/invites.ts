import { inSnapshot, type Tx } from '../../db/database.ts';
import { type Actor, assertPlatform, type PartnerRole, type Role } from '../../http/auth/actor.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../http/validation/paging.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { getOperator } from '../operators/service.ts';
import { getPartner, holdPartner } from '../partners/service.ts';
import {
  type AccountsContext,
  actorOfUser,
  getAssignable,
  getUser,
  partnerRoleOf,
  roleOf,
  subjectOf,
} from './context.ts';
import { addDeveloper } from './developers.ts';
import * as store from './invite-store.ts';
import { assertEmail, emailKeyOf, inviteMail, newToken, tokenHashOf } from './mail-tokens.ts';
import { giveRole } from './members.ts';
import { assertStrong, hashPassword } from './password.ts';
import type { AcceptBody, Invite, PartnerInviteBody, PlatformInviteBody, User } from './schema.ts';
import { findMember, findUserByEmail, insertAccount, setPlatform, setVerified } from './store.ts';
import { emailTaken } from './users.ts';

const LIFETIME_HOURS = 7 * 24;

export interface Invites {
  invite(actor: Actor, body: PlatformInviteBody): Promise<Invite>;
  inviteTo(actor: Actor, operatorId: number, body: { email: string; role: string }): Promise<Invite>;
  inviteToPartner(actor: Actor, partnerId: number, body: PartnerInviteBody): Promise<Invite>;
  listInvites(place: store.InvitePlace, page: PageQuery): Promise<PageOf<Invite>>;
  getInvite(place: store.InvitePlace, id: string): Promise<Invite>;
  withdraw(
    actor: Actor,
    invite: { place: store.InvitePlace; id: string },
    ifMatch: string | undefined,
  ): Promise<void>;
}

/** Paths may name ids in capitals. */
const subjectOfInvite = (id: string) => `invite ${id.toLowerCase()}`;

/** What an invite offers, once it is known to be possible. */
interface Offer {
  operatorId: number | null;
  partnerId: number | null;
  /** Of the operator or the partner. */
  placeName?: string;
  role: Role | PartnerRole | null;
  isPlatform: boolean;
}

export function createInvites(context: AccountsContext): Invites {
  const { sql, clock, auditLog } = context;

  async function offerOf(
    tx: Tx,
    { operatorId, partnerId = null, role, isPlatform }: Omit<PlatformInviteBody, 'email'>,
  ): Promise<Offer> {
    if (operatorId !== null && partnerId !== null)
      throw problem('USER-N-007', {
        detail: 'An invite is to an operator or to a partner; name one of them.',
      });
    if (operatorId !== null) {
      const placeName = await getAssignable(tx, operatorId);
      return { operatorId, partnerId, placeName, role: roleOf(role ?? ''), isPlatform };
    }
    if (partnerId !== null) {
      const { name: placeName } = await holdPartner(tx, partnerId);
      return { operatorId, partnerId, placeName, role: partnerRoleOf(role ?? ''), isPlatform };
    }
    if (role !== null)
      throw problem('USER-N-007', { detail: 'A role is given at an operator or a partner; name it.' });
    if (!isPlatform) throw problem('USER-N-008', { detail: 'This invite gives no role.' });
    return { operatorId, partnerId, role, isPlatform };
  }

  async function assertIsNew(tx: Tx, emailKey: string, offer: Offer): Promise<void> {
    const user = await findUserByEmail(tx, emailKey);
    if (!user || !isThere(user, offer) || (offer.isPlatform && !user.isPlatform)) return;
    throw problem('USER-N-001', {
      detail: 'The user with this address has a role there already; change that role.',
    });
  }

  async function send(tx: Tx, email: string, offer: Offer): Promise<Invite> {
    const { placeName, ...granted } = offer;
    const createdAt = nowOf(clock);
    const expiresAt = createdAt.add({ hours: LIFETIME_HOURS });
    const { token, tokenHash } = newToken();
    const sent = { id: newId(clock), tokenHash, email, emailKey: emailKeyOf(email), createdAt, expiresAt };
    const invite = await store.insertInvite(tx, { ...sent, ...granted });
    const tokened = { to: email, token, expiresAt, publicUrl: context.publicUrl };
    await context.mailing.post(tx, inviteMail(tokened, invite, placeName));
    return invite;
  }

  async function create(actor: Actor, email: string, check: (tx: Tx) => Promise<Offer>): Promise<Invite> {
    assertEmail(email);
    const emailKey = emailKeyOf(email);
    return auditLog.create({
      actor,
      action: 'invite.create',
      within: `invites to ${emailKey}`,
      async write(tx) {
        const offer = await check(tx);
        await assertIsNew(tx, emailKey, offer);
        for (const before of await store.deleteOpenInvites(tx, emailKey, offer)) {
          assertMayEnd(actor, before);
          const about = { operatorId: before.operatorId, subject: subjectOfInvite(before.id) };
          await auditLog.record(tx, { actor, action: 'invite.remove', ...about, before });
        }
        return send(tx, email, offer);
      },
      about: ({ id, operatorId }) => ({ operatorId, subject: subjectOfInvite(id) }),
    });
  }

  async function getInvite(tx: Tx, id: string, place: store.InvitePlace): Promise<Invite> {
    const invite = await store.findInvite(tx, id, place);
    if (invite) return invite;
    throw problem('USER-N-004', { detail: `There is no invite ${id}.` });
  }

  return {
    invite: (actor, body) => create(actor, body.email, (tx) => offerOf(tx, body)),

    inviteTo: (actor, operatorId, { email, role }) =>
      create(actor, email, async (tx) => {
        await getOperator(tx, operatorId);
        return offerOf(tx, { operatorId, role, isPlatform: false });
      }),

    inviteToPartner: (actor, partnerId, { email, role = 'developer' }) =>
      create(actor, email, (tx) => offerOf(tx, { operatorId: null, partnerId, role, isPlatform: false })),

    listInvites: (place, page) =>
      inSnapshot(sql, async (tx) => {
        if (place)
          await ('operatorId' in place ? getOperator(tx, place.operatorId) : getPartner(tx, place.partnerId));
        const { invites, total } = await store.listInvites(tx, place, windowOf(page));
        return pageOf(invites, total, page);
      }),

    getInvite: (place, id) => getInvite(sql, id, place),

    async withdraw(actor, { place, id }, ifMatch) {
      const { operatorId } = await getInvite(sql, id, place);
      await auditLog.remove({
        actor,
        action: 'invite.remove',
        operatorId,
        subject: subjectOfInvite(id),
        ifMatch,
        find: (tx) => getInvite(tx, id, place),
        async write(tx, before) {
          assertMayEnd(actor, before);
          if (await store.deleteInvite(tx, id)) return;
          throw problem('USER-N-005', {
            detail: 'This invite has been accepted; take the role away instead.',
          });
        },
      });
    },
  };
}

/** Whether the user has what is offered, apart from the platform where there is more. */
function isThere(user: User, { operatorId, partnerId }: Offer): boolean {
  if (operatorId !== null) return user.roles.some((role) => role.operatorId === operatorId);
  if (partnerId !== null) return user.partners.some((role) => role.partnerId === partnerId);
  return user.isPlatform;
}

/** An operator cannot withdraw an invite that also grants access to the platform. */
function assertMayEnd(actor: Actor, { isPlatform }: Invite): void {
  if (isPlatform) assertPlatform(actor);
}

/** The token of an invite proves that the invited person has read the mail, so the address is theirs. */

export interface Accepting {
  accept(body: AcceptBody): Promise<User>;
}

export function createAccepting(context: AccountsContext): Accepting {
  const { clock, sql, auditLog } = context;

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
    const { id, operatorId, partnerId, role, isPlatform } = await getOpen(tx, tokenHash);
    await store.acceptInvite(tx, id, nowOf(clock));
    if (isPlatform) await setPlatform(tx, actor.id);
    if (partnerId !== null) await addDeveloper(context, tx, { actor, userId: actor.id, partnerId });
    if (operatorId === null || role === null || (await findMember(tx, operatorId, actor.id))) return;
    await giveRole(context, tx, { actor, userId: actor.id, operatorId, role: roleOf(role) });
  }

  function join(user: User, tokenHash: Buffer): Promise<User> {
    const actor = actorOfUser(user);
    return auditLog.change({
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
    return auditLog.create({
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
