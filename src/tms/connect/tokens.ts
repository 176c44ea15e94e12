/** What a call proves itself with: the account's bearer token, or one from the system's token address. */
import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { Check } from 'typebox/schema';
import { DEADLINES } from '../../kernel/deadlines.ts';
import type { RemoteCall, SystemAccount, SystemFetch } from '../remote.ts';
import { TokenAnswer } from './schema.ts';

/** A token is renewed so long before its end, so that it does not end on its way. */
const MARGIN_MS = 10_000;
const DEFAULT_LIFE_SECONDS = 300;
const MOST_REMEMBERED = 1_000;

export type Token =
  | { kind: 'token'; value: string; isRenewable: boolean }
  /** The system does not let this account in. */
  | { kind: 'denied'; detail: string }
  | { kind: 'unavailable'; detail: string };

interface Remembered {
  token: Promise<Token>;
  /** On the clock of `performance`; Infinity while it is being fetched. */
  endsAt: number;
}

export function createTokens(fetch: SystemFetch, tokenUrl: string | undefined) {
  const remembered = new Map<string, Remembered>();

  async function request(
    url: string,
    clientId: string,
    clientSecret: string,
    entry: Remembered,
  ): Promise<Token> {
    const basic = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
      signal: AbortSignal.timeout(DEADLINES.remoteToken),
    });
    if ([400, 401, 403].includes(response.status))
      return { kind: 'denied', detail: `The token address refused the client with ${response.status}.` };
    const answer = response.status === 200 ? parsed(response.body) : undefined;
    if (!Check(TokenAnswer, answer))
      return { kind: 'unavailable', detail: `The token address gave no token (${response.status}).` };
    const { access_token, expires_in = DEFAULT_LIFE_SECONDS } = answer as Static<typeof TokenAnswer>;
    entry.endsAt = performance.now() + expires_in * 1000 - MARGIN_MS;
    return { kind: 'token', value: access_token, isRenewable: true };
  }

  /** Calls of the same moment share one request, which none of them can abort for the others. */
  function shared(url: string, clientId: string, clientSecret: string): Promise<Token> {
    const key = keyOf(clientId, clientSecret);
    const known = remembered.get(key);
    if (known && performance.now() < known.endsAt) return known.token;
    const entry: Remembered = { token: Promise.resolve(FAILED), endsAt: Number.POSITIVE_INFINITY };
    entry.token = request(url, clientId, clientSecret, entry)
      .catch((): Token => FAILED)
      .then((token) => {
        if (token.kind !== 'token' && remembered.get(key) === entry) remembered.delete(key);
        return token;
      });
    if (remembered.size >= MOST_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
    remembered.set(key, entry);
    return entry.token;
  }

  return {
    async get({ credentials }: SystemAccount, call: Pick<RemoteCall, 'signal'>): Promise<Token> {
      const { token, clientId, clientSecret } = credentials;
      if (tokenUrl && clientId && clientSecret)
        return Promise.race([shared(tokenUrl, clientId, clientSecret), aborted(call.signal)]);
      if (token) return { kind: 'token', value: token, isRenewable: false };
      return {
        kind: 'denied',
        detail: clientId ? 'The system has no token address.' : 'The account has no token.',
      };
    },
    /** The system no longer takes this token, whatever it said of its life. */
    forget(
      { credentials: { clientId = '', clientSecret = '' } }: SystemAccount,
      value: string,
    ): Promise<void> | void {
      const key = keyOf(clientId, clientSecret);
      const known = remembered.get(key);
      // Another call may have renewed it meanwhile.
      return known?.token.then((token) => {
        if (token.kind === 'token' && token.value === value && remembered.get(key) === known)
          remembered.delete(key);
      });
    },
  };
}

const FAILED: Token = { kind: 'unavailable', detail: 'The token address cannot be reached.' };

const keyOf = (clientId: string, clientSecret: string) =>
  createHash('sha256')
    .update(JSON.stringify([clientId, clientSecret]))
    .digest('base64');

function aborted(signal: AbortSignal): Promise<Token> {
  return new Promise((resolve) => {
    const end = () => resolve({ kind: 'unavailable', detail: 'The call ended before there was a token.' });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
