/**
 * `npm test`: types, lint, then the test files on one database server of their own. Files of one folder share a
 * process, because loading the program costs more than most of them; as many processes run as there are cores.
 * `npm test -- test/http` runs only the files whose path contains one of the arguments.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startTestServer } from './support/database.ts';

const ROOT = join(import.meta.dirname, '..');
const COVERAGE = join('test', 'catalogue-coverage.test.ts');
/** These kill processes, measure them or load the machine, so each has a process of its own. */
const ALONE = ['test/browser', 'test/faults', 'test/race', 'test/storm'];
const FILES_PER_PROCESS = 12;
/** A file that hangs is cut off and named, long before CI would give up on the whole run. */
const FILE_LIMIT_MS = 900_000;
const filters = process.argv.slice(2);

const running = new Set<ChildProcess>();
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
  const server = await startTestServer();
  const scratch = mkdtempSync(join(tmpdir(), 'maitred-run-'));
  // Tests note the problem codes they saw; the coverage test reads them when all others are done.
  const seenCodes = join(scratch, 'seen-codes');
  writeFileSync(seenCodes, '');
  // What an interrupted test leaves behind goes with the folder; the user that PostgreSQL runs as has to get in.
  chmodSync(scratch, 0o711);
  const env = {
    MAITRED_TEST_SERVER: server.url,
    MAITRED_SEEN_CODES: seenCodes,
    TMPDIR: scratch,
    // Compiling the same sources in every process took half of the time of loading them.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
  };
  try {
    const failed = await runAll(inGroups(files), env);
    for (const names of failed) console.error(`Failed: ${names.join(' ')}`);
    if (failed.length > 0 || filters.length > 0) return failed.length === 0;
    return (await runAll([[COVERAGE]], env)).length === 0;
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The longest first, so that no core is left with one of them at the end. */
function inGroups(files: readonly string[]): string[][] {
  const isAlone = (file: string) => ALONE.some((part) => file.startsWith(part));
  const folders = Object.values(
    Object.groupBy(
      files.filter((file) => !isAlone(file)),
      dirname,
    ),
  );
  const shared = folders.flatMap((folder = []) =>
    Array.from({ length: Math.ceil(folder.length / FILES_PER_PROCESS) }, (_, index) =>
      folder.slice(index * FILES_PER_PROCESS, (index + 1) * FILES_PER_PROCESS),
    ),
  );
  return [...files.filter(isAlone).map((file) => [file]), ...shared.sort((a, b) => b.length - a.length)];
}

/** Returns the groups that failed. What a group prints is shown when it is done. */
async function runAll(groups: readonly string[][], env: Record<string, string>): Promise<string[][]> {
  const waiting = [...groups];
  const failed: string[][] = [];
  const work = async () => {
    for (let files = waiting.shift(); files && !wasInterrupted; files = waiting.shift()) {
      const args = ['--test-reporter=spec', join('test', 'run-files.ts'), String(FILE_LIMIT_MS), ...files];
      if (!(await node(args, env, true))) failed.push(files);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
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
  process.stdout.write((await Promise.all(printed)).join(''));
  return code === 0;
}
