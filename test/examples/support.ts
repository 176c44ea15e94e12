/** A node as `npm start` has it, and examples beside it, each a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createTestDatabase } from '../support/databases/database.ts';
import { startNodeProcess } from '../support/node-process.ts';
import { scratchFolder } from '../support/scratch.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Returns its address. With `ROLE=api` nothing is done in the background, which takes a processor of its own. */
export async function startSandbox(
  started: AsyncDisposableStack,
  env: Record<string, string> = {},
): Promise<string> {
  const database = await createTestDatabase({ hasDemo: true });
  started.defer(() => database.drop());
  const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
  const DATA_DIR = scratchFolder({ after: (clean) => started.defer(clean) });
  const node = await startNodeProcess({
    env: { DATABASE_URL: database.url, ENCRYPTION_KEY, DATA_DIR, RATE_LIMIT: '0', ...env },
  });
  started.defer(async () => {
    node.child.kill('SIGTERM');
    await node.exit;
  });
  return node.address;
}

export interface Example {
  /** What it has printed. */
  lines(): string[];
  /** Its exit code, when it has ended. */
  exit: Promise<number | null>;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
}

/** Runs an example of `examples/` until it ends, or the stack is disposed of. */
export function startExample(
  started: AsyncDisposableStack,
  program: string,
  { env = {}, args = [] }: { env?: Record<string, string>; args?: string[] },
): Example {
  const path = join(ROOT, 'examples', program);
  const child = spawn(process.execPath, ['--conditions=maitred-source', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const stop = async () => {
    child.kill('SIGTERM');
    await exit;
  };
  started.defer(stop);
  return { lines: () => printed.split('\n').filter(Boolean), exit, stop };
}
