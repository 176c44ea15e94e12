import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { decodeProtectedHeader } from 'jose';
import { createIdentity } from '../../../src/features/identity/service.ts';
import { retirementOfNextKey } from '../../../src/features/identity/signing-keys.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createFixture, type Fixture, seedClients, tokenOf, whoami } from './support/identity-app.ts';

let fixture: Fixture;
before(async () => {
  fixture = await createFixture();
  await seedClients(fixture);
});
after(() => fixture.close());

async function publishedKeyIds(): Promise<string[]> {
  const { keys } = await fixture.identity.listPublicKeys();
  return keys.map((key) => key.kid);
}

const keyIdOf = (token: string) => String(decodeProtectedHeader(token).kid);

test('nodes that start together agree on one key', async () => {
  await fixture.sql`delete from signing_key`;
  const nodes = await Promise.all(Array.from({ length: 4 }, () => createIdentity(fixture.deps)));
  const keySets = await Promise.all(nodes.map((node) => node.listPublicKeys()));
  assert.equal(keySets[0]?.keys.length, 1);
  for (const keySet of keySets) assert.deepEqual(keySet, keySets[0]);
});

test('a key that another node has just made is found', async () => {
  const deaf = { isConnected: () => true, subscribe: () => () => {}, close: async () => {} };
  const other = await createIdentity({ ...fixture.deps, notifications: deaf });
  const token = await tokenOf(fixture.app, 'acme-client');
  await other.resolveCaller(`Bearer ${token}`, undefined);
  await fixture.sql`delete from signing_key`;
  const maker = await createIdentity(fixture.deps);
  const { access_token: fresh } = await maker.issueToken({
    body: {
      grant_type: 'client_credentials',
      client_id: 'acme-client',
      client_secret: 'acme-client-secret',
      audience: 'maitred',
    },
    authorization: undefined,
    remoteAddress: '192.0.2.1',
  });
  fixture.clock.advance({ seconds: 2 });
  assert.equal((await other.resolveCaller(`Bearer ${fresh}`, undefined)).kind, 'partner');
});

test('the next key is published before it signs, and the old one stays while its tokens live', async () => {
  await fixture.identity.rotateSigningKeys();
  const first = keyIdOf(await tokenOf(fixture.app, 'acme-client'));
  assert.deepEqual(await publishedKeyIds(), [first]);

  fixture.clock.advance({ hours: 27 * 24 });
  await fixture.identity.rotateSigningKeys();
  assert.deepEqual(await publishedKeyIds(), [first], 'too early for the next key');

  fixture.clock.advance({ hours: 24 });
  await fixture.identity.rotateSigningKeys();
  const [, second] = await publishedKeyIds();
  assert.ok(second, 'two days before the end the next key is there');
  assert.equal(keyIdOf(await tokenOf(fixture.app, 'acme-client')), first, 'but does not sign yet');

  fixture.clock.advance({ hours: 47, minutes: 59 });
  const lastOfFirst = await tokenOf(fixture.app, 'acme-client');
  assert.equal(keyIdOf(lastOfFirst), first);
  fixture.clock.advance({ minutes: 2 });
  await fixture.identity.rotateSigningKeys();
  const firstOfSecond = await tokenOf(fixture.app, 'acme-client');
  assert.equal(keyIdOf(firstOfSecond), second);
  assert.deepEqual(await publishedKeyIds(), [first, second]);
  assert.equal((await whoami(fixture.app, lastOfFirst)).statusCode, 200);
  assert.equal((await whoami(fixture.app, firstOfSecond)).statusCode, 200);

  fixture.clock.advance({ minutes: 57 });
  await fixture.identity.rotateSigningKeys();
  assert.equal((await whoami(fixture.app, lastOfFirst)).statusCode, 200, 'to the end of its hour');
  fixture.clock.advance({ minutes: 30 });
  await fixture.identity.rotateSigningKeys();
  assert.deepEqual(await publishedKeyIds(), [second]);
});

test('a service that slept past its last key makes one when the first token is asked for', async () => {
  const before = await publishedKeyIds();
  fixture.clock.advance({ hours: 100 * 24 });
  const token = await tokenOf(fixture.app, 'acme-client');
  assert.ok(!before.includes(keyIdOf(token)));
  assert.equal((await whoami(fixture.app, token)).statusCode, 200);
});

test('whatever is due, daily rotation leaves no gap and shows each key a day ahead', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_399 }), fc.integer({ min: 40, max: 120 }), (second, days) => {
      let now = Temporal.Instant.from('2030-01-01T00:00:00Z').add({ seconds: second });
      const keys: { createdAt: Temporal.Instant; retiresAt: Temporal.Instant }[] = [];
      for (let day = 0; day < days; day++, now = now.add({ hours: 24 })) {
        const retiresAt = retirementOfNextKey(
          keys.map((key) => key.retiresAt),
          now,
        );
        if (retiresAt) keys.push({ createdAt: now, retiresAt });
        assert.equal(
          retirementOfNextKey(
            keys.map((key) => key.retiresAt),
            now,
          ),
          undefined,
          'one at a time',
        );
      }
      for (const [index, key] of keys.entries()) {
        const previous = keys[index - 1];
        if (!previous) continue;
        assert.equal(key.retiresAt.since(previous.retiresAt).total('hours'), 30 * 24);
        assert.ok(previous.retiresAt.since(key.createdAt).total('hours') >= 24);
      }
    }),
  );
});

test('a node with another encryption key does not start, and adds no key even when one is due', async () => {
  fixture.clock.advance({ hours: 29 * 24 });
  const before = await publishedKeyIds();
  await assert.rejects(
    createIdentity({ ...fixture.deps, encryptionKeys: createKeyring([randomBytes(32)]) }),
    {
      name: 'StartError',
      message: /ENCRYPTION_KEY/,
    },
  );
  const rows = await fixture.sql<{ id: string }[]>`select id from signing_key order by retires_at`;
  assert.deepEqual(
    rows.map((row) => row.id),
    before,
  );
});

test('nor does it start when all keys have retired meanwhile, as in an old backup', async () => {
  fixture.clock.advance({ hours: 200 * 24 });
  await assert.rejects(
    createIdentity({ ...fixture.deps, encryptionKeys: createKeyring([randomBytes(32)]) }),
    {
      name: 'StartError',
      message: /ENCRYPTION_KEY/,
    },
  );
  await createIdentity(fixture.deps);
});

test('private keys are not readable in the database', async () => {
  const rows = await fixture.sql<{ sealed: Buffer }[]>`select private_jwk as sealed from signing_key`;
  assert.ok(rows.length > 0);
  for (const { sealed } of rows) assert.ok(!sealed.includes('"d"'));
});
