import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { inTransaction, type Sql } from '../../../src/db/database.ts';
import { createRecorder } from '../../../src/features/request-log/recorder.ts';
import type { AnsweredCall } from '../../../src/http/observability/answered-calls.ts';
import { startSecondNode } from '../../abuse/support/second-node.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import type { Body } from '../bookings/support.ts';

let maitred: TestApp;
/** Calls of `/slow` that wait to be answered. */
const waiting: (() => void)[] = [];
before(async () => {
  maitred = await startTestApp({
    extend: (app) =>
      void app.get('/slow', { config: { access: 'identified' }, schema: { hide: true } }, async () => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return 'at last';
      }),
  });
});
after(() => maitred.close());

const call = (clientId: string): AnsweredCall => ({
  arrivedMs: Date.now(),
  partnerId: 1,
  clientId,
  method: 'GET',
  route: '/venues',
  venueId: null,
  status: 200,
  code: null,
  correlationId: null,
  durationMs: 1.5,
});

const openConnections = async ({ app }: TestApp) =>
  new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

const rowsOf = async (clientId: string): Promise<Body[]> => [
  ...(await maitred.sql`select * from request_log where client_id = ${clientId} order by at, id`),
];

/** The database, as long as `isAway` does not say otherwise. */
function failingSql(isAway: () => boolean): Sql {
  return new Proxy(maitred.sql, {
    apply(target, self, args) {
      if (isAway()) return Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
      return Reflect.apply(target, self, args);
    },
  });
}

test('while the database is away rows wait in a bounded list; what does not fit is counted', async () => {
  let isAway = true;
  const warnings: string[] = [];
  const log = { warn: (_: object, message: string) => void warnings.push(message) };
  const recorder = createRecorder({ sql: failingSql(() => isAway), log });
  for (let count = 0; count < 20_300; count += 1) recorder.note(call('while-away'));
  await recorder.flush();
  await recorder.flush();
  assert.deepEqual(recorder.counts, { written: 0, dropped: 300 });
  assert.equal(warnings.length, 1, 'one line for an outage, whatever it lasts');
  isAway = false;
  await recorder.flush();
  assert.deepEqual(recorder.counts, { written: 20_000, dropped: 300 });
  assert.equal((await rowsOf('while-away')).length, 20_000);
  await recorder.close();
});

test('rows that were written while their answer was lost are not written again', async () => {
  let isLost = true;
  const losing: Sql = new Proxy(maitred.sql, {
    apply(target, self, args) {
      const query = Reflect.apply(target, self, args);
      // Pieces of a statement are no promises until they are awaited.
      if (!isLost || !String(args[0]).includes('insert into request_log')) return query;
      return Promise.resolve(query).then(() => {
        throw Object.assign(new Error('the answer is lost'), { code: 'CONNECTION_CLOSED' });
      });
    },
  });
  const recorder = createRecorder({ sql: losing, log: { warn() {} } });
  recorder.note(call('answer-lost'));
  await recorder.flush();
  recorder.note(call('answer-lost'));
  await recorder.flush();
  assert.equal((await rowsOf('answer-lost')).length, 1, 'the control: it is there, and not known to be');
  isLost = false;
  await recorder.flush();
  assert.equal((await rowsOf('answer-lost')).length, 2);
  assert.deepEqual(recorder.counts, { written: 2, dropped: 0 });
  await recorder.close();
});

test('rows that the database never takes are dropped in the end and keep none after them from being written', async () => {
  const recorder = createRecorder({ sql: maitred.sql, log: { warn() {} } });
  recorder.note({ ...call('wrong'), status: 1_000_000 });
  for (let count = 1; count < 500; count += 1) recorder.note(call('beside-wrong'));
  recorder.note(call('after-wrong'));
  for (let count = 0; count < 30; count += 1) await recorder.flush();
  assert.deepEqual(recorder.counts, { written: 1, dropped: 500 });
  assert.equal((await rowsOf('after-wrong')).length, 1);
  await recorder.close();
});

test('what is left when a recorder is closed without a database is counted', async () => {
  const recorder = createRecorder({ sql: failingSql(() => true), log: { warn() {} } });
  recorder.note(call('lost'));
  await recorder.close();
  assert.deepEqual(recorder.counts, { written: 0, dropped: 1 });
});

test('no call waits for the log: calls are answered while it is locked, and are in it afterwards', async () => {
  const { recorder } = maitred.services.requestLog;
  const headers = { 'x-correlation-id': 'while-locked' };
  let flushing: Promise<void> | undefined;
  await recorder.flush();
  await inTransaction(maitred.sql, async (tx) => {
    await tx`lock table request_log in access exclusive mode`;
    assert.equal((await maitred.call('/venues/category', { headers })).status, 200);
    flushing = recorder.flush();
    assert.equal((await maitred.call('/venues/category', { headers })).status, 200);
  });
  await flushing;
  await recorder.flush();
  const rows = await maitred.sql`select from request_log where correlation_id = 'while-locked'`;
  assert.equal(rows.length, 2);
});

test('a node that stops writes what it has noted', async () => {
  const node = await startSecondNode(maitred);
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  const headers = { authorization, 'x-correlation-id': 'the-last-one' };
  await node.app.inject({ url: '/venues/category', headers });
  await node.close();
  const rows = await maitred.sql`select from request_log where correlation_id = 'the-last-one'`;
  assert.equal(rows.length, 1);
});

test('a call whose caller has disconnected is there without a status', async () => {
  await maitred.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = maitred.app.server.address() as AddressInfo;
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  const request = http.get({ port, path: '/slow', headers: { authorization } });
  request.on('error', () => {});
  await eventually(async () => waiting.length === 1);
  request.destroy();
  await eventually(async () => (await openConnections(maitred)) === 0);
  waiting[0]?.();
  await eventually(async () => {
    await maitred.services.requestLog.recorder.flush();
    const rows = await maitred.sql`select status from request_log where route = '/slow'`;
    return rows.length === 1 && rows[0]?.status === null;
  });
});

test('two recorders that need the same new partition both write', async () => {
  const recorders = [1, 2, 3].map(() => createRecorder({ sql: maitred.sql, log: { warn() {} } }));
  const arrivedMs = Date.parse('2031-05-04T12:00:00Z');
  for (const recorder of recorders) recorder.note({ ...call('together'), arrivedMs });
  await Promise.all(recorders.map((recorder) => recorder.flush()));
  assert.equal((await rowsOf('together')).length, 3);
  for (const recorder of recorders) await recorder.close();
});
