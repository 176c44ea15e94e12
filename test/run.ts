/**
 * `npm test`: types, lint, then every test file on one database server of its own.
 * `npm test -- test/http` runs only the files whose path contains one of the arguments.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer } from './support/database.ts';

const ROOT = join(import.meta.dirname, '..');
const COVERAGE = join('test', 'catalogue-coverage.test.ts');
const filters = process.argv.slice(2);

let running: ChildProcess | undefined;
let wasInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    wasInterrupted = true;
    running?.kill(signal);
  });
}

process.exitCode = (await check()) && (await test()) ? 0 : 1;

async function check(): Promise<boolean> {
  if (filters.length > 0) return true;
  console.log('Checking types …');
  if (!(await node([join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit']))) return false;
  console.log('Checking style …');
  return node([join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '.']);
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
    // Hundreds of processes load the same sources; compiling them each time took half of that.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
  };
  try {
    // A test that hangs is cut off and named, long before CI would give up on the whole run.
    const options = ['--test-concurrency=2', '--test-timeout=900000', '--test-reporter=spec'];
    const havePassed = await node(['--test', ...options, ...files], env);
    if (!havePassed || filters.length > 0 || !existsSync(join(ROOT, COVERAGE))) return havePassed;
    return await node(['--test', '--test-reporter=spec', COVERAGE], env);
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function node(args: string[], env: Record<string, string> = {}): Promise<boolean> {
  if (wasInterrupted) return Promise.resolve(false);
  return new Promise((resolve) => {
    running = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
    running.on('close', (code) => resolve(code === 0));
  });
}
