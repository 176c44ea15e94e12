import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { emailHashOf, lockedUntil, pairHashOf } from '../../../src/features/accounts/attempts.ts';
import { insertFailure, listPairFailures } from '../../../src/features/accounts/session-store.ts';
import { assertProblem } from '../../support/app.ts';
import { DEMO_PASSWORD, PASSWORD, type People, startPeople } from '../../support/people.ts';

let people: People;
before(async () => {
  people = await startPeople();
});
after(() => people.close());

const WRONG = 'not the password at all';
const signIn = (email: string, password: string) => people.post('/manage/sessions', { email, password });
const current = (token: string) => people.callWith(token, '/manage/sessions/current');

test('whoever signs in gets a token, and with it is known under /manage', async () => {
  const answer = await signIn('Owner@Lamp.example', DEMO_PASSWORD);
  assert.equal(answer.status, 201, answer.text);
  const { token, expiresAt, user } = answer.json;
  assert.match(token, /^mts_[\w-]{43}$/);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.deepEqual(user.roles, [{ operatorId: 1, role: 'owner' }]);
  const session = await current(token);
  assert.equal(session.status, 200, session.text);
  assert.equal(session.json.expiresAt, expiresAt);
  assert.deepEqual(session.json.user, user);
  assert.equal((await people.callWith(token, '/manage/operators/1/audit')).status, 200);
  assertProblem(await people.callWith(token, '/manage/operators/2/audit'), 403, 'OPRTR-N-002');
  assertProblem(await people.callWith(token, '/manage/audit'), 403, 'USER-N-009');
});

test('neither passwords nor tokens are in the database, in documents or in the audit log', async () => {
  const token = await people.signIn('owner@lamp.example');
  const [row] = await people.sql`
    select (select string_agg(account::text, '') from account) || (select string_agg(s::text, '') from account_session s)
      || (select string_agg(a::text, '') from audit_entry a) as all`;
  assert.ok(row?.all.includes('session.create'));
  assert.ok(!row?.all.includes(token) && !row?.all.includes(DEMO_PASSWORD));
  const [auditLog] = await people.sql`select string_agg(a::text, '') as all from audit_entry a`;
  assert.ok(!auditLog?.all.includes('argon2'));
  assert.ok(!(await current(token)).text.includes('argon2'));
});

test('a wrong password and an unknown address get the same answer', async () => {
  const wrong = assertProblem(await signIn('staff@lamp.example', WRONG), 401, 'USER-N-003');
  const unknown = assertProblem(await signIn('nobody@lamp.example', WRONG), 401, 'USER-N-003');
  const noAddress = assertProblem(await signIn('no address', WRONG), 401, 'USER-N-003');
  assert.equal(wrong.detail, unknown.detail);
  assert.equal(wrong.detail, noAddress.detail);
});

test('a session that was ended is over, and so is one that has expired', async () => {
  const token = await people.signIn('staff@lamp.example');
  const ended = await people.callWith(token, '/manage/sessions/current', { method: 'DELETE' });
  assert.equal(ended.status, 204, ended.text);
  assertProblem(await current(token), 401, 'USER-N-013');
  const other = await people.signIn('staff@lamp.example');
  await people.later({ hours: 11, minutes: 59 }, async () =>
    assert.equal((await current(other)).status, 200),
  );
  await people.later({ hours: 12 }, async () => assertProblem(await current(other), 401, 'USER-N-013'));
  assertProblem(await current('mts_never-given-out'), 401, 'USER-N-013');
});

test('sessions are for /manage, and clients have none', async () => {
  const token = await people.signIn('owner@lamp.example');
  assertProblem(await people.callWith(token, '/venues'), 401, 'IDENT-N-001');
  const asClient = await people.call('/manage/sessions/current', { as: 'demo-operator' });
  assertProblem(asClient, 403, 'USER-N-009');
  const bodyless = await people.callWith(null, '/manage/sessions', { method: 'POST', body: { email: 'x' } });
  assertProblem(bodyless, 400, 'VALID-N-001');
});

test('a session is ended only as it was read', async () => {
  const token = await people.signIn('staff@lamp.example');
  const stale = await people.callWith(token, '/manage/sessions/current', {
    method: 'DELETE',
    headers: { 'if-match': '"doc-stale"' },
  });
  assertProblem(stale, 412, 'HTTP-N-412');
  const read = await current(token);
  assert.equal(read.status, 200);
  const ended = await people.callWith(token, '/manage/sessions/current', {
    method: 'DELETE',
    headers: { 'if-match': String(read.headers.etag) },
  });
  assert.equal(ended.status, 204, ended.text);
});

for (const { name, email } of [
  {
    name: 'ten failures lock an account for fifteen minutes, for the right password too',
    email: 'locked@lamp.example',
  },
  { name: 'an address that nobody has is locked the same way', email: 'unknown@lamp.example' },
]) {
  test(name, async () => {
    const isKnown = email === 'locked@lamp.example';
    if (isKnown) await people.employ(email, 'staff');
    for (let count = 1; count <= 10; count += 1) assertProblem(await signIn(email, WRONG), 401, 'USER-N-003');
    const locked = await signIn(email, PASSWORD);
    assert.equal(assertProblem(locked, 429, 'USER-N-014').isRetryable, true);
    const wait = Number(locked.headers['retry-after']);
    assert.ok(wait > 880 && wait <= 900, String(wait));
    await people.later({ minutes: 14 }, async () =>
      assertProblem(await signIn(email, PASSWORD), 429, 'USER-N-014'),
    );
    await people.later({ minutes: 15, seconds: 1 }, async () =>
      isKnown
        ? assert.equal((await signIn(email, PASSWORD)).status, 201)
        : assertProblem(await signIn(email, PASSWORD), 401, 'USER-N-003'),
    );
  });
}

const signInFrom = (ip: string, email: string, password: string) =>
  people.callWith(null, '/manage/sessions', {
    method: 'POST',
    body: { email, password },
    headers: { 'x-forwarded-for': ip },
  });

test('ten failures lock an account for the address that they came from, and for no other', async () => {
  const email = 'envied@lamp.example';
  await people.employ(email, 'staff');
  for (let count = 1; count <= 10; count += 1)
    assertProblem(await signInFrom('198.51.100.7', email, WRONG), 401, 'USER-N-003');
  assertProblem(await signInFrom('198.51.100.7', email, PASSWORD), 429, 'USER-N-014');
  assertProblem(await signInFrom('198.51.100.7', 'other@lamp.example', WRONG), 401, 'USER-N-003');
  assert.equal((await signInFrom('203.0.113.9', email, PASSWORD)).status, 201);
  assertProblem(await signInFrom('198.51.100.7', email, PASSWORD), 429, 'USER-N-014');
});

test('a hundred failures from many addresses lock an account, except where its owner has signed in', async () => {
  const email = 'besieged@lamp.example';
  await people.employ(email, 'staff');
  assert.equal((await signInFrom('203.0.113.9', email, PASSWORD)).status, 201);
  for (let stranger = 1; stranger <= 10; stranger += 1) {
    const from = () => signInFrom(`198.51.100.${stranger}`, email, WRONG);
    for (const answer of await Promise.all(Array.from({ length: 10 }, from)))
      assertProblem(answer, 401, 'USER-N-003');
  }
  const locked = await signInFrom('198.51.100.200', email, PASSWORD);
  assertProblem(locked, 429, 'USER-N-014');
  const wait = Number(locked.headers['retry-after']);
  assert.ok(wait > 900 && wait <= 3600, String(wait));
  assert.equal((await signInFrom('203.0.113.9', email, PASSWORD)).status, 201);
  await people.later({ hours: 1, seconds: 1 }, async () =>
    assert.equal((await signInFrom('198.51.100.200', email, PASSWORD)).status, 201),
  );
});

test('of guesses that are sent side by side only ten learn anything', async () => {
  const guesses = await Promise.all(Array.from({ length: 16 }, () => signIn('guessed@lamp.example', WRONG)));
  const codes = guesses.map((answer) => answer.json.code).sort();
  assert.deepEqual(codes, [...Array(10).fill('USER-N-003'), ...Array(6).fill('USER-N-014')]);
});

test('looked at only once, before the password is checked, none of them would have been sent away', async () => {
  const { sql } = people;
  const emailHash = emailHashOf('guessed-too@lamp.example');
  const pairHash = pairHashOf('guessed-too@lamp.example', '127.0.0.1');
  const looked = Promise.withResolvers<void>();
  let count = 0;
  const guess = async () => {
    const until = lockedUntil(await listPairFailures(sql, pairHash, 10));
    count += 1;
    if (count === 16) looked.resolve();
    await looked.promise;
    await insertFailure(sql, { emailHash, pairHash, failedAt: Temporal.Now.instant() });
    return until;
  };
  const guesses = await Promise.all(Array.from({ length: 16 }, guess));
  assert.deepEqual(guesses, Array(16).fill(undefined));
});

test('failures that are far apart lock nobody, and signing in forgets them', async () => {
  const email = 'absent-minded@lamp.example';
  await people.employ(email, 'staff');
  for (let count = 1; count <= 9; count += 1) await signIn(email, WRONG);
  await people.later({ minutes: 15, seconds: 1 }, async () => {
    assertProblem(await signIn(email, WRONG), 401, 'USER-N-003');
    assert.equal((await signIn(email, PASSWORD)).status, 201);
    for (let count = 1; count <= 9; count += 1) await signIn(email, WRONG);
    assert.equal((await signIn(email, PASSWORD)).status, 201);
  });
});

test('a password that was hashed with less is hashed anew when it is used', async () => {
  const cheap =
    '$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const { argon2Sync } = await import('node:crypto');
  const parameters = {
    message: PASSWORD,
    nonce: Buffer.alloc(16),
    parallelism: 1,
    tagLength: 32,
    memory: 64,
    passes: 1,
  };
  const tag = argon2Sync('argon2id', parameters).toString('base64').replace('=', '');
  const { id } = await people.employ('old-hash@lamp.example', 'staff');
  await people.sql`update account set password = ${`${cheap.slice(0, cheap.lastIndexOf('$'))}$${tag}`} where id = ${id}`;
  // Whichever hashes it anew, it is still the password of the others.
  await Promise.all([1, 2, 3].map(() => people.signIn('old-hash@lamp.example', PASSWORD)));
  const [row] = await people.sql`select password from account where id = ${id}`;
  assert.match(row?.password, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await people.signIn('old-hash@lamp.example', PASSWORD);
});
