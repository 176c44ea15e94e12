/** People who are invited, sign in, change their passwords and roles, and leave; what they may do follows at once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, insist, type Told } from './caller.ts';

const OPERATOR = '/manage/operators/{operatorId}';
const PASSWORD = 'lanterns over quiet water';
const OTHER_PASSWORD = 'a boat in the morning fog';

interface Employer {
  /** Where mails are kept outside live. */
  mails: string;
  operatorId: number;
  partnerId: number;
  /** Sentences about people who could do what they may not, or could not do what they may. */
  faults: string[];
}

export async function keepEmploying(caller: Caller, employer: Employer): Promise<void> {
  for (let count = 1; !caller.stage.isOver(); count += 1) {
    const email = `${caller.name}-${count}@example.com`;
    await (count % 3 === 0 ? employUser(caller, email) : employGuest(caller, employer, { email, count }));
    await caller.rest(800);
  }
}

/** Invited by mail, to an operator or to a partner. */
async function employGuest(
  caller: Caller,
  employer: Employer,
  { email, count }: { email: string; count: number },
) {
  const { mails, operatorId, partnerId, faults } = employer;
  const isDeveloper = count % 2 === 0;
  const all = isDeveloper ? '/manage/partners/{partnerId}' : OPERATOR;
  const params: Record<string, number> = isDeveloper ? { partnerId } : { operatorId };
  const role = isDeveloper ? 'developer' : 'manager';
  const made = await caller.ask({ route: `POST ${all}/invites`, params, body: { email, role } });
  await caller.ask({ route: `GET ${all}/invites`, params });
  if (made.status !== 201) return;
  const invite = { params: { ...params, inviteId: made.answer.id } };
  await caller.ask({ route: `GET ${all}/invites/{inviteId}`, ...invite });
  if (caller.chance(0.15))
    return void (await caller.ask({ route: `DELETE ${all}/invites/{inviteId}`, ...invite }));
  const token = await tokenFor(caller, mails, email);
  if (token === undefined) return;
  const accepted = await caller.ask({
    ...{ route: 'POST /manage/invites/accept', isAnonymous: true },
    body: { token, name: 'New', password: PASSWORD },
  });
  if (accepted.status !== 201) return;
  const session = await signIn(caller, email, PASSWORD);
  if (session.status !== 201) return;
  await useAccount(caller, { email, token: session.answer.token, faults, operatorId, isDeveloper });
  const userId: string = session.answer.user.id;
  const member = { params: { ...params, userId } };
  await caller.ask({ route: `GET ${all}/users`, params });
  await caller.ask({ route: `GET ${all}/users/{userId}`, ...member });
  if (!isDeveloper) await lowerRole(caller, { email, faults, operatorId, userId });
  await insist(caller, { route: `DELETE ${all}/users/{userId}`, ...member });
}

const signIn = (caller: Caller, email: string, password: string) =>
  insist(caller, { route: 'POST /manage/sessions', isAnonymous: true, body: { email, password } });

interface Account {
  email: string;
  token: string;
  faults: string[];
  operatorId: number;
  isDeveloper: boolean;
}

/** With the token of a session in place of the caller's own. */
const as = (token: string) => ({ isAnonymous: true, headers: { authorization: `Bearer ${token}` } });

async function useAccount(caller: Caller, { email, token, faults, operatorId, isDeveloper }: Account) {
  const { ask } = caller;
  const own = as(token);
  await ask({ route: 'GET /manage/sessions/current', ...own });
  await ask({ route: 'GET /manage/account', ...own });
  await ask({ route: 'PUT /manage/account', ...own, body: { name: 'Newer' } });
  const notifications = { language: 'en', dailySummaryAt: '09:00', operators: [] };
  await ask({ route: 'GET /manage/account/notifications', ...own });
  if (!isDeveloper) await ask({ route: 'PUT /manage/account/notifications', ...own, body: notifications });
  await ask({ route: `GET ${OPERATOR}/bookings`, params: { operatorId }, ...own });
  const body = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
  const changed = await ask({ route: 'PUT /manage/account/password', ...own, body });
  if (changed.status === 200) {
    expect(faults, await signIn(caller, email, PASSWORD), [401], `the old password of ${email}`);
    expect(faults, await signIn(caller, email, OTHER_PASSWORD), [201], `the new password of ${email}`);
  }
  const ended = await ask({ route: 'DELETE /manage/sessions/current', ...own });
  if (ended.status === 204)
    expect(
      faults,
      await ask({ route: 'GET /manage/account', ...own }),
      [401],
      `an ended session of ${email}`,
    );
}

interface Member {
  email: string;
  faults: string[];
  operatorId: number;
  userId: string;
}

/** Whoever was a manager and is staff now may not make rules any more, with the session that was open before. */
async function lowerRole(caller: Caller, { email, faults, operatorId, userId }: Member): Promise<void> {
  const session = await signIn(caller, email, OTHER_PASSWORD);
  if (session.status !== 201) return;
  const params = { operatorId, userId };
  const lowered = await caller.ask({
    route: `PUT ${OPERATOR}/users/{userId}`,
    params,
    body: { role: 'staff' },
  });
  if (lowered.status !== 200) return;
  const report = { route: `GET ${OPERATOR}/reports/covers`, params: { operatorId } };
  const today = Temporal.Now.plainDateISO('UTC').toString();
  const told = await caller.ask({
    ...report,
    query: { from: today, to: today },
    ...as(session.answer.token),
  });
  expect(faults, told, [403], `${email}, who is staff, reading a report of managers`);
}

/** A user whom the platform makes, and whose address is confirmed and password reset by mail. */
async function employUser(caller: Caller, email: string): Promise<void> {
  const { ask } = caller;
  const body = { email, name: 'Made', password: PASSWORD, roles: [] };
  const made = await ask({ route: 'POST /manage/users', body });
  await ask({ route: 'GET /manage/users' });
  if (made.status !== 201) return;
  const params = { userId: made.answer.id };
  await ask({ route: 'GET /manage/users/{userId}', params });
  const changed = { name: 'Changed', email, isDisabled: false, isPlatform: false };
  await ask({ route: 'PUT /manage/users/{userId}', params, body: changed });
  await ask({ route: 'POST /manage/email-verifications/resend', isAnonymous: true, body: { email } });
  await ask({
    route: 'POST /manage/email-verifications',
    isAnonymous: true,
    body: { token: 'x'.repeat(43) },
  });
  await ask({ route: 'POST /manage/password-resets', isAnonymous: true, body: { email } });
  const reset = { token: 'y'.repeat(43), password: OTHER_PASSWORD };
  await ask({ route: 'POST /manage/password-resets/confirm', isAnonymous: true, body: reset });
  const invited = { email: `also-${email}`, operatorId: null, role: null, isPlatform: true };
  const invite = await ask({ route: 'POST /manage/invites', body: invited });
  await ask({ route: 'GET /manage/invites' });
  if (invite.status === 201) {
    const about = { params: { inviteId: invite.answer.id } };
    await ask({ route: 'GET /manage/invites/{inviteId}', ...about });
    await ask({ route: 'DELETE /manage/invites/{inviteId}', ...about });
  }
  await ask({ route: 'DELETE /manage/users/{userId}', params });
}

function expect(faults: string[], { status, code }: Told, wanted: readonly number[], what: string): void {
  // A node that is down or busy says nothing about it.
  if (status === null || status === 503 || status === 429) return;
  if (!wanted.includes(status)) faults.push(`${what} was answered ${status} ${code ?? ''}`);
}

const MAIL_POLL_MS = 300;
const MOST_POLLS = 40;
const LATEST = 40;

/** Of the latest mail to an address, which a worker writes within seconds. */
async function tokenFor({ stage }: Caller, folder: string, email: string): Promise<string | undefined> {
  for (let polls = 0; polls < MOST_POLLS && !stage.isOver(); polls += 1) {
    const files = existsSync(folder) ? readdirSync(folder).sort().reverse().slice(0, LATEST) : [];
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      if (text.startsWith(`To: ${email}\r\n`)) return /#token=([\w-]{43})$/m.exec(text)?.[1];
    }
    await sleep(MAIL_POLL_MS);
  }
  return undefined;
}
