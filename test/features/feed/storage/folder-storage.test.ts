import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '../../../../src/config.ts';
import { createFolderStorage, openFeedFile } from '../../../../src/features/feed/folder-storage.ts';
import { feedFolder, openStorage } from '../../../../src/features/feed/storage.ts';
import { scratchFolder } from '../../../support/scratch.ts';
import { NO_PATHS, newToken, storageConformance } from './storage-conformance.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'maitred-feed-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const config = readConfig({ DATA_DIR: dataDir });

async function read(folder: string, path: string): Promise<Buffer | undefined> {
  await using file = await openFeedFile(folder, path);
  return file?.readFile();
}

storageConformance(() => ({
  storage: openStorage(config),
  read: (path) => read(feedFolder(config), path),
}));

test('a path that no feed file has is not opened', async () => {
  for (const path of NO_PATHS) await assert.rejects(openFeedFile(feedFolder(config), path), /is no path/);
});

test('a DATA_DIR that is closed to others and has nothing in it will do', async (t) => {
  const closed = scratchFolder(t);
  chmodSync(closed, 0o700);
  const path = `${newToken()}/index.json`;
  await openStorage(readConfig({ DATA_DIR: closed })).put(path, Buffer.from('{}'));
  assert.equal(String(await read(join(closed, 'feed'), path)), '{}');
});

test('others cannot list the names of files', async (t) => {
  const folder = join(scratchFolder(t), 'feed');
  const path = `${newToken()}/index.json`;
  await createFolderStorage(folder).put(path, Buffer.from('{}'));
  for (const listed of [folder, dirname(join(folder, path))])
    assert.equal(statSync(listed).mode & 0o044, 0, listed);
});

test('what is being written lies where nothing is served from, and goes when it cannot be moved', async (t) => {
  const folder = scratchFolder(t);
  const token = newToken();
  // A folder with something in it is in the way of the file.
  mkdirSync(join(folder, token, 'index.json', 'obstacle'), { recursive: true });
  const storage = createFolderStorage(folder);
  await assert.rejects(storage.put(`${token}/index.json`, Buffer.from('{}')));
  assert.deepEqual(readdirSync(join(folder, 'aside')), []);
  assert.deepEqual(readdirSync(join(folder, token)), ['index.json']);
});

test('what a writer that died has left is removed by the next one, what somebody still writes is not', async (t) => {
  const folder = scratchFolder(t);
  const aside = join(folder, 'aside');
  mkdirSync(aside);
  for (const name of ['left', 'written']) writeFileSync(join(aside, name), 'half a fi');
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(join(aside, 'left'), longAgo, longAgo);
  await createFolderStorage(folder).put(`${newToken()}/index.json`, Buffer.from('{}'));
  assert.deepEqual(readdirSync(aside), ['written']);
});

test('a feed of which nothing is left leaves no folder behind', async (t) => {
  const folder = scratchFolder(t);
  const storage = createFolderStorage(folder);
  const token = newToken();
  const paths = [`${token}/2026-11-15.1.json.gz`, `${token}/index.json`];
  for (const path of paths) await storage.put(path, Buffer.from('{}'));
  await storage.remove(paths.slice(0, 1));
  assert.ok(existsSync(join(folder, token)));
  await storage.remove(paths);
  assert.ok(!existsSync(join(folder, token)));
});

test('every index has a later second than the one before, however fast they follow', async (t) => {
  const folder = scratchFolder(t);
  const storage = createFolderStorage(folder);
  const path = `${newToken()}/index.json`;
  const seconds: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    await storage.put(path, Buffer.from(String(n)));
    seconds.push(Math.floor(statSync(join(folder, path)).mtimeMs / 1000));
  }
  assert.deepEqual(seconds, [...new Set(seconds)].sort());
});

test('files in a folder take nothing of the SDK into memory', () => {
  const module = new URL('../../../../src/features/feed/storage.ts', import.meta.url).href;
  // In a process of its own: others in this one may have loaded the SDK.
  const script = `
    const { openStorage } = await import('${module}');
    openStorage({ dataDir: ${JSON.stringify(dataDir)} });
    const { createRequire } = await import('node:module');
    console.log(Object.keys(createRequire('${module}').cache).some((file) => file.includes('@aws-sdk')));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(printed.trim(), 'false');
});
