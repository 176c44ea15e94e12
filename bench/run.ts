/**
 * `npm run bench` measures everything, prints a table and writes it to `bench/RESULTS.md`. Arguments keep only the files
 * whose name contains one of them; `--json` prints one object per line; `--profile=<folder>` writes processor profiles of
 * our nodes. A run that measures only a part, or is slowed down by the profiler, writes no results.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestServer } from '../test/support/databases/database.ts';
import { type Benchmark, withContext } from './context.ts';
import { type Figure, jsonLine, markdownOf, tableOf } from './figure.ts';
import { writeReport } from './report.ts';

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, profile: { type: 'string' } },
});

/** Standard output is for the figures. */
const progress = (line: string) => console.error(line);

const benchmarks = (await loadBenchmarks()).filter(
  ({ name }) => filters.length === 0 || filters.some((part) => name.includes(part)),
);
if (benchmarks.length === 0) {
  progress(`No benchmark matches ${filters.join(' ')}.`);
  process.exit(1);
}

// Leaving by `exit` is what makes the database server and the temporary folders go too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
progress('Starting a database server …');
const server = await startTestServer({ isDurable: true });
process.env.MAITRED_TEST_SERVER = server.url;
const figures: Figure[] = [];
try {
  for (const benchmark of benchmarks) {
    const began = performance.now();
    const measured = await withContext({ progress, profileFolder: options.profile }, benchmark.run);
    progress(`${benchmark.name} took ${((performance.now() - began) / 1000).toFixed(0)} s.`);
    figures.push(...measured);
    if (options.json) for (const figure of measured) console.log(jsonLine(figure));
  }
} finally {
  await server.stop();
}
if (!options.json) console.log(tableOf(figures));
if (filters.length === 0 && !options.profile) {
  writeReport('bench/RESULTS.md', {
    title: 'Benchmarks',
    command: 'npm run bench',
    body: `Every figure is one of ours against a reference that was measured in the same run, in turns with it. The ratio is what counts: ours divided by the reference. A goal is what was asked for; a stretch goal is what would be better still; without either a figure is for information.\n\n${markdownOf(figures)}`,
  });
}

async function loadBenchmarks(): Promise<Benchmark[]> {
  const files = globSync('**/*.bench.ts', { cwd: import.meta.dirname }).sort();
  return Promise.all(files.map((file) => import(join(import.meta.dirname, file)) as Promise<Benchmark>));
}
