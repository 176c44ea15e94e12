import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, deskOf, lastEntry, newOperator, newPartner, tagOf } from './support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const desk = deskOf(() => maitred);
const CLIENTS = '/manage/clients';

const askForToken = (clientId: string, secret: string) =>
  maitred.call('/oauth/token', {
    as: null,
    method: 'POST',
    body: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      audience: 'maitred',
    },
  });

async function headersOf(clientId: string, secret: string): Promise<Record<string, string>> {
  const { access_token } = bodyOf(await askForToken(clientId, secret));
  return { authorization: `Bearer ${access_token}` };
}

const newClient = async (more: object = {}) =>
  bodyOf(await desk.post(CLIENTS, { kind: 'partner', partnerId: 1, ...more }), 201);

const readVenues = async (headers: Record<string, string>) =>
  (await maitred.call('/venues?pageSize=1', { as: null, headers })).status;

test('a new client has a secret that opens, and that is shown and written down nowhere else', async () => {
  const { secret, secretId, ...client } = await newClient({ id: 'city-guide.app' });
  assert.equal(client.id, 'city-guide.app');
  assert.deepEqual(
    [client.kind, client.partnerId, client.operatorId, client.isActive],
    ['partner', 1, null, true],
  );
  assert.equal(await readVenues(await headersOf(client.id, secret)), 200);
  const read = await desk.get(`${CLIENTS}/${client.id}`);
  assert.deepEqual(bodyOf(read), client);
  const secrets = await desk.get(`${CLIENTS}/${client.id}/secrets`);
  assert.deepEqual(
    bodyOf(secrets).data.map(({ id, expiresAt }: { id: string; expiresAt: unknown }) => [id, expiresAt]),
    [[secretId, null]],
  );
  const entry = await lastEntry(desk, `client ${client.id}`);
  assert.deepEqual([entry.action, entry.before, entry.after], ['client.create', null, client]);
  for (const text of [read.text, secrets.text, JSON.stringify(entry)]) assert.ok(!text.includes(secret));
});

test('a client belongs to what its kind says, and may do no more than its kind', async () => {
  const operatorId = await newOperator(desk);
  assert.deepEqual(
    bodyOf(await desk.post(CLIENTS, { kind: 'operator', operatorId }), 201).operatorId,
    operatorId,
  );
  const narrow = await newClient({ scopes: ['venue:read'] });
  assert.deepEqual(narrow.scopes, ['venue:read']);
  for (const body of [
    { kind: 'partner' },
    { kind: 'operator' },
    { kind: 'agent', partnerId: 1 },
    { kind: 'partner', partnerId: 1, operatorId: 1 },
    { kind: 'nobody' },
    { kind: 'agent', id: 'a b' },
    { kind: 'agent', scopes: [] },
    { kind: 'agent', scopes: ['venue:read', 'venue:read'] },
    { kind: 'agent', scopes: ['platform:admin'] },
    { kind: 'platform', scopes: ['venue:read'] },
    { kind: 'agent', id: 'demo-agent' },
  ])
    assertProblem(await desk.post(CLIENTS, body), 400, 'VALID-N-001');
  assertProblem(await desk.post(CLIENTS, { kind: 'partner', partnerId: 99_999 }), 404, 'PMAP-N-004');
  assertProblem(await desk.post(CLIENTS, { kind: 'operator', operatorId: 99_999 }), 404, 'OPRTR-N-001');
});

test('clients are listed by id and by whose they are', async () => {
  const partnerId = await newPartner(desk);
  const { id } = await newClient({ partnerId });
  const only = async (query: string) =>
    bodyOf(await desk.get(`${CLIENTS}?pageSize=100&${query}`)).data.map(
      (client: { id: string }) => client.id,
    );
  assert.deepEqual(await only(`partnerId=${partnerId}`), [id]);
  assert.deepEqual(await only(`partnerId=${partnerId}&kind=agent`), []);
  assert.ok((await only('kind=platform')).includes('demo-admin'));
  assert.ok((await only('operatorId=1')).includes('demo-operator'));
  assert.deepEqual(await only('kind=agent'), (await only('kind=agent')).toSorted());
});

test('a client that is switched off stops at once, and goes on where it was when switched on', async () => {
  const { id, secret, scopes } = await newClient();
  const headers = await headersOf(id, secret);
  assert.equal(await readVenues(headers), 200);
  const path = `${CLIENTS}/${id}`;
  const read = await tagOf(desk, path);
  const off = bodyOf(await desk.put(path, { isActive: false, scopes }, read));
  assert.equal(off.isActive, false);
  await eventually(async () => (await readVenues(headers)) === 401);
  assert.equal((await askForToken(id, secret)).status, 401);
  assertProblem(await desk.put(path, { isActive: true, scopes }, read), 412, 'HTTP-N-412');
  assertProblem(await desk.remove(path, read), 412, 'HTTP-N-412');
  const entry = await lastEntry(desk, `client ${id}`);
  assert.deepEqual([entry.before.isActive, entry.after.isActive], [true, false]);
  bodyOf(await desk.put(path, { isActive: true, scopes: ['listing:read'] }));
  await eventually(async () => (await readVenues(headers)) === 403);
  assertProblem(await desk.put(path, { isActive: true, scopes: ['operator:write'] }), 400, 'VALID-N-001');
});

test('a deleted client stops at once, and nobody is given its id again', async () => {
  const { id, secret } = await newClient({ id: 'short-lived' });
  const headers = await headersOf(id, secret);
  assert.equal(await readVenues(headers), 200);
  assert.equal((await desk.remove(`${CLIENTS}/${id}`)).status, 204);
  await eventually(async () => (await readVenues(headers)) === 401);
  for (const answer of [
    await desk.get(`${CLIENTS}/${id}`),
    await desk.remove(`${CLIENTS}/${id}`),
    await desk.put(`${CLIENTS}/${id}`, { isActive: true, scopes: ['venue:read'] }),
    await desk.get(`${CLIENTS}/${id}/secrets`),
    await desk.post(`${CLIENTS}/${id}/secrets`, {}),
    await desk.get(`${CLIENTS}/${id}/partners`),
    await desk.post(`${CLIENTS}/${id}/partners`, { partnerId: 1 }),
  ])
    assertProblem(answer, 404, 'HTTP-N-404');
  const refused = assertProblem(await desk.post(CLIENTS, { kind: 'agent', id }), 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(refused.errors), ['id'], 'the name of the field that was sent');
  assert.equal(await readVenues(headers), 401);
});

test('nobody switches off or deletes the client it is calling with', async () => {
  const { scopes } = bodyOf(await desk.get(`${CLIENTS}/demo-admin`));
  assertProblem(await desk.put(`${CLIENTS}/demo-admin`, { isActive: false, scopes }), 400, 'VALID-N-001');
  assertProblem(await desk.remove(`${CLIENTS}/demo-admin`), 400, 'VALID-N-001');
  const fewer = { isActive: true, scopes: ['platform:admin'] };
  assertProblem(await desk.put(`${CLIENTS}/demo-admin`, fewer), 400, 'VALID-N-001');
  bodyOf(await desk.put(`${CLIENTS}/demo-admin`, { isActive: true, scopes }));
});

test('a client moves from one secret to the next', async () => {
  const { id, secret, secretId } = await newClient();
  const secrets = `${CLIENTS}/${id}/secrets`;
  const second = bodyOf(await desk.post(secrets, { othersExpireInSeconds: 3600 }), 201);
  for (const text of [secret, second.secret]) assert.equal((await askForToken(id, text)).status, 200);
  const [first] = bodyOf(await desk.get(secrets)).data;
  assert.equal(first.id, secretId);
  assert.ok(first.expiresAt !== null);
  const third = bodyOf(await desk.post(secrets, { othersExpireInSeconds: 0 }), 201);
  for (const text of [secret, second.secret]) assert.equal((await askForToken(id, text)).status, 401);
  const entry = await lastEntry(desk, `client ${id}`);
  assert.deepEqual([entry.action, entry.after.id], ['secret.create', third.secretId]);
  assert.ok(!JSON.stringify(entry).includes(third.secret));

  assert.equal((await desk.remove(`${secrets}/${third.secretId}`)).status, 204);
  assert.equal((await askForToken(id, third.secret)).status, 401);
  assertProblem(await desk.remove(`${secrets}/${third.secretId}`), 404, 'HTTP-N-404');
  assertProblem(await desk.remove(`${secrets}/nonsense`), 400, 'VALID-N-001');
  const others = bodyOf(await desk.get(`${CLIENTS}/demo-admin/secrets`)).data;
  assertProblem(await desk.remove(`${secrets}/${others[0].id}`), 404, 'HTTP-N-404');
});

test('a secret that ends because of a new one is written down as well', async () => {
  const { id, secretId } = await newClient();
  const [before] = bodyOf(await desk.get(`${CLIENTS}/${id}/secrets`)).data;
  bodyOf(await desk.post(`${CLIENTS}/${id}/secrets`, {}), 201);
  bodyOf(await desk.post(`${CLIENTS}/${id}/secrets`, { othersExpireInSeconds: 3600 }), 201);
  const secrets = bodyOf(await desk.get(`${CLIENTS}/${id}/secrets`)).data;
  const auditLog = bodyOf(await desk.get(`/manage/audit?subject=${encodeURIComponent(`client ${id}`)}`)).data;
  const changes = auditLog.filter(({ action }: { action: string }) => action === 'secret.change');
  assert.equal(changes.length, 2, 'two were there, and both end');
  const change = changes.find((entry: { before: { id: string } }) => entry.before.id === secretId);
  assert.deepEqual([change.before, change.after], [before, secrets[0]]);
});

test('a secret ends when it was told to, and not before it begins', async () => {
  const { id } = await newClient();
  const secrets = `${CLIENTS}/${id}/secrets`;
  const past = Temporal.Now.instant().subtract({ seconds: 1 }).toString();
  for (const body of [
    { expiresAt: past },
    { expiresAt: 'tomorrow' },
    { othersExpireInSeconds: -1 },
    { x: 1 },
  ])
    assertProblem(await desk.post(secrets, body), 400, 'VALID-N-001');
  const expiresAt = Temporal.Now.instant().add({ hours: 1 }).toString({ smallestUnit: 'millisecond' });
  assert.equal(bodyOf(await desk.post(secrets, { expiresAt }), 201).expiresAt, expiresAt);
  for (let count = 2; count < 20; count += 1) bodyOf(await desk.post(secrets, {}), 201);
  assertProblem(await desk.post(secrets, {}), 400, 'VALID-N-001');
});

test('an agent acts for the partners on its list, and for nobody else', async () => {
  const { id, secret } = await newClient({ kind: 'agent', partnerId: null });
  const reference = 'agent-friend';
  const partnerId = await newPartner(desk, { reference });
  const partners = `${CLIENTS}/${id}/partners`;
  const headers = { ...(await headersOf(id, secret)), 'x-partner-reference': reference };
  assert.equal(await readVenues(headers), 403);
  const allowed = bodyOf(await desk.post(partners, { partnerId }), 201);
  assert.deepEqual([allowed.id, allowed.reference], [partnerId, reference]);
  await eventually(async () => (await readVenues(headers)) === 200);
  assertProblem(await desk.post(partners, { partnerId }), 409, 'IDENT-N-004');
  assertProblem(await desk.post(partners, { partnerId: 99_999 }), 404, 'PMAP-N-004');
  assert.deepEqual(bodyOf(await desk.get(partners)).data, [allowed]);
  const entry = await lastEntry(desk, `client ${id}`);
  assert.deepEqual([entry.action, entry.after], ['agent.allow', allowed]);
  assert.equal((await desk.remove(`${partners}/${partnerId}`)).status, 204);
  await eventually(async () => (await readVenues(headers)) === 403);
  assertProblem(await desk.remove(`${partners}/${partnerId}`), 404, 'HTTP-N-404');
  assertProblem(await desk.post(`${CLIENTS}/demo-partner/partners`, { partnerId }), 400, 'VALID-N-001');
});

test('clients, partners and those that an agent acts for come in pages', async () => {
  const { id } = await newClient({ kind: 'agent', partnerId: null });
  const own = `${CLIENTS}/${id}/partners`;
  for (let count = 0; count < 3; count += 1)
    bodyOf(await desk.post(own, { partnerId: await newPartner(desk) }), 201);
  for (const path of [CLIENTS, '/manage/partners', '/manage/operators/1/partners', own]) {
    const { data: all, meta: whole } = bodyOf(await desk.get(`${path}?pageSize=100`));
    assert.equal(whole.totalItems, all.length, path);
    assert.ok(all.length >= 2, path);
    const last = bodyOf(await desk.get(`${path}?pageSize=1&pageNumber=${all.length}`));
    assert.deepEqual(last.data, all.slice(-1));
    const meta = { currentPage: all.length, pageSize: 1, totalItems: all.length, totalPages: all.length };
    assert.deepEqual(last.meta, meta);
    assert.equal(bodyOf(await desk.get(path)).meta.pageSize, 20);
  }
});

test('of several who let an agent act for a partner at once, one does', async () => {
  const { id } = await newClient({ kind: 'agent', partnerId: null });
  const answers = await Promise.all(
    [1, 2, 3].map(() => desk.post(`${CLIENTS}/${id}/partners`, { partnerId: 1 })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
});

test('clients are the platform’s business', async () => {
  const own = deskOf(() => maitred, 'demo-operator');
  for (const answer of [
    await own.get(CLIENTS),
    await own.get(`${CLIENTS}/demo-operator`),
    await own.post(CLIENTS, { kind: 'operator', operatorId: 1 }),
    await own.post(`${CLIENTS}/demo-operator/secrets`, {}),
    await own.get(`${CLIENTS}/demo-agent/partners`),
  ])
    assertProblem(answer, 403, 'USER-N-009');
});
