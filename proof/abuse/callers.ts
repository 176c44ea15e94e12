/** Everybody who could call, with what opens doors for them. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../../test/abuse/support/target.ts';
import type { Least } from '../../test/features/management/permissions.ts';
import { DEMO_PASSWORD } from '../../test/support/people.ts';
import type { PartnerLetter } from './markers.ts';
import { jsonBody, type Send } from './wire.ts';

export interface Caller {
  name: string;
  headers: Record<string, string>;
  /** Whose guests they may know; `nothing`: they are not let in at all. */
  sight: { partner: PartnerLetter } | { operatorId: number } | 'everything' | 'no guests' | 'nothing';
  /** Signed in, and so at home under `/manage` alone. */
  isPerson: boolean;
  /** What they are under `/manage`. */
  rank: Least;
}

export const isPlatform = ({ sight }: Caller) => sight === 'everything';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export async function tokenOf(send: Send, clientId: string, secret = `${clientId}-secret`): Promise<string> {
  const body = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
    audience: 'maitred',
  };
  const answer = await post(send, '/oauth/token', body);
  return answer.access_token;
}

export async function sessionOf(send: Send, email: string, password = DEMO_PASSWORD): Promise<string> {
  return (await post(send, '/manage/sessions', { email, password })).token;
}

const MOST_TRIES = 20;

/** A node that has more to do than it can do says so, and when to come again; a `HEAD` has no body to say it with. */
export const isPutOff = ({ status, headers, text }: Outcome): boolean =>
  status === 503 &&
  /^[1-9]\d*$/.test(String(headers['retry-after'])) &&
  (text === '' || text.includes('"HTTP-R-503"'));

/** A call that has to succeed, as the preparations do. */
export async function post(
  send: Send,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
  // biome-ignore lint/suspicious/noExplicitAny: the preparations read what they need of the answers they know.
): Promise<any> {
  const request = {
    method,
    path,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : jsonBody(body),
  };
  let answer = await send(request);
  for (let left = MOST_TRIES; isPutOff(answer) && left > 0; left -= 1) {
    await sleep(Number(answer.headers['retry-after']) * 1000);
    answer = await send(request);
  }
  assert.ok(
    answer.status >= 200 && answer.status < 300,
    `${method} ${path}: ${answer.status} ${answer.text}`,
  );
  return answer.text === '' ? undefined : JSON.parse(answer.text);
}

/** Those of the demo data; people of an operator that is there to be ruined join them later. */
export async function demoCallers(send: Send): Promise<Caller[]> {
  const client = async (
    id: string,
    sight: Caller['sight'],
    rank: Least = 'public',
    headers: Record<string, string> = {},
  ): Promise<Caller> => ({
    name: [id, ...Object.values(headers)].join(' for '),
    headers: { ...bearer(await tokenOf(send, id)), ...headers },
    sight,
    isPerson: false,
    rank,
  });
  const person = async (
    name: string,
    email: string,
    sight: Caller['sight'],
    rank: Least,
  ): Promise<Caller> => ({
    name,
    headers: bearer(await sessionOf(send, email)),
    sight,
    isPerson: true,
    rank,
  });
  const stranger = { sight: 'nothing', isPerson: false, rank: 'public' } as const;
  return [
    await client('demo-partner', { partner: 'A' }),
    await client('other-partner', { partner: 'B' }),
    await client('demo-agent', { partner: 'A' }, 'public', { 'x-partner-reference': 'demo-partner' }),
    // Its mandate refuses much of it.
    await client('demo-assistant', { partner: 'A' }, 'public', { 'x-partner-reference': 'demo-partner' }),
    await client('demo-agent', 'nothing'),
    await client('demo-operator', { operatorId: 1 }, 'owner'),
    await client('demo-admin', 'everything', 'platform'),
    await person('an owner of operator 1', 'owner@lamp.example', { operatorId: 1 }, 'owner'),
    await person('staff of operator 1', 'staff@lamp.example', { operatorId: 1 }, 'staff'),
    await person('a developer of partner 1', 'developer@partner.example', { partner: 'A' }, 'developer'),
    await person('somebody of the platform', 'admin@platform.example', 'everything', 'platform'),
    { ...stranger, name: 'nobody', headers: {} },
    { ...stranger, name: 'a forger', headers: bearer('a.b.c') },
  ];
}
