/** A process that writes feed files until it is killed. Run as `folder-writer.ts <folder> <token> aside|in-place`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolderStorage } from '../../../../src/features/feed/folder-storage.ts';

const SIZE = 4_000_000;

/** Its length says what it consists of, so that a part of it is not taken for the whole. */
const bodyOf = (n: number) => Buffer.alloc(SIZE + n, n % 256);

export function isWhole(body: Buffer): boolean {
  const n = body.length - SIZE;
  return n >= 0 && body.equals(bodyOf(n));
}

/** The mistake that the real one is compared with. */
const inPlace = (folder: string) => ({
  async put(path: string, body: Buffer) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), body);
  },
});

if (import.meta.main) {
  const [folder = '', token = '', way] = process.argv.slice(2);
  const storage = way === 'in-place' ? inPlace(folder) : createFolderStorage(folder);
  for (let n = 0; ; n += 1) {
    await storage.put(`${token}/2026-11-15.${n % 3}.json.gz`, bodyOf(n));
    await storage.put(`${token}/index.json`, bodyOf(n));
    process.stdout.write('.');
  }
}
