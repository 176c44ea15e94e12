/**
 * `npm test`: types, lint, then the test files on one database server of their own, several to a process.
 * `npm test -- test/http` runs only the files whose path contains one of the arguments.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startTestServer } from './support/databases/database.ts';
import { type Durations, keepDurations, notedDurations, readDurations } from './support/durations.ts';
import { inGroups } from './support/groups.ts';

const ROOT = join(import.meta.dirname, '..');
const COVERAGE = join('test', 'catalogue-coverage.test.ts');
/** Two more than there are cores: a process often waits for the database, or for a node that it has started. */
const PROCESSES = availableParallelism() + 2;
/** What starting the database server takes on a fast machine; all limits of waiting grow with what it takes here. */
const USUAL_START_MS = 2000;
const SLOWEST_SHOWN = 10;
const filters = process.argv.slice(2);

const running = new Set<ChildProcess>();
/** The lines that name failed tests, said again at the end. */
const complaints: string[] = [];
let wasInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    wasInterrupted = true;
    for (const child of running) child.kill(signal);
  });
}

process.exitCode = (await check()) && (await test()) ? 0 : 1;

async function check(): Promise<boolean> {
  if (filters.length > 0) return true;
  console.log('Checking types and style …');
  const checks = [
    node([join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit']),
    node([
      join('node_modules', 'typescript', 'bin', 'tsc'),
      '--noEmit',
      '-p',
      join('src', 'console', 'browser'),
    ]),
    node([join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '.']),
  ];
  return (await Promise.all(checks)).every((hasPassed) => hasPassed);
}

async function test(): Promise<boolean> {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT })
    .filter(
      (file) => file !== COVERAGE && (filters.length === 0 || filters.some((part) => file.includes(part))),
    )
    .sort();
  if (files.length === 0) {
    console.error(`No test file matches ${filters.join(' ')}.`);
    return false;
  }
  console.log('Starting a database server for the tests …');
  const beganMs = performance.now();
  const server = await startTestServer();
  const slowness = (performance.now() - beganMs) / USUAL_START_MS;
  const scratch = mkdtempSync(join(tmpdir(), 'maitred-run-'));
  // Tests note the problem codes they saw; the coverage test reads them when all others are done.
  const seenCodes = join(scratch, 'seen-codes');
  const noteFile = join(scratch, 'durations');
  for (const file of [seenCodes, noteFile]) writeFileSync(file, '');
  // What an interrupted test leaves behind goes with the folder; the user that PostgreSQL runs as has to get in.
  chmodSync(scratch, 0o711);
  const env = {
    MAITRED_TEST_SERVER: server.url,
    MAITRED_TEST_SLOWNESS: slowness.toFixed(2),
    MAITRED_SEEN_CODES: seenCodes,
    TMPDIR: scratch,
    // Compiling the same sources in every process took half of the time of loading them.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
  };
  try {
    const groups = inGroups(files, readDurations());
    const [withBrowser, others] = [groups.filter(isOfBrowser), groups.filter((group) => !isOfBrowser(group))];
    // A browser loads all cores by itself, and tests beside it would miss their deadlines.
    const suspect = await runAll(withBrowser, noteFile, env, 1);
    suspect.push(...(await runAll(others, noteFile, env, PROCESSES)));
    // Side by side on a busy machine tests miss deadlines. What fails by itself as well has failed.
    const failed = filters.length > 0 ? suspect : await runAll(suspect, noteFile, env, 1);
    const durations = notedDurations(noteFile);
    keepDurations(durations);
    showSlowest(durations);
    for (const line of complaints) console.error(line);
    for (const names of suspect)
      console.error(
        `${failed.includes(names) ? 'Failed' : 'Failed once, then passed alone'}: ${names.join(' ')}`,
      );
    if (failed.length > 0 || filters.length > 0) return failed.length === 0;
    return (await runAll([[COVERAGE]], noteFile, env, 1)).length === 0;
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function isOfBrowser(files: readonly string[]): boolean {
  return files.some((file) => file.startsWith('test/browser/'));
}

function showSlowest(durations: Durations): void {
  const slowest = Object.entries(durations).sort(([, a], [, b]) => b - a);
  for (const [file, ms] of slowest.slice(0, SLOWEST_SHOWN))
    console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
}

/** Returns the groups that failed. What a group prints is shown when it is done. */
async function runAll(
  groups: readonly string[][],
  noteFile: string,
  env: Record<string, string>,
  processes: number,
): Promise<string[][]> {
  const waiting = [...groups];
  const failed: string[][] = [];
  const work = async () => {
    for (let files = waiting.shift(); files && !wasInterrupted; files = waiting.shift()) {
      // Our own packages are used from their source.
      const conditions = '--conditions=maitred-source';
      const args = [conditions, '--test-reporter=spec', join('test', 'run-files.ts'), noteFile, ...files];
      if (!(await node(args, env, true))) failed.push(files);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
  return failed;
}

/** Whether it ended well. `isHeldBack`: what it prints is shown in one piece. */
async function node(args: string[], env: Record<string, string> = {}, isHeldBack = false): Promise<boolean> {
  if (wasInterrupted) return false;
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: isHeldBack ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...env },
  });
  running.add(child);
  const printed = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''));
  const code = await new Promise((resolve) => child.on('close', resolve));
  running.delete(child);
  const said = (await Promise.all(printed)).join('');
  process.stdout.write(said);
  complaints.push(...said.split('\n').filter((line) => line.startsWith('  ✖')));
  return code === 0;
}
