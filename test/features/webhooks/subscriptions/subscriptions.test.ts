import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem, type CallOptions, startTestApp, type TestApp } from '../../../support/app.ts';

/** What the names in these tests stand for; tests change it. */
let answers: Record<string, string[]>;
let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({ deps: { resolve: async (hostname) => answers[hostname] ?? [] } });
});
after(() => maitred.close());
beforeEach(async () => {
  answers = { 'partner.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'] };
  await maitred.sql`delete from webhook`;
});

const PATH = '/webhooks/subscriptions';
const HOOK = 'https://partner.example/hook';
const UNKNOWN_ID = '019a7f52-3b1e-7c40-8d25-b7e94a06f1c3';

const post = (body: unknown, options: CallOptions = {}) =>
  maitred.call(PATH, { method: 'POST', body, ...options });
const put = (id: string, body: unknown, options: CallOptions = {}) =>
  maitred.call(`${PATH}/${id}`, { method: 'PUT', body, ...options });
const remove = (id: string, options: CallOptions = {}) =>
  maitred.call(`${PATH}/${id}`, { method: 'DELETE', ...options });

async function subscribed(callbackUrl = HOOK, more: object = {}, options: CallOptions = {}) {
  const answer = await post({ callbackUrl, ...more }, options);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

async function changed(id: string, body: object) {
  const answer = await put(id, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const listed = async (options: CallOptions = {}) => (await maitred.call(PATH, options)).json.data;
const read = async (id: string) => (await maitred.call(`${PATH}/${id}`)).json;

test('a new subscription wants everything, is active, has not changed yet, and shows its secret', async () => {
  const answer = await post({ callbackUrl: HOOK });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers['cache-control'], 'no-store');
  const { webhookId, createdAt, secretKey, ...rest } = answer.json;
  assert.match(webhookId, /^[0-9a-f-]{36}$/);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  assert.match(secretKey, /^whsec_/);
  assert.deepEqual(rest, {
    callbackUrl: HOOK,
    eventTypes: null,
    label: null,
    active: true,
    isDefault: false,
    updatedAt: null,
  });
});

test('what was made is read and listed as it was shown, but for the secret, in both forms', async () => {
  const { secretKey, ...shown } = await subscribed(HOOK, {
    eventTypes: ['venue.updated', 'booking.updated'],
    label: 'Küche',
  });
  const path = `${PATH}/${shown.webhookId}`;
  for (const [at, expected] of [
    [path, shown],
    [PATH, { data: [shown] }],
  ] as const) {
    const json = await maitred.call(at);
    assert.deepEqual(json.json, expected);
    assert.equal(json.headers['cache-control'], 'no-store');
    const toon = await maitred.call(at, { headers: { accept: 'text/toon' } });
    assert.deepEqual(decode(toon.text), expected);
    assert.ok(!json.text.includes(secretKey) && !toon.text.includes(secretKey));
  }
});

test('a partner without subscriptions has an empty list, and others are listed oldest first', async () => {
  assert.deepEqual((await maitred.call(PATH)).json, { data: [] });
  const made = [];
  for (const name of ['c', 'a', 'b']) made.push((await subscribed(`${HOOK}/${name}`)).webhookId);
  await changed(made[0], { label: 'changed last' });
  const ids = (await listed()).map(({ webhookId }: { webhookId: string }) => webhookId);
  assert.deepEqual(ids, made);
});

test('a change changes what it names and leaves the rest; null is not the same as left out', async () => {
  const { secretKey, ...made } = await subscribed(HOOK, { eventTypes: ['booking.updated'], label: 'Mine' });
  const id = made.webhookId;
  const steps: [change: object, expected: object][] = [
    [{ active: false }, { active: false }],
    [{ label: null }, { label: null }],
    [{ eventTypes: null }, { eventTypes: null }],
    [
      { label: 'Again', eventTypes: ['message.received'] },
      { label: 'Again', eventTypes: ['message.received'] },
    ],
    [
      { callbackUrl: `${HOOK}/2`, active: true },
      { callbackUrl: `${HOOK}/2`, active: true },
    ],
  ];
  let expected = made;
  for (const [change, difference] of steps) {
    const answer = await changed(id, change);
    assert.notEqual(answer.updatedAt, null);
    expected = { ...expected, ...difference, updatedAt: answer.updatedAt };
    assert.deepEqual(answer, expected);
    assert.deepEqual(await read(id), expected);
  }
  assert.equal((await listed()).length, 1);
});

test('a change that changes nothing leaves no trace', async () => {
  const { secretKey, ...made } = await subscribed(HOOK, { eventTypes: ['booking.updated'], label: 'Mine' });
  const { callbackUrl, eventTypes, label, active } = made;
  for (const change of [{}, { callbackUrl, eventTypes, label, active }]) {
    assert.deepEqual(await changed(made.webhookId, change), made);
  }
  assert.deepEqual(await read(made.webhookId), made);
});

test('what is not of the right shape is refused by its name', async () => {
  const { webhookId } = await subscribed();
  const wrong: [field: string, body: object][] = [
    ['callbackUrl', { callbackUrl: null }],
    ['callbackUrl', { callbackUrl: 7 }],
    ['callbackUrl', { callbackUrl: `https://partner.example/${'x'.repeat(2000)}` }],
    ['eventTypes', { callbackUrl: `${HOOK}/2`, eventTypes: [] }],
    ['eventTypes', { callbackUrl: `${HOOK}/2`, eventTypes: 'booking.updated' }],
    ['eventTypes.0', { callbackUrl: `${HOOK}/2`, eventTypes: [null] }],
    ['label', { callbackUrl: `${HOOK}/2`, label: 'x'.repeat(101) }],
    ['label', { callbackUrl: `${HOOK}/2`, label: 1 }],
    ['secretKey', { callbackUrl: `${HOOK}/2`, secretKey: 'whsec_mine' }],
    ['isDefault', { callbackUrl: `${HOOK}/2`, isDefault: true }],
  ];
  for (const [field, body] of wrong) {
    for (const answer of [await post(body), await put(webhookId, body)]) {
      const { errors } = assertProblem(answer, 400, 'VALID-N-001');
      assert.deepEqual(Object.keys(errors), [field], JSON.stringify(body).slice(0, 100));
    }
  }
  assertProblem(await post({}), 400, 'VALID-N-001');
  for (const active of [null, 'false', 0]) {
    assert.ok('active' in assertProblem(await put(webhookId, { active }), 400, 'VALID-N-001').errors);
  }
  assert.equal((await read(webhookId)).updatedAt, null);
  assert.equal((await subscribed(`${HOOK}/3`, { label: 'x'.repeat(100) })).label.length, 100);
});

test('a type that is never sent is refused, a ping cannot be asked for, and one asked for twice is asked for once', async () => {
  const { webhookId } = await subscribed();
  for (const type of ['booking.created', 'webhook.ping', 'Booking.Updated', '']) {
    const eventTypes = ['booking.updated', type];
    assertProblem(await post({ callbackUrl: `${HOOK}/2`, eventTypes }), 400, 'WHK-N-005');
    assertProblem(await put(webhookId, { eventTypes }), 400, 'WHK-N-005');
  }
  assert.equal((await read(webhookId)).eventTypes, null);
  const eventTypes = ['venue.updated', 'booking.updated', 'venue.updated'];
  assert.deepEqual((await changed(webhookId, { eventTypes })).eventTypes, [
    'venue.updated',
    'booking.updated',
  ]);
});

test('a callback that is not https, not public or nowhere is refused, in the same words each time', async () => {
  const { webhookId } = await subscribed();
  answers['inside.example'] = ['10.0.0.1'];
  answers['half.example'] = ['93.184.215.14', '192.168.0.1'];
  const refused = [
    '',
    'partner.example/hook',
    '/hook',
    'http://partner.example/hook',
    'ftp://partner.example/hook',
    'https://user:pass@partner.example/hook',
    'https://127.0.0.1/hook',
    'http://127.0.0.1/hook',
    'https://[::1]/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://inside.example/hook',
    'https://half.example/hook',
    'https://nowhere.example/hook',
  ];
  const details = new Set<string>();
  for (const callbackUrl of refused) {
    for (const answer of [await post({ callbackUrl }), await put(webhookId, { callbackUrl })]) {
      details.add(assertProblem(answer, 400, 'WHK-N-002').detail);
    }
  }
  assert.equal(details.size, 1);
  assert.equal((await read(webhookId)).callbackUrl, HOOK);
});

test('where an address leads is asked when it is set, and not when something else changes', async () => {
  const { webhookId } = await subscribed();
  answers['partner.example'] = ['10.0.0.1'];
  await changed(webhookId, { callbackUrl: HOOK, label: 'The same address' });
  assertProblem(await put(webhookId, { callbackUrl: `${HOOK}/2` }), 400, 'WHK-N-002');
});

test('an address is used once by a partner, however it is spelt', async () => {
  const first = await subscribed('https://partner.example/hook');
  const second = await subscribed('https://partner.example/other');
  for (const callbackUrl of [
    'https://partner.example/hook',
    'HTTPS://Partner.Example/hook',
    'https://partner.example:443/hook',
    'https://partner.example/x/../hook',
  ]) {
    assertProblem(await post({ callbackUrl }), 409, 'WHK-N-003');
    assertProblem(await put(second.webhookId, { callbackUrl, label: 'Lost' }), 409, 'WHK-N-003');
    assert.equal((await changed(first.webhookId, { callbackUrl })).callbackUrl, callbackUrl);
  }
  assert.equal((await read(second.webhookId)).label, null);
  await subscribed('https://partner.example/Hook');
  await subscribed('https://partner.example/other', {}, { as: 'other-partner' });
  await remove(first.webhookId);
  await changed(second.webhookId, { callbackUrl: 'https://partner.example/hook' });
});

test('there are ten at most, paused ones included, and each partner has its own ten', async () => {
  const made = [];
  for (let n = 1; n <= 10; n++) made.push((await subscribed(`${HOOK}/${n}`)).webhookId);
  await changed(made[0], { active: false });
  assertProblem(await post({ callbackUrl: `${HOOK}/11` }), 409, 'WHK-N-004');
  assertProblem(await post({ callbackUrl: `${HOOK}/1` }), 409, 'WHK-N-003');
  await changed(made[1], { callbackUrl: `${HOOK}/11` });
  await subscribed(`${HOOK}/1`, {}, { as: 'other-partner' });
  await remove(made[0]);
  await subscribed(`${HOOK}/1`);
  assert.equal((await listed()).length, 10);
});

test('ids that are unknown, malformed or somebody else’s are all not there, and nothing happens to what they name', async () => {
  const { secretKey, ...theirs } = await subscribed(HOOK, {}, { as: 'other-partner' });
  for (const id of [UNKNOWN_ID, theirs.webhookId, 'nonsense', '1', `${UNKNOWN_ID}0`, '%7Bid%7D']) {
    assertProblem(await maitred.call(`${PATH}/${id}`), 404, 'WHK-N-001');
    assertProblem(await put(id, { active: false }), 404, 'WHK-N-001');
    assertProblem(await remove(id), 404, 'WHK-N-001');
    assertProblem(await maitred.call(`${PATH}/${id}/secret`, { method: 'POST' }), 404, 'WHK-N-001');
  }
  assert.deepEqual(await listed(), []);
  assert.deepEqual(await listed({ as: 'other-partner' }), [theirs]);
});

test('an id in capitals is the same id', async () => {
  const { webhookId } = await subscribed();
  assert.equal((await read(webhookId.toUpperCase())).webhookId, webhookId);
  assert.equal((await changed(webhookId.toUpperCase(), { label: 'Loud' })).webhookId, webhookId);
  assert.equal((await remove(webhookId.toUpperCase())).status, 204);
});

test('an agent manages the subscriptions of the partner it acts for', async () => {
  const headers = { 'x-partner-reference': 'demo-partner' };
  const { secretKey, ...made } = await subscribed(HOOK, {}, { as: 'demo-agent', headers });
  assert.deepEqual(await listed(), [made]);
  assert.deepEqual(await listed({ as: 'demo-agent', headers }), [made]);
  assertProblem(await maitred.call(PATH, { as: 'demo-agent' }), 403, 'IDENT-N-002');
});

test('subscriptions are for partners: operators lack the right, and the platform has none of its own', async () => {
  assertProblem(await maitred.call(PATH, { as: 'demo-operator' }), 403, 'USER-N-009');
  const as = 'demo-admin';
  assertProblem(await maitred.call(PATH, { as }), 403, 'IDENT-N-002');
  assertProblem(await post({ callbackUrl: HOOK }, { as }), 403, 'IDENT-N-002');
  assertProblem(await maitred.call(`${PATH}/${UNKNOWN_ID}`, { as }), 403, 'IDENT-N-002');
  assertProblem(await put(UNKNOWN_ID, { active: false }, { as }), 403, 'IDENT-N-002');
  assertProblem(await remove(UNKNOWN_ID, { as }), 403, 'IDENT-N-002');
  assertProblem(await maitred.call(`${PATH}/1/secret`, { method: 'POST', as }), 403, 'IDENT-N-002');
});

test('a subscription that is deleted is gone, and others stay', async () => {
  const [gone, { secretKey, ...other }] = [await subscribed(), await subscribed(`${HOOK}/2`)];
  const answer = await remove(gone.webhookId);
  assert.equal(answer.status, 204);
  assert.equal(answer.text, '');
  assertProblem(await maitred.call(`${PATH}/${gone.webhookId}`), 404, 'WHK-N-001');
  assertProblem(await remove(gone.webhookId), 404, 'WHK-N-001');
  assert.deepEqual(await listed(), [other]);
});
