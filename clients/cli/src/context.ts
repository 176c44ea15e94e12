/** What every command is given: where to print, who is logged in, when to stop. */
import { Maitred } from '@maitred/client';
import { UsageError } from './command.ts';
import type { Output } from './output.ts';
import { DEFAULT_PROFILE, DEFAULT_URL, openProfiles, type Profile, type Profiles } from './profiles.ts';

export type Env = Record<string, string | undefined>;

export interface Context {
  env: Env;
  stdin: NodeJS.ReadStream;
  out: Output;
  profiles: Profiles;
  /** `--profile`, or its variable. */
  profileName: string | undefined;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  version: string;
  /** The chosen login; throws `NotLoggedInError` without one. */
  getProfile(name?: string): Promise<Profile>;
  connect(name?: string): Promise<Maitred>;
}

/** Ends with 3. */
export class NotLoggedInError extends Error {}

type Given = Pick<Context, 'env' | 'stdin' | 'out' | 'profileName' | 'signal' | 'version'>;

export function createContext(given: Given): Context {
  const { env, out } = given;
  const profiles = openProfiles(env);

  async function getProfile(name = given.profileName): Promise<Profile> {
    const stored = await profiles.list();
    const warning = await profiles.warning();
    if (warning) out.note(warning);
    // A login that is named is meant, whatever the environment says.
    if (name !== undefined) {
      const found = stored[name];
      if (!found) throw new NotLoggedInError(`There is no login «${name}». ${loginHint(name)}`);
      return found;
    }
    return fromEnvironment(env, stored[DEFAULT_PROFILE]);
  }

  return {
    ...given,
    profiles,
    getProfile,
    async connect(name) {
      const { url, clientId, clientSecret, partnerReference } = await getProfile(name);
      return new Maitred({
        baseUrl: url,
        clientId,
        clientSecret,
        ...(partnerReference !== undefined && { partnerReference }),
      });
    },
  };
}

export const loginHint = (name: string) =>
  `Run: maitred login${name === DEFAULT_PROFILE ? '' : ` --profile ${name}`}`;

/** Each variable wins over the file; a client of the environment never gets the secret of another. */
function fromEnvironment(env: Env, stored: Profile | undefined): Profile {
  const url = env.MAITRED_URL || stored?.url || DEFAULT_URL;
  const clientId = env.MAITRED_CLIENT_ID || stored?.clientId;
  const isStored = clientId === stored?.clientId && readUrl(url) === stored?.url;
  const clientSecret = env.MAITRED_CLIENT_SECRET || (isStored ? stored?.clientSecret : undefined);
  if (clientId === undefined || clientSecret === undefined)
    throw new NotLoggedInError(
      `You are not logged in${isStored || !stored ? '' : ` at ${url} as ${clientId}`}. ${loginHint(DEFAULT_PROFILE)} (or set MAITRED_URL, MAITRED_CLIENT_ID and MAITRED_CLIENT_SECRET)`,
    );
  const partnerReference = env.MAITRED_PARTNER_REFERENCE || (isStored ? stored?.partnerReference : undefined);
  return {
    url: readUrl(url),
    clientId,
    clientSecret,
    ...(partnerReference !== undefined && { partnerReference }),
  };
}

/** Without a slash at the end. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('The address of the service looks like https://api.example.com.');
  if (url.username || url.password || url.search || url.hash)
    throw new UsageError('The address of the service has no user, query or fragment.');
  return url.href.replace(/\/+$/, '');
}
