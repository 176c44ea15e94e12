import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FIXTURE, type NodeProcess, startNodeProcess } from '../support/node-process.ts';
import { repeats } from '../support/repeats.ts';
import { scratchFolder } from '../support/scratch.ts';
import { killServer, serverProcesses } from '../support/server-processes.ts';

const linuxOnly = { skip: process.platform === 'linux' ? false : 'looks at processes through /proc' };
const ROUNDS = repeats(20, 3);
const WRITERS = 6;

function start(dataDir: string): Promise<NodeProcess> {
  return startNodeProcess({ program: FIXTURE, env: { DATA_DIR: dataDir } });
}

const BUSY_PAUSE_MS = 20;

/** A node that has just started on a machine with more to do may turn callers away for a moment; they come again. */
async function askUntilTaken(url: string, init: RequestInit = {}): Promise<string> {
  for (;;) {
    const response = await fetch(url, init);
    const text = await response.text();
    if (response.status !== 503) {
      assert.equal(response.status, 200, text);
      return text;
    }
    await sleep(BUSY_PAUSE_MS);
  }
}

/** Writes until the node is gone, and remembers what it said was stored. */
async function writeUntilGone(
  node: NodeProcess,
  path: string,
  acknowledged: Set<string>,
  round: number,
): Promise<void> {
  const write = async (writer: number) => {
    for (let count = 0; ; count += 1) {
      const reference = `r${round}-w${writer}-${count}`;
      try {
        await askUntilTaken(`${node.address}${path}/${reference}`, { method: 'POST' });
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return;
      }
      acknowledged.add(reference);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
}

async function missingFrom(node: NodeProcess, acknowledged: Set<string>): Promise<string[]> {
  const stored = new Set(JSON.parse(await askUntilTaken(`${node.address}/test/rows`)) as string[]);
  return [...acknowledged].filter((reference) => !stored.has(reference));
}

async function killUnderLoad(
  node: NodeProcess,
  path: string,
  acknowledged: Set<string>,
  round: number,
): Promise<void> {
  const before = acknowledged.size;
  let isWriting = true;
  const writing = writeUntilGone(node, path, acknowledged, round).finally(() => {
    isWriting = false;
  });
  while (isWriting && acknowledged.size < before + 20) await sleep(5);
  await sleep(round * 7);
  node.child.kill('SIGKILL');
  await Promise.all([writing, node.exit]);
}

/** One database for all tests of this file, because making one takes longer than most of what they do with it. */
const dataDir = join(scratchFolder({ after }), 'data');

test(
  `no acknowledged row is missing after ${ROUNDS} kills, a third of them with the database`,
  linuxOnly,
  async () => {
    const acknowledged = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const node = await start(dataDir);
      assert.deepEqual(await missingFrom(node, acknowledged), [], `after ${round} kills`);
      await killUnderLoad(node, '/test/rows', acknowledged, round);
      if (round % 3 === 0) await killServer(dataDir);
    }
    const last = await start(dataDir);
    assert.deepEqual(await missingFrom(last, acknowledged), []);
    last.child.kill('SIGTERM');
    assert.equal(await last.exit, 0);
    assert.deepEqual(serverProcesses(dataDir), []);
  },
);

test('the same load on a route that answers before it writes is caught losing rows', linuxOnly, async () => {
  const acknowledged = new Set<string>();
  await killUnderLoad(await start(dataDir), '/test/hasty-rows', acknowledged, ROUNDS);
  const node = await start(dataDir);
  assert.notDeepEqual(await missingFrom(node, acknowledged), []);
  node.child.kill('SIGTERM');
  assert.equal(await node.exit, 0);
});
