import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { keepOperator } from '../../../src/features/venues/manage/store.ts';
import type { Outcome } from '../../../src/tms/contract.ts';
import type { RemoteConnector } from '../../../src/tms/remote.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { someoneWaits } from '../../support/databases/lock-waits.ts';
import { eventually } from '../../support/eventually.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import { bodyOf, deskOf, lastEntry, newOperator, tagOf } from './support.ts';

/** A system elsewhere whose door opens to one key; it also says so when it cannot be asked. */
const findAccount = (operatorId: number) =>
  maitred.services.connections.accounts.find({ operatorId, tms: 'guarded' });
async function knock(key: string | undefined): Promise<Outcome<void>> {
  if (key === 'later') return { kind: 'rate-limited', retryAfterSeconds: 7 };
  if (key === 'broken') throw new Error('The line is dead.');
  return key === 'open-sesame' ? { kind: 'ok', value: undefined } : { kind: 'refused', reason: 'rejected' };
}
const guarded: RemoteConnector = {
  ...createRemote('http://127.0.0.1:9', 'guarded'),
  checkAccount: (_call, { credentials }) => knock(credentials.key),
};
const { checkAccount: _, ...trusting } = createRemote('http://127.0.0.1:9', 'trusting');

let maitred: TestApp;
let sandbox: TestApp;
before(async () => {
  maitred = await startTestApp({
    config: { environment: 'staging' },
    deps: { connectors: [guarded, trusting] },
  });
  sandbox = await startTestApp();
});
after(async () => {
  await maitred.close();
  await sandbox.close();
});

const desk = deskOf(() => maitred);
const systemsOf = (operatorId: number) => `/manage/operators/${operatorId}/systems`;

/** The address of the credentials of a new operator at a system. */
async function newAccount(tms = 'guarded'): Promise<{ operatorId: number; path: string }> {
  const operatorId = await newOperator(desk);
  bodyOf(await desk.put(`${systemsOf(operatorId)}/${tms}`, {}));
  return { operatorId, path: `${systemsOf(operatorId)}/${tms}/credentials` };
}

test('an operator is given a system that this service is connected with, and no other', async () => {
  const operatorId = await newOperator(desk);
  const path = `${systemsOf(operatorId)}/guarded`;
  assertProblem(await desk.get(path), 404, 'HTTP-N-404');
  const settings = { region: 'eu', timeoutMs: 1500, isTest: true };
  const system = bodyOf(await desk.put(path, { settings }));
  assert.deepEqual([system.kind, system.capability], ['remote', 'table_reservation']);
  assert.deepEqual(system.settings, settings);
  assert.deepEqual(bodyOf(await desk.get(path)), system);
  const entry = await lastEntry(desk, `system ${operatorId} guarded`);
  assert.deepEqual([entry.before, entry.after], [null, system]);
  const { detail } = assertProblem(
    await desk.put(`${systemsOf(operatorId)}/nowhere`, {}),
    400,
    'OPRTR-N-006',
  );
  assert.match(detail, /nowhere/);
});

test('settings that a system cannot have are refused, and it stays as it was', async () => {
  const operatorId = await newOperator(desk);
  const path = `${systemsOf(operatorId)}/guarded`;
  const kept = bodyOf(await desk.put(path, { settings: { region: 'eu' } }));
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`s${index}`, 1]));
  for (const settings of [{ a: null }, { a: [] }, { 'a b': 1 }, { a: 'x'.repeat(1001) }, many])
    assertProblem(await desk.put(path, { settings }), 400, 'OPRTR-N-006');
  assertProblem(await desk.put(`${systemsOf(operatorId)}/house`, { settings: { a: 1 } }), 400, 'OPRTR-N-006');
  assert.deepEqual(bodyOf(await desk.get(path)), kept);
});

test('an owner sets the account of a system that the operator uses, and adds none', async () => {
  const owner = deskOf(() => maitred, 'demo-operator');
  const path = `${systemsOf(1)}/guarded`;
  for (const tms of ['guarded', 'nowhere'])
    assertProblem(await owner.put(`${systemsOf(1)}/${tms}`, {}), 403, 'USER-N-009');
  assertProblem(
    await owner.post(`${path}/credentials`, { fields: { key: 'open-sesame' } }),
    404,
    'HTTP-N-404',
  );
  assertProblem(await desk.get(path), 404, 'HTTP-N-404');
  bodyOf(await desk.put(path, {}));

  bodyOf(await owner.put(path, { settings: { region: 'eu' } }, await tagOf(owner, path)));
  assert.equal((await lastEntry(desk, 'system 1 guarded')).actor.id, 'demo-operator');
  assertProblem(await owner.post(`${path}/credentials`, { fields: { key: 'wrong' } }), 400, 'OPRTR-N-009');
  bodyOf(await owner.post(`${path}/credentials`, { fields: { key: 'open-sesame' } }), 201);
  bodyOf(await owner.put(`${path}/credentials`, { fields: { key: 'open-sesame' } }));
  assert.deepEqual(await findAccount(1), {
    settings: { region: 'eu' },
    credentials: { key: 'open-sesame' },
  });
  assert.equal((await owner.remove(`${path}/credentials`)).status, 204);
  assert.equal((await lastEntry(desk, 'credentials 1 guarded')).actor.id, 'demo-operator');
  assertProblem(await owner.remove(path), 403, 'USER-N-009');
  assert.equal((await desk.remove(path)).status, 204);
  assertProblem(await owner.put(path, { settings: { region: 'eu' } }), 403, 'USER-N-009');
});

test('a system that venues are kept in stays, and one without goes with its credentials', async () => {
  assertProblem(await desk.remove(`${systemsOf(1)}/house`), 409, 'OPRTR-N-005');
  const { operatorId, path } = await newAccount();
  bodyOf(await desk.post(path, { fields: { key: 'open-sesame' } }), 201);
  assert.equal(bodyOf(await desk.get(`${systemsOf(operatorId)}/guarded`)).hasCredentials, true);
  assert.equal((await desk.remove(`${systemsOf(operatorId)}/guarded`)).status, 204);
  assertProblem(await desk.get(path), 404, 'HTTP-N-404');
  assertProblem(await desk.remove(`${systemsOf(operatorId)}/guarded`), 404, 'HTTP-N-404');
  assertProblem(await desk.get(systemsOf(99_999)), 404, 'OPRTR-N-001');
  assertProblem(await desk.put(`${systemsOf(99_999)}/house`, {}), 404, 'OPRTR-N-001');
});

test('a system stays when somebody is adding a venue to it at that moment', async () => {
  const operatorId = await newOperator(desk);
  const removed = await inTransaction(maitred.sql, async (tx) => {
    // What adding a venue does: the operator is kept, then the venue is written.
    await keepOperator(tx, operatorId);
    await tx`
      insert into venue (id, operator_id, tms, resource_id, name, time_zone, content, area, city, country_code,
        lat, lng, search)
      select ${`${operatorId}|house|late`}, ${operatorId}, 'house', 'late', name, time_zone, content, area, city,
        country_code, lat, lng, search
      from venue where id = '1|house|soho-grill'`;
    const answer = desk.remove(`${systemsOf(operatorId)}/house`);
    await Promise.race([answer, eventually(() => someoneWaits(maitred.sql))]);
    return { answer };
  });
  assertProblem(await removed.answer, 409, 'OPRTR-N-005');
});

test('credentials are stored once, replaced, deleted, and shown to nobody', async () => {
  const { operatorId, path } = await newAccount();
  assertProblem(await desk.get(path), 404, 'OPRTR-N-008');
  assertProblem(await desk.put(path, { fields: { key: 'open-sesame' } }), 404, 'OPRTR-N-008');
  assertProblem(await desk.remove(path), 404, 'OPRTR-N-008');

  const stored = await desk.post(path, { fields: { key: 'open-sesame', account: 'harbour-0815' } });
  const { version, fieldNames } = bodyOf(stored, 201);
  assert.deepEqual([version, fieldNames], [1, ['account', 'key']]);
  assertProblem(await desk.post(path, { fields: { key: 'open-sesame' } }), 409, 'OPRTR-N-007');
  const read = await tagOf(desk, path);
  assert.equal(bodyOf(await desk.put(path, { fields: { key: 'open-sesame' } }, read)).version, 2);
  assertProblem(await desk.put(path, { fields: { key: 'open-sesame' } }, read), 412, 'HTTP-N-412');
  assertProblem(await desk.remove(path, read), 412, 'HTTP-N-412');
  assert.equal(bodyOf(await desk.get(path)).version, 2);

  const auditLog = await desk.get(`/manage/operators/${operatorId}/audit`);
  assert.equal((await desk.remove(path)).status, 204);
  assertProblem(await desk.get(path), 404, 'OPRTR-N-008');
  for (const { text } of [stored, auditLog]) assert.doesNotMatch(text, /open-sesame|harbour-0815/);
});

test('what is stored is sealed, and the system finds it there with its settings', async () => {
  const { operatorId, path } = await newAccount();
  bodyOf(await desk.put(`${systemsOf(operatorId)}/guarded`, { settings: { region: 'eu' } }));
  assert.deepEqual(await findAccount(operatorId), { settings: { region: 'eu' }, credentials: {} });
  bodyOf(await desk.post(path, { fields: { key: 'open-sesame' } }), 201);
  assert.deepEqual(await findAccount(operatorId), {
    settings: { region: 'eu' },
    credentials: { key: 'open-sesame' },
  });
  assert.equal(await findAccount(1), undefined);
  const [row] = await maitred.sql`select fields from operator_credentials where operator_id = ${operatorId}`;
  assert.ok(!Buffer.from(row?.fields).includes('open-sesame'));
});

test('credentials that cannot be any, or that the system refuses, are not stored', async () => {
  const { path } = await newAccount();
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 'x']));
  for (const fields of [
    {},
    many,
    { key: '' },
    { key: 5 },
    { key: null },
    { 'a-b': 'x' },
    { ['x'.repeat(51)]: 'x' },
    { key: 'x'.repeat(4001) },
    { key: 'guess' },
  ])
    assertProblem(await desk.post(path, { fields }), 400, 'OPRTR-N-009');
  assertProblem(await desk.post(path, {}), 400, 'VALID-N-001');
  assertProblem(await desk.get(path), 404, 'OPRTR-N-008');
  assertProblem(
    await desk.post(`${systemsOf(1)}/house/credentials`, { fields: { key: 'x' } }),
    400,
    'OPRTR-N-009',
  );
});

test('a system that cannot be asked leaves everything as it was, and says when to come back', async () => {
  const { path } = await newAccount();
  const later = await desk.post(path, { fields: { key: 'later' } });
  assertProblem(later, 503, 'BOOK-R-001');
  assert.equal(later.headers['retry-after'], '7');
  assertProblem(await desk.post(path, { fields: { key: 'broken' } }), 503, 'BOOK-R-002');
  assertProblem(await desk.get(path), 404, 'OPRTR-N-008');
});

test('a system that cannot check credentials takes them as they are', async () => {
  const { path } = await newAccount('trusting');
  assert.equal(bodyOf(await desk.post(path, { fields: { key: 'whatever' } }), 201).version, 1);
});

test('of two who store credentials at once, one is told that they are there', async () => {
  const { path } = await newAccount();
  const answers = await Promise.all([1, 2, 3].map(() => desk.post(path, { fields: { key: 'open-sesame' } })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
});

test('in the sandbox, what is built in takes no credentials', async () => {
  const path = `${systemsOf(1)}/house/credentials`;
  const closed = deskOf(() => sandbox);
  assertProblem(await closed.get(path), 404, 'OPRTR-N-008');
  assertProblem(await closed.post(path, { fields: { key: 'x' } }), 400, 'OPRTR-N-009');
});

test('an operator sees its systems, and nothing of those of others', async () => {
  const own = deskOf(() => maitred, 'demo-operator');
  assert.ok(bodyOf(await own.get(systemsOf(1))).data.length >= 2);
  assert.equal((await own.get(`${systemsOf(1)}/house`)).status, 200);
  assertProblem(await own.get(systemsOf(2)), 403, 'OPRTR-N-002');
  assertProblem(await own.put(`${systemsOf(2)}/house`, {}), 403, 'OPRTR-N-002');
  assertProblem(await own.remove(`${systemsOf(1)}/house`), 403, 'USER-N-009');
  assertProblem(await own.get(`${systemsOf(2)}/house/credentials`), 403, 'OPRTR-N-002');
});
