/** Runs test files one after the other in this process; `run.ts` starts several such processes side by side. */
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { noteDuration } from './support/durations.ts';
import { patience } from './support/patience.ts';
import { beginFile } from './support/per-file.ts';

const [noteFile = '', ...files] = process.argv.slice(2);
/** A file that hangs is cut off and named, long before CI would give up on the whole run. */
const FILE_LIMIT_MS = 900_000;

// What tests have started is ended by their handlers of `exit`, which a signal would pass over.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

for (const file of files) {
  const beganMs = performance.now();
  await describe(file, { timeout: patience(FILE_LIMIT_MS) }, async () => {
    beginFile();
    await import(pathToFileURL(file).href);
  });
  noteDuration(noteFile, file, performance.now() - beganMs);
}
