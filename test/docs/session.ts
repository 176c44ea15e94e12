/** Runs the commands of a document in one shell, from top to bottom, as a reader does who copies them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './blocks.ts';

export interface Ran {
  status: number;
  printed: string;
  complained: string;
}

export interface Session {
  commands: readonly string[];
  env: Record<string, string>;
  /** An empty folder, for what is printed. */
  folder: string;
}

/** What is refused fails the command; its body is printed all the same. */
const PRELUDE = 'curl() { command curl --fail-with-body --max-time 20 "$@"; }';

/** Where the variables of a session are left for the next. */
const VARIABLES = 'variables';

export async function runSession({ commands, env, folder }: Session): Promise<Ran[]> {
  const place = (name: string | number) => `'${join(folder, String(name))}'`;
  const script = commands.map(
    (command, index) =>
      `{ ${command}\n} >${place(index)} 2>${place(`${index}.err`)}; echo $? >${place(`${index}.status`)}`,
  );
  const child = spawn('sh', ['-c', [PRELUDE, ...script, `set >${place(VARIABLES)}`].join('\n')], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, so that nothing it has left running stays behind.
    detached: true,
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  await once(child, 'exit');
  killGroup(child.pid);
  assert.equal(complaint, '', 'the shell understands the commands');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return commands.map((_, index) => ({
    status: Number(read(`${index}.status`)),
    printed: read(String(index)).trimEnd(),
    complained: read(`${index}.err`),
  }));
}

function killGroup(pid: number | undefined): void {
  assert.ok(pid !== undefined);
  try {
    process.kill(-pid);
  } catch (error) {
    // Nobody is left, which is as it should be.
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
  }
}

/** Those that the shell of a session has set, by name. */
export function variablesOf(folder: string, names: readonly string[]): Record<string, string> {
  const all = readFileSync(join(folder, VARIABLES), 'utf8');
  return Object.fromEntries(
    names.map((name) => {
      const [, value] = new RegExp(`^${name}='?([^'\\n]*)'?$`, 'm').exec(all) ?? [];
      assert.ok(value, `$${name} was set`);
      return [name, value];
    }),
  );
}
