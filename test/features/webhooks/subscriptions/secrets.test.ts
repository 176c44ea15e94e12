import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  apiKeyOf,
  newSigningSecret,
  OVERLAP_HOURS,
  openSecrets,
  sealSecret,
  standardSignature,
} from '../../../../src/features/webhooks/subscriptions/secrets.ts';
import { createKeyring } from '../../../../src/kernel/crypto.ts';

const keys = createKeyring([Buffer.alloc(32, 7)]);
const ID = '019a7f52-3b1e-7c40-8d25-b7e94a06f1c3';
const OTHER_ID = '019a7f52-3b1e-7c40-8d25-b7e94a06f1c4';

test('a secret is whsec_ and 32 bytes in base64, and never the same twice', () => {
  const secrets = Array.from({ length: 1000 }, newSigningSecret);
  for (const secret of secrets) {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]{43}=)$/.exec(secret) ?? [];
    assert.equal(Buffer.from(base64, 'base64').length, 32, secret);
  }
  assert.equal(new Set(secrets).size, 1000);
});

test('the published example of Standard Webhooks comes out as published', () => {
  const signature = standardSignature(
    { current: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', previous: null },
    {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1614265330,
      body: Buffer.from('{"test": 2432232314}'),
    },
  );
  assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

/** RFC 4231 has this one: a key that is text, and text that is signed. */
test('X-API-Key is keyed with the text of the secret itself', () => {
  assert.equal(
    apiKeyOf('Jefe', Buffer.from('what do ya want for nothing?')),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

/** The same by another implementation. */
async function hmac(keyBytes: Uint8Array, text: Uint8Array): Promise<Buffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(keyBytes), algorithm, false, ['sign']);
  return Buffer.from(await crypto.subtle.sign('HMAC', imported, new Uint8Array(text)));
}

const secretBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;
const anyBody = fc.uint8Array({ maxLength: 300 });

test('both signatures are what anybody else computes of the same raw bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      secretBytes,
      secretBytes,
      anyBody,
      fc.uuid(),
      fc.integer({ min: 0, max: 4_000_000_000 }),
      async (current, previous, body, id, timestampSeconds) => {
        const secret = secretOf(current);
        const apiKey = await hmac(Buffer.from(secret), body);
        assert.equal(apiKeyOf(secret, Buffer.from(body)), apiKey.toString('hex'));

        const signed = Buffer.concat([Buffer.from(`${id}.${timestampSeconds}.`), body]);
        const both = [await hmac(current, signed), await hmac(previous, signed)];
        const expected = both.map((each) => `v1,${each.toString('base64')}`);
        const message = { id, timestampSeconds, body: Buffer.from(body) };
        const rotated = { current: secret, previous: secretOf(previous) };
        assert.equal(standardSignature(rotated, message), expected.join(' '));
        assert.equal(standardSignature({ ...rotated, previous: null }, message), expected[0]);
      },
    ),
  );
});

test('a stored secret opens for its own subscription and for no other, and does not show itself', () => {
  const secret = newSigningSecret();
  const stored = { secret: sealSecret(keys, ID, secret), previousSecret: null, previousUntil: null };
  const now = Temporal.Instant.from('2026-11-15T12:00:00Z');
  assert.deepEqual(openSecrets(keys, ID, stored, now), { current: secret, previous: null });
  assert.throws(() => openSecrets(keys, OTHER_ID, stored, now));
  assert.throws(
    () => openSecrets(createKeyring([Buffer.alloc(32, 8)]), ID, stored, now),
    /another encryption key/,
  );
  assert.ok(!stored.secret.includes(secret.slice(6, 20)));
});

test('the secret before signs to the last moment of its time and not a moment longer', () => {
  const [current, previous] = [newSigningSecret(), newSigningSecret()];
  const rotatedAt = Temporal.Instant.from('2026-11-15T12:00:00Z');
  const previousUntil = rotatedAt.add({ hours: OVERLAP_HOURS });
  const stored = {
    secret: sealSecret(keys, ID, current),
    previousSecret: sealSecret(keys, ID, previous),
    previousUntil,
  };
  const previousAt = (now: Temporal.Instant) => openSecrets(keys, ID, stored, now).previous;
  assert.equal(OVERLAP_HOURS, 24);
  assert.equal(previousAt(rotatedAt), previous);
  assert.equal(previousAt(previousUntil.subtract({ milliseconds: 1 })), previous);
  assert.equal(previousAt(previousUntil), null);
  assert.equal(openSecrets(keys, ID, stored, previousUntil).current, current);
});
