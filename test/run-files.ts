/** Runs test files one after the other in this process; `run.ts` starts several such processes side by side. */
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { beginFile } from './support/per-file.ts';

const [limit = '', ...files] = process.argv.slice(2);

for (const file of files) {
  await describe(file, { timeout: Number(limit) }, async () => {
    beginFile();
    await import(pathToFileURL(file).href);
  });
}
