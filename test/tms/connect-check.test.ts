import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { createConnectServer, type Options } from '../../examples/connect-server/server.ts';
import { checkServer } from '../../src/tms/connect/check/check.ts';
import { PLANTED } from './connect-faults.ts';

const TOKEN = 'secret';
const ROOT = join(import.meta.dirname, '..', '..');

async function withServer<Value>(options: Options, use: (url: string) => Promise<Value>): Promise<Value> {
  const server = createConnectServer({ token: TOKEN, ...options });
  try {
    return await use(await server.listen());
  } finally {
    await server.close();
  }
}

/** Only what is to be found slow may be; the others share a machine that may be slow itself. */
const slowMsFor = (name: string) => (name === 'answers are slow' ? 2000 : 60_000);

describe('connect-check', { concurrency: 8 }, () => {
  for (const [name, { sentence, wrap }] of Object.entries(PLANTED)) {
    test(`finds that ${name}`, async () => {
      const slowMs = slowMsFor(name);
      const findings = await withServer({ wrap }, (url) => checkServer({ url, token: TOKEN, slowMs }));
      assert.ok(
        findings.some((finding) => sentence.test(finding)),
        `${sentence} is not in\n${findings.join('\n')}`,
      );
    });
  }

  test('finds nothing in the reference server, and leaves nothing there', async () => {
    await withServer({}, async (url) => {
      assert.deepEqual(await checkServer({ url, token: TOKEN, slowMs: 60_000 }), []);
      const left = await fetch(`${url}/_demo/bookings`, { headers: { authorization: `Bearer ${TOKEN}` } });
      assert.deepEqual(await left.json(), []);
    });
  });

  test('does without holds and changes where they are absent', async () => {
    const wrap: Options['wrap'] = (handle) => (call) =>
      /^\/(holds|changes)/.test(call.path) ? { status: 404, body: 'Not found' } : handle(call);
    const findings = await withServer({ wrap }, (url) => checkServer({ url, token: TOKEN, slowMs: 60_000 }));
    assert.deepEqual(findings, []);
  });

  test('says so where a server cannot be reached or does not let it in', async () => {
    const gone = await withServer({}, async (url) => url);
    assert.match((await checkServer({ url: gone })).join('\n'), /got no answer \(ECONNREFUSED\): see that/);
    const findings = await withServer({}, (url) => checkServer({ url, token: 'another', slowMs: 60_000 }));
    assert.match(findings.join('\n'), /with the token answered 401: take the token as Authorization: Bearer/);
  });

  test('ends with 1 when something is wrong, and with 0 when nothing is', async () => {
    await withServer({}, async (url) => {
      const good = await run(url, '--token', TOKEN);
      assert.equal(good.code, 0, good.printed);
      assert.match(good.printed, /Nothing is wrong\./);
      const bad = await run(url, '--token', 'another');
      assert.equal(bad.code, 1);
      assert.match(bad.printed, /^1\. GET \/bookings/m);
      assert.equal((await run('nonsense')).code, 1);
    });
  });
});

async function run(...args: string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, ['scripts/connect-check.ts', ...args], { cwd: ROOT });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, printed };
}
