import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildApp } from '../../../src/app.ts';
import { registerKeys } from '../../../src/features/encryption/service.ts';
import type { App } from '../../../src/http/route.ts';
import { createKeyring, type Keyring, keyIdOf, open } from '../../../src/kernel/crypto.ts';
import { createServices, SEALED_TABLES, type Services } from '../../../src/services.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { columnsSealedWith, type Filled, fillSealed, sealedWorld } from '../../support/sealed-world.ts';
import { DINNER, freeDay } from '../bookings/support.ts';

const [A, B] = [Buffer.alloc(32, 'a'), Buffer.alloc(32, 'b')];
const [onlyA, bothAFirst, bothBFirst, onlyB] = [[A], [A, B], [B, A], [B]].map(createKeyring) as [
  Keyring,
  Keyring,
  Keyring,
  Keyring,
];
const never = new AbortController().signal;

let maitred: TestApp;
let filled: Filled;
const others: App[] = [];
before(async () => {
  const { config, connectors } = sealedWorld;
  maitred = await startTestApp({ config, deps: { encryptionKeys: onlyA, connectors: [...connectors] } });
  await registerKeys(maitred.sql, onlyA);
  filled = await fillSealed(maitred);
});
after(async () => {
  for (const app of others) await app.close();
  await maitred.close();
});

/** A node with other keys on the same database. */
async function nodeWith(encryptionKeys: Keyring): Promise<{ app: App; services: Services; call: Call }> {
  const deps = { ...maitred.deps, encryptionKeys };
  const services = await createServices(deps);
  const app = await buildApp(deps, services);
  others.push(app);
  const call = async (url: string, as = 'demo-partner') => {
    const headers = { authorization: `Bearer ${await maitred.token(as)}` };
    const { statusCode, body } = await app.inject({ method: 'GET', url, headers });
    assert.equal(statusCode, 200, body);
    return JSON.parse(body);
  };
  return { app, services, call };
}
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
type Call = (url: string, as?: string) => Promise<any>;

const findGuest = async (call: Call) =>
  (await call('/manage/operators/1/bookings?guest=lovelace', 'demo-operator')).data.map(
    ({ id }: { id: string }) => id,
  );

/** As if all of it had happened an hour ago, and the nodes that seal with this key had stopped then. */
async function silence(keys: Keyring): Promise<void> {
  await maitred.sql`
    update encryption_key set used_at = used_at - interval '1 hour',
      pass_started_at = pass_started_at - interval '1 hour', hashing_at = hashing_at - interval '1 hour'`;
  await maitred.sql`update encryption_key set used_at = now() where id <> ${keys.first.id}`;
}

const declared = SEALED_TABLES.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));

test('every column with sealed values is declared, and none that has none', async () => {
  assert.deepEqual(await columnsSealedWith(maitred.sql, onlyA), declared.toSorted());
});

/** A booking that this node has made, and sealed with its first key. */
async function bookOn({ app }: { app: App }, keys: Keyring): Promise<string> {
  const guest = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+442079460001' };
  const payload = { type: 'book', date: freeDay(), time: '19:00', partySize: 2, ...guest };
  const headers = { authorization: `Bearer ${await maitred.token('demo-partner')}` };
  const url = `/venues/${encodeURIComponent(DINNER)}/booking`;
  const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload });
  assert.equal(statusCode, 201, body);
  const { id } = JSON.parse(body);
  const [row] = await maitred.sql<{ guest: Buffer }[]>`select guest from booking where id = ${id}`;
  assert.equal(row && keyIdOf(row.guest), keys.first.id);
  return id;
}

test('nodes that still seal with the old key open what the new one has sealed', async () => {
  const [old, renewed] = [await nodeWith(bothAFirst), await nodeWith(bothBFirst)];
  const id = await bookOn(renewed, onlyB);
  for (const { call } of [old, renewed]) {
    assert.equal((await call(`/venues/bookings/${id}`)).lastName, 'Lovelace');
    assert.ok((await findGuest(call)).includes(filled.bookingId));
  }
});

test('a key is replaced: values, searches and the end of the old key', async () => {
  const { sql } = maitred;
  const { call, services } = await nodeWith(bothBFirst);
  await registerKeys(sql, bothBFirst);
  const changesBefore = await sql`select kind, count(*)::int from diary_change group by kind order by kind`;
  assert.equal(await services.encryption.reseal(never), 'waiting');
  const waiting = (await call('/manage/health', 'demo-admin')).encryption;
  assert.equal(waiting.state, 'waiting');
  assert.deepEqual(
    waiting.keys.map(({ isNeeded, isHeld }: Record<string, boolean>) => [isNeeded, isHeld]),
    [
      [true, true],
      [true, true],
    ],
  );
  assert.ok(waiting.remaining > SEALED_TABLES.length);
  await assert.rejects(registerKeys(sql, onlyA), /lacks the key with the id/);
  await assert.rejects(registerKeys(sql, onlyB), /lacks the key with the id/);

  await silence(onlyA);
  assert.equal(await services.encryption.reseal(never), 'settled');
  assert.deepEqual(await columnsSealedWith(sql, onlyA), []);
  assert.deepEqual(await columnsSealedWith(sql, onlyB), declared.toSorted());
  assert.deepEqual(
    await sql`select kind, count(*)::int from diary_change group by kind order by kind`,
    changesBefore,
    'no screen is told',
  );
  const settled = (await call('/manage/health', 'demo-admin')).encryption;
  assert.deepEqual([settled.state, settled.remaining, settled.failed], ['settled', 0, 0]);
  assert.deepEqual(
    settled.keys.map(({ id, isNeeded }: { id: string; isNeeded: boolean }) => [id, isNeeded]),
    [
      [onlyB.first.id, true],
      [onlyA.first.id, false],
    ],
  );
  await assert.rejects(registerKeys(sql, onlyA), /is not the key that the secrets/);
  await registerKeys(sql, onlyB);
});

test('with the new key alone everything opens, and guests are found', async () => {
  const { sql } = maitred;
  for (const { table, columns, key, contextOf } of SEALED_TABLES) {
    const rows = await sql`select ${sql([...key, ...columns])} from ${sql(table)}`;
    for (const row of rows)
      for (const column of columns)
        if (row[column]) open(onlyB, row[column], contextOf(...key.map((name) => String(row[name]))));
  }
  const { call } = await nodeWith(onlyB);
  assert.equal((await call(`/venues/bookings/${filled.bookingId}`)).lastName, 'Lovelace');
  assert.ok((await findGuest(call)).includes(filled.bookingId));
  assert.ok((await call(`/venues/waitlist/${filled.waitingId}`)).lastName);
});

test('a node that was thought to be dead takes back that its key can go', async () => {
  const { sql } = maitred;
  const old = await nodeWith(bothAFirst);
  await old.services.encryption.keepInUse();
  const [key] = await sql`select retired_at from encryption_key where id = ${onlyA.first.id}`;
  assert.equal(key?.retired_at, null);
  await assert.rejects(registerKeys(sql, onlyB), /lacks the key/);
  const { services } = await nodeWith(bothBFirst);
  assert.equal(await services.encryption.reseal(never), 'waiting');
  await silence(onlyA);
  assert.equal(await services.encryption.reseal(never), 'settled');
});

test('a value that does not open although its key is there keeps that key', async () => {
  const { sql } = maitred;
  const old = await nodeWith(bothAFirst);
  await old.services.encryption.keepInUse();
  await silence(onlyA);
  const [event] = await sql<{ id: string; body: Buffer }[]>`select id, body from event limit 1`;
  assert.ok(event);
  const strange = Buffer.concat([onlyA.first.header, event.body.subarray(onlyA.first.header.length)]);
  await sql`update event set body = ${strange} where id = ${event.id}`;
  const { services } = await nodeWith(bothBFirst);
  assert.equal(await services.encryption.reseal(never), 'stuck');
  const { state, failed } = await services.encryption.read();
  assert.deepEqual([state, failed], ['stuck', 1]);
  await assert.rejects(registerKeys(sql, onlyB), /lacks the key/);
  await sql`update event set body = ${event.body} where id = ${event.id}`;
  await silence(onlyA);
  assert.equal(await services.encryption.reseal(never), 'settled');
});

test('a node declares no key dispensable that it lacks', async () => {
  const { sql } = maitred;
  // It was running when another was tried with a further key, and has not been restarted since.
  const lacking = await nodeWith(onlyB);
  await registerKeys(sql, bothAFirst);
  const id = await bookOn(await nodeWith(bothAFirst), onlyA);
  assert.equal(await lacking.services.encryption.reseal(never), 'waiting');
  await silence(onlyA);
  assert.equal(await lacking.services.encryption.reseal(never), 'stuck');
  const { state, keys } = (await lacking.call('/manage/health', 'demo-admin')).encryption;
  assert.equal(state, 'stuck');
  assert.deepEqual(
    keys.find((key: { id: string }) => key.id === onlyA.first.id),
    { ...keys[1], isHeld: false, isNeeded: true, retiredAt: null },
  );
  await assert.rejects(registerKeys(sql, onlyB), /lacks the key/);

  const having = await nodeWith(bothBFirst);
  assert.equal(await having.services.encryption.reseal(never), 'settled');
  await registerKeys(sql, onlyB);
  assert.equal((await lacking.call(`/venues/bookings/${id}`)).lastName, 'Lovelace');
});

test('a node that lacks a key takes no part in the work of one that has it', async () => {
  const { sql } = maitred;
  await registerKeys(sql, bothAFirst);
  const id = await bookOn(await nodeWith(bothAFirst), onlyA);
  await silence(onlyA);
  const having = await nodeWith(bothBFirst);
  const lacking = await nodeWith(onlyB);
  const aborted = AbortSignal.abort();
  assert.equal(await having.services.encryption.reseal(aborted), 'resealing');
  assert.equal(await lacking.services.encryption.reseal(never), 'stuck');
  const [key] = await sql`select retired_at from encryption_key where id = ${onlyA.first.id}`;
  assert.equal(key?.retired_at, null);
  assert.equal(await having.services.encryption.reseal(never), 'settled');
  assert.equal((await lacking.call(`/venues/bookings/${id}`)).lastName, 'Lovelace');
});
