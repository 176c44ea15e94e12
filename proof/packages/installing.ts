/** Packing the two packages, and installing them as their users do: from the tarball, without a network. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM = join(import.meta.dirname, 'program');

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, which may be a bad one. */
export async function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: object },
): Promise<Ended> {
  const env = { ...process.env, NODE_OPTIONS: '', ...options.env };
  try {
    const said = await promisify(execFile)(command, args, {
      cwd: options.cwd,
      env,
      maxBuffer: 64 * 1024 ** 2,
    });
    return { code: 0, ...said };
  } catch (error) {
    const { code = 1, stdout = '', stderr = String(error) } = error as Partial<Ended>;
    return { code: Number(code) || 1, stdout, stderr };
  }
}

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run('npm', args, { cwd });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}

export interface Packed {
  name: string;
  version: string;
  tarball: string;
  /** Bytes of the tarball, and of what it unpacks to. */
  size: number;
  unpackedSize: number;
  files: string[];
}

/** Builds and packs one of the packages under `clients/`. */
export async function pack(folder: 'typescript' | 'cli', destination: string): Promise<Packed> {
  const args = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', destination];
  const said = await npm(args, join(ROOT, 'clients', folder));
  const [entry] = Object.values(JSON.parse(said.slice(said.search(/^[[{]/m)))) as PackEntry[];
  if (!entry) throw new Error(`npm packed nothing of clients/${folder}: ${said}`);
  const { name, version, filename, size, unpackedSize, files } = entry;
  const tarball = join(destination, filename);
  return { name, version, tarball, size, unpackedSize, files: files.map(({ path }) => path).sort() };
}

interface PackEntry extends Omit<Packed, 'files' | 'tarball'> {
  filename: string;
  files: { path: string }[];
}

/** An empty folder, which goes with what uses it. */
export function emptyFolder(started: DisposableStack, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `maitred-${name}-`));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** From the tarball into an empty folder, with an empty cache and no registry. */
export async function installOffline(tarball: string, folder: string): Promise<void> {
  const cache = join(folder, '.npm-cache');
  await npm(['install', '--offline', '--cache', cache, '--no-audit', '--no-fund', tarball], folder);
  rmSync(cache, { recursive: true, force: true });
}

/** Where types of `fetch` and the like come from, and how modules are found. */
export const SETTINGS = [
  { module: 'nodenext', moduleResolution: 'nodenext', platform: 'dom' },
  { module: 'nodenext', moduleResolution: 'nodenext', platform: 'node' },
  { module: 'esnext', moduleResolution: 'bundler', platform: 'dom' },
] as const;
export type Setting = (typeof SETTINGS)[number];

/** The errors of the compiler, one to a line; compiles the program into the folder if there are none. */
export async function compile(tsc: string, folder: string, setting: Setting): Promise<string> {
  for (const file of ['book.ts', 'start.mjs']) copyFileSync(join(PROGRAM, file), join(folder, file));
  const { name = 'user', ...rest } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, ...rest, type: 'module' }));
  const { module, moduleResolution, platform } = setting;
  const types = platform === 'node' ? ['node'] : [];
  const compilerOptions = {
    ...{ target: 'es2022', module, moduleResolution, strict: true, skipLibCheck: false },
    ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    lib: platform === 'dom' ? ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'] : ['es2023'],
    types,
    ...(platform === 'node' && { typeRoots: [join(ROOT, 'node_modules', '@types')] }),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['book.ts'] }));
  const { stdout, stderr } = await run(process.execPath, [tsc, '-p', '.'], { cwd: folder });
  return `${stdout}${stderr}`.trim();
}
