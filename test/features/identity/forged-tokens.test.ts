import assert from 'node:assert/strict';
import { createHmac, createSecretKey, generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWTPayload, SignJWT } from 'jose';
import { open } from '../../../src/kernel/crypto.ts';
import { createFixture, type Fixture, ISSUER, seedClients, tokenOf, whoami } from './support/identity-app.ts';

let fixture: Fixture;
let token: string;
before(async () => {
  fixture = await createFixture();
  await seedClients(fixture);
  token = await tokenOf(fixture.app, 'acme-client');
});
after(() => fixture.close());

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs whatever it is told with the service's own private key, as no outsider could. */
async function signedByUs(claims: JWTPayload, header: object = {}): Promise<string> {
  const [row] = await fixture.sql<{ id: string; sealed: Buffer }[]>`
    select id, private_jwk as sealed from signing_key`;
  assert.ok(row);
  const jwk = JSON.parse(open(fixture.deps.encryptionKeys, row.sealed, `signing-key:${row.id}`).toString());
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: row.id, ...header })
    .sign(await importJWK(jwk, 'ES256'));
}

async function refused(forged: string, name: string) {
  const response = await whoami(fixture.app, forged);
  assert.equal(response.statusCode, 401, name);
  assert.equal(response.json().code, 'IDENT-N-001', name);
  assert.equal(response.headers['www-authenticate'], 'Bearer error="invalid_token"', name);
}

test('the control: a token signed with our key and honest claims passes', async () => {
  assert.equal((await whoami(fixture.app, await signedByUs(decodeJwt(token)))).statusCode, 200);
});

test('claims of our own signature that are not for us, not ours or not in time are refused', async () => {
  const claims = decodeJwt(token);
  const now = Math.floor(Date.now() / 1000);
  const { exp, iat, sub, client_id, aud, iss, ...rest } = claims;
  const cases: [string, JWTPayload, object?][] = [
    ['another audience', { ...claims, aud: 'elsewhere' }],
    ['no audience', { ...rest, exp, iat, sub, client_id, iss } as JWTPayload],
    ['another issuer', { ...claims, iss: `${ISSUER}/` }],
    ['expired', { ...claims, exp: now - 1 }],
    ['not yet valid', { ...claims, nbf: now + 600 }],
    ['no expiry', { ...rest, iat, sub, client_id, aud, iss } as JWTPayload],
    ['an expiry that is no number', { ...claims, exp: '9999999999' as unknown as number }],
    ['no subject', { ...rest, exp, iat, client_id, aud, iss } as JWTPayload],
    ['a subject that is not the client', { ...claims, sub: 'platform-client' }],
    ['a client that is no text', { ...claims, sub: 'x', client_id: { id: 'x' } }],
    ['an id token', claims, { typ: 'JWT' }],
    ['no type', claims, { typ: undefined }],
    ['a critical extension', claims, { crit: ['x'], x: true }],
    ['no key id', claims, { kid: undefined }],
    ['an unknown key id', claims, { kid: 'nope' }],
    ['a client that does not exist', { ...claims, sub: 'ghost', client_id: 'ghost' }],
  ];
  for (const [name, forgedClaims, header] of cases) {
    const forged = await signedByUs(forgedClaims, header).catch(() => undefined);
    await refused(forged ?? unsignable(forgedClaims, header), name);
  }
});

/** The library refuses to sign some headers; an attacker's would not. */
function unsignable(claims: JWTPayload, header: object = {}): string {
  const signature = token.split('.')[2];
  return `${encode({ ...decodeProtectedHeader(token), ...header })}.${encode(claims)}.${signature}`;
}

test('other algorithms and other keys are refused', async () => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const { kid } = decodeProtectedHeader(token);
  const { keys } = (await fixture.app.inject('/.well-known/jwks.json')).json();
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sign = (alg: string, key: Parameters<SignJWT['sign']>[0], extra: object = {}) =>
    new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg, typ: 'at+jwt', kid: String(kid), ...extra })
      .sign(key);
  // The classic confusion: the public key, which everybody knows, used as the secret of an HMAC.
  const publicAsSecret = createSecretKey(Buffer.from(JSON.stringify(keys[0])));
  const hmacInput = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${payload}`;
  const hmac = createHmac('sha256', JSON.stringify(keys[0])).update(hmacInput).digest('base64url');
  const cases: [string, string][] = [
    ['alg none, empty signature', `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.`],
    ['alg none, old signature', `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.${signature}`],
    ['alg NONE', `${encode({ alg: 'NONE', typ: 'at+jwt', kid })}.${payload}.`],
    ['no alg', `${encode({ typ: 'at+jwt', kid })}.${payload}.${signature}`],
    ['HMAC with the public key', await sign('HS256', publicAsSecret)],
    ['HMAC by hand', `${hmacInput}.${hmac}`],
    ['RSA under our key id', await sign('RS256', rsa.privateKey)],
    ['another key under our key id', await sign('ES256', stranger.privateKey)],
    [
      'its own key in the header',
      await sign('ES256', stranger.privateKey, { jwk: stranger.publicKey.export({ format: 'jwk' }) }),
    ],
    [
      'a key address in the header',
      await sign('ES256', stranger.privateKey, { jku: 'http://127.0.0.1:1/jwks' }),
    ],
    ['a key id like a path', await sign('ES256', stranger.privateKey, { kid: '../../dev/null' })],
    ['a key id like a property', await sign('ES256', stranger.privateKey, { kid: '__proto__' })],
    ['a zero signature', `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`],
    ['no signature', `${header}.${payload}.`],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${token}.x`],
    [
      'more claims, same signature',
      `${header}.${encode({ ...decodeJwt(token), scope: 'platform:admin' })}.${signature}`,
    ],
    ['one word', 'secret'],
    ['a very long one', `${'a'.repeat(9000)}.${payload}.${signature}`],
  ];
  for (const [name, forged] of cases) await refused(forged, name);
});

test('a token with any one character changed is refused', async () => {
  // The last character of the signature carries bits that base64url ignores, so it is left alone.
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: token.length - 2 }),
      fc.constantFrom(...'AZaz09-_.'),
      async (index, replacement) => {
        fc.pre(token[index] !== replacement);
        await refused(token.slice(0, index) + replacement + token.slice(index + 1), `character ${index}`);
      },
    ),
    { numRuns: 150 },
  );
});

test('headers that are no bearer token are refused, whatever they hold', async () => {
  const missing = await whoami(fixture.app, undefined);
  assert.equal(missing.statusCode, 401);
  assert.equal(missing.headers['www-authenticate'], 'Bearer');
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary-ascii' }), async (authorization) => {
      const resolve = async () => fixture.identity.resolveCaller(authorization, undefined);
      await assert.rejects(resolve, { name: 'Problem', code: 'IDENT-N-001' });
      await assert.rejects(async () => fixture.identity.resolveCaller(`Bearer ${authorization}`, undefined), {
        name: 'Problem',
        code: 'IDENT-N-001',
      });
    }),
  );
});

test('a token stops working when its hour is over, also where it was in use before', async () => {
  assert.equal((await whoami(fixture.app, token)).statusCode, 200);
  fixture.clock.advance({ seconds: 3590 });
  assert.equal((await whoami(fixture.app, token)).statusCode, 200);
  fixture.clock.advance({ seconds: 11 });
  await refused(token, 'expired');
});
