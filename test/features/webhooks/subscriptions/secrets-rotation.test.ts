import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openSecrets, type SealedSecrets } from '../../../../src/features/webhooks/subscriptions/secrets.ts';
import { createKeyring } from '../../../../src/kernel/crypto.ts';
import { assertProblem, startTestApp, type TestApp } from '../../../support/app.ts';

const PATH = '/webhooks/subscriptions';
const keys = createKeyring([Buffer.alloc(32, 7)]);

const lines: string[] = [];
let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({
    config: { webhookAllowLoopback: true, logLevel: 'trace' },
    deps: { logStream: { write: (line) => lines.push(line) } },
  });
});
after(() => maitred.close());
beforeEach(() => maitred.sql`delete from webhook`);

async function subscribe() {
  const body = { callbackUrl: 'http://127.0.0.1:9/hook' };
  const answer = await maitred.call(PATH, { method: 'POST', body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

async function rotate(id: string) {
  const answer = await maitred.call(`${PATH}/${id}/secret`, { method: 'POST' });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers['cache-control'], 'no-store');
  return answer.json;
}

/** What a delivery would be signed with, so many hours from now. */
async function signedWith(id: string, hours = 0) {
  const [stored] = await maitred.sql<SealedSecrets[]>`
    select secret, previous_secret as "previousSecret", previous_until as "previousUntil"
    from webhook where id = ${id}`;
  assert.ok(stored);
  return openSecrets(keys, id, stored, Temporal.Now.instant().add({ hours }));
}

test('a new subscription signs with the secret that was shown', async () => {
  const { webhookId, secretKey } = await subscribe();
  assert.deepEqual(await signedWith(webhookId), { current: secretKey, previous: null });
});

test('a rotation shows a new secret with the subscription, and the one before signs along for a day', async () => {
  const { secretKey: first, ...made } = await subscribe();
  const { secretKey: second, ...shown } = await rotate(made.webhookId);
  assert.match(second, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(second, first);
  assert.notEqual(shown.updatedAt, null);
  assert.deepEqual(shown, { ...made, updatedAt: shown.updatedAt });
  assert.deepEqual((await maitred.call(`${PATH}/${made.webhookId}`)).json, shown);
  assert.deepEqual(await signedWith(made.webhookId), { current: second, previous: first });
  assert.deepEqual(await signedWith(made.webhookId, 23), { current: second, previous: first });
  assert.deepEqual(await signedWith(made.webhookId, 24), { current: second, previous: null });
});

test('a second rotation within the day leaves the last two', async () => {
  const { webhookId } = await subscribe();
  const { secretKey: second } = await rotate(webhookId);
  // In capitals the id is the same, and so is what the secret is bound to.
  const { secretKey: third } = await rotate(webhookId.toUpperCase());
  assert.deepEqual(await signedWith(webhookId), { current: third, previous: second });
});

test('of rotations at the same moment the last two remain', async () => {
  const { webhookId, secretKey } = await subscribe();
  const rotated = await Promise.all(Array.from({ length: 8 }, () => rotate(webhookId)));
  const shown = rotated.map((each) => each.secretKey);
  assert.equal(new Set(shown).size, 8);
  const { current, previous } = await signedWith(webhookId);
  assert.ok(shown.includes(current) && shown.includes(previous), 'one of them is none that was shown');
  assert.ok(current !== previous && previous !== secretKey);
});

test('a change of the subscription is not one of its secrets, and answers without them', async () => {
  const { webhookId, secretKey: first } = await subscribe();
  const { secretKey: second } = await rotate(webhookId);
  const body = { label: 'Changed', active: false };
  const answer = await maitred.call(`${PATH}/${webhookId}`, { method: 'PUT', body });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(!('secretKey' in answer.json));
  assert.deepEqual(await signedWith(webhookId), { current: second, previous: first });
});

test('a paused subscription can have its secret rotated, and one that is gone cannot', async () => {
  const { webhookId } = await subscribe();
  await maitred.call(`${PATH}/${webhookId}`, { method: 'PUT', body: { active: false } });
  assert.equal((await rotate(webhookId)).active, false);
  await maitred.call(`${PATH}/${webhookId}`, { method: 'DELETE' });
  assertProblem(await maitred.call(`${PATH}/${webhookId}/secret`, { method: 'POST' }), 404, 'WHK-N-001');
});

test('secrets are in no row and in no line of the log', async () => {
  const { webhookId, secretKey: first } = await subscribe();
  const { secretKey: second } = await rotate(webhookId);
  const { secretKey: third } = await rotate(webhookId);
  const [row] = await maitred.sql`select * from webhook where id = ${webhookId}`;
  const stored = Buffer.concat([row?.secret, row?.previous_secret]).toString('latin1') + JSON.stringify(row);
  const said = lines.join('');
  assert.ok(said.includes('/webhooks/subscriptions/:webhookId/secret'), 'the log tells of the call');
  for (const secret of [first, second, third]) {
    const telling = secret.slice('whsec_'.length, 20);
    assert.ok(!stored.includes(telling));
    assert.ok(!said.includes(telling));
  }
});
