import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { countOthers, saveRole } from '../../../src/features/accounts/store.ts';
import { assertProblem } from '../../support/app.ts';
import { PASSWORD, type People, startPeople } from '../../support/people.ts';

let people: People;
before(async () => {
  people = await startPeople();
});
after(() => people.close());

const address = (operatorId: number, userId: string) => `/manage/operators/${operatorId}/users/${userId}`;
const setRole = (path: string, role: string, as = 'demo-admin', headers = {}) =>
  people.call(path, { method: 'PUT', as, body: { role }, headers });
const remove = (path: string, as = 'demo-admin') => people.call(path, { method: 'DELETE', as });
const idOf = async (email: string) =>
  (await people.call(`/manage/users?email=${email}`, { as: 'demo-admin' })).json.data[0].id;

test('an owner lists who works there and sees nothing of other operators', async () => {
  const { id } = await people.employ('una@lamp.example', 'staff');
  await setRole(address(2, id), 'owner');
  const owner = await people.signIn('owner@lamp.example');
  const list = await people.callWith(owner, '/manage/operators/1/users');
  assert.equal(list.status, 200, list.text);
  const una = list.json.data.find((member: { id: string }) => member.id === id);
  assert.deepEqual(una, {
    id,
    email: 'una@lamp.example',
    name: 'New',
    role: 'staff',
    isVerified: true,
    isDisabled: false,
  });
  assert.deepEqual((await people.callWith(owner, address(1, id))).json, una);
  const staff = await people.signIn('staff@lamp.example');
  assertProblem(await people.callWith(staff, '/manage/operators/1/users'), 403, 'USER-N-009');
  assertProblem(await people.callWith(owner, '/manage/operators/2/users'), 403, 'OPRTR-N-002');
  assertProblem(await people.call('/manage/operators/999/users', { as: 'demo-admin' }), 404, 'OPRTR-N-001');
});

test('a role that is changed counts for the next call of a session', async () => {
  const { id } = await people.employ('vic@lamp.example', 'owner');
  const session = await people.signIn('vic@lamp.example', PASSWORD);
  assert.equal((await people.callWith(session, '/manage/operators/1/users')).status, 200);
  const read = await people.call(address(1, id), { as: 'demo-operator' });
  const stale = await setRole(address(1, id), 'staff', 'demo-operator', { 'if-match': '"doc-stale"' });
  assertProblem(stale, 412, 'HTTP-N-412');
  const tag = { 'if-match': String(read.headers.etag) };
  const changed = await setRole(address(1, id), 'staff', 'demo-operator', tag);
  assert.deepEqual(changed.json, { ...read.json, role: 'staff' });
  assertProblem(await people.callWith(session, '/manage/operators/1/users'), 403, 'USER-N-009');
  const path = `/manage/operators/1/audit?subject=${encodeURIComponent(`user ${id}`)}`;
  const [entry] = (await people.call(path, { as: 'demo-operator' })).json.data;
  assert.deepEqual([entry.action, entry.before, entry.after], ['member.change', read.json, changed.json]);
  assert.equal((await remove(address(1, id), 'demo-operator')).status, 204);
  assertProblem(await people.callWith(session, '/manage/operators/1/audit'), 403, 'OPRTR-N-002');
  assertProblem(await remove(address(1, id), 'demo-operator'), 404, 'USER-N-002');
});

test('owners give roles to their own people only, the platform to everybody', async () => {
  const { id } = await people.employ('wim@dark.example', 'staff', 2);
  assertProblem(await setRole(address(1, id), 'staff', 'demo-operator'), 404, 'USER-N-002');
  assertProblem(await people.call(address(1, id), { as: 'demo-operator' }), 404, 'USER-N-002');
  assertProblem(await setRole(address(1, id), 'boss'), 400, 'USER-N-008');
  assertProblem(await setRole(address(999, id), 'staff'), 404, 'OPRTR-N-001');
  const nobody = '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1';
  assertProblem(await setRole(address(1, nobody), 'staff'), 404, 'USER-N-002');
  assert.equal((await setRole(address(1, id), 'staff')).status, 200);
});

test('the last owner neither leaves nor is lowered while others work there', async () => {
  const first = await people.employ('xena@third.example', 'owner', 3);
  const staff = await people.employ('yuri@third.example', 'staff', 3);
  assertProblem(await setRole(address(3, first.id), 'manager'), 400, 'USER-N-008');
  assertProblem(await remove(address(3, first.id)), 400, 'USER-N-008');
  assert.equal((await setRole(address(3, first.id), 'owner')).status, 200);
  const second = await people.employ('zoe@third.example', 'owner', 3);
  const lowered = await Promise.all([
    setRole(address(3, first.id), 'staff'),
    setRole(address(3, second.id), 'staff'),
  ]);
  assert.deepEqual(lowered.map(({ status }) => status).sort(), [200, 400]);
  const last = lowered[0]?.status === 400 ? first.id : second.id;
  const other = last === first.id ? second.id : first.id;
  for (const id of [staff.id, other]) assert.equal((await remove(address(3, id))).status, 204);
  assert.equal((await remove(address(3, last))).status, 204, 'nobody else is left');
});

test('without the lock both owners would have been lowered, each because of the other', async () => {
  const { sql } = people;
  const one = await people.employ('cleo@fifth.example', 'owner', 5);
  const two = await people.employ('dan@fifth.example', 'owner', 5);
  const counted = Promise.withResolvers<void>();
  let others = 0;
  const lower = (userId: string) =>
    inTransaction(sql, async (tx) => {
      const { owners } = await countOthers(tx, 5, userId);
      others += owners;
      if (others === 2) counted.resolve();
      await counted.promise;
      await saveRole(tx, userId, 5, 'staff');
    });
  await Promise.all([lower(one.id), lower(two.id)]);
  assert.equal((await countOthers(sql, 5, one.id)).owners, 0);
  assert.equal((await countOthers(sql, 5, two.id)).owners, 0);
});

test('an owner who is switched off does not count', async () => {
  const first = await people.employ('abe@fourth.example', 'owner', 4);
  const second = await people.employ('bea@fourth.example', 'owner', 4);
  const body = { name: 'Bea', email: 'bea@fourth.example', isDisabled: true, isPlatform: false };
  await people.call(`/manage/users/${second.id}`, { method: 'PUT', as: 'demo-admin', body });
  assertProblem(await setRole(address(4, first.id), 'staff'), 400, 'USER-N-008');
});

test('the people of the demo sign in with the password that the README tells', async () => {
  for (const email of ['owner@lamp.example', 'staff@lamp.example', 'admin@platform.example']) {
    await people.signIn(email);
    assert.ok(await idOf(email));
  }
});

test('an owner who has not confirmed the address does not count either', async () => {
  const body = { name: 'Sixth', settings: {} };
  const { id: sixth } = (await people.call('/manage/operators', { method: 'POST', as: 'demo-admin', body }))
    .json;
  const first = await people.employ('gus@sixth.example', 'owner', sixth);
  const roles = [{ operatorId: sixth, role: 'owner' }];
  const user = { email: 'hana@sixth.example', name: 'Hana', password: PASSWORD, roles };
  await people.call('/manage/users', { method: 'POST', as: 'demo-admin', body: user });
  assertProblem(await setRole(address(sixth, first.id), 'staff'), 400, 'USER-N-008');
  assertProblem(await remove(address(sixth, first.id)), 400, 'USER-N-008');
  await people.post('/manage/email-verifications', { token: await people.takeToken('hana@sixth.example') });
  assert.equal((await setRole(address(sixth, first.id), 'staff')).status, 200);
});
