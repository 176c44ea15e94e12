/** Tokens for trying calls. Secret and token are kept in memory only, and go with the session or the page. */
import { effect, signal } from '@preact/signals';
import { ApiProblem, isConnected } from '../../../app/api.ts';
import { user } from '../../../app/session.ts';

/** What tokens are for, unless the service was set up with another name. */
export const AUDIENCE = 'maitred';

export interface Credentials {
  clientId: string;
  secret: string;
  audience: string;
}

interface Held extends Credentials {
  token: string;
  expiresAt: number;
}

export const held = signal<Held | undefined>(undefined);

effect(() => {
  if (!user.value) held.value = undefined;
});

/** Ended a little early, so that it lasts for the call. */
const SPARE_MS = 10_000;

/** The token that is held, or another one. */
export async function tokenFor(credentials: Credentials): Promise<string> {
  const known = held.peek();
  const isSame =
    known?.clientId === credentials.clientId &&
    known.secret === credentials.secret &&
    known.audience === credentials.audience;
  if (known && isSame && known.expiresAt > Date.now()) return known.token;
  const { clientId, secret, audience } = credentials;
  const answer = await fetch('/oauth/token', {
    method: 'POST',
    credentials: 'omit',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      audience,
    }),
  });
  isConnected.value = true;
  const body = await answer.json();
  if (!answer.ok)
    throw new ApiProblem(answer.status, { title: body.error, detail: body.error_description ?? body.error });
  const expiresAt = Date.now() + body.expires_in * 1000 - SPARE_MS;
  held.value = { ...credentials, token: body.access_token, expiresAt };
  return body.access_token;
}
