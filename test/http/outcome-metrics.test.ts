/** What callers came for and what became of it, as /metrics tells; and how busy the node is with it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Registry } from 'prom-client';
import { inTransaction } from '../../src/db/database.ts';
import { createJobRuns } from '../../src/jobs/job-runs.ts';
import { problemCodes } from '../../src/kernel/problem-catalogue.ts';
import { DINNER, freeDay, guest, HIDDEN } from '../features/bookings/support.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { metricOf } from '../support/metrics.ts';
import { createRemote } from '../support/remote-tms/connector.ts';

let maitred: TestApp;
before(async () => {
  // Nobody listens on that port, so every call fails at once.
  maitred = await startTestApp({ deps: { connectors: [createRemote('http://127.0.0.1:1', 'faraway')] } });
});
after(() => maitred.close());

const sample = (name: string) => metricOf(maitred, name);
const made = (action: string, outcome: string, code = '') =>
  sample(`bookings_total{action="${action}",outcome="${outcome}",code="${code}"}`);
const answers = (outcome: string) => sample(`availability_answers_total{outcome="${outcome}"}`);

const at = (productId: string) => `/venues/${encodeURIComponent(productId)}`;
const book = (body: object) => maitred.call(`${at(DINNER)}/booking`, { method: 'POST', body });

test('bookings are counted by action, outcome and code', async () => {
  const body = { ...guest, date: freeDay(), time: '19:00' };
  const booked = await book(body);
  assert.equal(booked.status, 201, booked.text);
  assert.equal(await made('create', 'done'), 1);
  const early = await book({ ...body, date: '2020-01-01' });
  assert.equal(early.status >= 400 && early.status < 500, true, early.text);
  assert.equal(await made('create', 'refused', early.json.code), 1);
  const path = `/venues/bookings/${booked.json.id}`;
  const change = [{ op: 'replace', path: '/partySize', value: 3 }];
  const headers = { 'content-type': 'application/json-patch+json' };
  const patched = await maitred.call(path, { method: 'PATCH', body: change, headers });
  assert.equal(patched.status, 200, patched.text);
  assert.equal(await made('amend', 'done'), 1);
  assert.equal((await maitred.call(path, { method: 'DELETE' })).status, 204);
  assert.equal(await made('cancel', 'done'), 1);
});

test('what is not a problem of the catalogue is counted as a failure of ours', async () => {
  await maitred.sql`alter table booking rename to booking_away`;
  try {
    const answer = await book({ ...guest, date: freeDay(), time: '19:00' });
    assert.equal(answer.status, 500, answer.text);
  } finally {
    await maitred.sql`alter table booking_away rename to booking`;
  }
  assert.equal(await made('create', 'failed', 'other'), 1);
});

test('answers about availability are counted by what they offer', async () => {
  const ask = (productId: string, query: string) =>
    maitred.call(`${at(productId)}/availability?${query}`).then(({ status, text }) => ({ status, text }));
  const open = await ask(DINNER, `date=${freeDay()}&partySize=2`);
  assert.equal(open.status, 200, open.text);
  assert.equal(await answers('offered'), 1);
  const none = await ask(DINNER, `date=${freeDay()}&partySize=2&time=04:00`);
  assert.equal(none.status, 200, none.text);
  assert.equal(await answers('nothing'), 1);
  assert.equal((await ask(HIDDEN, `date=${freeDay()}&partySize=2`)).status, 403);
  assert.equal(await answers('refused'), 1);
});

test('connections in use and those who wait for one are told', async () => {
  assert.ok(((await sample('db_pool_connections{state="idle"}')) ?? 0) > 0);
  const { promise, resolve } = Promise.withResolvers<void>();
  const transactions = Array.from({ length: 30 }, () => inTransaction(maitred.sql, () => promise));
  // The gauges that ask the database have to wait as well, and are left out.
  const { text } = await maitred.call('/metrics', { as: null });
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  const waiting = value('db_pool_waiting');
  const busy = value('db_pool_connections{state="busy"}');
  resolve();
  await Promise.all(transactions);
  assert.ok(waiting > 0 && busy > 0 && waiting + busy >= 30, `${waiting} wait, ${busy} are busy`);
  assert.equal(await sample('db_pool_waiting'), 0);
  assert.ok(((await sample('db_pool_wait_seconds_count')) ?? 0) >= 30);
});

test('a node tells its role and the checks of its readiness', async () => {
  const { text } = await maitred.call('/metrics', { as: null });
  assert.match(text, /^node_info\{role="all",environment="sandbox",version="[\d.]+"\} 1$/m);
  for (const check of ['database', 'writes', 'notifications', 'clock', 'staying'])
    assert.equal(await sample(`health_check_passed{check="${check}"}`), 1, check);
});

test('runs of jobs are counted with their outcome, and the last success has its time', async () => {
  const registry = new Registry();
  const runs = createJobRuns(() => 90_000);
  runs.register(registry);
  runs.note({ job: 'test.job', isDone: true, seconds: 2 });
  runs.note({ job: 'test.job', isDone: false, seconds: 3 });
  const text = await registry.metrics();
  assert.match(text, /^jobs_run_total\{name="test.job",outcome="done"\} 1$/m);
  assert.match(text, /^jobs_run_total\{name="test.job",outcome="failed"\} 1$/m);
  assert.match(text, /^job_last_duration_seconds\{name="test.job"\} 3$/m);
  assert.match(text, /^job_last_success_timestamp_seconds\{name="test.job"\} 90$/m);
});

test('whatever callers send, labels hold words of the program alone', async () => {
  for (let times = 0; times < 20; times += 1) {
    await book({ ...guest, date: `20${times + 10}-01-01`, time: `1${times}`, source: `from ${times}` });
    await maitred.call(
      `${at(`1|house|made-up-${times}|x`)}/availability?date=2030-01-${times}&partySize=${times}`,
    );
    await maitred.call(`/venues/bookings/made-up-${times}`, { method: 'DELETE' });
  }
  const { text } = await maitred.call('/metrics', { as: null });
  const series = text.split('\n').filter((line) => /^(?:bookings|availability_answers)_total\{/.test(line));
  const allowed = new Set([
    'create',
    'amend',
    'cancel',
    'done',
    'refused',
    'failed',
    'offered',
    'nothing',
    'other',
    '',
    ...problemCodes,
  ]);
  for (const line of series)
    for (const [, value = ''] of line.matchAll(/="([^"]*)"/g)) assert.ok(allowed.has(value), line);
  assert.ok(series.length < 20, String(series.length));
});
