/** Runs the command line as a process, from its source, with a configuration folder of its own. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';
import { scratchFolder } from '../../support/scratch.ts';

const MAIN = join(import.meta.dirname, '..', '..', '..', 'clients', 'cli', 'src', 'main.ts');

export const SOHO_DINNER = '1|house|soho-grill|dinner';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Home {
  /** Where the configuration is. */
  folder: string;
  start(args: readonly string[], env?: Record<string, string>): ChildProcessWithoutNullStreams;
  run(args: readonly string[], options?: { env?: Record<string, string>; stdin?: string }): Promise<Ran>;
  /** What a command that goes well prints as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
  json(...args: string[]): Promise<any>;
  /** What a command that goes well prints. */
  print(...args: string[]): Promise<string>;
  login(profile: string, clientId: string, url: string): Promise<void>;
}

export function createHome(t: Parameters<typeof scratchFolder>[0]): Home {
  const folder = scratchFolder(t);
  const start: Home['start'] = (args, env = {}) =>
    spawn(process.execPath, ['--conditions=maitred-source', MAIN, ...args], {
      cwd: folder,
      // Nothing of the developer's own settings.
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        XDG_CONFIG_HOME: folder,
        ...env,
      },
    });
  const run: Home['run'] = async (args, { env = {}, stdin = '' } = {}) => {
    const child = start(args, env);
    child.stdin.on('error', () => {}).end(stdin);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code, stdout, stderr };
  };
  const print: Home['print'] = async (...args) => {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 0, `maitred ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  return {
    folder,
    start,
    run,
    print,
    json: async (...args) => JSON.parse(await print(...args, '--json')),
    async login(profile, clientId, url) {
      const args = ['login', '--profile', profile, '--client-id', clientId, '--url', url, '--secret-stdin'];
      const { code, stderr } = await run(args, { stdin: `${clientId}-secret\n` });
      assert.equal(code, 0, stderr);
    },
  };
}

/** The application on an address of its own. */
export async function startListening(
  options: TestAppOptions = {},
): Promise<{ maitred: TestApp; address: string }> {
  const maitred = await startTestApp(options);
  const address = await maitred.app.listen({ host: '127.0.0.1', port: 0 });
  return { maitred, address };
}

/** A day in so many days from today, in UTC. */
export const inDays = (days: number) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);

/** The lines that a process has printed to stdout by now. */
export function linesOf(child: ChildProcessWithoutNullStreams): {
  stdout: () => string[];
  stderr: () => string;
} {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      said[name] += chunk.toString();
    });
  return { stdout: () => said.stdout.split('\n').filter(Boolean), stderr: () => said.stderr };
}

/** Ends it as Ctrl-C does. */
export async function interrupt(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  const closed = once(child, 'close');
  child.kill('SIGINT');
  const [code] = await closed;
  return code;
}
