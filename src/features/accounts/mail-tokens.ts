/** Tokens mailed to the address of an account: a caller that presents one has read that mail. */

import { hash, randomBytes } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import { nowOf } from '../../kernel/clock.ts';
import { problem } from '../../kernel/problem.ts';
import type { NewMail } from '../mail/service.ts';
import { emailHashOf, FAMILIAR_DAYS, OF_ACCOUNT } from './attempts.ts';
import { type AccountsContext, actorOfUser, subjectOf } from './context.ts';
import { assertStrong, hashPassword } from './password.ts';
import type { Invite, User } from './schema.ts';
import {
  deleteEnded,
  deleteFailures,
  deleteOpenTokens,
  deleteSessionsOf,
  findToken,
  hasTokenSince,
  type MailToken,
  type Purpose,
  replaceToken,
  spendToken,
} from './session-store.ts';
import { findUser, findUserByEmail, lockCredentials, setVerified, updatePassword } from './store.ts';

/**
 * The texts of the mails. Each has a link to a page of the console. The token is in its fragment, which browsers do not
 * send, so that it is in no log of a server or proxy.
 */

interface Tokened {
  to: string;
  token: string;
  expiresAt: Temporal.Instant;
  publicUrl: string;
}

export function inviteMail(tokened: Tokened, { role, isPlatform }: Invite, placeName?: string): NewMail {
  const offers = [
    ...(role === null ? [] : [`to work as ${role} for ${placeName}`]),
    ...(isPlatform ? ['to run the platform'] : []),
  ];
  return mailOf(tokened, 'Your invitation', [
    `You are invited ${offers.join(' and ')}.`,
    'This link accepts the invitation. If you have no account yet, you choose a name and a password there:',
    linkOf(tokened, 'invite'),
  ]);
}

function verificationMail(tokened: Tokened): NewMail {
  return mailOf(tokened, 'Please confirm your email address', [
    'Confirm that this address is yours, and you can sign in:',
    linkOf(tokened, 'verify'),
  ]);
}

function passwordResetMail(tokened: Tokened): NewMail {
  return mailOf(tokened, 'A new password', [
    'Somebody, hopefully you, wants a new password for your account. If it was not you, do nothing.',
    'This link sets the password and ends all your sessions:',
    linkOf(tokened, 'reset'),
  ]);
}

/** For people: 24 November 2026 at 23:45 UTC. */
const momentText = (at: Temporal.Instant) =>
  `${at.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

function mailOf({ to, expiresAt }: Tokened, subject: string, paragraphs: string[]): NewMail {
  const end = `The link can be used once, until ${momentText(expiresAt)}.`;
  return { to, subject, text: `${[...paragraphs, end].join('\n\n')}\n`, expiresAt };
}

const linkOf = ({ publicUrl, token }: Tokened, page: 'invite' | 'verify' | 'reset') =>
  `${publicUrl}/console/${page}#token=${token}`;

const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** Words with dots between them, on both sides; the right side has at least two. */
const ADDRESS =
  /^(?<local>[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*)@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}]{2,63}$/u;

export function assertEmail(email: string): void {
  const local = email.length <= MAX_LENGTH ? ADDRESS.exec(email)?.groups?.local : undefined;
  if (local !== undefined && local.length <= MAX_LOCAL_LENGTH) return;
  throw problem('USER-N-011', { detail: 'email must be an address such as ada@example.com.' });
}

/** Two addresses with the same key belong to the same person: capitals make no difference. */
export function emailKeyOf(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

const KINDS = {
  verification: { hours: 72, mailOf: verificationMail },
  'password-reset': { hours: 1, mailOf: passwordResetMail },
} as const;

/** A second request within this time sends no mail: the first is on its way. */
const PAUSE_SECONDS = 60;
/** For this long, a caller with an expired token is told that it has expired. */
const KEPT_DAYS = 30;

export async function sendToken(
  context: AccountsContext,
  tx: Tx,
  user: User,
  purpose: Purpose,
): Promise<void> {
  const { clock, mailing, publicUrl } = context;
  const { hours, mailOf } = KINDS[purpose];
  const createdAt = nowOf(clock);
  const expiresAt = createdAt.add({ hours });
  const { token, tokenHash } = newToken();
  await replaceToken(tx, { tokenHash, purpose, userId: user.id, createdAt, expiresAt });
  await mailing.post(tx, mailOf({ to: user.email, token, expiresAt, publicUrl }));
}

export interface MailTokens {
  /** Notes it and no more: looking for the account here would take a time that tells whether there is one. */
  request(email: string, purpose: Purpose): Promise<void>;
  verifyEmail(token: string): Promise<User>;
  resetPassword(reset: { token: string; password: string }): Promise<User>;
  forgetEnded(): Promise<void>;
}

export function createMailTokens(context: AccountsContext): MailTokens {
  const { sql, clock, auditLog, mailing } = context;

  async function sendUnlessJustSent(tx: Tx, user: User, purpose: Purpose): Promise<void> {
    const since = nowOf(clock).subtract({ seconds: PAUSE_SECONDS });
    if (await hasTokenSince(tx, { userId: user.id, purpose, since })) return;
    await sendToken(context, tx, user, purpose);
    await auditLog.record(tx, {
      actor: actorOfUser(user),
      action: `user.request-${purpose}`,
      operatorId: null,
      subject: subjectOf(user.id),
    });
  }

  /** Does nothing where there is no account that could use a token. */
  async function answerRequest(tx: Tx, emailKey: string, purpose: Purpose): Promise<undefined> {
    const found = await findUserByEmail(tx, emailKey);
    if (!found) return;
    await lockCredentials(tx, found.id);
    // Read again, since the account may have another address by now, or be deleted.
    const user = await findUserByEmail(tx, emailKey);
    const isNeeded = purpose === 'password-reset' || !user?.isVerified;
    if (user && !user.isDisabled && isNeeded) await sendUnlessJustSent(tx, user, purpose);
  }

  async function getToken(tx: Tx, purpose: Purpose, tokenHash: Buffer): Promise<MailToken & { user: User }> {
    const token = await findToken(tx, purpose, tokenHash);
    const user = token && (await findUser(tx, token.userId));
    if (!user) throw problem('USER-N-004', { detail: 'There is no such token, or a later one replaces it.' });
    if (token.usedAt) throw problem('USER-N-005', { detail: 'This token has been used.' });
    if (Temporal.Instant.compare(token.expiresAt, nowOf(clock)) <= 0)
      throw problem('USER-N-006', { detail: 'This token has expired; ask for another one.' });
    return { ...token, user };
  }

  async function redeem(
    { purpose, token, action }: { purpose: Purpose; token: string; action: string },
    prepare: (user: User) => Promise<(tx: Tx) => Promise<void>>,
  ): Promise<User> {
    const tokenHash = tokenHashOf(token);
    const { user } = await getToken(sql, purpose, tokenHash);
    const write = await prepare(user);
    return auditLog.change({
      actor: actorOfUser(user),
      action,
      operatorId: null,
      subject: subjectOf(user.id),
      ifMatch: undefined,
      find: (tx) => findUser(tx, user.id),
      async write(tx) {
        await getToken(tx, purpose, tokenHash);
        await spendToken(tx, tokenHash, nowOf(clock));
        await write(tx);
      },
    });
  }

  for (const purpose of Object.keys(KINDS) as Purpose[])
    mailing.onRequest(purpose, (tx, emailKey: string) => answerRequest(tx, emailKey, purpose));

  return {
    async request(email, purpose) {
      assertEmail(email);
      const expiresAt = nowOf(clock).add({ hours: KINDS[purpose].hours });
      await mailing.request(sql, { purpose, data: emailKeyOf(email), expiresAt });
    },

    verifyEmail: (token) =>
      redeem({ purpose: 'verification', token, action: 'user.verify-email' }, async ({ id, email }) => {
        return (tx) => setVerified(tx, id, emailKeyOf(email));
      }),

    resetPassword: ({ token, password }) =>
      redeem({ purpose: 'password-reset', token, action: 'user.reset-password' }, async (user) => {
        assertStrong(password, user.email);
        const hashed = await hashPassword(password);
        const emailKey = emailKeyOf(user.email);
        return async (tx) => {
          await updatePassword(tx, user.id, hashed);
          // The token went to this address, so it is theirs.
          await setVerified(tx, user.id, emailKey);
          await deleteSessionsOf(tx, user.id);
          await deleteOpenTokens(tx, user.id);
          await deleteFailures(tx, emailHashOf(emailKey));
        };
      }),

    async forgetEnded() {
      const now = nowOf(clock);
      await deleteEnded(sql, {
        now,
        failuresBefore: now.subtract({ minutes: 2 * OF_ACCOUNT.minutes }),
        placesBefore: now.subtract({ hours: FAMILIAR_DAYS * 24 }),
        endedBefore: now.subtract({ hours: KEPT_DAYS * 24 }),
      });
    },
  };
}

/** Distinguishes session tokens from access tokens of clients. */
export const SESSION_PREFIX = 'mts_';

/** 256 random bits: they cannot be found from their hash, and only the hash is stored. */
export function newToken(prefix = ''): { token: string; tokenHash: Buffer } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: tokenHashOf(token) };
}

export function tokenHashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
