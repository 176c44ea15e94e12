import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { openNotifications } from '../../../src/db/notifications.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createServices, type Services } from '../../../src/services.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { REMOTE_ZONE, startRemoteBistro } from '../../support/remote-tms/harness.ts';
import { PROTOCOL_PATH, RIGHT_KEY } from '../../support/remote-tms/protocol.ts';
import type { RemoteTms } from '../../support/remote-tms/server.ts';
import { bodyOf, deskOf, lastEntry, newOperator, tagOf } from '../platform/support.ts';

let system: RemoteTms;
let sandbox: TestApp;
let staging: TestApp;
const config = { connectors: [PROTOCOL_PATH] };
before(async () => {
  system = await startRemoteBistro();
  sandbox = await startTestApp({ config });
  staging = await startTestApp({
    config: { ...config, environment: 'staging' },
    deps: { resolve: async (name) => (name === 'gone.example' ? [] : ['93.184.215.14']) },
  });
});
after(async () => {
  await sandbox.close();
  await staging.close();
  await system.close();
});

const desk = deskOf(() => sandbox);
const elsewhere = deskOf(() => staging);
const draft = (more: object = {}) => ({
  protocol: 'bistro',
  name: 'Bistro book',
  settings: { baseUrl: system.url, zone: REMOTE_ZONE },
  ...more,
});

let made = 0;
async function newSystem(more: object = {}): Promise<string> {
  made += 1;
  bodyOf(await desk.put(`/manage/systems/made-${made}`, draft(more)));
  return `made-${made}`;
}

test('a system that the platform adds is there at once, with its protocol and its limits', async () => {
  const path = '/manage/systems/bookwell';
  assertProblem(await desk.get(path), 404, 'HTTP-N-404');
  const saved = bodyOf(await desk.put(path, draft({ limits: { readTimeoutMs: 700 } })));
  assert.deepEqual(saved.limits, {
    readTimeoutMs: 700,
    writeTimeoutMs: 8000,
    maxConcurrent: 20,
    maxQueued: 10,
  });
  assert.deepEqual(bodyOf(await desk.get(path)), saved);
  const entry = await lastEntry(desk, 'system bookwell');
  assert.deepEqual([entry.action, entry.before, entry.after], ['platform-system.save', null, saved]);
  const listed = bodyOf(await desk.get('/manage/systems')).data.find(
    ({ slug }: { slug: string }) => slug === 'bookwell',
  );
  assert.deepEqual([listed.isConnected, listed.operators], [true, 0]);
  const operatorId = await newOperator(desk);
  const account = bodyOf(await desk.put(`/manage/operators/${operatorId}/systems/bookwell`, {}));
  assert.deepEqual([account.kind, account.name], ['remote', 'Bistro book']);
});

test('protocols are listed with schemas that forms are made of', async () => {
  const { data } = bodyOf(await desk.get('/manage/protocols'));
  const found = data.find(({ name }: { name: string }) => name === 'bistro');
  assert.equal(found.settings.properties.baseUrl.description, 'Where the system answers');
  assert.deepEqual(found.credentials.required, ['key']);
  const slug = await newSystem();
  const operatorId = await newOperator(desk);
  const path = `/manage/operators/${operatorId}/systems`;
  bodyOf(await desk.put(`${path}/${slug}`, {}));
  const form = bodyOf(await desk.get(`${path}/${slug}/form`));
  assert.deepEqual(form, { settings: found.accountSettings, credentials: found.credentials });
  assert.deepEqual(bodyOf(await desk.get(`${path}/house/form`)), { settings: null, credentials: null });
  assertProblem(await desk.get(`${path}/nowhere/form`), 404, 'HTTP-N-404');
});

test('what does not fit the protocol is refused with every fault, and nothing is stored', async () => {
  const path = '/manage/systems/unfit';
  const wrong = draft({ settings: { baseUrl: 5, isStrict: 'yes', more: 1 } });
  const { errors } = assertProblem(await desk.put(path, wrong), 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(errors).sort(), [
    'settings.baseUrl',
    'settings.isStrict',
    'settings.more',
    'settings.zone',
  ]);
  assertProblem(await desk.put(path, draft({ protocol: 'nope' })), 400, 'VALID-N-001');
  assertProblem(await desk.put(path, draft({ limits: { maxConcurrent: 0 } })), 400, 'VALID-N-001');
  assertProblem(await desk.put(path, draft({ limits: { more: 1 } })), 400, 'VALID-N-001');
  assertProblem(await desk.put('/manage/systems/house', draft()), 400, 'VALID-N-001');
  assertProblem(await desk.put('/manage/systems/Not%20a%20slug', draft()), 400, 'VALID-N-001');
  assertProblem(await desk.get(path), 404, 'HTTP-N-404');
});

test('the sandbox takes systems on this machine alone', async () => {
  for (const baseUrl of ['https://api.tablebook.example', 'https://93.184.215.14', 'http://10.0.0.1:80'])
    assertProblem(
      await desk.put('/manage/systems/away', draft({ settings: { baseUrl, zone: REMOTE_ZONE } })),
      403,
      'SBOX-N-001',
    );
  const slug = await newSystem();
  const operatorId = await newOperator(desk);
  const path = `/manage/operators/${operatorId}/systems/${slug}`;
  assertProblem(
    await desk.put(path, { settings: { mirror: 'https://api.tablebook.example' } }),
    403,
    'SBOX-N-001',
  );
  bodyOf(await desk.put(path, { settings: { mirror: system.url } }));
});

test('a copied database has systems elsewhere: the sandbox neither calls them nor takes credentials', async () => {
  const operatorId = await newOperator(desk);
  const slug = await newSystem();
  const path = `/manage/operators/${operatorId}/systems/${slug}`;
  bodyOf(await desk.put(path, {}));
  const settings = { baseUrl: 'https://93.184.215.14', zone: REMOTE_ZONE };
  await sandbox.sql`update system set settings = ${sandbox.sql.json(settings)} where slug = ${slug}`;
  const credentials = { fields: { key: RIGHT_KEY } };
  await eventually(async () => (await desk.get(`${path}/credentials`)).status === 403);
  for (const answer of [
    await desk.get(`${path}/credentials`),
    await desk.post(`${path}/credentials`, credentials),
    await desk.put(`${path}/credentials`, credentials),
    await desk.remove(`${path}/credentials`),
  ])
    assertProblem(answer, 403, 'SBOX-N-001');
});

test('elsewhere, a system is out on the internet and spoken to with https', async () => {
  const at = (baseUrl: string) => draft({ settings: { baseUrl, zone: REMOTE_ZONE } });
  for (const baseUrl of [
    system.url,
    'http://api.tablebook.example',
    'https://10.0.0.1',
    'https://user:secret@api.tablebook.example',
    'https://gone.example',
  ]) {
    const { errors } = assertProblem(
      await elsewhere.put('/manage/systems/away', at(baseUrl)),
      400,
      'VALID-N-001',
    );
    assert.deepEqual(Object.keys(errors), ['settings.baseUrl']);
  }
  bodyOf(await elsewhere.put('/manage/systems/away', at('https://api.tablebook.example')));
});

test('a system that operators use stays, and keeps its protocol', async () => {
  const slug = await newSystem();
  const path = `/manage/systems/${slug}`;
  const operatorId = await newOperator(desk);
  bodyOf(await desk.put(`/manage/operators/${operatorId}/systems/${slug}`, {}));
  assertProblem(await desk.remove(path), 409, 'OPRTR-N-005');
  const read = await tagOf(desk, path);
  bodyOf(await desk.put(path, draft({ name: 'Renamed' }), read));
  assertProblem(await desk.put(path, draft(), read), 412, 'HTTP-N-412');
  assert.equal((await desk.remove(`/manage/operators/${operatorId}/systems/${slug}`)).status, 204);
  assert.equal((await desk.remove(path)).status, 204);
  assertProblem(await desk.remove(path), 404, 'HTTP-N-404');
  assertProblem(await desk.put(`/manage/operators/${operatorId}/systems/${slug}`, {}), 400, 'OPRTR-N-006');
});

test('accounts are held against the protocol, settings and credentials alike', async () => {
  const slug = await newSystem();
  const operatorId = await newOperator(desk);
  const path = `/manage/operators/${operatorId}/systems/${slug}`;
  const refusal = assertProblem(
    await desk.put(path, { settings: { group: 0, region: 'eu' } }),
    400,
    'OPRTR-N-006',
  );
  assert.match(refusal.detail, /group/);
  assert.match(refusal.detail, /region/);
  bodyOf(await desk.put(path, { settings: { group: 7 } }));
  const credentials = `${path}/credentials`;
  const faults = assertProblem(
    await desk.post(credentials, { fields: { account: '1', token: 'a-secret-token' } }),
    400,
    'OPRTR-N-009',
  );
  assert.match(faults.detail, /key/);
  assert.doesNotMatch(JSON.stringify(faults), /a-secret-token/);
  assertProblem(await desk.post(credentials, { fields: { key: 'wrong' } }), 400, 'OPRTR-N-009');
  bodyOf(await desk.post(credentials, { fields: { key: RIGHT_KEY } }), 201);
  const { accounts } = sandbox.services.connections;
  assert.deepEqual(await accounts.find({ operatorId, tms: slug }), {
    settings: { group: 7 },
    credentials: { key: RIGHT_KEY },
  });
});

/** Another node on the same database. */
async function secondNode(): Promise<{ services: Services; stop(): Promise<void> }> {
  const notifications = await openNotifications(sandbox.url);
  const services = await createServices({
    config: { ...readConfig({ LOG_LEVEL: 'silent' }), ...config },
    sql: sandbox.sql,
    notifications,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock: systemClock,
  });
  return {
    services,
    async stop() {
      await services.connections.close();
      await notifications.close();
    },
  };
}

test('other nodes follow: systems come, change and go, and accounts are never old', async () => {
  const other = await secondNode();
  const { registry, accounts } = other.services.connections;
  const slug = await newSystem();
  await eventually(async () => registry.get(slug) !== undefined);
  const first = registry.get(slug);
  const operatorId = await newOperator(desk);
  const path = `/manage/operators/${operatorId}/systems/${slug}`;
  assert.equal(await accounts.find({ operatorId, tms: slug }), undefined);
  bodyOf(await desk.put(path, { settings: { group: 3 } }));
  await eventually(async () => (await accounts.find({ operatorId, tms: slug }))?.settings.group === 3);
  bodyOf(await desk.post(`${path}/credentials`, { fields: { key: RIGHT_KEY } }), 201);
  await eventually(
    async () => (await accounts.find({ operatorId, tms: slug }))?.credentials.key === RIGHT_KEY,
  );
  bodyOf(await desk.put(`/manage/systems/${slug}`, draft({ name: 'Another name' })));
  const last = await newSystem();
  await eventually(async () => registry.get(last) !== undefined);
  assert.equal(registry.get(slug), first, 'a new name does not end what the breaker has learnt');
  bodyOf(await desk.put(`/manage/systems/${slug}`, draft({ limits: { maxQueued: 1 } })));
  await eventually(async () => registry.get(slug) !== first);
  assert.equal((await desk.remove(path)).status, 204);
  await eventually(async () => (await accounts.find({ operatorId, tms: slug })) === undefined);
  assert.equal((await desk.remove(`/manage/systems/${slug}`)).status, 204);
  await eventually(async () => registry.get(slug) === undefined);
  await other.stop();
});

test('a row that no longer fits stops no node, and the system is not connected', async () => {
  const { sql } = sandbox;
  for (const [slug, protocol, settings] of [
    ['lost-protocol', 'vanished', {}],
    ['lost-settings', 'bistro', { baseUrl: system.url }],
    ['lost-zone', 'bistro', { baseUrl: system.url, zone: 'nowhere' }],
  ] as const)
    await sql`
      insert into system (slug, protocol, name, settings, limits, created_at, updated_at)
      values (${slug}, ${protocol}, 'Lost', ${sql.json(settings)}, '{}', now(), now())`;
  const other = await secondNode();
  for (const slug of ['lost-protocol', 'lost-settings', 'lost-zone'])
    assert.equal(other.services.connections.registry.get(slug), undefined);
  await other.stop();
  const listed = bodyOf(await desk.get('/manage/systems')).data.filter(
    ({ name, isConnected }: { name: string; isConnected: boolean }) => name === 'Lost' && !isConnected,
  );
  await eventually(async () => listed.length === 3);
  bodyOf(await desk.put('/manage/systems/lost-settings', draft()));
  assert.notEqual(sandbox.services.connections.registry.get('lost-settings'), undefined);
});
