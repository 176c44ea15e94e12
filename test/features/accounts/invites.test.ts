import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { PASSWORD, type People, startPeople } from '../../support/people.ts';

let people: People;
before(async () => {
  people = await startPeople();
});
after(() => people.close());

const invite = (email: string, role = 'manager', as = 'demo-operator') =>
  people.call('/manage/operators/1/invites', { method: 'POST', as, body: { email, role } });
const platformInvite = (body: object) =>
  people.call('/manage/invites', { method: 'POST', as: 'demo-admin', body });
const accept = (token: string, more: object = { name: 'Ada', password: PASSWORD }) =>
  people.post('/manage/invites/accept', { token, ...more });
const auditLogOf = async (subject: string, operatorId = 1) => {
  const path = `/manage/operators/${operatorId}/audit?subject=${encodeURIComponent(subject)}`;
  return (await people.call(path, { as: 'demo-admin' })).json.data;
};

test('somebody who is invited accepts with the token from the mail and can sign in at once', async () => {
  const invited = await invite('Ada@lamp.example');
  assert.equal(invited.status, 201, invited.text);
  assert.deepEqual(
    [invited.json.email, invited.json.operatorId, invited.json.role, invited.json.acceptedAt],
    ['Ada@lamp.example', 1, 'manager', null],
  );
  const mail = (await people.takeMail('Ada@lamp.example')) ?? '';
  assert.match(mail, /as manager for Lamp & Larder/);
  const token = /^http:\/\/127\.0\.0\.1:3000\/console\/invite#token=([\w-]{43})\r?$/m.exec(mail)?.[1] ?? '';
  assert.doesNotMatch(mail, /curl|\/manage/);
  const accepted = await accept(token);
  assert.equal(accepted.status, 201, accepted.text);
  assert.equal(accepted.json.isVerified, true);
  assert.deepEqual(accepted.json.roles, [{ operatorId: 1, role: 'manager' }]);
  const session = await people.signIn('ada@LAMP.example', PASSWORD);
  assert.equal((await people.callWith(session, '/manage/operators/1/audit')).status, 200);
  const [entry] = await auditLogOf(`user ${accepted.json.id}`);
  assert.deepEqual(
    [entry.action, entry.actor.id, entry.after.role],
    ['member.add', accepted.json.id, 'manager'],
  );
  const [sent] = await auditLogOf(`invite ${invited.json.id}`);
  assert.deepEqual([sent.action, sent.before, sent.after], ['invite.create', null, invited.json]);
  assertProblem(await accept(token), 409, 'USER-N-005');
});

test('an invite is accepted once, however many accept it at the same time', async () => {
  await invite('twice@lamp.example');
  const token = await people.takeToken('twice@lamp.example');
  const answers = await Promise.all([accept(token), accept(token), accept(token)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
});

test('an invite that nobody sent, that was withdrawn or has expired cannot be accepted', async () => {
  assertProblem(await accept('never-sent'), 404, 'USER-N-004');
  const { id } = (await invite('gone@lamp.example')).json;
  const token = await people.takeToken('gone@lamp.example');
  const address = `/manage/operators/1/invites/${id}`;
  const stale = { 'if-match': '"doc-stale"' };
  const refused = await people.call(address, { method: 'DELETE', as: 'demo-operator', headers: stale });
  assertProblem(refused, 412, 'HTTP-N-412');
  const read = await people.call(address, { as: 'demo-operator' });
  const headers = { 'if-match': String(read.headers.etag) };
  const withdrawn = await people.call(address, { method: 'DELETE', as: 'demo-operator', headers });
  assert.equal(withdrawn.status, 204, withdrawn.text);
  assertProblem(await accept(token), 404, 'USER-N-004');
  const [entry] = await auditLogOf(`invite ${id}`);
  assert.deepEqual(
    [entry.action, entry.before.email, entry.after],
    ['invite.remove', 'gone@lamp.example', null],
  );

  await invite('late@lamp.example');
  const late = await people.takeToken('late@lamp.example');
  await people.later({ hours: 7 * 24 }, async () => assertProblem(await accept(late), 409, 'USER-N-006'));
  assert.equal((await accept(late)).status, 201);
});

test('an invite to the same address replaces the one before', async () => {
  const first = (await invite('again@lamp.example', 'staff')).json;
  const before = await people.takeToken('again@lamp.example');
  const second = (await invite('AGAIN@lamp.example', 'owner')).json;
  assertProblem(await accept(before), 404, 'USER-N-004');
  const list = (await people.call('/manage/operators/1/invites', { as: 'demo-operator' })).json.data;
  const ids = list.map(({ id }: { id: string }) => id);
  assert.ok(ids.includes(second.id) && !ids.includes(first.id));
  const mapConcurrently = await Promise.all([1, 2, 3].map(() => invite('again@lamp.example')));
  assert.deepEqual(
    mapConcurrently.map(({ status }) => status),
    [201, 201, 201],
  );
  const [row] = await people.sql`
    select count(*) from account_invite where email_key = 'again@lamp.example'`;
  assert.equal(row?.count, 1);
});

test('an account that is there gets the role and keeps name and password', async () => {
  const made = await people.employ('two-jobs@lamp.example', 'staff', 1);
  await platformInvite({ email: 'two-jobs@lamp.example', operatorId: 2, role: 'owner', isPlatform: false });
  const token = await people.takeToken('two-jobs@lamp.example');
  const accepted = await accept(token, {});
  assert.equal(accepted.status, 201, accepted.text);
  assert.deepEqual([accepted.json.id, accepted.json.name], [made.id, 'New']);
  assert.deepEqual(accepted.json.roles, [
    { operatorId: 1, role: 'staff' },
    { operatorId: 2, role: 'owner' },
  ]);
  await people.signIn('two-jobs@lamp.example', PASSWORD);
  const shown = await auditLogOf(`user ${made.id}`, 2);
  assert.ok(!JSON.stringify(shown).includes('"operatorId":1'), 'an operator reads nothing of the other one');
  assertProblem(await invite('two-jobs@lamp.example'), 409, 'USER-N-001');
});

test('whoever is invited to run the platform does so', async () => {
  const body = { email: 'root@platform.example', operatorId: null, role: null, isPlatform: true };
  assert.equal((await platformInvite(body)).status, 201);
  const token = await people.takeToken('root@platform.example');
  assert.equal((await accept(token)).json.isPlatform, true);
  const session = await people.signIn('root@platform.example', PASSWORD);
  assert.equal((await people.callWith(session, '/manage/users')).status, 200);
  assertProblem(await platformInvite(body), 409, 'USER-N-001');
});

test('an invite names an operator that exists, one of the roles and an address', async () => {
  const body = { email: 'x@lamp.example', operatorId: 1, role: 'staff', isPlatform: false };
  assertProblem(await platformInvite({ ...body, operatorId: 999 }), 400, 'USER-N-007');
  assertProblem(await platformInvite({ ...body, operatorId: 2 ** 40 }), 400, 'USER-N-007');
  assertProblem(await platformInvite({ ...body, operatorId: null }), 400, 'USER-N-007');
  assertProblem(await platformInvite({ ...body, role: 'king' }), 400, 'USER-N-008');
  assertProblem(await platformInvite({ ...body, role: null }), 400, 'USER-N-008');
  assertProblem(await platformInvite({ ...body, operatorId: null, role: null }), 400, 'USER-N-008');
  assertProblem(await invite('x@lamp.example', 'king'), 400, 'USER-N-008');
  for (const email of [
    '',
    'x',
    'x@y',
    'x y@lamp.example',
    'x@lamp.example\r\nBcc: y@z.example',
    '@lamp.example',
  ])
    assertProblem(await platformInvite({ ...body, email }), 400, 'USER-N-011');
  assertProblem(
    await people.call('/manage/operators/999/invites', {
      method: 'POST',
      as: 'demo-admin',
      body: { email: 'x@lamp.example', role: 'staff' },
    }),
    404,
    'OPRTR-N-001',
  );
  const [row] = await people.sql`select count(*) from account_invite where email_key = 'x@lamp.example'`;
  assert.equal(row?.count, 0);
});

test('a new account needs a name and a good password, and a bad one leaves the invite open', async () => {
  await invite('new@lamp.example');
  const token = await people.takeToken('new@lamp.example');
  assertProblem(await accept(token, { password: PASSWORD }), 400, 'VALID-N-001');
  assertProblem(await accept(token, { name: 'New' }), 400, 'VALID-N-001');
  assertProblem(await accept(token, { name: ' ', password: PASSWORD }), 400, 'VALID-N-001');
  assertProblem(await accept(token, { name: 'New', password: 'short' }), 400, 'USER-N-012');
  assert.equal((await accept(token)).status, 201);
});

test('owners invite, others do not, and nobody reads the invites of another operator', async () => {
  const staff = await people.signIn('staff@lamp.example');
  const owner = await people.signIn('owner@lamp.example');
  const path = '/manage/operators/1/invites';
  assertProblem(
    await people.post(path, { email: 'y@lamp.example', role: 'staff' }, staff),
    403,
    'USER-N-009',
  );
  const invited = await people.post(path, { email: 'y@lamp.example', role: 'staff' }, owner);
  assert.equal(invited.status, 201, invited.text);
  assertProblem(await people.callWith(owner, '/manage/operators/2/invites'), 403, 'OPRTR-N-002');
  const elsewhere = `/manage/operators/2/invites/${invited.json.id}`;
  assertProblem(await people.call(elsewhere, { as: 'demo-admin' }), 404, 'USER-N-004');
  assertProblem(await people.call(elsewhere, { method: 'DELETE', as: 'demo-admin' }), 404, 'USER-N-004');
  const any = `/manage/invites/${invited.json.id}`;
  assert.equal((await people.call(any, { as: 'demo-admin' })).status, 200);
  assert.equal((await people.call(any, { method: 'DELETE', as: 'demo-admin' })).status, 204);
  assertProblem(await people.call(any, { as: 'demo-admin' }), 404, 'USER-N-004');
});

test('an invite that was accepted cannot be withdrawn', async () => {
  await people.employ('settled@lamp.example', 'staff');
  const list = (await people.call('/manage/invites?pageSize=100', { as: 'demo-admin' })).json.data;
  const { id } = list.find(({ email }: { email: string }) => email === 'settled@lamp.example');
  const withdrawn = await people.call(`/manage/invites/${id}`, { method: 'DELETE', as: 'demo-admin' });
  assertProblem(withdrawn, 409, 'USER-N-005');
});

test('an account that is switched off accepts nothing', async () => {
  const { id } = await people.employ('off@lamp.example', 'staff');
  const body = { name: 'Off', email: 'off@lamp.example', isDisabled: true, isPlatform: false };
  await people.call(`/manage/users/${id}`, { method: 'PUT', as: 'demo-admin', body });
  await platformInvite({ email: 'off@lamp.example', operatorId: 2, role: 'staff', isPlatform: false });
  assertProblem(await accept(await people.takeToken('off@lamp.example')), 403, 'USER-N-010');
});

test('an invite is withdrawn under its own name, however its id is written', async () => {
  const { id } = (await invite('caps@invited.example')).json;
  const path = `/manage/operators/1/invites/${id.toUpperCase()}`;
  assert.equal((await people.call(path, { method: 'DELETE', as: 'demo-operator' })).status, 204);
  const [entry] = await auditLogOf(`invite ${id}`);
  assert.equal(entry.action, 'invite.remove');
});

test('an owner takes back no invite to run the platform, neither by hand nor with another one', async () => {
  const email = 'boss@both.example';
  const { id } = (await platformInvite({ email, operatorId: 1, role: 'staff', isPlatform: true })).json;
  const path = `/manage/operators/1/invites/${id}`;
  assertProblem(await people.call(path, { method: 'DELETE', as: 'demo-operator' }), 403, 'USER-N-009');
  assertProblem(await invite(email), 403, 'USER-N-009');
  const accepted = await accept(await people.takeToken(email));
  assert.deepEqual(
    [accepted.json.isPlatform, accepted.json.roles],
    [true, [{ operatorId: 1, role: 'staff' }]],
  );
});
