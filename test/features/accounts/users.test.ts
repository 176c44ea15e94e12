import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction, type Tx } from '../../../src/db/database.ts';
import { type Answer, assertProblem } from '../../support/app.ts';
import { someoneWaits } from '../../support/databases/lock-waits.ts';
import { eventually } from '../../support/eventually.ts';
import { PASSWORD, type People, startPeople } from '../../support/people.ts';

let people: People;
before(async () => {
  people = await startPeople();
});
after(() => people.close());

const create = (body: object) =>
  people.call('/manage/users', {
    method: 'POST',
    as: 'demo-admin',
    body: { name: 'Ben', password: PASSWORD, ...body },
  });
const put = (id: string, body: object, headers = {}) =>
  people.call(`/manage/users/${id}`, {
    method: 'PUT',
    as: 'demo-admin',
    headers,
    body: { name: 'Ben', isDisabled: false, isPlatform: false, ...body },
  });
const signIn = (email: string, password = PASSWORD) => people.post('/manage/sessions', { email, password });
const verify = (token: string) => people.post('/manage/email-verifications', { token });

test('a user that the platform makes can sign in once the address is confirmed', async () => {
  const created = await create({ email: 'ben@lamp.example', roles: [{ operatorId: 1, role: 'staff' }] });
  assert.equal(created.status, 201, created.text);
  assert.equal(created.json.isVerified, false);
  assert.deepEqual(created.json.roles, [{ operatorId: 1, role: 'staff' }]);
  assertProblem(await signIn('ben@lamp.example'), 403, 'USER-N-015');
  const refused = await signIn('ben@lamp.example', 'a wrong password');
  assertProblem(refused, 401, 'USER-N-003');
  assert.equal(refused.headers['www-authenticate'], 'Bearer');
  const token = await people.takeToken('ben@lamp.example');
  assertProblem(await verify(`${token}x`), 404, 'USER-N-004');
  await people.later({ hours: 72 }, async () => assertProblem(await verify(token), 409, 'USER-N-006'));
  const verified = await verify(token);
  assert.deepEqual(verified.json, { ...created.json, isVerified: true });
  assertProblem(await verify(token), 409, 'USER-N-005');
  assert.equal((await signIn('ben@lamp.example')).status, 201);
});

test('an address is taken, however it is written', async () => {
  assertProblem(await create({ email: 'OWNER@lamp.EXAMPLE' }), 409, 'USER-N-001');
  const both = await Promise.all([1, 2].map(() => create({ email: 'same@lamp.example' })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  const { id } = (await create({ email: 'moving@lamp.example' })).json;
  assertProblem(await put(id, { email: 'Owner@lamp.example' }), 409, 'USER-N-001');
  assert.equal(
    (await people.call(`/manage/users/${id}`, { as: 'demo-admin' })).json.email,
    'moving@lamp.example',
  );
});

test('what cannot be a user is refused, and nobody is made or written to', async () => {
  const email = 'refused@lamp.example';
  assertProblem(await create({ email: 'refused' }), 400, 'USER-N-011');
  for (const password of [
    'eleven char',
    'x'.repeat(201),
    'xxxxxxxxxxxxx',
    'my-Refused-password',
    'Password1234',
  ])
    assertProblem(await create({ email, password }), 400, 'USER-N-012');
  assertProblem(await create({ email, roles: [{ operatorId: 999, role: 'staff' }] }), 400, 'USER-N-007');
  assertProblem(await create({ email, roles: [{ operatorId: 1, role: 'chef' }] }), 400, 'USER-N-008');
  const role = { operatorId: 1, role: 'staff' };
  assertProblem(await create({ email, roles: [role, role] }), 400, 'VALID-N-001');
  assertProblem(await create({ email, isVerified: true }), 400, 'VALID-N-001');
  assertProblem(await create({ email, name: '' }), 400, 'VALID-N-001');
  const list = await people.call('/manage/users?email=REFUSED', { as: 'demo-admin' });
  assert.deepEqual(list.json.data, []);
  assert.equal(await people.takeMail(email), undefined);
});

test('users are found by a part of their address', async () => {
  const list = await people.call('/manage/users?email=Lamp.exam&pageSize=1', { as: 'demo-admin' });
  assert.equal(list.json.data.length, 1);
  assert.ok(list.json.meta.totalItems >= 2);
  assert.match(list.json.data[0].email, /@lamp\.example$/);
  assertProblem(await people.call('/manage/users', { as: 'demo-operator' }), 403, 'USER-N-009');
});

test('switching a user off ends the sessions at once, and is told only to who knows the password', async () => {
  const { id } = await people.employ('carl@lamp.example', 'manager');
  const session = await people.signIn('carl@lamp.example', PASSWORD);
  const read = await people.call(`/manage/users/${id}`, { as: 'demo-admin' });
  const body = { email: 'carl@lamp.example', name: 'Carl', isDisabled: true };
  assertProblem(await put(id, body, { 'if-match': '"doc-stale"' }), 412, 'HTTP-N-412');
  assert.equal((await people.callWith(session, '/manage/account')).status, 200);
  const changed = await put(id, body, { 'if-match': String(read.headers.etag) });
  assert.equal(changed.status, 200, changed.text);
  assertProblem(await people.callWith(session, '/manage/account'), 401, 'USER-N-013');
  assertProblem(await signIn('carl@lamp.example'), 403, 'USER-N-010');
  assertProblem(await signIn('carl@lamp.example', 'a wrong password'), 401, 'USER-N-003');
  const path = `/manage/audit?subject=${encodeURIComponent(`user ${id}`)}`;
  const [entry] = (await people.call(path, { as: 'demo-admin' })).json.data;
  assert.deepEqual([entry.action, entry.before, entry.after], ['user.change', read.json, changed.json]);
  await put(id, { ...body, isDisabled: false });
  assert.equal((await signIn('carl@lamp.example')).status, 201);
});

test('another address has to be confirmed before the user can sign in again', async () => {
  const { id } = await people.employ('dora@lamp.example', 'manager');
  const session = await people.signIn('dora@lamp.example', PASSWORD);
  assert.equal((await put(id, { email: 'Dora@lamp.example' })).json.isVerified, true);
  assert.equal((await people.callWith(session, '/manage/account')).status, 200);
  const moved = await put(id, { email: 'dora@larder.example' });
  assert.equal(moved.json.isVerified, false);
  assertProblem(await people.callWith(session, '/manage/account'), 401, 'USER-N-013');
  assertProblem(await signIn('dora@larder.example'), 403, 'USER-N-015');
  assertProblem(await signIn('dora@lamp.example'), 401, 'USER-N-003');
  assert.equal((await verify(await people.takeToken('dora@larder.example'))).status, 200);
  assert.equal((await signIn('dora@larder.example')).status, 201);
});

test('a token that went to an earlier address confirms nothing', async () => {
  const { id } = (await create({ email: 'first@lamp.example' })).json;
  const token = await people.takeToken('first@lamp.example');
  await put(id, { email: 'second@lamp.example' });
  assertProblem(await verify(token), 404, 'USER-N-004');
});

test('a deleted user is gone with roles and sessions', async () => {
  const { id } = await people.employ('ed@lamp.example', 'manager');
  const session = await people.signIn('ed@lamp.example', PASSWORD);
  const stale = { 'if-match': '"doc-stale"' };
  const address = `/manage/users/${id}`;
  const refused = await people.call(address, { method: 'DELETE', as: 'demo-admin', headers: stale });
  assertProblem(refused, 412, 'HTTP-N-412');
  assert.equal((await people.call(address, { method: 'DELETE', as: 'demo-admin' })).status, 204);
  assertProblem(await people.callWith(session, '/manage/account'), 401, 'USER-N-013');
  assertProblem(await people.call(address, { as: 'demo-admin' }), 404, 'USER-N-002');
  assertProblem(await people.call(address, { method: 'DELETE', as: 'demo-admin' }), 404, 'USER-N-002');
  assertProblem(await put(id, { email: 'ed@lamp.example' }), 404, 'USER-N-002');
  assertProblem(await people.call('/manage/users/7', { as: 'demo-admin' }), 400, 'VALID-N-001');
  const path = `/manage/operators/1/audit?subject=${encodeURIComponent(`user ${id}`)}`;
  const [entry] = (await people.call(path, { as: 'demo-operator' })).json.data;
  assert.deepEqual([entry.action, entry.before.role, entry.after], ['member.remove', 'manager', null]);
});

test('people rename themselves and change their password, which ends their sessions', async () => {
  await people.employ('flo@lamp.example', 'staff');
  const session = await people.signIn('flo@lamp.example', PASSWORD);
  const other = await people.signIn('flo@lamp.example', PASSWORD);
  const account = await people.callWith(session, '/manage/account');
  const headers = { 'if-match': String(account.headers.etag) };
  const rename = { method: 'PUT', body: { name: 'Florence' }, headers } as const;
  const renamed = await people.callWith(session, '/manage/account', rename);
  assert.deepEqual(renamed.json, { ...account.json, name: 'Florence' });
  assertProblem(await people.callWith(session, '/manage/account', rename), 412, 'HTTP-N-412');

  const change = (currentPassword: string, newPassword: string) =>
    people.callWith(session, '/manage/account/password', {
      method: 'PUT',
      body: { currentPassword, newPassword },
    });
  const next = 'another harbour at night';
  assertProblem(await change('a wrong password', next), 401, 'USER-N-003');
  assertProblem(await change(PASSWORD, 'flo@lamp.example'), 400, 'USER-N-012');
  assert.equal((await people.callWith(other, '/manage/account')).status, 200);
  assert.equal((await change(PASSWORD, next)).status, 200);
  for (const token of [session, other])
    assertProblem(await people.callWith(token, '/manage/account'), 401, 'USER-N-013');
  assertProblem(await signIn('flo@lamp.example'), 401, 'USER-N-003');
  assert.equal((await signIn('flo@lamp.example', next)).status, 201);
  const asClient = { method: 'PUT', as: 'demo-operator', body: { name: 'X' } } as const;
  assertProblem(await people.call('/manage/account', asClient), 403, 'USER-N-009');
});

test('a forgotten password is replaced with a token from a mail, which also unlocks the account', async () => {
  const email = 'gus@lamp.example';
  await people.employ(email, 'staff');
  const session = await people.signIn(email, PASSWORD);
  for (let count = 1; count <= 10; count += 1) await signIn(email, 'a wrong password');
  assertProblem(await signIn(email), 429, 'USER-N-014');
  assert.equal((await people.post('/manage/password-resets', { email: 'Gus@lamp.example' })).status, 202);
  const token = await people.takeToken(email);
  const confirm = (password: string, sent = token) =>
    people.post('/manage/password-resets/confirm', { token: sent, password });
  for (const weak of ['short', '1q2w3e4r5t6y', 'LeaveMeAlone', 'Password123456'])
    assertProblem(await confirm(weak), 400, 'USER-N-012');
  assertProblem(await confirm(PASSWORD, 'made-up'), 404, 'USER-N-004');
  await people.later({ hours: 1 }, async () =>
    assertProblem(await confirm('yet another harbour'), 409, 'USER-N-006'),
  );
  const reset = await confirm('yet another harbour');
  assert.equal(reset.status, 200, reset.text);
  assertProblem(await confirm('and one more harbour'), 409, 'USER-N-005');
  assertProblem(await verify(token), 404, 'USER-N-004');
  assertProblem(await people.callWith(session, '/manage/account'), 401, 'USER-N-013');
  assert.equal((await signIn(email, 'yet another harbour')).status, 201);
});

test('asking for mails never tells who has an account, and sends one a minute', async () => {
  const resend = (email: string) => people.post('/manage/email-verifications/resend', { email });
  const reset = (email: string) => people.post('/manage/password-resets', { email });
  await create({ email: 'hal@lamp.example' });
  const first = await people.takeToken('hal@lamp.example');
  const { text } = await resend('nobody@lamp.example');
  for (const answer of [await resend('hal@lamp.example'), await reset('nobody@lamp.example')]) {
    assert.equal(answer.status, 202);
    assert.equal(answer.text, text);
  }
  assert.equal(await people.takeMail('hal@lamp.example'), undefined);
  assert.equal(await people.takeMail('nobody@lamp.example'), undefined);
  await people.later({ seconds: 61 }, async () => {
    const both = await Promise.all([resend('hal@lamp.example'), resend('hal@lamp.example')]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [202, 202],
    );
    const second = await people.takeToken('hal@lamp.example');
    assertProblem(await verify(first), 404, 'USER-N-004');
    assert.equal((await verify(second)).status, 200);
  });
  await people.later({ minutes: 5 }, async () => {
    assert.equal((await resend('hal@lamp.example')).status, 202);
    assert.equal(await people.takeMail('hal@lamp.example'), undefined, 'it is confirmed already');
  });
  assertProblem(await reset('hal'), 400, 'USER-N-011');
  assertProblem(await resend('hal'), 400, 'USER-N-011');
});

test('asking for a mail is answered before anybody looks whether there is an account', async () => {
  const { sql } = people;
  await sql`delete from mail`;
  const ask = async (email: string) => {
    assert.equal((await people.post('/manage/password-resets', { email })).status, 202);
    return (await sql`select from mail`).length;
  };
  await inTransaction(sql, async (tx) => {
    await tx`lock table account, account_token in access exclusive mode`;
    assert.deepEqual([await ask('owner@lamp.example'), await ask('nobody@lamp.example')], [1, 2]);
  });
  await people.takeToken('owner@lamp.example');
  assert.equal(await people.takeMail('nobody@lamp.example'), undefined);
  assert.equal((await sql`select from mail`).length, 0);
});

test('what is over is forgotten, and what is not stays', async () => {
  await people.employ('ida@lamp.example', 'staff');
  const session = await people.signIn('ida@lamp.example', PASSWORD);
  await signIn('ida@lamp.example', 'a wrong password');
  await people.services.accounts.forgetEnded();
  assert.equal((await people.callWith(session, '/manage/account')).status, 200);
  await people.later({ hours: 60 * 24 }, () => people.services.accounts.forgetEnded());
  const [row] = await people.sql`
    select (select count(*) from account_session) as sessions, (select count(*) from sign_in_failure) as failures,
      least(1, (select count(*) from sign_in_place)) as places,
      (select count(*) from account_token) as tokens, (select count(*) from account_invite) as invites`;
  assert.deepEqual({ ...row }, { sessions: 0, failures: 0, places: 1, tokens: 0, invites: 0 });
  await people.later({ hours: 91 * 24 }, () => people.services.accounts.forgetEnded());
  assert.equal((await people.sql`select from sign_in_place`).length, 0);
});

test('a mail goes to whoever has the address when it is written, not to who had it a moment before', async () => {
  /** Asks for a new password while somebody else is at the account. */
  async function askDuring(email: string, work: (tx: Tx) => Promise<unknown>): Promise<Answer> {
    let asked: Promise<Answer> | undefined;
    let written: Promise<void> | undefined;
    await inTransaction(people.sql, async (tx) => {
      await work(tx);
      asked = people.post('/manage/password-resets', { email });
      await asked;
      written = people.services.mailing.sendDue();
      await eventually(() => someoneWaits(people.sql));
    });
    await written;
    return asked ?? assert.fail();
  }
  const leaving = await people.employ('leaving@lamp.example', 'staff');
  const gone = await askDuring(
    'leaving@lamp.example',
    (tx) => tx`delete from account where id = ${leaving.id}`,
  );
  assert.equal(gone.status, 202, gone.text);
  const mover = await people.employ('mover@lamp.example', 'staff');
  const moved = await askDuring(
    'mover@lamp.example',
    (tx) => tx`
      update account set email = 'moved@lamp.example', email_key = 'moved@lamp.example' where id = ${mover.id}`,
  );
  assert.equal(moved.status, 202, moved.text);
  for (const email of ['leaving@lamp.example', 'mover@lamp.example', 'moved@lamp.example'])
    assert.equal(await people.takeMail(email), undefined, email);
});

test('a user whose id is written in capitals is the same one, also in the audit log', async () => {
  const { id } = await people.employ('caps@lamp.example', 'staff');
  assert.equal((await put(id.toUpperCase(), { email: 'caps@lamp.example', name: 'Caps' })).status, 200);
  const member = { method: 'PUT', as: 'demo-operator', body: { role: 'manager' } } as const;
  const changed = await people.call(`/manage/operators/1/users/${id.toUpperCase()}`, member);
  assert.equal(changed.status, 200, changed.text);
  const auditLog = await people.call(`/manage/audit?subject=user%20${id}`, { as: 'demo-admin' });
  const actions = auditLog.json.data.map(({ action }: { action: string }) => action);
  assert.deepEqual(actions.slice(0, 2), ['member.change', 'user.change']);
});
