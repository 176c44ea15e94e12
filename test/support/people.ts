import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { type Answer, type CallOptions, startTestApp, type TestApp } from './app.ts';

export const DEMO_PASSWORD = 'demo-password-please-change';
export const PASSWORD = 'lanterns over quiet water';

export interface People extends TestApp {
  /** Calls with the token of a session; null: with none. */
  callWith(token: string | null, path: string, options?: Omit<CallOptions, 'as'>): Promise<Answer>;
  post(path: string, body: unknown, token?: string | null): Promise<Answer>;
  /** The token of a new session. */
  signIn(email: string, password?: string): Promise<string>;
  /** The latest mail to an address since they were last taken; undefined: none. */
  takeMail(to: string): Promise<string | undefined>;
  /** The token in that mail. */
  takeToken(to: string): Promise<string>;
  /** Invites somebody as the platform does, and accepts for them. */
  employ(email: string, role: string, operatorId?: number): Promise<{ id: string }>;
  /** Does something when so much time has passed; afterwards it is now again. */
  later<Result>(duration: Temporal.DurationLike, work: () => Promise<Result>): Promise<Result>;
}

/** The application behind a proxy with a mailbox, and a clock that can be set forward. */
export async function startPeople({ rateLimit = 0 } = {}): Promise<People> {
  const dataDir = mkdtempSync(join(tmpdir(), 'maitred-people-'));
  let shift = Temporal.Duration.from({ seconds: 0 });
  const maitred = await startTestApp({
    config: readConfig({
      LOG_LEVEL: 'silent',
      RATE_LIMIT: String(rateLimit),
      DATA_DIR: dataDir,
      TRUST_PROXY: '1',
    }),
    deps: { clock: () => Temporal.Now.instant().add(shift) },
  });
  const folder = join(dataDir, 'mail');

  const callWith: People['callWith'] = (token, path, options = {}) => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    return maitred.call(path, { ...options, as: null, headers: { ...authorization, ...options.headers } });
  };
  const post: People['post'] = (path, body, token = null) => callWith(token, path, { method: 'POST', body });

  async function takeMail(to: string): Promise<string | undefined> {
    await maitred.services.mailing.sendDue();
    const files = existsSync(folder) ? readdirSync(folder).sort() : [];
    const mails = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
    const wanted = mails.filter(({ text }) => text.startsWith(`To: ${to}\r\n`));
    for (const { file } of wanted) rmSync(join(folder, file));
    return wanted.at(-1)?.text;
  }

  async function takeToken(to: string): Promise<string> {
    const token = /#token=([\w-]{43})$/m.exec((await takeMail(to)) ?? '')?.[1];
    return token ?? assert.fail(`No mail with a token came to ${to}.`);
  }

  return {
    ...maitred,
    callWith,
    post,
    takeMail,
    takeToken,

    async signIn(email, password = DEMO_PASSWORD) {
      const answer = await post('/manage/sessions', { email, password });
      assert.equal(answer.status, 201, answer.text);
      return answer.json.token;
    },

    async employ(email, role, operatorId = 1) {
      const body = { email, operatorId, role, isPlatform: false };
      const invited = await maitred.call('/manage/invites', { method: 'POST', as: 'demo-admin', body });
      assert.equal(invited.status, 201, invited.text);
      const token = await takeToken(email);
      const accepted = await post('/manage/invites/accept', { token, name: 'New', password: PASSWORD });
      assert.equal(accepted.status, 201, accepted.text);
      return accepted.json;
    },

    async later(duration, work) {
      shift = Temporal.Duration.from(duration);
      try {
        return await work();
      } finally {
        shift = Temporal.Duration.from({ seconds: 0 });
      }
    },

    async close() {
      await maitred.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
