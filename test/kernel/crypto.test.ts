import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createKeyring,
  hashSecret,
  idsAt,
  matchesSecret,
  newId,
  newSalt,
  newSecret,
  open,
  SealedWithAnotherKey,
  seal,
} from '../../src/kernel/crypto.ts';

const keys = createKeyring([randomBytes(32)]);
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

test('what was sealed opens with the same key and context', () => {
  fc.assert(
    fc.property(bytes, fc.string(), (plaintext, context) => {
      assert.deepEqual(open(keys, seal(keys, plaintext, context), context), plaintext);
    }),
  );
});

test('text is sealed as UTF-8', () => {
  assert.equal(open(keys, seal(keys, 'Zoë’s café', 'name'), 'name').toString(), 'Zoë’s café');
});

test('a sealed value does not open under another context', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      fc.pre(one !== other);
      assert.throws(() => open(keys, seal(keys, 'secret', one), other));
    }),
  );
});

test('a sealed value does not open with another key, and the message names the setting', () => {
  assert.throws(
    () => open(createKeyring([randomBytes(32)]), seal(keys, 'secret', 'c'), 'c'),
    /ENCRYPTION_KEY/,
  );
});

test('the first key seals and all of them open, each what it has sealed', () => {
  const [one, other] = [randomBytes(32), randomBytes(32)];
  const [before, during, after] = [[one], [other, one], [other]].map(createKeyring);
  assert.ok(before && during && after);
  const old = seal(before, 'secret', 'c');
  assert.equal(open(during, old, 'c').toString(), 'secret');
  assert.throws(() => open(after, old, 'c'), SealedWithAnotherKey);
  const renewed = seal(during, 'secret', 'c');
  assert.equal(open(after, renewed, 'c').toString(), 'secret');
  assert.throws(() => open(before, renewed, 'c'), SealedWithAnotherKey);
});

test('a sealed value with any one bit changed does not open', () => {
  const sealed = seal(keys, 'some secret', 'c');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const tampered = Buffer.from(sealed);
    tampered[bit >> 3] = (tampered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.throws(() => open(keys, tampered, 'c'), `bit ${bit}`);
  }
});

test('a cut or empty sealed value does not open', () => {
  const sealed = seal(keys, 'some secret', 'c');
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => open(keys, sealed.subarray(0, length), 'c'), `length ${length}`);
  }
});

test('sealing twice gives different bytes', () => {
  assert.notDeepEqual(seal(keys, 'same', 'c'), seal(keys, 'same', 'c'));
});

test('a key of the wrong length is refused', () => {
  assert.throws(() => createKeyring([randomBytes(16)]), /32 bytes/);
});

test('a secret matches its own hash and no other secret, salt or cut hash does', () => {
  const secret = newSecret();
  const salt = newSalt();
  const hash = hashSecret(secret, salt);
  assert.equal(matchesSecret(secret, salt, hash), true);
  assert.equal(matchesSecret(newSecret(), salt, hash), false);
  assert.equal(matchesSecret(secret, newSalt(), hash), false);
  assert.equal(matchesSecret(secret, salt, hash.subarray(0, 31)), false);
});

test('a new secret is 32 bytes in base64url', () => {
  assert.equal(Buffer.from(newSecret(), 'base64url').length, 32);
  assert.match(newSecret(), /^[A-Za-z0-9_-]{43}$/);
});

test('ids are UUIDs of version 7 that carry the instant', () => {
  const at = Temporal.Instant.from('2030-01-01T00:00:00Z');
  for (const id of [newId(() => at), idsAt()(at.epochMilliseconds)]) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const milliseconds = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    assert.equal(milliseconds, at.epochMilliseconds);
  }
  const idAt = idsAt();
  const ids = Array.from({ length: 1000 }, () => idAt(at.epochMilliseconds));
  assert.equal(new Set([...ids, idsAt()(at.epochMilliseconds)]).size, 1001);
});

test('ids of one clock sort in the order they were made, however the clock moves', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 300 }), (steps) => {
      let milliseconds = 1_900_000_000_000;
      const clock = () => Temporal.Instant.fromEpochMilliseconds(milliseconds);
      const ids = steps.map((step) => {
        milliseconds += step;
        return newId(clock);
      });
      assert.deepEqual(ids, [...new Set(ids)].sort());
    }),
  );
});

test('a clock that stands still does not run out of ids', () => {
  const clock = () => Temporal.Instant.from('2030-01-01T00:00:00Z');
  const ids = Array.from({ length: 10_000 }, () => newId(clock));
  assert.deepEqual(ids, [...new Set(ids)].sort());
});
