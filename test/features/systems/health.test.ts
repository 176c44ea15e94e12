import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { quantileMs } from '../../../src/features/systems/call-record.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { metricOf } from '../../support/metrics.ts';
import { bistroDocument, DAY, supper } from '../../support/remote-tms/bistros.ts';
import { REMOTE_ZONE, startRemoteBistro } from '../../support/remote-tms/harness.ts';
import { PROTOCOL_PATH, RIGHT_KEY } from '../../support/remote-tms/protocol.ts';
import type { RemoteTms } from '../../support/remote-tms/server.ts';
import { bodyOf, deskOf } from '../platform/support.ts';

const PRODUCT = parseProductId('9|bookwell|bistro|supper');
const ACCOUNT = '/manage/operators/9/systems/bookwell';

let system: RemoteTms;
let maitred: TestApp;
before(async () => {
  system = await startRemoteBistro({ product: PRODUCT });
  maitred = await startTestApp({ config: { connectors: [PROTOCOL_PATH] } });
  const settings = { baseUrl: system.url, zone: REMOTE_ZONE };
  bodyOf(await desk.put('/manage/systems/bookwell', { protocol: 'bistro', name: 'Bookwell', settings }));
  await inTransaction(maitred.sql, async (tx) => {
    const venues = [bistroDocument('bookwell')];
    await importOperator(tx, { id: 9, name: 'Elsewhere', systems: ['bookwell'], venues });
    await mapVenue(tx, { partnerId: 1, venueId: venueOfProduct(PRODUCT), productIds: [PRODUCT] });
  });
});
after(async () => {
  await maitred.close();
  await system.close();
});

const desk = deskOf(() => maitred);
const health = async () => bodyOf(await desk.get(`${ACCOUNT}/health`));
const book = (body: object = {}) =>
  maitred.call(`/venues/${encodeURIComponent(PRODUCT)}/booking`, {
    method: 'POST',
    body: { ...supper, ...body },
  });
const look = () =>
  maitred.call(`/venues/${encodeURIComponent(PRODUCT)}/availability?date=${DAY}&partySize=2`);

test('an account is tried: without credentials, with wrong ones, with the right ones, and without a system', async () => {
  const attempt = async () => bodyOf(await desk.post(`${ACCOUNT}/test`, {}));
  assert.deepEqual(
    { ...(await attempt()), tookMs: 0 },
    {
      ok: false,
      tookMs: 0,
      problem: 'The system does not let this account in.',
    },
  );
  bodyOf(await desk.post(`${ACCOUNT}/credentials`, { fields: { key: RIGHT_KEY } }), 201);
  assert.deepEqual({ ...(await attempt()), tookMs: 0 }, { ok: true, tookMs: 0 });
  system.faults.plan({ kind: 'status', status: 500 }, { times: 2 });
  assert.deepEqual((await attempt()).problem, 'The system answered with status 500.');
  system.faults.clear();
  assertProblem(await desk.post('/manage/operators/9/systems/house/test', {}), 404, 'HTTP-N-404');
  assert.deepEqual(bodyOf(await desk.post('/manage/operators/1/systems/house/test', {})), {
    ok: true,
    tookMs: 0,
  });
  const staff = deskOf(() => maitred, 'demo-operator');
  assertProblem(await staff.post(`${ACCOUNT}/test`, {}), 403, 'OPRTR-N-002');
});

test('calls are added up by operation, with refusals, failures and doubts', async () => {
  const before = await health();
  assert.equal((await look()).status, 200);
  assert.equal((await book()).status, 201);
  system.faults.plan({ kind: 'refuse', reason: 'taken' }, { operations: ['book'] });
  assertProblem(await book(), 409, 'AVAIL-N-005');
  system.faults.plan({ kind: 'status', status: 503 }, { operations: ['book'] });
  assertProblem(await book({ lastName: 'Winterbottom' }), 503, 'BOOK-R-002');
  const now = await health();
  const booked = now.operations.find(({ operation }: { operation: string }) => operation === 'book');
  assert.deepEqual([booked.calls, booked.refused, booked.failed, booked.inDoubt], [3, 1, 1, 0]);
  assert.ok(booked.p50Ms <= booked.p95Ms && booked.p95Ms <= booked.maxMs);
  assert.ok(now.lastDay.calls > before.lastDay.calls);
  assert.equal(now.lastHour.calls, now.lastDay.calls);
  assert.equal(now.state, 'working');
  assert.deepEqual(
    [now.errors[0].operation, now.errors[0].problem],
    ['book', 'The system could not be used.'],
  );
  assert.doesNotMatch(JSON.stringify(now), /Winterbottom|Lovelace|open-sesame/);
  assert.equal(
    await metricOf(maitred, 'tms_calls_total{tms="bookwell",operation="book",outcome="refused"}'),
    1,
  );
  assert.equal(
    await metricOf(maitred, 'tms_call_duration_seconds_count{tms="bookwell",operation="book"}'),
    3,
  );
});

test('a system that fails is said to fail, then to rest, and says what went wrong', async () => {
  system.faults.plan({ kind: 'hang' }, { operations: ['availability'], times: 1 });
  const slow = bodyOf(await desk.get('/manage/systems/bookwell'));
  const { slug: _, version: __, createdAt: ___, updatedAt: ____, ...stored } = slow;
  bodyOf(
    await desk.put('/manage/systems/bookwell', {
      ...stored,
      limits: { ...stored.limits, readTimeoutMs: 100 },
    }),
  );
  assert.equal((await look()).status, 503);
  assert.equal((await health()).errors[0].problem, 'The system did not answer in time.');
  system.faults.plan({ kind: 'status', status: 502 }, { times: 100 });
  for (let round = 0; round < 12; round += 1) await look();
  const { state, restingOn, errors } = await health();
  assert.deepEqual([state, restingOn], ['resting', 1]);
  assert.equal(errors[0].problem, 'The system answered with status 502.');
  assert.equal(await metricOf(maitred, 'tms_breaker_open{tms="bookwell"}'), 1);
  system.faults.clear();
});

test('operators see how theirs is, the built-in ones work, and one that is not connected says so', async () => {
  const own = deskOf(() => maitred, 'demo-operator');
  const house = bodyOf(await own.get('/manage/operators/1/systems/house/health'));
  assert.deepEqual([house.state, house.lastCallAt, house.lastDay.p95Ms], ['working', null, null]);
  assertProblem(await own.get(`${ACCOUNT}/health`), 403, 'OPRTR-N-002');
  await maitred.sql`insert into operator_system (operator_id, tms) values (9, 'vanished')`;
  assert.equal(bodyOf(await desk.get('/manage/operators/9/systems/vanished/health')).state, 'not_connected');
  assert.deepEqual(bodyOf(await desk.post('/manage/operators/9/systems/vanished/test', {})), {
    ok: false,
    tookMs: 0,
    problem: 'This service is not connected with the system.',
  });
});

test('nodes add to the same minute, and what is a day old goes', async () => {
  const { calls } = maitred.services.systems;
  const [before] = await maitred.sql`select sum(calls)::int as calls from system_call`;
  await maitred.sql`update system_call set minute = minute - interval '25 hours' where operation <> 'book'`;
  await calls.forget();
  const left = await maitred.sql`select distinct operation from system_call`;
  assert.deepEqual([...left], [{ operation: 'book' }]);
  assert.ok(before?.calls > 0);
});

test('a share of calls took at most as long as its bound, or as the longest', () => {
  const durations = [5, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1];
  assert.deepEqual(
    [0.5, 0.6, 0.9, 0.95].map((share) => quantileMs(durations, share, 12_000)),
    [10, 100, 100, 12_000],
  );
  assert.equal(quantileMs([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.5, 4), 4);
  assert.equal(quantileMs([], 0.5, 0), null);
});
