import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDataDir, withDataDirLock } from '../../src/db/embedded/data-dir.ts';
import { StartError } from '../../src/kernel/problem.ts';
import { scratchFolder } from '../support/scratch.ts';

test('work under the lock of a folder never overlaps', async (t) => {
  const dataDir = scratchFolder(t);
  let inside = 0;
  const most: number[] = [];
  const work = async () => {
    inside += 1;
    most.push(inside);
    await sleep(20);
    inside -= 1;
  };
  await Promise.all([1, 2, 3, 4].map(() => withDataDirLock(dataDir, work)));
  assert.deepEqual(most, [1, 1, 1, 1]);
});

test('work that fails lets go of the lock', async (t) => {
  const dataDir = scratchFolder(t);
  await assert.rejects(
    withDataDirLock(dataDir, () => Promise.reject(new Error('on purpose'))),
    /on purpose/,
  );
  assert.equal(await withDataDirLock(dataDir, async () => 'free'), 'free');
});

test('a process that is killed lets go of the lock', async (t) => {
  const dataDir = scratchFolder(t);
  const module = join(import.meta.dirname, '..', '..', 'src', 'db', 'embedded', 'data-dir.ts');
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { withDataDirLock } from ${JSON.stringify(module)};
     await withDataDirLock(${JSON.stringify(dataDir)}, async () => {
       console.log('held');
       await new Promise((resolve) => setTimeout(resolve, 60_000));
     });`,
  ]);
  await once(holder.stdout, 'data');
  let isTaken = false;
  const taken = withDataDirLock(dataDir, async () => {
    isTaken = true;
  });
  await sleep(200);
  assert.equal(isTaken, false);
  holder.kill('SIGKILL');
  await taken;
});

test('a folder that cannot be made is refused by name', (t) => {
  const file = join(scratchFolder(t), 'file');
  writeFileSync(file, '');
  assert.throws(
    () => ensureDataDir(join(file, 'data')),
    (error) => error instanceof StartError && error.message.includes(join(file, 'data')),
  );
});
