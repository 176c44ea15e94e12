import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { createFolderStorage } from '../../../../src/features/feed/folder-storage.ts';
import { feedFolder } from '../../../../src/features/feed/storage.ts';
import { startTestApp, type TestApp } from '../../../support/app.ts';

/** A node that serves the feed files of a folder of its own. */
export function servingApp() {
  const dataDir = mkdtempSync(join(tmpdir(), 'maitred-serving-'));
  const folder = feedFolder({ dataDir });
  let maitred: TestApp;
  before(async () => {
    maitred = await startTestApp({ config: { dataDir, rateLimit: 1 } });
  });
  after(async () => {
    await maitred.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    maitred: () => maitred,
    dataDir,
    folder,
    storage: createFolderStorage(folder),
    ask: (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      maitred.app.inject({ method, url: `/feed/${path}`, headers }),
  };
}
