/** Another commit of this project with its packages, in a folder of its own that the next run uses again. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

export interface OldVersion {
  /** As git abbreviates it. */
  commit: string;
  /** When it was committed, as in `2026-11-17 18:36`. */
  committedAt: string;
  version: string;
  migrations: string[];
  /** What starts a node of it. */
  program: string;
}

export function checkOut(wanted: string, progress: (line: string) => void): OldVersion {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--verify', `${wanted}^{commit}`);
  const folder = join(tmpdir(), `maitred-${commit}`);
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) {
    mkdirSync(folder, { recursive: true });
    const archive = join(folder, 'archive.tar');
    git('archive', '--format=tar', `--output=${archive}`, commit);
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    rmSync(archive);
  }
  progress(`Installing the packages of ${wanted} …`);
  // Settings of the npm that runs this command would reach into the npm of the other folder.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  execFileSync(process.execPath, [join(folder, 'scripts', 'setup.mjs'), 'production'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    commit: git('rev-parse', '--short', commit),
    committedAt: git('show', '--no-patch', '--format=%cd', '--date=format:%Y-%m-%d %H:%M', commit),
    version: JSON.parse(readFileSync(manifest, 'utf8')).version,
    migrations: git('ls-tree', '--name-only', commit, 'migrations/').split('\n'),
    program: join(folder, 'src', 'main.ts'),
  };
}
