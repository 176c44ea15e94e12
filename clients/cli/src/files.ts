import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file in one step: readers find the old content or the new one, also when this is interrupted. What is
 * `isPrivate` can be read by its owner alone, and is on the disk before it replaces anything.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { isPrivate = false } = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, content, { flag: 'wx', flush: isPrivate, ...(isPrivate && { mode: 0o600 }) });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
