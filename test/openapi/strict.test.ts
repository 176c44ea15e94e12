import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { after, before, test } from 'node:test';
import type { RawDocument } from '../../proof/abuse/document.ts';
import { blocksOf } from '../docs/blocks.ts';
import { runSession } from '../docs/session.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { startStrictProxy } from '../support/databases/strict-proxy.ts';
import { scratchFolder } from '../support/scratch.ts';

const SHOWN_ADDRESS = 'http://127.0.0.1:3000';
const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'There is no curl on this machine.';
const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

/** The calls of the README, from top to bottom. */
const commands = blocksOf('README.md')
  .filter(({ language, text }) => language === 'sh' && text.includes(SHOWN_ADDRESS))
  .map(({ text }) => text);

let maitred: TestApp;
let address: string;
let documents: RawDocument[];

before(async () => {
  maitred = await startTestApp();
  address = await maitred.app.listen({ host: '127.0.0.1', port: 0 });
  const served = await Promise.all(
    ['/openapi.json', '/openapi.manage.json'].map((url) => maitred.call(url, { as: null })),
  );
  documents = served.map(({ json }) => json);
});
after(() => maitred.close());

test('a strict validator accepts the calls of the README and their answers', { skip }, async (t) => {
  const proxy = await startStrictProxy(address, documents);
  t.after(() => proxy.close());
  const ran = await runSession({
    commands: commands.map((command) => command.replaceAll(SHOWN_ADDRESS, proxy.address)),
    env,
    folder: scratchFolder(t),
  });
  assert.deepEqual(proxy.faults, []);
  for (const { status, printed, complained } of ran) assert.equal(status, 0, printed + complained);
  for (const name of [
    'POST /oauth/token',
    'GET /venues',
    'GET /venues/{venueId}',
    'GET /venues/{compositeId}/availability',
    'POST /venues/{compositeId}/booking',
    'POST /v1/orders',
    'GET /manage/operators/{operatorId}/bookings',
    'GET /problems/{code}',
  ]) {
    assert.ok(proxy.called.includes(name), name);
  }
});

/** One call through a proxy that believes this document. */
async function faultsOf(document: RawDocument, path: string, options: RequestInit = {}): Promise<string[]> {
  const proxy = await startStrictProxy(address, [document]);
  const headers = { authorization: `Bearer ${await maitred.token('demo-partner')}`, ...options.headers };
  await fetch(`${proxy.address}${path}`, { ...options, headers }).then((answer) => answer.text());
  await proxy.close();
  return proxy.faults;
}

const SPARSE = [
  '/venues?pageSize=2&fields=name',
  '/venues/1%7Chouse%7Csoho-grill?fields=name,products(compositeId)',
  '/venues/bookings?fields=id',
  '/v1/listings?pageSize=2&fields=items(capabilities(id))',
];

test('whatever `fields` leaves out, a strict validator accepts the answer', async () => {
  const [partners] = documents as [RawDocument];
  for (const path of SPARSE) assert.deepEqual(await faultsOf(partners, path), [], path);
});

test('a strict validator notices a sparse answer, a parameter and a body that the document does not allow', async () => {
  const [partners] = structuredClone(documents) as [RawDocument];
  const answer = partners.paths['/venues/{venueId}']?.get?.responses[200]?.content?.['application/json'];
  assert.ok(answer);
  answer.schema = answer.schema.anyOf[0];
  const [missing = ''] = await faultsOf(partners, '/venues/1%7Chouse%7Csoho-grill?fields=name');
  assert.match(missing, /must have required property/);
  const [unknown = ''] = await faultsOf(partners, '/venues?citty=London');
  assert.match(unknown, /citty is not a parameter/);
  const faults = await faultsOf(partners, '/webhooks/subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callbackUrl: 'https://partner.example/hook', eventTypes: ['booking.eaten'] }),
  });
  assert.match(faults[0] ?? '', /must be equal to one of the allowed values/);
});
