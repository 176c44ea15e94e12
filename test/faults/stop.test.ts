import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FIXTURE, type NodeProcess, startNodeProcess } from '../support/node-process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { serverProcesses } from '../support/server-processes.ts';

const linuxOnly = { skip: process.platform === 'linux' ? false : 'looks at processes through /proc' };

/** One database for all tests of this file, because making one takes longer than most of what they do with it. */
const dataDir = join(scratchFolder({ after }), 'data');

function start(dataDir: string, env: Record<string, string> = {}): Promise<NodeProcess> {
  return startNodeProcess({ program: FIXTURE, env: { DATA_DIR: dataDir, ...env } });
}

/** Begins requests that take a while; what became of each is known when the promise inside settles. */
async function beginSlow(node: NodeProcess, ms: number, count: number) {
  const ask = async () => (await fetch(`${node.address}/test/slow/${ms}`, { method: 'POST' })).json();
  const outcomes = Promise.allSettled(Array.from({ length: count }, ask));
  while ((await (await fetch(`${node.address}/test/slow`)).text()) !== String(count)) await sleep(10);
  return { outcomes };
}

test('a node told to stop answers what it has begun, then stops its database', linuxOnly, async () => {
  const node = await start(dataDir);
  const { outcomes } = await beginSlow(node, 1000, 3);
  node.child.kill('SIGTERM');
  assert.deepEqual(await outcomes, Array(3).fill({ status: 'fulfilled', value: { done: true } }));
  assert.equal(await node.exit, 0);
  assert.deepEqual(serverProcesses(dataDir), []);
  await assert.rejects(fetch(`${node.address}/health/live`));
});

test(
  'an API node and a worker can share a folder, in whatever order they come and go',
  linuxOnly,
  async () => {
    const [api, worker] = await Promise.all([
      start(dataDir, { ROLE: 'api' }),
      start(dataDir, { ROLE: 'worker' }),
    ]);
    api.child.kill('SIGTERM');
    assert.equal(await api.exit, 0);
    const ready = await fetch(`${worker.address}/health/ready`);
    assert.equal(ready.status, 200);
    assert.equal((await fetch(`${worker.address}/venues`)).status, 404);
    worker.child.kill('SIGTERM');
    assert.equal(await worker.exit, 0);
    assert.deepEqual(serverProcesses(dataDir), []);
  },
);

test(
  'a signal and its echo are one request to stop; a later one ends the process at once',
  linuxOnly,
  async () => {
    const patient = await start(dataDir);
    patient.child.kill('SIGINT');
    patient.child.kill('SIGINT');
    assert.equal(await patient.exit, 0);

    const hurried = await start(dataDir);
    const { outcomes } = await beginSlow(hurried, 30_000, 1);
    hurried.child.kill('SIGTERM');
    await sleep(1200);
    hurried.child.kill('SIGTERM');
    assert.equal(await hurried.exit, 1);
    assert.equal((await outcomes)[0]?.status, 'rejected');
  },
);

test('a node that drains says so and answers as before, then closes its port', linuxOnly, async () => {
  const node = await start(dataDir, { DRAIN_SECONDS: '5' });
  const ready = () => fetch(`${node.address}/health/ready`);
  const before = await ready();
  assert.deepEqual([before.status, before.headers.get('connection')], [200, 'keep-alive']);
  node.child.kill('SIGTERM');
  while ((await ready()).status === 200) await sleep(20);
  const draining = await ready();
  assert.deepEqual([draining.status, draining.headers.get('connection')], [503, 'close']);
  const { checks } = (await draining.json()) as { checks: Record<string, boolean> };
  assert.deepEqual(
    Object.keys(checks).filter((name) => !checks[name]),
    ['staying'],
  );
  const answer = await fetch(`${node.address}/test/rows/while-draining`, { method: 'POST' });
  assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close']);
  // Begun just before the port closes, and answered after it.
  const { outcomes } = await beginSlow(node, 6000, 2);
  assert.deepEqual(await outcomes, Array(2).fill({ status: 'fulfilled', value: { done: true } }));
  await assert.rejects(ready());
  assert.equal(await node.exit, 0);
});

test('a node drains for longer than hooks of Fastify usually have', linuxOnly, async () => {
  const node = await start(dataDir, { DRAIN_SECONDS: '11' });
  node.child.kill('SIGTERM');
  assert.equal(await node.exit, 0, node.stderr());
});

test('a second signal ends a node that drains at once', linuxOnly, async () => {
  const node = await start(dataDir, { DRAIN_SECONDS: '300' });
  node.child.kill('SIGTERM');
  await sleep(1200);
  assert.equal((await fetch(`${node.address}/health/live`)).status, 200);
  node.child.kill('SIGTERM');
  assert.equal(await node.exit, 1);
});

test('a node that does not come to the end of its stop is ended', async () => {
  const node = await startNodeProcess({ program: join(import.meta.dirname, 'never-stops.ts'), env: {} });
  node.child.kill('SIGTERM');
  assert.equal(await node.exit, 1);
  assert.equal(node.stderr(), 'The node did not stop within 0.3 s, and is ended.\n');
});
