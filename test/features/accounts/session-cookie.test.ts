import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, assertProblem, type CallOptions } from '../../support/app.ts';
import { DEMO_PASSWORD, PASSWORD, type People, startPeople } from '../../support/people.ts';

let people: People;
before(async () => {
  people = await startPeople();
});
after(() => people.close());

const NAME = '__Host-maitred';
const OURS = { 'sec-fetch-site': 'same-origin' };
const PUBLIC = 'http://127.0.0.1:3000';
const EMAIL = 'owner@lamp.example';

const signIn = (headers: Record<string, string> = OURS, email = EMAIL, password = DEMO_PASSWORD) =>
  people.callWith(null, '/manage/sessions', {
    method: 'POST',
    body: { email, password, cookie: true },
    headers,
  });
const cookieIn = (answer: Answer) => String(answer.headers['set-cookie']).split(';')[0] ?? '';
const begin = async (email = EMAIL, password = DEMO_PASSWORD) => {
  const answer = await signIn(OURS, email, password);
  assert.equal(answer.status, 201, answer.text);
  return cookieIn(answer);
};
const call = (cookie: string, path: string, options: CallOptions = {}) =>
  people.callWith(null, path, { ...options, headers: { cookie, ...options.headers } });
const current = (cookie: string, headers = {}) => call(cookie, '/manage/sessions/current', { headers });
const rename = (cookie: string, headers: Record<string, string>) =>
  call(cookie, '/manage/account', { method: 'PUT', body: { name: 'Olive Owner' }, headers });

test('a browser that signs in gets a cookie with every protection and no token to read', async () => {
  const answer = await signIn();
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.json.token, null);
  assert.match(
    String(answer.headers['set-cookie']),
    /^__Host-maitred=mts_[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200$/,
  );
  const session = await current(cookieIn(answer));
  assert.equal(session.status, 200, session.text);
  assert.deepEqual([session.json.user, session.json.expiresAt], [answer.json.user, answer.json.expiresAt]);
  assert.equal((await call(cookieIn(answer), '/manage/operators/1/audit')).status, 200);
});

test('without the wish for a cookie the token is in the answer and no cookie is set', async () => {
  for (const body of [
    { email: EMAIL, password: DEMO_PASSWORD },
    { email: EMAIL, password: DEMO_PASSWORD, cookie: false },
  ]) {
    const answer = await people.post('/manage/sessions', body);
    assert.match(answer.json.token, /^mts_/);
    assert.equal(answer.headers['set-cookie'], undefined);
  }
});

test('an Authorization header goes before the cookie, whatever it says', async () => {
  const cookie = await begin();
  const both = (authorization: string) => current(cookie, { authorization });
  assertProblem(await both('Bearer mts_never-given-out'), 401, 'USER-N-013');
  assertProblem(await both('Basic abc'), 401, 'IDENT-N-001');
  const staff = await people.signIn('staff@lamp.example');
  assert.equal((await both(`Bearer ${staff}`)).json.user.email, 'staff@lamp.example');
});

test('a call with a token needs no origin, with or without the cookie', async () => {
  const authorization = `Bearer ${await people.signIn(EMAIL)}`;
  const cookie = await begin();
  const answer = await rename(cookie, { authorization, 'sec-fetch-site': 'cross-site' });
  assert.equal(answer.status, 200, answer.text);
});

for (const { from, headers, isOurs } of [
  { from: 'a page of ours', headers: { 'sec-fetch-site': 'same-origin' }, isOurs: true },
  { from: 'another site', headers: { 'sec-fetch-site': 'cross-site' }, isOurs: false },
  { from: 'a neighbour on the same site', headers: { 'sec-fetch-site': 'same-site' }, isOurs: false },
  { from: 'no page at all', headers: { 'sec-fetch-site': 'none' }, isOurs: false },
  {
    from: 'another site with our origin',
    headers: { 'sec-fetch-site': 'cross-site', origin: PUBLIC },
    isOurs: false,
  },
  { from: 'our public address', headers: { origin: PUBLIC }, isOurs: true },
  {
    from: 'the host that was called',
    headers: { origin: 'http://desk.local', host: 'desk.local' },
    isOurs: true,
  },
  {
    from: 'the host that was called, by its port',
    headers: { origin: 'http://desk.local', host: 'desk.local:80' },
    isOurs: true,
  },
  {
    from: 'the host behind a proxy',
    headers: { origin: 'https://desk.local', host: 'desk.local', 'x-forwarded-proto': 'https' },
    isOurs: true,
  },
  {
    from: 'the same host unencrypted',
    headers: { origin: 'https://desk.local', host: 'desk.local' },
    isOurs: false,
  },
  { from: 'another port', headers: { origin: 'http://desk.local:81', host: 'desk.local' }, isOurs: false },
  { from: 'another origin', headers: { origin: 'https://evil.example' }, isOurs: false },
  { from: 'a longer name', headers: { origin: `${PUBLIC}.evil.example` }, isOurs: false },
  { from: 'a page without origin', headers: { origin: 'null' }, isOurs: false },
  { from: 'a caller that says nothing', headers: {}, isOurs: false },
] as { from: string; headers: Record<string, string>; isOurs: boolean }[]) {
  test(`a change by cookie, and signing in, from ${from} is ${isOurs ? 'done' : 'refused'}`, async () => {
    const [{ before } = { before: 0 }] =
      await people.sql`select count(*)::int as before from account_session`;
    const begun = await signIn(headers);
    if (isOurs) assert.equal(begun.status, 201, begun.text);
    else {
      assertProblem(begun, 403, 'USER-N-016');
      assert.equal(begun.headers['set-cookie'], undefined);
      const [{ now } = { now: -1 }] = await people.sql`select count(*)::int as now from account_session`;
      assert.equal(now, before);
    }
    const cookie = await begin();
    const answer = await rename(cookie, headers);
    if (isOurs) assert.equal(answer.status, 200, answer.text);
    else assertProblem(answer, 403, 'USER-N-016');
  });
}

test('reading by cookie is refused to other sites, except for a link that is followed', async () => {
  const cookie = await begin();
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ])
    assert.equal((await current(cookie, headers)).status, 200, JSON.stringify(headers));
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  ]) {
    assertProblem(await current(cookie, headers), 403, 'USER-N-016');
  }
  // A frame is opened for a person, who is shown a page.
  const framed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
  const { status, text } = await current(cookie, framed);
  assert.deepEqual([status, /USER-N-016/.test(text), text.includes(EMAIL)], [403, true, false]);
});

test('signing out ends the session and clears the cookie, and only where there is one', async () => {
  const cookie = await begin();
  const path = '/manage/sessions/current';
  assertProblem(await call(cookie, path, { method: 'DELETE' }), 403, 'USER-N-016');
  assert.equal((await current(cookie)).status, 200);
  const ended = await call(cookie, path, { method: 'DELETE', headers: OURS });
  assert.equal(ended.status, 204, ended.text);
  assert.equal(ended.headers['set-cookie'], `${NAME}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`);
  assertProblem(await current(cookie), 401, 'USER-N-013');
  const token = await people.signIn(EMAIL);
  const other = await begin();
  const byToken = await call(other, path, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  assert.deepEqual([byToken.status, byToken.headers['set-cookie']], [204, undefined]);
  assert.equal((await current(other)).status, 200);
});

test('a new password ends the sessions on every device, by cookie and by token', async () => {
  const email = 'devices@lamp.example';
  await people.employ(email, 'staff');
  const tablet = await begin(email, PASSWORD);
  const laptop = await begin(email, PASSWORD);
  const script = await people.signIn(email, PASSWORD);
  const other = await begin();
  const changed = await call(tablet, '/manage/account/password', {
    method: 'PUT',
    body: { currentPassword: PASSWORD, newPassword: 'quiet water over lanterns' },
    headers: OURS,
  });
  assert.equal(changed.status, 200, changed.text);
  for (const cookie of [tablet, laptop]) assertProblem(await current(cookie), 401, 'USER-N-013');
  assertProblem(await people.callWith(script, '/manage/sessions/current'), 401, 'USER-N-013');
  assert.equal((await current(other)).status, 200);
});

test('only the token of a session, sent once, counts as a cookie', async () => {
  const cookie = await begin();
  const token = cookie.slice(NAME.length + 1);
  const padded = `theme=dark;  ${cookie} ; x=__Host-maitred=1`;
  assert.equal((await current(padded)).status, 200);
  const client = await people.token('demo-admin');
  for (const odd of [
    `${cookie}; ${NAME}=mts_x`,
    `${cookie}; ${cookie}`,
    `${NAME.toLowerCase()}=${token}`,
    `${NAME}="${token}"`,
    `${NAME}=`,
    `${NAME}=${client}`,
    `${NAME}=${token}x`,
  ])
    assertProblem(await current(odd), 401, 'IDENT-N-001');
  assertProblem(await current(`${NAME}=mts_${'x'.repeat(43)}`), 401, 'USER-N-013');
});

test('outside /manage the cookie means nothing', async () => {
  const cookie = await begin();
  for (const path of ['/venues', '/booking-rules', '/webhooks/subscriptions'])
    assertProblem(await call(cookie, path, { headers: OURS }), 401, 'IDENT-N-001');
});
