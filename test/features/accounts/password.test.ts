import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockedUntil } from '../../../src/features/accounts/attempts.ts';
import { assertEmail, emailKeyOf } from '../../../src/features/accounts/mail-tokens.ts';
import {
  assertStrong,
  createConcurrencyLimit,
  hashPassword,
  isStale,
  matchesPassword,
} from '../../../src/features/accounts/password.ts';
import { Problem } from '../../../src/kernel/problem.ts';

test('a password is kept as argon2id with its cost, and never twice the same', async () => {
  const [first, second] = await Promise.all([
    hashPassword('ein Füllhorn am Meer'),
    hashPassword('ein Füllhorn am Meer'),
  ]);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(first, second);
  assert.equal(await matchesPassword('ein Füllhorn am Meer', first), true);
  assert.equal(
    await matchesPassword('ein Füllhorn am Meer'.normalize('NFD'), first),
    true,
    'typed elsewhere',
  );
  assert.equal(await matchesPassword('ein Füllhorn am meer', first), false);
  assert.equal(isStale(first), false);
});

test('passwords are long, not too long, not the address, and not what everybody tries', () => {
  const isWeak = (password: string, email = 'olive@lamp.example') => {
    try {
      assertStrong(password, email);
      return false;
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'USER-N-012');
      return true;
    }
  };
  for (const good of ['twelve chars', 'x1!x1! and more', 'πππ is about 3.14159', 'oil and bread'])
    assert.equal(isWeak(good), false, good);
  for (const bad of [
    'eleven char',
    'a'.repeat(12),
    'abababababab',
    'abcabcabcabca',
    'Password1234',
    'ｐａｓｓｗｏｒｄ１２３４',
    'OLIVE tree at dawn',
  ])
    assert.equal(isWeak(bad), true, bad);
  assert.equal(isWeak('x1y2z3w4v5u6'.repeat(17)), true, 'over 200');
  assert.equal(isWeak('😀'.repeat(6)), true, 'six characters, however many units they take');
  assert.equal(isWeak('al fresco dining', 'al@lamp.example'), false, 'two letters are in every other word');
});

test('addresses are told from what is none', () => {
  const isEmail = (text: string) => {
    try {
      assertEmail(text);
      return true;
    } catch {
      return false;
    }
  };
  for (const good of ['a@b.co', "o'hara+x@sub.lamp.example", 'jürgen@küche.example', 'A.B-c_d@lamp.example'])
    assert.equal(isEmail(good), true, good);
  const long = `${'a'.repeat(65)}@lamp.example`;
  for (const bad of [
    '',
    'a',
    'a@b',
    'a@@b.co',
    '.a@b.co',
    'a..b@c.de',
    'a b@c.de',
    'a@-b.co',
    'a@b.co\n',
    '<a@b.co>',
    'a@b.co,c@d.ef',
    long,
  ])
    assert.equal(isEmail(bad), false, bad);
  assert.equal(emailKeyOf('JÜRGEN@Küche.example'), emailKeyOf('jürgen@küche.example'.normalize('NFD')));
});

test('ten failures within fifteen minutes lock for fifteen from the last', () => {
  const last = Temporal.Instant.from('2026-11-15T12:00:00Z');
  const every = (seconds: number, count: number) =>
    Array.from({ length: count }, (_, index) => last.subtract({ seconds: index * seconds }));
  assert.equal(lockedUntil(every(60, 9)), undefined);
  assert.equal(String(lockedUntil(every(60, 10))), '2026-11-15T12:15:00Z');
  assert.equal(String(lockedUntil(every(99, 10))), '2026-11-15T12:15:00Z');
  assert.equal(lockedUntil(every(100, 10)), undefined);
});

test('a few work at once, some wait in order, and the rest are sent away', async () => {
  const limited = createConcurrencyLimit({ concurrency: 2, waiting: 2 });
  const begun: number[] = [];
  const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const works = gates.map((gate, index) =>
    limited(async () => {
      begun.push(index);
      await gate.promise;
      if (index === 1) throw new Error('failed');
    }),
  );
  await assert.rejects(
    limited(async () => {}),
    { code: 'HTTP-R-503' },
  );
  assert.deepEqual(begun, [0, 1]);
  gates[1]?.resolve();
  await assert.rejects(works[1] ?? Promise.resolve(), /failed/);
  assert.deepEqual(begun, [0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await Promise.all([works[0], works[2], works[3]]);
  assert.deepEqual(begun, [0, 1, 2, 3]);
  assert.equal(await limited(async () => 'free again'), 'free again');
});
