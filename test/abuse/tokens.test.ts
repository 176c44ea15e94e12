import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWTPayload, SignJWT } from 'jose';
import { createKeyring, open } from '../../src/kernel/crypto.ts';
import { type Answer, assertProblem, startTestApp, type TestApp } from '../support/app.ts';
import { assertSound, startTarget, type TargetApp } from './support/target.ts';

let maitred: TargetApp;
let stranger: TestApp;
let token: string;
before(async () => {
  maitred = await startTarget();
  stranger = await startTestApp();
  token = await maitred.token('demo-admin');
});
after(async () => {
  await stranger.close();
  await maitred.close();
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function assertRefused(authorization: string | undefined, what: string) {
  for (const { method, url } of maitred.targets.filter(
    (target) => target.documentedCodes && !target.isPublic,
  )) {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await maitred.call(url.replace(/:\w+/, '1%7Chouse%7Csoho-grill'), {
      method: method as 'GET',
      as: null,
      headers,
    });
    assertSound(answer, method);
    const detail = assertNotIdentified(url, answer);
    const challenge =
      authorization === undefined || authorization === ''
        ? /^Bearer(?: resource_metadata="[^"]+")?$/
        : /^Bearer error="invalid_token"(?:, resource_metadata="[^"]+")?$/;
    assert.match(String(answer.headers['www-authenticate']), challenge, what);
    // Whoever reads along in a log must not find the token there.
    if (authorization && authorization.length > 20) assert.ok(!detail.includes(authorization.slice(7)), what);
  }
}

/** Its sentence, in whichever form the interface has for errors. */
function assertNotIdentified(url: string, answer: Answer): string {
  if (url === '/mcp') {
    assert.deepEqual([answer.status, answer.json.error.data.code], [401, 'IDENT-N-001'], answer.text);
    return answer.json.error.message;
  }
  if (!url.startsWith('/octo/')) return assertProblem(answer, 401, 'IDENT-N-001').detail;
  assert.deepEqual([answer.status, answer.json.code], [401, 'IDENT-N-001'], answer.text);
  return answer.json.errorMessage;
}

/** Signed with the service's own key: what is wrong with these is not the signature. */
async function signedByUs(claims: JWTPayload): Promise<string> {
  const [row] = await maitred.sql<{ id: string; sealed: Buffer }[]>`
    select id, private_jwk as sealed from signing_key order by created_at limit 1`;
  assert.ok(row);
  const jwk = JSON.parse(
    open(createKeyring([Buffer.alloc(32, 7)]), row.sealed, `signing-key:${row.id}`).toString(),
  );
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: row.id })
    .sign(await importJWK(jwk, 'ES256'));
}

const reads = (authorization: string) =>
  maitred.call('/venues?pageSize=1', { as: null, headers: { authorization } });

test('the controls: the token that the others are made from is good, and so is one signed by hand', async () => {
  assert.equal((await reads(`Bearer ${token}`)).status, 200);
  assert.equal((await reads(`Bearer ${await signedByUs(decodeJwt(token))}`)).status, 200);
});

test('the scheme may be written in any case and be followed by several spaces', async () => {
  for (const scheme of ['bearer ', 'BEARER ', 'bEaReR ', 'Bearer    ']) {
    assert.equal((await reads(`${scheme}${token}`)).status, 200, scheme);
  }
});

test('no token, or a header that is no bearer token, is refused', async () => {
  await assertRefused(undefined, 'none');
  await assertRefused('', 'an empty header');
  const [header = '', payload = ''] = token.split('.');
  const headers = [
    'Bearer',
    'Bearer ',
    token,
    `Bearer${token}`,
    `Bearer\t${token}`,
    `Bearer\u00a0${token}`,
    ` Bearer ${token} x`,
    `Token ${token}`,
    `Basic ${Buffer.from('demo-admin:demo-admin-secret').toString('base64')}`,
    `Bearer "${token}"`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer ${token},`,
    `Bearer null`,
    'Bearer undefined',
    'Bearer .',
    'Bearer ..',
    `Bearer ${header}.${payload}`,
    `Bearer ${token.slice(0, -10)}`,
    `Bearer ${token.slice(10)}`,
    `Bearer ${token.slice(0, token.length / 2)}`,
    `Bearer ${'a'.repeat(20_000)}`,
    `Bearer ${token}${'A'.repeat(20_000)}`,
    `Bearer ${'a.'.repeat(10_000)}`,
  ];
  for (const authorization of headers) await assertRefused(authorization, authorization.slice(0, 60));
});

test('claims that are expired, meant for others or issued by others are refused', async () => {
  const claims = decodeJwt(token);
  const now = Math.floor(Date.now() / 1000);
  const changes: JWTPayload[] = [
    { exp: now - 1 },
    { exp: 0 },
    { aud: 'https://elsewhere.example' },
    { aud: [] },
    { iss: 'https://elsewhere.example' },
    { nbf: now + 3600 },
    { sub: 'demo-partner' },
    { sub: 'nobody', client_id: 'nobody' },
    { sub: '', client_id: '' },
    { sub: "x' or true --", client_id: "x' or true --" },
    { sub: 'a\0b', client_id: 'a\0b' },
  ];
  for (const change of changes) {
    await assertRefused(`Bearer ${await signedByUs({ ...claims, ...change })}`, JSON.stringify(change));
  }
});

test('a scope that the client does not have is worth nothing in a token', async () => {
  const claims = decodeJwt(await maitred.token('demo-operator'));
  for (const scope of ['platform:admin', '', 'VENUE:READ', 'venue:read,platform:admin']) {
    const forged = await signedByUs({ ...claims, scope });
    assertProblem(await reads(`Bearer ${forged}`), 403, 'USER-N-009');
  }
});

test('other algorithms and other keys are refused', async () => {
  const [, payload = ''] = token.split('.');
  const { kid } = decodeProtectedHeader(token);
  const { keys } = (await maitred.call('/.well-known/jwks.json', { as: null })).json;
  const pem = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const hmac = (secret: string | Buffer) => {
    const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${payload}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = (header: object) =>
    new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header })
      .sign(privateKey);
  const forgeries = {
    'alg none': `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.`,
    'alg nOnE': `${encode({ alg: 'nOnE', typ: 'at+jwt', kid })}.${payload}.AAAA`,
    'HMAC with the key set entry': hmac(JSON.stringify(keys[0])),
    'HMAC with the public key as PEM': hmac(pem),
    'HMAC with nothing': hmac(''),
    'another key under our id': await signed({ kid }),
    'an unknown key id': await signed({ kid: 'unknown' }),
    'a key id in SQL': await signed({ kid: "' or true --" }),
    'a key id with U+0000': await signed({ kid: 'a\0b' }),
    'a key id of 7 KB': await signed({ kid: 'k'.repeat(7000) }),
    'no key id': await signed({}),
  };
  for (const [what, forged] of Object.entries(forgeries)) await assertRefused(`Bearer ${forged}`, what);
});

test('a token of another deployment is refused, although it says the same about itself', async () => {
  const foreign = await stranger.token('demo-admin');
  const { iss, aud, client_id } = decodeJwt(foreign);
  const own = decodeJwt(token);
  assert.deepEqual({ iss, aud, client_id }, { iss: own.iss, aud: own.aud, client_id: own.client_id });
  await assertRefused(`Bearer ${foreign}`, 'another database');
});
