import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from '../../../support/scratch.ts';
import { isWhole } from './folder-writer.ts';
import { newToken } from './storage-conformance.ts';

const KILLS = 12;
const LONGEST_LIFE_MS = 60;

/** Runs a writer that is killed at some moment after its first index; says which files are torn then. */
async function writeAndDie(folder: string, token: string, way: 'aside' | 'in-place'): Promise<string[]> {
  const writer = spawn(
    process.execPath,
    [join(import.meta.dirname, 'folder-writer.ts'), folder, token, way],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(writer, 'close');
  await Promise.race([once(writer.stdout, 'data'), ended]);
  await sleep(Math.random() * LONGEST_LIFE_MS);
  writer.kill('SIGKILL');
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL', 'it ended before it was killed');
  const feed = join(folder, token);
  return readdirSync(feed).filter((name) => !isWhole(readFileSync(join(feed, name))));
}

test('a writer that is killed at any moment leaves no torn file where files are served from', async (t) => {
  const folder = scratchFolder(t);
  const token = newToken();
  for (let kill = 0; kill < KILLS; kill += 1)
    assert.deepEqual(await writeAndDie(folder, token, 'aside'), [], `after kill ${kill}`);
  t.diagnostic(`${readdirSync(join(folder, 'aside')).length} unfinished files were left aside`);
  assert.ok(existsSync(join(folder, token, 'index.json')));
});

test('a writer that writes in place leaves torn files when it is killed', async (t) => {
  const folder = scratchFolder(t);
  const token = newToken();
  for (let kill = 0; kill < 5 * KILLS; kill += 1)
    if ((await writeAndDie(folder, token, 'in-place')).length > 0) return;
  assert.fail('no file was torn');
});

test('whoever reads an index while it is written over reads one or the other', async (t) => {
  const folder = scratchFolder(t);
  const token = newToken();
  const writer = spawn(process.execPath, [join(import.meta.dirname, 'folder-writer.ts'), folder, token], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(writer, 'close');
  try {
    await once(writer.stdout, 'data');
    const lengths = new Set<number>();
    while (lengths.size < 10) {
      const index = readFileSync(join(folder, token, 'index.json'));
      assert.ok(isWhole(index));
      lengths.add(index.length);
    }
  } finally {
    writer.kill('SIGKILL');
    await ended;
  }
});
