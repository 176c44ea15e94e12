import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as jose from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import { identityRoutes } from '../../../src/features/identity/routes.ts';
import { createIdentity, type Identity } from '../../../src/features/identity/service.ts';
import type { App } from '../../../src/http/route.ts';
import { AUDIENCE, buildTestApp, createFixture, type Fixture, seedClients } from './support/identity-app.ts';

const CLIENT = 'acme-client';
const SECRET = 'acme-client-secret';

let fixture: Fixture;
let identity: Identity;
let app: App;
let address: string;
before(async () => {
  fixture = await createFixture();
  await seedClients(fixture);
  // The issuer is the address, and the address is known once the server listens.
  app = buildTestApp(() => identity);
  const routed = new Proxy({} as Identity, { get: (_, name) => Reflect.get(identity, name) });
  identityRoutes(app, routed);
  address = await app.listen({ host: '127.0.0.1', port: 0 });
  identity = await createIdentity({ ...fixture.deps, config: { publicUrl: address, audience: AUDIENCE } });
});
after(async () => {
  await app.close();
  await fixture.close();
});

async function assertOpens(token: unknown) {
  const response = await fetch(`${address}/whoami`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 200);
  const caller = (await response.json()) as { clientId: string };
  assert.equal(caller.clientId, CLIENT);
}

for (const authentication of [openid.ClientSecretBasic, openid.ClientSecretPost]) {
  test(`openid-client discovers the server and gets a token with ${authentication.name}`, async () => {
    const configuration = await openid.discovery(new URL(address), CLIENT, SECRET, authentication(SECRET), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const tokens = await openid.clientCredentialsGrant(configuration, {
      audience: AUDIENCE,
      scope: 'venue:read',
    });
    assert.equal(tokens.scope, 'venue:read');
    await assertOpens(tokens.access_token);
  });
}

test('openid-client reads the refusal of a wrong secret', async () => {
  const configuration = await openid.discovery(
    new URL(address),
    CLIENT,
    'wrong',
    openid.ClientSecretBasic('wrong'),
    {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    },
  );
  await assert.rejects(openid.clientCredentialsGrant(configuration, { audience: AUDIENCE }), { status: 401 });
});

for (const authentication of [oauth.ClientSecretBasic, oauth.ClientSecretPost]) {
  test(`oauth4webapi gets a token with ${authentication.name} and accepts it as RFC 9068 says`, async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(address);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, discovered);
    const client = { client_id: CLIENT };
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication(SECRET),
      { audience: AUDIENCE },
      insecure,
    );
    const tokens = await oauth.processClientCredentialsResponse(server, client, response);
    await assertOpens(tokens.access_token);
    const request = new Request(`${address}/whoami`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    const claims = await oauth.validateJwtAccessToken(server, request, AUDIENCE, insecure);
    assert.equal(claims.client_id, CLIENT);
  });
}

for (const authorizationMethod of ['header', 'body'] as const) {
  for (const bodyFormat of ['form', 'json'] as const) {
    test(`simple-oauth2 gets a token with credentials in the ${authorizationMethod} and a ${bodyFormat} body`, async () => {
      const client = new ClientCredentials({
        client: { id: CLIENT, secret: SECRET },
        auth: { tokenHost: address, tokenPath: '/oauth/token' },
        options: { authorizationMethod, bodyFormat },
      });
      const result = await client.getToken({ audience: AUDIENCE, scope: ['venue:read', 'listing:read'] });
      assert.equal(result.token.scope, 'venue:read listing:read');
      await assertOpens(result.token.access_token);
    });
  }
}

test('jose verifies a token with nothing but the published keys', async () => {
  const { access_token: token } = await identity.issueToken({
    body: { grant_type: 'client_credentials', client_id: CLIENT, client_secret: SECRET, audience: AUDIENCE },
    authorization: undefined,
    remoteAddress: '127.0.0.1',
  });
  const keys = jose.createRemoteJWKSet(new URL(`${address}/.well-known/jwks.json`));
  const { payload } = await jose.jwtVerify(token, keys, {
    issuer: address,
    audience: AUDIENCE,
    typ: 'at+jwt',
  });
  assert.equal(payload.sub, CLIENT);
});
