import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { PASSWORD, type People, startPeople } from '../../support/people.ts';

let people: People;
let developer: string;
before(async () => {
  people = await startPeople();
  developer = await people.signIn('developer@partner.example');
});
after(() => people.close());

const INVITES = '/manage/partners/1/invites';
const invite = (email: string, body: object = {}, partnerId = 1, token = developer) =>
  people.post(`/manage/partners/${partnerId}/invites`, { email, ...body }, token);
const platformInvite = (body: object) =>
  people.call('/manage/invites', { method: 'POST', as: 'demo-admin', body: { isPlatform: false, ...body } });
const accept = (token: string, more: object = { name: 'Ada', password: PASSWORD }) =>
  people.post('/manage/invites/accept', { token, ...more });
const atPartner = { partnerId: 1, name: 'Demo Partner', role: 'developer' };
const entriesOf = async (subject: string) => {
  const path = `/manage/audit?subject=${encodeURIComponent(subject)}`;
  return (await people.call(path, { as: 'demo-admin' })).json.data;
};

/** Somebody new who works for partner 1. */
async function hire(email: string): Promise<{ id: string; token: string }> {
  assert.equal((await invite(email)).status, 201);
  const accepted = await accept(await people.takeToken(email));
  assert.equal(accepted.status, 201, accepted.text);
  return { id: accepted.json.id, token: await people.signIn(email, PASSWORD) };
}

test('a developer invites another one, who accepts and is one at once', async () => {
  const invited = await invite('ada@partner.example');
  assert.equal(invited.status, 201, invited.text);
  const { id, operatorId, partnerId, role, isPlatform } = invited.json;
  assert.deepEqual([operatorId, partnerId, role, isPlatform], [null, 1, 'developer', false]);
  const mail = (await people.takeMail('ada@partner.example')) ?? '';
  assert.match(mail, /to work as developer for Demo Partner/);
  const token = /#token=([\w-]{43})$/m.exec(mail)?.[1] ?? '';
  const accepted = await accept(token);
  assert.equal(accepted.status, 201, accepted.text);
  assert.deepEqual([accepted.json.roles, accepted.json.partners], [[], [atPartner]]);
  const session = await people.signIn('ada@partner.example', PASSWORD);
  for (const path of ['/manage/account', '/manage/sessions/current']) {
    const { json } = await people.callWith(session, path);
    assert.deepEqual((json.user ?? json).partners, [atPartner]);
  }
  assert.equal((await people.callWith(session, '/manage/partners/1')).json.name, 'Demo Partner');
  const [sent] = await entriesOf(`invite ${id}`);
  assert.deepEqual([sent.action, sent.operatorId, sent.after], ['invite.create', null, invited.json]);
  const [added] = await entriesOf(`developer 1 ${accepted.json.id}`);
  assert.deepEqual(
    [added.action, added.actor.id, added.after.role],
    ['developer.add', accepted.json.id, 'developer'],
  );
  assertProblem(await accept(token), 409, 'USER-N-005');
  assertProblem(await invite('ADA@partner.example'), 409, 'USER-N-001');
});

test('invites are listed, read, replaced and withdrawn, each at its own partner', async () => {
  const first = (await invite('bea@partner.example')).json;
  const old = await people.takeToken('bea@partner.example');
  const again = (await invite('bea@partner.example', { role: 'developer' })).json;
  assertProblem(await accept(old), 404, 'USER-N-004');
  const listed = (await people.callWith(developer, INVITES)).json.data.map(({ id }: { id: string }) => id);
  assert.ok(listed.includes(again.id) && !listed.includes(first.id));
  assert.deepEqual((await people.callWith(developer, `${INVITES}/${again.id}`)).json, again);
  const elsewhere = await people.call(`/manage/partners/2/invites/${again.id}`, { as: 'demo-admin' });
  assertProblem(elsewhere, 404, 'USER-N-004');
  const atOperator = await people.call(`/manage/operators/1/invites/${again.id}`, { as: 'demo-admin' });
  assertProblem(atOperator, 404, 'USER-N-004');
  const removed = await people.callWith(developer, `${INVITES}/${again.id}`, { method: 'DELETE' });
  assert.equal(removed.status, 204, removed.text);
  assertProblem(await accept(await people.takeToken('bea@partner.example')), 404, 'USER-N-004');
  const [entry] = await entriesOf(`invite ${again.id}`);
  assert.deepEqual([entry.action, entry.before], ['invite.remove', again]);
});

test('invites of one address to an operator, to partners and to the platform stand side by side', async () => {
  const email = 'many@partner.example';
  const open = [
    await platformInvite({ email, operatorId: 1, role: 'staff' }),
    await platformInvite({ email, operatorId: null, partnerId: 1, role: 'developer' }),
    await platformInvite({ email, operatorId: null, partnerId: 2, role: 'developer' }),
    await platformInvite({ email, operatorId: null, role: null, isPlatform: true }),
  ];
  assert.deepEqual(
    open.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  const [row] = await people.sql`
    select count(*)::int as open from account_invite where email = ${email} and accepted_at is null`;
  assert.equal(row?.open, 4);
});

test('one person has roles at operators and at partners, and leaves one of them alone', async () => {
  const email = 'both@lamp.example';
  const { id } = await people.employ(email, 'manager');
  await platformInvite({ email, operatorId: null, partnerId: 1, role: 'developer' });
  const joined = await accept(await people.takeToken(email), {});
  assert.deepEqual(
    [joined.json.roles, joined.json.partners],
    [[{ operatorId: 1, role: 'manager' }], [atPartner]],
  );
  const session = await people.signIn(email, PASSWORD);
  assert.equal((await people.callWith(session, '/manage/operators/1/audit')).status, 200);
  assert.equal((await people.callWith(session, '/manage/partners/1/users')).status, 200);
  const left = await people.callWith(session, `/manage/partners/1/users/${id}`, { method: 'DELETE' });
  assert.equal(left.status, 204, left.text);
  assertProblem(await people.callWith(session, '/manage/partners/1/users'), 403, 'USER-N-009');
  assert.equal((await people.callWith(session, '/manage/operators/1/audit')).status, 200);
});

test('what cannot be offered is refused and sends nothing', async () => {
  const email = 'never@partner.example';
  assertProblem(await invite(email, { role: 'owner' }), 400, 'USER-N-008');
  assertProblem(await invite('no address'), 400, 'USER-N-011');
  assertProblem(await invite(email, { isPlatform: true }), 400, 'VALID-N-001');
  const asked = { email, operatorId: null, role: 'developer' };
  assertProblem(await platformInvite(asked), 400, 'USER-N-007');
  assertProblem(await platformInvite({ ...asked, operatorId: 1, partnerId: 1 }), 400, 'USER-N-007');
  assertProblem(await platformInvite({ ...asked, operatorId: 1 }), 400, 'USER-N-008');
  assertProblem(await platformInvite({ ...asked, partnerId: 987_654 }), 404, 'PMAP-N-004');
  assertProblem(await platformInvite({ ...asked, partnerId: 1, role: 'staff' }), 400, 'USER-N-008');
  assertProblem(await platformInvite({ ...asked, partnerId: 1, role: null }), 400, 'USER-N-008');
  assert.equal(await people.takeMail(email), undefined);
});

test('another partner is refused, whether it exists or not', async () => {
  for (const partnerId of [2, 987_654]) {
    assertProblem(await people.callWith(developer, `/manage/partners/${partnerId}`), 403, 'USER-N-009');
    assertProblem(await invite('x@partner.example', {}, partnerId), 403, 'USER-N-009');
  }
  assertProblem(await people.callWith(developer, '/manage/partners/x'), 403, 'USER-N-009');
  assertProblem(await people.callWith(developer, '/manage/partners'), 403, 'USER-N-009');
  assertProblem(await people.callWith(developer, '/manage/operators/1'), 403, 'OPRTR-N-002');
  const own = await people.call('/manage/partners/1', { as: 'demo-partner' });
  assertProblem(own, 403, 'USER-N-009');
});

test('developers see and remove each other, at once and only as they were read', async () => {
  const { id, token } = await hire('cora@partner.example');
  const path = `/manage/partners/1/users/${id}`;
  const read = await people.callWith(developer, path);
  assert.deepEqual(
    [read.json.id, read.json.email, read.json.role],
    [id, 'cora@partner.example', 'developer'],
  );
  const listed = (await people.callWith(developer, '/manage/partners/1/users')).json;
  assert.ok(listed.data.some((user: { id: string }) => user.id === id));
  assertProblem(await people.call(`/manage/partners/2/users/${id}`, { as: 'demo-admin' }), 404, 'USER-N-002');
  const stale = { method: 'DELETE', headers: { 'if-match': '"doc-stale"' } } as const;
  assertProblem(await people.callWith(developer, path, stale), 412, 'HTTP-N-412');
  const answers = await Promise.all(
    [developer, token].map((session) =>
      people.callWith(session, path, {
        method: 'DELETE',
        headers: { 'if-match': String(read.headers.etag) },
      }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 204).length, 1);
  assertProblem(await people.callWith(token, '/manage/partners/1'), 403, 'USER-N-009');
  assert.deepEqual((await people.callWith(token, '/manage/account')).json.partners, []);
  const [entry] = await entriesOf(`developer 1 ${id}`);
  assert.deepEqual([entry.action, entry.before], ['developer.remove', read.json]);
});

test('a user who is deleted leaves the partner, and the audit log says so', async () => {
  const { id } = await hire('dora@partner.example');
  const gone = await people.call(`/manage/users/${id}`, { method: 'DELETE', as: 'demo-admin' });
  assert.equal(gone.status, 204, gone.text);
  assert.equal((await entriesOf(`developer 1 ${id}`))[0].action, 'developer.remove');
  assertProblem(await people.callWith(developer, `/manage/partners/1/users/${id}`), 404, 'USER-N-002');
});

test('with a partner its roles and open invites go', async () => {
  const body = { reference: 'brief', name: 'Brief Encounters' };
  const { id } = (await people.call('/manage/partners', { method: 'POST', as: 'demo-admin', body })).json;
  const email = 'brief@partner.example';
  await platformInvite({ email, operatorId: null, partnerId: id, role: 'developer' });
  await accept(await people.takeToken(email));
  await platformInvite({ email: 'late@partner.example', operatorId: null, partnerId: id, role: 'developer' });
  const late = await people.takeToken('late@partner.example');
  const removed = await people.call(`/manage/partners/${id}`, { method: 'DELETE', as: 'demo-admin' });
  assert.equal(removed.status, 204, removed.text);
  assertProblem(await accept(late), 404, 'USER-N-004');
  const session = await people.signIn(email, PASSWORD);
  assert.deepEqual((await people.callWith(session, '/manage/account')).json.partners, []);
});
