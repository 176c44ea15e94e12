/** Connects a system that speaks `connect` with an operator of a sandbox, over HTTP alone. docs/management.md explains each call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogueRun, Difference } from '../../src/features/system-catalogue/schema.ts';
import type { System, SystemTest } from '../../src/features/systems/schema.ts';

export const OPERATOR = 1;
export const SLUG = 'example';
const PARTNER = 'demo-partner';
const SYSTEM = `/manage/systems/${SLUG}`;
const ACCOUNT = `/manage/operators/${OPERATOR}/systems/${SLUG}`;
const MOST_LINES = 10;
const ASK_AGAIN_MS = 200;

export interface Given {
  /** Of the sandbox. */
  node: string;
  /** Of the system. */
  system: string;
  token: string;
  webhookSecret: string;
  say: (line: string) => void;
}

type Call = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;
type Page<Item> = { data: Item[] };
interface Venue {
  id: string;
  tms: string;
  name: string;
}

/** A sentence for the person at the terminal. */
export class DemoError extends Error {}

export async function connectSystem(given: Given): Promise<void> {
  const { system, token, webhookSecret, say } = given;
  const call = await signIn(given.node);

  const settings = { url: system, holds: true, changes: true, tellsTables: true };
  await call('PUT', SYSTEM, { protocol: 'connect', name: 'Example tables', settings });
  say(`The platform has the system «${SLUG}» (PUT ${SYSTEM}).`);
  const { hasCredentials } = await call<System>('PUT', ACCOUNT, { settings: {} });
  say(`Operator ${OPERATOR} uses it (PUT ${ACCOUNT}).`);
  const fields = { token, webhookSecret };
  await call(hasCredentials ? 'PUT' : 'POST', `${ACCOUNT}/credentials`, { fields });
  say('Its token and the secret of its notifications are stored, encrypted (…/credentials).');
  const { ok, tookMs, problem } = await call<SystemTest>('POST', `${ACCOUNT}/test`, {});
  if (!ok) throw new DemoError(`The system does not work: ${problem}`);
  say(`The system lets us in, in ${tookMs} ms (POST …/test).`);

  await readCatalogue(call, say);
  await mapVenues(call, say);
}

async function signIn(node: string): Promise<Call> {
  const basic = Buffer.from('demo-admin:demo-admin-secret').toString('base64');
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(`${node}${path}`, init);
    const text = await response.text();
    if (response.ok) return text === '' ? undefined : JSON.parse(text);
    throw new DemoError(`${init.method} ${path} was refused with ${response.status}: ${sentenceIn(text)}`);
  };
  const { access_token: token } = await send('/oauth/token', {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', audience: 'maitred' }),
  });
  return (method, path, body) =>
    send(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

function sentenceIn(text: string): string {
  try {
    const { detail, title, error_description } = JSON.parse(text);
    return detail ?? error_description ?? title;
  } catch {
    return text.slice(0, 200);
  }
}

/** Reads, shows what is different and applies that; a second time nothing is. */
async function readCatalogue(call: Call, say: (line: string) => void): Promise<void> {
  const review = await finished(call, await call('POST', `${ACCOUNT}/catalogue?dryRun=true`, {}));
  const found = review.added + review.changed + review.withdrawn;
  say(`Its catalogue is read: ${found} differences from here (POST …/catalogue?dryRun=true).`);
  const { data } = await call<Page<Difference>>(
    'GET',
    `${ACCOUNT}/catalogue/${review.id}/differences?pageSize=${MOST_LINES}`,
  );
  for (const { kind, subject, name, resourceId } of data)
    say(`  ${kind}: ${subject} ${name}${subject === 'product' ? ` at ${resourceId}` : ''}`);
  if (found > data.length) say(`  and ${found - data.length} more`);
  if (found === 0) return;
  await finished(call, await call('POST', `${ACCOUNT}/catalogue`, { reviewedRunId: review.id }));
  say('They are applied (POST …/catalogue).');
}

async function finished(call: Call, begun: CatalogueRun): Promise<CatalogueRun> {
  let run = begun;
  while (run.state === 'running') {
    await sleep(ASK_AGAIN_MS);
    run = await call<CatalogueRun>('GET', `${ACCOUNT}/catalogue/${run.id}`);
  }
  if (run.state === 'failed') throw new DemoError(`The catalogue could not be read: ${run.failure}`);
  return run;
}

async function mapVenues(call: Call, say: (line: string) => void): Promise<void> {
  const partners = await call<Page<{ id: number; reference: string }>>(
    'GET',
    '/manage/partners?pageSize=100',
  );
  const partner = partners.data.find(({ reference }) => reference === PARTNER);
  if (!partner) throw new DemoError(`There is no partner ${PARTNER} here; is this a sandbox?`);
  const venues = await call<Page<Venue>>('GET', `/manage/operators/${OPERATOR}/venues?pageSize=100`);
  const terms = { maxPartySize: null, isRequestOnly: false, company: { mode: 'none', names: [] } };
  for (const { id, name } of venues.data.filter(({ tms }) => tms === SLUG)) {
    const venue = encodeURIComponent(id);
    const { data } = await call<Page<{ key: string }>>('GET', `/manage/venues/${venue}/products`);
    const productKeys = data.map(({ key }) => key);
    await call('PUT', `/manage/partners/${partner.id}/mappings/${venue}`, { ...terms, productKeys });
    say(`${name} is mapped to ${PARTNER}, with ${productKeys.join(' and ')}.`);
  }
}
