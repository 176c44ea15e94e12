import { inContestedTransaction, inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { nowOf, timestampOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import { checkPassword, wrongPair } from './attempts.ts';
import { type AccountsContext, actorOfUser, getUser, subjectOf } from './context.ts';
import { emailKeyOf, newToken, SESSION_PREFIX, tokenHashOf } from './mail-tokens.ts';
import { hashPassword, isStale } from './password.ts';
import type { NewSession, Session } from './schema.ts';
import { deleteSession, findHolder, findSession, insertSession } from './session-store.ts';
import { type Credentials, findCredentials, lockCredentials, updatePassword } from './store.ts';

const LIFETIME_HOURS = 12;
export const SESSION_SECONDS = LIFETIME_HOURS * 3_600;
const BEARER_SESSION = new RegExp(`^Bearer +(${SESSION_PREFIX}\\S*) *$`, 'i');

type BegunSession = NewSession & { token: string };

export interface Sessions {
  signIn(pair: { email: string; password: string }, ip: string): Promise<BegunSession>;
  /** Whether a header carries the token of a session, and not that of a client. */
  isSession(authorization: string | undefined): authorization is string;
  resolveSession(authorization: string): Promise<Actor>;
  getSession(actor: Actor): Promise<Session>;
  signOut(actor: Actor, ifMatch: string | undefined): Promise<void>;
}

export function createSessions(context: AccountsContext): Sessions {
  const { sql, clock, auditLog } = context;

  /** Revealed only after the password has been checked. */
  function assertMaySignIn({ isDisabled, isVerified }: Credentials): void {
    if (isDisabled) throw problem('USER-N-010', { detail: 'This account has been switched off.' });
    if (!isVerified)
      throw problem('USER-N-015', {
        detail: 'Use the token from our mail first; POST /manage/email-verifications/resend sends another.',
      });
  }

  /** Undefined: what was proven is not what is stored any more. */
  async function begin(
    tx: Tx,
    proven: Credentials,
    renewed: string | undefined,
  ): Promise<BegunSession | undefined> {
    // A password changed since the check has ended all sessions; a session for the old password must not follow.
    const current = await lockCredentials(tx, proven.id);
    if (current?.password !== proven.password) return undefined;
    assertMaySignIn(current);
    if (renewed !== undefined) await updatePassword(tx, proven.id, renewed);
    const id = newId(clock);
    const createdAt = nowOf(clock);
    const expiresAt = createdAt.add({ hours: LIFETIME_HOURS });
    const { token, tokenHash } = newToken(SESSION_PREFIX);
    await insertSession(tx, { id, tokenHash, userId: proven.id, createdAt, expiresAt });
    const user = await getUser(tx, proven.id);
    await auditLog.record(tx, {
      actor: actorOfUser(user),
      action: 'session.create',
      operatorId: null,
      subject: subjectOf(user.id),
      after: { createdAt: timestampOf(createdAt), expiresAt: timestampOf(expiresAt) },
    });
    return { token, expiresAt: timestampOf(expiresAt), user };
  }

  async function read(tx: Tx, actor: Actor): Promise<Session> {
    const session = actor.sessionId === undefined ? undefined : await findSession(tx, actor.sessionId);
    if (!session) throw sessionOver();
    const { userId, createdAt, expiresAt } = session;
    const user = await getUser(tx, userId);
    return { createdAt: timestampOf(createdAt), expiresAt: timestampOf(expiresAt), user };
  }

  const signIn: Sessions['signIn'] = async ({ email, password }, ip) => {
    const emailKey = emailKeyOf(email);
    const credentials = await findCredentials(sql, emailKey);
    await checkPassword(context, { emailKey, password, stored: credentials?.password, ip });
    if (!credentials) throw wrongPair();
    const renewed = isStale(credentials.password) ? await hashPassword(password) : undefined;
    const session = await inContestedTransaction(sql, (tx) => begin(tx, credentials, renewed));
    // The same password may only have been rehashed by a concurrent sign-in.
    return session ?? signIn({ email, password }, ip);
  };

  return {
    signIn,

    isSession: (authorization): authorization is string =>
      authorization !== undefined && BEARER_SESSION.test(authorization),

    async resolveSession(authorization) {
      const token = BEARER_SESSION.exec(authorization)?.[1] ?? '';
      const holder = await findHolder(sql, tokenHashOf(token), nowOf(clock));
      if (!holder) throw sessionOver();
      const { userId: id, sessionId, name, isPlatform, roles, partnerIds } = holder;
      const byOperator = new Map(roles.map(({ operatorId, role }) => [operatorId, role]));
      const developerOf = new Set(partnerIds);
      return { kind: 'user', id, sessionId, name, isPlatform, roles: byOperator, developerOf };
    },

    getSession: (actor) => inSnapshot(sql, (tx) => read(tx, actor)),

    signOut: (actor, ifMatch) =>
      auditLog.remove({
        actor,
        action: 'session.remove',
        operatorId: null,
        subject: subjectOf(actor.id),
        ifMatch,
        find: (tx) => read(tx, actor),
        write: (tx) => deleteSession(tx, actor.sessionId ?? ''),
      }),
  };
}

function sessionOver(): Problem {
  return problem('USER-N-013', {
    detail: 'This session has ended; sign in again with POST /manage/sessions.',
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}
