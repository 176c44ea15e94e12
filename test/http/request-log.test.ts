import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hostname as hostnameHere } from 'node:os';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';

test('a request ends with one line, which names the client that called, under /manage too', async (t) => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const maitred = await startTestApp({ config: { logLevel: 'info' }, deps: { logStream } });
  t.after(() => maitred.close());
  await maitred.call('/venues', { headers: { 'x-correlation-id': 'quote"-and-\\' } });
  await maitred.call('/manage/operators/1/bookings', { as: 'demo-operator' });
  await maitred.app.inject('/nowhere?email=guest@example.com');
  const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');
  const lineOf = (route: string) => answered.filter((line) => line.route === route);

  const [{ time, pid, hostname, durationMs, ...venues }] = lineOf('/venues');
  assert.deepEqual(Object.entries(venues), [
    ['level', 30],
    ['correlationId', 'quote"-and-\\'],
    ['method', 'GET'],
    ['route', '/venues'],
    ['status', 200],
    ['clientId', 'demo-partner'],
    ['msg', 'answered'],
  ]);
  assert.ok(durationMs >= 0);
  assert.deepEqual([pid, hostname], [process.pid, hostnameHere()]);
  assert.equal(lineOf('/manage/operators/:operatorId/bookings')[0].clientId, 'demo-operator');
  assert.deepEqual(
    lineOf('unmatched').map(({ status, code, clientId }) => [status, code, clientId]),
    [[404, 'HTTP-N-404', undefined]],
  );
});

test('calls of monitoring are in neither log, with a token or without', async (t) => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const maitred = await startTestApp({ config: { logLevel: 'trace' }, deps: { logStream } });
  t.after(() => maitred.close());
  await maitred.token('demo-partner');
  lines.length = 0;
  for (const path of ['/health/live', '/health/ready', '/metrics'])
    for (const as of ['demo-partner', null])
      assert.equal((await maitred.call(path, { as })).status, 200, path);
  assert.deepEqual(lines, []);
  await maitred.services.requestLog.recorder.flush();
  const rows =
    await maitred.sql`select route from request_log where route like '/health%' or route = '/metrics'`;
  assert.deepEqual([...rows], []);
});

test('the cookie of a session is in no line, whether it is set, sent, refused or cleared', async (t) => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const maitred = await startTestApp({ config: { logLevel: 'trace' }, deps: { logStream } });
  t.after(() => maitred.close());
  const ours = { 'sec-fetch-site': 'same-origin' };
  const body = { email: 'staff@lamp.example', password: 'demo-password-please-change', cookie: true };
  const begun = await maitred.call('/manage/sessions', { method: 'POST', as: null, headers: ours, body });
  const [cookie = ''] = String(begun.headers['set-cookie']).split(';');
  const token = cookie.split('=')[1] ?? '';
  assert.match(token, /^mts_/);
  const path = '/manage/sessions/current';
  for (const headers of [{ cookie }, { cookie, 'sec-fetch-site': 'cross-site' }])
    await maitred.call(path, { as: null, headers });
  await maitred.call(path, { method: 'DELETE', as: null, headers: { cookie, ...ours } });
  maitred.app.log.info({ headers: { 'set-cookie': cookie, cookie } }, 'as a mistake would');
  assert.equal(lines.filter((line) => line.includes('/manage/sessions')).length, 4);
  assert.ok(!lines.join('').includes(token));
});

test('a log that leaves out information leaves out the lines about answers', async (t) => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const maitred = await startTestApp({ config: { logLevel: 'warn' }, deps: { logStream } });
  t.after(() => maitred.close());
  await maitred.call('/venues');
  assert.deepEqual(lines, []);
});

const LOGGING = new URL('../../src/http/observability/logging.ts', import.meta.url).href;

/** Every line that a process has written to its log is in its output, once and in order, however it ends. */
function linesOf(ending: string): number[] {
  const program = `
    import pino from 'pino';
    import { logOptions, logOutput } from '${LOGGING}';
    const log = pino(logOptions('info'), logOutput());
    for (let n = 0; n < 100; n += 1) log.info({ n }, 'line');
    ${ending}
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).n);
}

const numbersUpTo = (end: number) => Array.from({ length: end }, (_, n) => n);

test('no line is lost when the process ends', () => {
  for (const ending of ['', 'process.exit(1);', "throw new Error('unexpected');"])
    assert.deepEqual(linesOf(ending), numbersUpTo(100), ending);
});

test('a fatal line, and what waited before it, is written at once', () => {
  const ending = "log.fatal({ n: 100 }, 'the end'); process.kill(process.pid, 'SIGKILL');";
  assert.deepEqual(linesOf(ending), numbersUpTo(101));
});

test('a line waits for others for a moment only', () => {
  const ending = "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000);";
  assert.deepEqual(linesOf(ending), numbersUpTo(100));
});
