import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answersInTime,
  type HealthOptions,
  healthRoutes,
  judgeClock,
} from '../../src/http/observability/health.ts';
import { startTestApp } from '../support/app.ts';
import { patience } from '../support/patience.ts';
import { seenCode } from '../support/seen-codes.ts';
import { smallApp } from './small-app.ts';

const node = (isReady: HealthOptions['isReady']) => smallApp((app) => healthRoutes(app, { isReady }));

test('a node that answers is alive, whatever it needs', async () => {
  const { app } = node(async () => ({ database: false }));
  const answer = await app.inject('/health/live');
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.json(), { status: 'ok' });
});

test('a node is ready when everything it needs is there', async () => {
  const { app } = node(async () => ({ database: true, accepting: true }));
  const answer = await app.inject('/health/ready');
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.json().status, 'ok');
});

test('a node that is not ready says what is missing and no more', async () => {
  const { app } = node(async () => ({ database: false, accepting: true }));
  const answer = await app.inject('/health/ready');
  assert.equal(answer.statusCode, 503);
  assert.equal(seenCode(answer), 'HTTP-R-503');
  assert.deepEqual(answer.json().checks, { database: false, accepting: true });
  assert.equal(answer.json().detail, 'Not ready: database.');
});

test('a check that fails, throws or never ends is not passed', async () => {
  const refused = () => Promise.reject(new Error('password of postgres://u:secret@db is wrong'));
  assert.equal(await answersInTime(async () => 1), true);
  assert.equal(await answersInTime(refused), false);
  assert.equal(
    await answersInTime(() => {
      throw new Error('at once');
    }),
    false,
  );
  assert.equal(await answersInTime(() => new Promise(() => {}), 20), false);
});

test('a check that hangs is the one that is named', async () => {
  const hangs = () => new Promise(() => {});
  const { app } = node(async () => ({ database: await answersInTime(hangs), notifications: true }));
  const answer = await app.inject('/health/ready');
  assert.deepEqual(answer.json().checks, { database: false, notifications: true });
});

test('a check that breaks is one that failed, and gives nothing of itself away', async () => {
  const { app } = node(() => Promise.reject(new Error('postgres://u:secret@db')));
  const answer = await app.inject('/health/ready');
  assert.equal(answer.statusCode, 503);
  assert.deepEqual(answer.json().checks, { answers: false });
  assert.doesNotMatch(answer.body, /secret/);
});

test('a node whose clock differs from that of the database by more than five seconds is not ready', async () => {
  const ask = async (aheadMs: number) => {
    const { app } = node(async () => ({ database: true, clock: judgeClock(aheadMs) }));
    const answer = await app.inject('/health/ready');
    return [answer.statusCode, answer.json().checks.clock, answer.json().detail];
  };
  for (const aheadMs of [0, 5000, -5000]) assert.deepEqual(await ask(aheadMs), [200, true, undefined]);
  assert.deepEqual(await ask(6000), [
    503,
    false,
    "Not ready: clock. The clock of this node is 6 s ahead of the database's.",
  ]);
  assert.deepEqual(await ask(-3_000_000), [
    503,
    false,
    "Not ready: clock. The clock of this node is 3000 s behind the database's.",
  ]);
});

test('a node says once in its log that it is not ready, when something else fails, and when it is over', async () => {
  const results = [
    { database: true },
    { database: false },
    { database: false },
    { writes: false },
    { database: true },
  ];
  const { app, log } = node(async () => results.shift() ?? { database: true });
  for (let times = 0; times < 6; times += 1) await app.inject('/health/ready');
  assert.deepEqual(
    log().map(({ level, msg, failed }) => [level, msg, failed]),
    [
      [40, 'not ready', ['database']],
      [40, 'not ready', ['writes']],
      [30, 'ready again', undefined],
    ],
  );
});

test('a node that has never listened does not wait for balancers when it closes', {
  timeout: patience(60_000),
}, async () => {
  const maitred = await startTestApp({ config: { drainSeconds: 300 } });
  await maitred.close();
});
