/** `login`, `logout`, `whoami`, `profiles`: who calls, and where. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Maitred } from '@maitred/client';
import { defineCommand, UsageError } from '../command.ts';
import { type Context, NotLoggedInError, readUrl } from '../context.ts';
import { DEFAULT_PROFILE, DEFAULT_URL, PROFILE_NAME, type Profile } from '../profiles.ts';

export const login = defineCommand({
  name: 'login',
  summary: 'Store the credentials of a client, once the service has accepted them',
  details: `Asks for what is not given. The secret is typed at a prompt that does not show it, comes from stdin
(--secret-stdin) or from MAITRED_CLIENT_SECRET; it is never an argument. Clients of partners, agents, operators and
the platform can all log in. A sandbox has demo-partner with the secret demo-partner-secret.`,
  options: {
    url: {
      type: 'string',
      value: 'URL',
      about: `Address of the service; ${DEFAULT_URL} if you press return`,
    },
    'client-id': { type: 'string', value: 'ID', about: 'Id of the client' },
    'secret-stdin': { type: 'boolean', about: 'Read the secret from stdin' },
    'partner-reference': { type: 'string', value: 'REFERENCE', about: 'For agents: the partner to act for' },
  },
  examples: [
    'maitred login',
    'maitred login --profile operator --client-id demo-operator',
    'pass show maitred | maitred login --client-id my-client --url https://api.example.com --secret-stdin',
  ],
  async run({ options }, context) {
    const { env, out, profiles, signal } = context;
    const name = context.profileName ?? DEFAULT_PROFILE;
    if (!PROFILE_NAME.test(name))
      throw new UsageError('The name of a profile has letters, digits, dots, dashes and underscores.');
    const url = readUrl(
      options.url ?? (env.MAITRED_URL || (await ask(context, `Address [${DEFAULT_URL}]: `, DEFAULT_URL))),
    );
    const clientId = options['client-id'] ?? (env.MAITRED_CLIENT_ID || (await ask(context, 'Client id: ')));
    const clientSecret = await readSecret(context, options['secret-stdin'] ?? false);
    const reference = options['partner-reference'] ?? env.MAITRED_PARTNER_REFERENCE;
    const profile: Profile = {
      url,
      clientId,
      clientSecret,
      ...(reference && { partnerReference: reference }),
    };
    if (isReadable(url)) out.note('This address is not encrypted: the secret can be read on its way.');
    const scopes = await scopesOf(profile, signal);
    await profiles.save(name, profile);
    out.document({ profile: name, url, clientId, scopes }, () => {
      out.line(`Logged in at ${url} as ${clientId}${name === DEFAULT_PROFILE ? '' : ` (profile ${name})`}.`);
    });
  },
});

export const logout = defineCommand({
  name: 'logout',
  summary: 'Forget a login',
  options: {},
  examples: ['maitred logout', 'maitred logout --profile operator'],
  async run(_given, { out, profiles, profileName = DEFAULT_PROFILE }) {
    if (!(await profiles.remove(profileName)))
      throw new NotLoggedInError(`There is no login «${profileName}».`);
    out.document({ profile: profileName, isLoggedIn: false }, () => out.line(`Forgot ${profileName}.`));
  },
});

export const whoami = defineCommand({
  name: 'whoami',
  summary: 'Show who you are logged in as, and what that client may do',
  options: {},
  examples: ['maitred whoami', 'maitred whoami --profile operator --json'],
  async run(_given, { out, getProfile, signal }) {
    const profile = await getProfile();
    const { url, clientId, partnerReference } = profile;
    const scopes = await scopesOf(profile, signal);
    out.document({ url, clientId, partnerReference: partnerReference ?? null, scopes }, () =>
      out.facts({ service: url, client: clientId, 'acts for': partnerReference, scopes: scopes.join(' ') }),
    );
  },
});

export const profileList = defineCommand({
  name: 'profiles',
  summary: 'List the logins that are stored here',
  options: { names: { type: 'boolean', about: 'Print the names alone' } },
  examples: ['maitred profiles'],
  async run({ options }, { out, profiles }) {
    const stored = Object.entries(await profiles.list()).map(
      ([name, { url, clientId, partnerReference }]) => ({
        name,
        url,
        clientId,
        partnerReference: partnerReference ?? null,
      }),
    );
    if (options.names) {
      for (const { name } of stored) out.line(name);
      return;
    }
    out.document(stored, () => {
      if (stored.length === 0) return out.line('There is no login yet. Run: maitred login');
      out.table(stored, [
        { title: 'PROFILE', of: ({ name }) => name },
        { title: 'CLIENT', of: ({ clientId }) => clientId },
        { title: 'SERVICE', of: ({ url }) => url },
      ]);
      out.line(`\nStored in ${profiles.file}`);
    });
  },
});

export const isReadable = (url: string) =>
  url.startsWith('http:') && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** A token tells what the client may do, and that its secret is the right one. */
async function scopesOf(profile: Profile, signal: AbortSignal): Promise<string[]> {
  const { url, clientId, clientSecret } = profile;
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const maitred = new Maitred({ baseUrl: url, token: 'none yet' });
  const { body } = await maitred.request<{ scope: string }>('POST', '/oauth/token', {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: { grant_type: 'client_credentials', audience: 'maitred' },
    signal,
  });
  return body.scope.split(' ');
}

async function readSecret(context: Context, isFromStdin: boolean): Promise<string> {
  if (isFromStdin) {
    if (context.stdin.isTTY)
      throw new UsageError(
        'A terminal would show the secret: leave --secret-stdin out, and you are asked for it.',
      );
    const secret = (await text(context.stdin)).replace(/\r?\n$/, '');
    if (secret === '') throw new UsageError('There was no secret on stdin.');
    return secret;
  }
  if (context.env.MAITRED_CLIENT_SECRET) return context.env.MAITRED_CLIENT_SECRET;
  if (!context.stdin.isTTY)
    throw new UsageError(
      'There is no terminal to ask for the secret. Use --secret-stdin or MAITRED_CLIENT_SECRET.',
    );
  return ask(context, 'Secret: ', undefined, true);
}

/** Asks on the terminal; what is typed into a hidden question is not shown. */
async function ask(context: Context, question: string, fallback?: string, isHidden = false): Promise<string> {
  const { stdin, signal } = context;
  if (!stdin.isTTY) {
    if (fallback !== undefined) return fallback;
    throw new UsageError('There is no terminal to ask on: give --client-id.');
  }
  let isMuted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      const interrupt = () => reject(new UsageError('Nothing was stored.'));
      // The terminal sends no signal while a question is open.
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT')).on('close', interrupt);
      signal.addEventListener('abort', interrupt, { once: true });
      lines.question(question, resolve);
      isMuted = isHidden;
    });
    if (isHidden) process.stderr.write('\n');
    const given = answer.trim() || fallback;
    if (!given) throw new UsageError(`${question.replace(/: $/, '')} is needed.`);
    return given;
  } finally {
    lines.close();
  }
}
