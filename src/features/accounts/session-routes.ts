import { type Static, type TSchema, Type } from 'typebox';
import type { Config } from '../../config.ts';
import { assertOwnOrigin, CLEARED_COOKIE, cookieOf } from '../../http/auth/session-cookie.ts';
import { sendLive } from '../../http/format/render.ts';
import { countRequest } from '../../http/limits/rate-limit.ts';
import { createMemoryCounter } from '../../http/limits/request-counter.ts';
import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { named } from '../../http/validation/schema-helpers.ts';
import { type Clock, epochMilliseconds } from '../../kernel/clock.ts';
import { networkOf } from '../../kernel/network.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import {
  AcceptBody,
  AccountBody,
  EmailBody,
  NewSession,
  newSessionExample,
  PasswordBody,
  ResetBody,
  Session,
  SignInBody,
  sessionExample,
  TokenBody,
  User,
  userExample,
} from './schema.ts';
import type { Accounts } from './service.ts';
import { SESSION_SECONDS } from './sessions.ts';

const TAG = 'Manage: users';

const Accepted = Type.Object(
  { status: Type.Literal('accepted') },
  named('MailRequested', 'Taken note of; whether there is such an account is not said'),
);
const accepted = { status: 'accepted' } as const;

/** Signing in, and what people do with nothing but a token from a mail. */
export function sessionRoutes(
  app: App,
  accounts: Accounts,
  { clock, config }: { clock: Clock; config: Pick<Config, 'rateLimit' | 'publicUrl'> },
): void {
  const { publicUrl, rateLimit } = config;
  const post = publicRoutes(app, { tag: TAG, clock, publicUrl, isLimited: rateLimit > 0 });
  post('/manage/sessions', {
    operationId: 'createSession',
    summary: 'Sign in',
    description:
      'The token in the answer identifies you under `/manage` for twelve hours. Ten failures in 15 minutes lock an account for 15 minutes, for the network that they came from. A hundred failures in an hour, from any network, lock it for an hour, except for networks from which its user has signed in within 90 days. With `cookie` the token is not in the answer but in the cookie `__Host-maitred`, which scripts cannot read; this is for pages of this service.',
    status: 201,
    body: SignInBody,
    result: NewSession,
    example: newSessionExample,
    problems: ['USER-N-003', 'USER-N-010', 'USER-N-014', 'USER-N-015', 'USER-N-016'],
    async run({ cookie, ...pair }, { ip, assertOwn, setCookie }) {
      if (!cookie) return accounts.signIn(pair, ip);
      // Another site could sign its visitor in to an account of its own.
      assertOwn();
      const session = await accounts.signIn(pair, ip);
      setCookie(cookieOf(session.token, SESSION_SECONDS));
      return { ...session, token: null };
    },
  });
  post('/manage/invites/accept', {
    operationId: 'acceptInvite',
    summary: 'Accept an invite',
    description:
      'Makes your account with the address that the mail went to. If there is one already, the role is added to it; its name and password stay as they are, and need not be sent.',
    status: 201,
    body: AcceptBody,
    result: User,
    example: userExample,
    problems: ['USER-N-001', 'USER-N-004', 'USER-N-005', 'USER-N-006', 'USER-N-010', 'USER-N-012'],
    run: (body) => accounts.accept(body),
  });
  mailTokenRoutes(post, accounts);
  currentSessionRoutes(app, accounts);
  ownAccountRoutes(app, accounts);
}

function mailTokenRoutes(post: ReturnType<typeof publicRoutes>, accounts: Accounts): void {
  const requesting =
    (purpose: Parameters<Accounts['request']>[1]) =>
    async ({ email }: Static<typeof EmailBody>) => {
      await accounts.request(email, purpose);
      return accepted;
    };
  post('/manage/email-verifications', {
    operationId: 'verifyEmail',
    summary: 'Confirm an email address',
    description: 'With the token from the mail, which lasts three days and can be used once.',
    status: 200,
    body: TokenBody,
    result: User,
    example: userExample,
    problems: ['USER-N-004', 'USER-N-005', 'USER-N-006'],
    run: ({ token }) => accounts.verifyEmail(token),
  });
  post('/manage/email-verifications/resend', {
    operationId: 'resendVerification',
    summary: 'Have the mail sent again that confirms an address',
    description: 'At most once a minute. The token that was sent before stops working.',
    status: 202,
    body: EmailBody,
    result: Accepted,
    example: accepted,
    problems: ['USER-N-011'],
    run: requesting('verification'),
  });
  post('/manage/password-resets', {
    operationId: 'requestPasswordReset',
    summary: 'Request a new password',
    description: 'Sends a mail with a token that lasts an hour, at most once a minute.',
    status: 202,
    body: EmailBody,
    result: Accepted,
    example: accepted,
    problems: ['USER-N-011'],
    run: requesting('password-reset'),
  });
  post('/manage/password-resets/confirm', {
    operationId: 'resetPassword',
    summary: 'Set a new password',
    description: 'Ends all sessions of the account and unlocks it.',
    status: 200,
    body: ResetBody,
    result: User,
    example: userExample,
    problems: ['USER-N-004', 'USER-N-005', 'USER-N-006', 'USER-N-012'],
    run: (body) => accounts.resetPassword(body),
  });
}

function currentSessionRoutes(app: App, accounts: Accounts): void {
  const routes = manageRoutes(app, TAG);
  routes.get('/manage/sessions/current', {
    access: 'manage:user',
    operationId: 'getSession',
    summary: 'Who you are, and until when',
    description: 'The session whose token or cookie you send.',
    result: Session,
    example: sessionExample,
    run: ({ actor }) => accounts.getSession(actor),
  });
  routes.remove('/manage/sessions/current', {
    access: 'manage:user',
    operationId: 'endSession',
    summary: 'Sign out',
    description: 'The token stops working at once. A browser that has it as a cookie is told to forget it.',
    params: Type.Object({}),
    headersOf: ({ isByCookie }): Record<string, string> =>
      isByCookie ? { 'set-cookie': CLEARED_COOKIE } : {},
    run: ({ actor, ifMatch }) => accounts.signOut(actor, ifMatch),
  });
}

function ownAccountRoutes(app: App, accounts: Accounts): void {
  const routes = manageRoutes(app, TAG);
  routes.get('/manage/account', {
    access: 'manage:user',
    operationId: 'getAccount',
    summary: 'Your account',
    description: 'What is known about you.',
    result: User,
    example: userExample,
    run: ({ actor }) => accounts.getUser(actor.id),
  });
  routes.put('/manage/account', {
    access: 'manage:user',
    operationId: 'changeAccount',
    summary: 'Change your name',
    description: 'Addresses are changed by the platform.',
    body: AccountBody,
    result: User,
    example: userExample,
    run: ({ actor, body, ifMatch }) => accounts.rename(actor, body.name, ifMatch),
  });
  routes.put('/manage/account/password', {
    access: 'manage:user',
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'Ends all your sessions, this one too: sign in again. A wrong one counts as a failed sign-in.',
    body: PasswordBody,
    result: User,
    example: userExample,
    problems: ['USER-N-003', 'USER-N-012', 'USER-N-014'],
    run: ({ actor, body, ifMatch, ip }) => accounts.changePassword(actor, { ...body, ip }, ifMatch),
  });
}

/**
 * Routes for people who have not signed in yet. They need no token, so calls are limited by address: this prevents
 * guessing tokens, trying many accounts and sending thousands of mails.
 */

const CALLS_A_MINUTE = 100;
const MAX_BODY_BYTES = 16_384;

interface PublicCall {
  /** Where the call comes from. */
  ip: string;
  /** Throws unless it comes from a page of this service. */
  assertOwn(): void;
  setCookie(cookie: string): void;
}

interface PublicRoute<Body extends TSchema, Result extends TSchema> {
  operationId: string;
  summary: string;
  description: string;
  status: 200 | 201 | 202;
  body: Body;
  result: Result;
  example: NoInfer<Static<Result>>;
  problems: readonly ProblemCode[];
  run(body: Static<Body>, call: PublicCall): Promise<NoInfer<Static<Result>>>;
}

type PublicRoutes = <Body extends TSchema, Result extends TSchema>(
  url: string,
  route: PublicRoute<Body, Result>,
) => void;

interface PublicRouteOptions {
  tag: string;
  clock: Clock;
  publicUrl: string;
  /** False where the deployment has no limits at all (`RATE_LIMIT` 0), since something in front of it has them. */
  isLimited: boolean;
}

function publicRoutes(app: App, { tag, clock, isLimited, publicUrl }: PublicRouteOptions): PublicRoutes {
  const nowMs = () => epochMilliseconds(clock);
  const limiter = { ...createMemoryCounter({ nowMs }), limit: isLimited ? CALLS_A_MINUTE : 0, nowMs };

  function add(url: string, route: PublicRoute<TSchema, TSchema>): void {
    const { status, body, result, example, problems, run, ...words } = route;
    app.route({
      method: 'POST',
      url,
      bodyLimit: MAX_BODY_BYTES,
      config: {
        access: 'public',
        problems: [...problems, 'RATE-R-001', 'HTTP-N-413', 'HTTP-N-415'],
        example,
        isLive: true,
      },
      schema: { ...words, tags: [tag], body, response: { [status]: result } },
      onRequest: async (request, reply) => countRequest(limiter, networkOf(request.ip), reply),
      handler: async (request, reply) => {
        const call: PublicCall = {
          ip: request.ip,
          assertOwn: () => assertOwnOrigin(request, publicUrl),
          setCookie: (cookie) => void reply.header('set-cookie', cookie),
        };
        return sendLive(reply.code(status), (await run(request.body, call)) as object, 'json');
      },
    });
  }

  return (url, route) => add(url, route as unknown as PublicRoute<TSchema, TSchema>);
}
