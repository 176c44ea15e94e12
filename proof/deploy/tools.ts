/** Programs of the machine that the check runs, and what it has found so far. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
export const DEPLOY = join(ROOT, 'deploy');

/** A row of the report. */
export interface Finding {
  what: string;
  result: string;
  isGood: boolean;
}

/** A section of the report. */
export interface Part {
  heading: string;
  /** What it was tried with. */
  about: string;
  findings: Finding[];
}

/** Runs a program to its end; throws with what it said if it fails, unless `mayFail`. */
export function run(
  command: string,
  args: readonly string[],
  options: SpawnSyncOptions & { mayFail?: true } = {},
) {
  const { mayFail, ...rest } = options;
  const ended = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...rest });
  const [stdout, stderr] = [String(ended.stdout ?? ''), String(ended.stderr ?? '')];
  if (ended.status !== 0 && !mayFail)
    throw new Error(
      `${command} ${args.join(' ')} ended with ${ended.status ?? ended.error}: ${stdout}${stderr}`,
    );
  return { status: ended.status, stdout, stderr };
}

export function has(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}

/** The first number with a point in what a program says of its version. */
export function versionOf(command: string, ...args: string[]): string {
  const { stdout, stderr } = run(command, args.length > 0 ? args : ['--version'], { mayFail: true });
  return /\d+\.\d[\w.+~-]*/.exec(stdout + stderr)?.[0] ?? /\d+/.exec(stdout + stderr)?.[0] ?? '';
}

/** One row: the sentence of `check`, or why it failed. Nothing here ends the others. */
export async function finding(what: string, check: () => string | Promise<string>): Promise<Finding> {
  try {
    const result = await check();
    console.error(`  ${what}: ${result}`);
    return { what, result, isGood: true };
  } catch (error) {
    const result = error instanceof Error ? error.message : String(error);
    console.error(`  FAILED ${what}: ${result}`);
    return { what, result: `**failed:** ${result.slice(0, 300)}`, isGood: false };
  }
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export const table = (findings: readonly Finding[]) =>
  [
    '| what | result |',
    '| --- | --- |',
    ...findings.map(({ what, result }) => `| ${cell(what)} | ${cell(result)} |`),
  ].join('\n');
