import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { inTransaction } from '../../../src/db/database.ts';
import { addSecret, revokeSecret } from '../../../src/features/identity/service.ts';
import { SCOPES } from '../../../src/http/auth/caller.ts';
import {
  AUDIENCE,
  createFixture,
  type Fixture,
  ISSUER,
  requestToken,
  seedClients,
  tokenOf,
  whoami,
} from './support/identity-app.ts';

let fixture: Fixture;
before(async () => {
  fixture = await createFixture();
  await seedClients(fixture);
});
after(() => fixture.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

async function post(payload: string | object, headers: Record<string, string> = {}) {
  return fixture.app.inject({ method: 'POST', url: '/oauth/token', payload, headers });
}

const VALID = {
  grant_type: 'client_credentials',
  client_id: 'acme-client',
  client_secret: 'acme-client-secret',
  audience: AUDIENCE,
};
const { client_id: _id, client_secret: _secret, ...WITHOUT_CREDENTIALS } = VALID;

test('a token request in JSON is answered with a token of the form of RFC 9068', async () => {
  const response = await post(VALID);
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['cache-control'], 'no-store');
  const body = response.json();
  assert.equal(body.token_type, 'Bearer');
  assert.equal(body.expires_in, 3600);
  const header = decodeProtectedHeader(body.access_token);
  assert.equal(header.alg, 'ES256');
  assert.equal(header.typ, 'at+jwt');
  const claims = decodeJwt(body.access_token);
  assert.equal(claims.iss, ISSUER);
  assert.equal(claims.aud, AUDIENCE);
  assert.equal(claims.sub, 'acme-client');
  assert.equal(claims.client_id, 'acme-client');
  assert.equal(claims.scope, body.scope);
  assert.equal(Number(claims.exp) - Number(claims.iat), 3600);
  assert.match(String(claims.jti), /^[0-9a-f-]{36}$/);
});

test('each kind of client gets its own scopes', async () => {
  const scopesOf = async (id: string) => decodeJwt(await tokenOf(fixture.app, id)).scope;
  const partner =
    'venue:read listing:read venue-booking:create venue-booking:read venue-booking:update venue-booking:delete partner:create';
  assert.equal(await scopesOf('acme-client'), partner);
  assert.equal(await scopesOf('agent-client'), `${partner} agent:write`);
  assert.equal(await scopesOf('operator-client'), 'venue:read venue-booking:read operator:write');
  assert.equal(await scopesOf('platform-client'), SCOPES.join(' '));
});

test('a form body and HTTP Basic give tokens too', async () => {
  const form = await post(new URLSearchParams(VALID).toString(), FORM);
  assert.equal(form.statusCode, 200);
  const withBasic = await post(new URLSearchParams(WITHOUT_CREDENTIALS).toString(), {
    ...FORM,
    authorization: basic('acme-client', 'acme-client-secret'),
  });
  assert.equal(withBasic.statusCode, 200);
  const json = await post(WITHOUT_CREDENTIALS, { authorization: basic('acme-client', 'acme-client-secret') });
  assert.equal(json.statusCode, 200);
});

test('a secret with special characters works over Basic as it is and form-encoded', async () => {
  const secret = 'a+b%41 c:d/é=';
  await inTransaction(fixture.sql, (tx) => addSecret(tx, 'acme-client', { secret }));
  const encoded = encodeURIComponent(secret).replaceAll('%20', '+');
  for (const password of [secret, encoded]) {
    const response = await post(WITHOUT_CREDENTIALS, { authorization: basic('acme%2Dclient', password) });
    assert.equal(response.statusCode, 200, password);
  }
});

test('a client id in the body beside Basic is fine when it is the same and refused when not', async () => {
  const authorization = basic('acme-client', 'acme-client-secret');
  assert.equal(
    (await post({ ...WITHOUT_CREDENTIALS, client_id: 'acme-client' }, { authorization })).statusCode,
    200,
  );
  const other = await post({ ...WITHOUT_CREDENTIALS, client_id: 'agent-client' }, { authorization });
  assert.equal(other.statusCode, 400);
  assert.equal(other.json().error, 'invalid_request');
});

test('a scope narrows the token, and an unknown or missing one is refused', async () => {
  const narrowed = await post({ ...VALID, scope: 'listing:read venue:read' });
  assert.equal(narrowed.json().scope, 'venue:read listing:read');
  for (const scope of ['operator:write', 'venue:read nonsense', 'VENUE:READ']) {
    const refused = await post({ ...VALID, scope });
    assert.equal(refused.statusCode, 400);
    assert.equal(refused.json().error, 'invalid_scope');
  }
});

test('what is wrong with a request is said in the words of RFC 6749', async () => {
  const cases: [string, object | string, Record<string, string>, number, string][] = [
    ['no grant type', { ...VALID, grant_type: undefined }, {}, 400, 'invalid_request'],
    ['an empty grant type', { ...VALID, grant_type: '' }, {}, 400, 'invalid_request'],
    ['another grant type', { ...VALID, grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
    ['no audience', { ...VALID, audience: undefined }, {}, 400, 'invalid_request'],
    ['another audience', { ...VALID, audience: 'https://elsewhere' }, {}, 400, 'invalid_target'],
    ['no secret', { ...VALID, client_secret: undefined }, {}, 401, 'invalid_client'],
    ['no client', WITHOUT_CREDENTIALS, {}, 401, 'invalid_client'],
    ['an unknown client', { ...VALID, client_id: 'nobody' }, {}, 401, 'invalid_client'],
    ['an id that cannot exist', { ...VALID, client_id: 'a\u0000b' }, {}, 401, 'invalid_client'],
    ['a wrong secret', { ...VALID, client_secret: 'wrong' }, {}, 401, 'invalid_client'],
    ['a secret with NUL', { ...VALID, client_secret: '\u0000' }, {}, 401, 'invalid_client'],
    ['a number as secret', { ...VALID, client_secret: 1 }, {}, 400, 'invalid_request'],
    ['a list as id', { ...VALID, client_id: ['acme-client'] }, {}, 400, 'invalid_request'],
    ['an object as scope', { ...VALID, scope: {} }, {}, 400, 'invalid_request'],
    ['a list', [VALID], {}, 400, 'invalid_request'],
    ['null', 'null', { 'content-type': 'application/json' }, 400, 'invalid_request'],
    ['broken JSON', '{"grant_type":', { 'content-type': 'application/json' }, 400, 'invalid_request'],
    ['a poisoned body', '{"__proto__":{}}', { 'content-type': 'application/json' }, 400, 'invalid_request'],
    ['nothing', '', {}, 400, 'invalid_request'],
    ['plain text', 'grant_type=client_credentials', { 'content-type': 'text/plain' }, 400, 'invalid_request'],
    ['XML', '<a/>', { 'content-type': 'application/xml' }, 400, 'invalid_request'],
    ['a body too large', { ...VALID, padding: 'x'.repeat(20_000) }, {}, 400, 'invalid_request'],
    ['a parameter twice', `${new URLSearchParams(VALID)}&audience=maitred`, FORM, 400, 'invalid_request'],
    [
      'both ways at once',
      VALID,
      { authorization: basic('acme-client', 'acme-client-secret') },
      400,
      'invalid_request',
    ],
    [
      'Basic with a wrong secret',
      WITHOUT_CREDENTIALS,
      { authorization: basic('acme-client', 'no') },
      401,
      'invalid_client',
    ],
    [
      'Basic without a colon',
      WITHOUT_CREDENTIALS,
      { authorization: 'Basic YWNtZQ==' },
      401,
      'invalid_client',
    ],
    ['another scheme', WITHOUT_CREDENTIALS, { authorization: 'Bearer abc' }, 401, 'invalid_client'],
  ];
  for (const [name, payload, headers, status, error] of cases) {
    const response = await post(payload, headers);
    assert.equal(response.statusCode, status, `${name}: ${response.body}`);
    assert.deepEqual(Object.keys(response.json()), ['error', 'error_description'], name);
    assert.equal(response.json().error, error, name);
    assert.equal(response.headers['cache-control'], 'no-store', name);
    assert.equal(
      String(response.headers['www-authenticate'] ?? '').startsWith('Basic '),
      status === 401,
      name,
    );
  }
});

test('an unknown client, a wrong secret and a client that is switched off are answered alike', async () => {
  await fixture.sql`update client set is_active = false where id = 'operator-client'`;
  const answers = [
    await post({ ...VALID, client_id: 'someone' }),
    await post({ ...VALID, client_secret: 'wrong' }),
    await requestToken(fixture.app, 'operator-client'),
  ];
  assert.equal(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size, 1);
  await fixture.sql`update client set is_active = true where id = 'operator-client'`;
  assert.equal((await requestToken(fixture.app, 'operator-client')).statusCode, 200);
});

test('during a rotation the old and the new secret work, and a revoked one does not', async () => {
  const tryWith = async (secret: string) =>
    (await requestToken(fixture.app, 'agent-client', { client_secret: secret })).statusCode;
  const next = await inTransaction(fixture.sql, (tx) => addSecret(tx, 'agent-client'));
  assert.match(next.secret, /^[A-Za-z0-9_-]{43}$/);
  assert.deepEqual([await tryWith('agent-client-secret'), await tryWith(next.secret)], [200, 200]);
  await inTransaction(fixture.sql, (tx) => revokeSecret(tx, 'agent-client', next.id));
  assert.deepEqual([await tryWith('agent-client-secret'), await tryWith(next.secret)], [200, 401]);
});

test('old secrets can be given an end when a new one is added', async () => {
  const tryWith = async (secret: string) =>
    (await requestToken(fixture.app, 'agent-client', { client_secret: secret })).statusCode;
  const othersExpireAt = fixture.clock.now().add({ hours: 1 });
  const next = await inTransaction(fixture.sql, (tx) => addSecret(tx, 'agent-client', { othersExpireAt }));
  assert.deepEqual([await tryWith('agent-client-secret'), await tryWith(next.secret)], [200, 200]);
  fixture.clock.advance({ hours: 1, seconds: 1 });
  assert.deepEqual([await tryWith('agent-client-secret'), await tryWith(next.secret)], [401, 200]);
});

test('a token opens a protected route', async () => {
  const response = await whoami(fixture.app, await tokenOf(fixture.app, 'acme-client'));
  assert.equal(response.statusCode, 200);
  assert.equal(response.json().partner.reference, 'acme');
});

test('the server describes itself as RFC 8414 wants', async () => {
  const response = await fixture.app.inject('/.well-known/oauth-authorization-server');
  assert.equal(response.statusCode, 200);
  const body = response.json();
  assert.equal(body.issuer, ISSUER);
  assert.equal(body.token_endpoint, `${ISSUER}/oauth/token`);
  assert.equal(body.jwks_uri, `${ISSUER}/.well-known/jwks.json`);
  assert.deepEqual(body.grant_types_supported, ['client_credentials']);
  assert.deepEqual(body.token_endpoint_auth_methods_supported, ['client_secret_basic', 'client_secret_post']);
  assert.deepEqual(body.scopes_supported, [...SCOPES]);
});

test('the key set shows public keys only', async () => {
  const { keys } = (await fixture.app.inject('/.well-known/jwks.json')).json();
  assert.equal(keys.length, 1);
  assert.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});

test('a database that is away is temporary, as everywhere else', async (t) => {
  const own = await createFixture();
  t.after(() => own.close());
  await own.sql.end();
  const response = await requestToken(own.app, 'acme-client');
  assert.equal(response.statusCode, 503);
  assert.equal(response.json().error, 'temporarily_unavailable');
  assert.ok(Number(response.headers['retry-after']) > 0);
});
