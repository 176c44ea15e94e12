import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Identity } from '../../src/db/embedded/unprivileged.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'src', 'main.ts');
export const FIXTURE = join(ROOT, 'test', 'faults', 'fixture.ts');

export interface NodeProcess {
  child: ChildProcess;
  address: string;
  /** The exit code, once the process is gone. */
  exit: Promise<number | null>;
  stdout(): string;
  stderr(): string;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * An address of loopback that only this process uses, where the system has more than one. A client of a node that was
 * killed may still call its port, and must not find there what another test has started meanwhile.
 */
const OWN_HOST =
  process.platform === 'linux'
    ? `127.${Math.floor(process.pid / 62_500) % 250}.${Math.floor(process.pid / 250) % 250}.${1 + (process.pid % 250)}`
    : '127.0.0.1';

interface ProgramOptions {
  program?: string;
  env: Record<string, string>;
  identity?: Identity;
}

function launch({ program = MAIN, env, identity }: ProgramOptions) {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    // Nothing of the developer's own settings: only what the test says, and where compiled code is kept.
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      HOST: OWN_HOST,
      PORT: '0',
      LOG_LEVEL: 'error',
      ...env,
    },
    ...identity,
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      said[name] += chunk.toString();
    });
  }
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { child, said, exit };
}

/** Starts a node and waits until it listens. The caller ends it. */
export async function startNodeProcess(options: ProgramOptions): Promise<NodeProcess> {
  const { child, said, exit } = launch(options);
  const ended = exit.then((code) => {
    throw new Error(`The node ended with ${code} before it listened: ${said.stdout}${said.stderr}`);
  });
  ended.catch(() => {});
  const address = await Promise.race([ended, addressIn(child, () => said.stdout)]);
  return { child, address, exit, stdout: () => said.stdout, stderr: () => said.stderr };
}

function addressIn(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve) => {
    child.stdout?.on('data', () => {
      const [, address] = /Listening on (\S+)/.exec(output()) ?? [];
      if (address) resolve(address);
    });
  });
}

/** Runs a node that is expected to give up. */
export async function runToEnd(options: ProgramOptions): Promise<Ended> {
  const { said, exit } = launch(options);
  const code = await exit;
  return { code, ...said };
}

/** Kills the nodes of a list that it returns when `cleanup` is disposed, and when the process exits before. */
export function nodesToKill(cleanup: AsyncDisposableStack): NodeProcess[] {
  const nodes: NodeProcess[] = [];
  const kill = () => {
    for (const { child } of nodes) child.kill('SIGKILL');
  };
  process.once('exit', kill);
  cleanup.defer(async () => {
    kill();
    process.off('exit', kill);
    await Promise.all(nodes.map(({ exit }) => exit));
  });
  return nodes;
}
