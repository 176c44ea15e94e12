/**
 * `npm run packages`: packs both packages, installs each from its tarball without a network, checks the types with two
 * compilers, and books with the client on every runtime that can be had. Writes `proof/PACKAGES.md`, unless it is run
 * with `--no-report`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { writeReport } from '../../bench/report.ts';
import { startSandbox } from '../../test/examples/support.ts';
import { startTestServer } from '../../test/support/databases/database.ts';
import { bookInBrowser } from './browser.ts';
import {
  compile,
  emptyFolder,
  installOffline,
  type Packed,
  pack,
  ROOT,
  run,
  SETTINGS,
} from './installing.ts';
import { BUN, DENO, NODE_20, NODE_22, obtain, type Program, TYPESCRIPT_5 } from './runtimes.ts';

interface Check {
  what: string;
  where: string;
  /** What came of it, in a few words. */
  outcome: string;
  isGood: boolean;
  /** It could not be tried here. */
  isSkipped?: boolean;
}

const progress = (line: string) => console.error(line);
const checks: Check[] = [];
const NODE_26: Program = { name: 'Node 26', path: process.execPath, args: [] };
const OUTCOME = { status: 'confirmed', secondTime: 'HOLD-N-002', webhook: 'webhook.ping' };

function note(check: Check): void {
  checks.push(check);
  progress(
    `${check.isSkipped ? '–' : check.isGood ? '✔' : '✖'} ${check.what}, ${check.where}: ${check.outcome}`,
  );
}

const dayAhead = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();

await using started = new AsyncDisposableStack();
using folders = new DisposableStack();
progress('Packing …');
const tarballs = emptyFolder(folders, 'tarballs');
const client = await pack('typescript', tarballs);
const commandLine = await pack('cli', tarballs);
const folder = emptyFolder(folders, 'client');
await installOffline(client.tarball, folder);
note({ what: 'install', where: 'empty folder, no network', outcome: client.name, isGood: true });
const commandFolder = emptyFolder(folders, 'cli');
await installOffline(commandLine.tarball, commandFolder);
note({ what: 'install', where: 'empty folder, no network', outcome: commandLine.name, isGood: true });

progress('Fetching other runtimes …');
const [node20, node22, deno, bun, typescript5] = await Promise.all(
  [NODE_20, NODE_22, DENO, BUN, TYPESCRIPT_5].map(obtain),
);
await checkTypes();
progress('Starting a node …');
if (!process.env.MAITRED_TEST_SERVER) {
  const database = await startTestServer();
  started.defer(() => database.stop());
  process.env.MAITRED_TEST_SERVER = database.url;
}
const address = await startSandbox(started, { ROLE: 'api' });
await checkClient();
await checkCommandLine();

if (!process.argv.includes('--no-report'))
  writeReport('proof/PACKAGES.md', {
    title: 'The packages, packed and installed',
    command: 'npm run packages',
    body: await reportOf(),
  });
process.exitCode = checks.every(({ isGood, isSkipped }) => isGood || isSkipped) ? 0 : 1;

async function checkTypes(): Promise<void> {
  const typescript7 = {
    name: 'TypeScript 7',
    path: join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
    args: [],
  };
  for (const compiler of [typescript5, typescript7]) {
    if (typeof compiler !== 'object') {
      skip('types', 'TypeScript 5.9', compiler);
      continue;
    }
    for (const setting of SETTINGS) {
      const complaints = await compile(compiler.path, folder, setting);
      const where = `${compiler.name}, \`moduleResolution\` ${setting.moduleResolution}, types of ${setting.platform}`;
      note({ what: 'types', where, outcome: complaints || 'no complaint', isGood: complaints === '' });
    }
  }
}

function skip(what: string, where: string, reason: string | undefined): void {
  note({ what, where, outcome: reason ?? 'cannot be had', isGood: false, isSkipped: true });
}

async function checkClient(): Promise<void> {
  const runtimes = { 'Node 20': node20, 'Node 22': node22, 'Node 26': NODE_26, Deno: deno, Bun: bun };
  for (const [index, [name, runtime]] of Object.entries(runtimes).entries()) {
    if (typeof runtime !== 'object') {
      skip('a booking', name, runtime);
      continue;
    }
    const args = [...runtime.args, 'start.mjs', address, dayAhead(7 + index)];
    const { stdout, stderr } = await run(runtime.path, args, { cwd: folder });
    noteBooking(`${name} (${await versionOf(runtime)})`, stdout || stderr);
  }
  const outcome = await bookInBrowser(address, folder, dayAhead(7 + Object.keys(runtimes).length));
  if (typeof outcome === 'string') skip('a booking', 'Chromium', outcome);
  else noteBooking('Chromium', JSON.stringify(outcome));
}

async function versionOf({ path }: Program): Promise<string> {
  const { stdout } = await run(path, ['--version'], { cwd: folder });
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'of an unknown version';
}

function noteBooking(where: string, said: string): void {
  const outcome = said.startsWith('{') ? JSON.parse(said) : {};
  const isGood =
    outcome.venues > 0 && Object.entries(OUTCOME).every(([name, value]) => outcome[name] === value);
  const words = `${outcome.status}, the second time ${outcome.secondTime}, webhook verified`;
  note({ what: 'a booking', where, outcome: isGood ? words : said.trim().slice(0, 500), isGood });
}

async function checkCommandLine(): Promise<void> {
  const program = join('node_modules', ...commandLine.name.split('/'), 'dist', 'maitred.js');
  const env = {
    MAITRED_URL: address,
    MAITRED_CLIENT_ID: 'demo-partner',
    MAITRED_CLIENT_SECRET: 'demo-partner-secret',
    XDG_CONFIG_HOME: join(commandFolder, 'config'),
  };
  for (const [name, runtime] of Object.entries({
    'Node 20': node20,
    'Node 22': node22,
    'Node 26': NODE_26,
  })) {
    if (typeof runtime !== 'object') {
      skip('`maitred --version`', name, runtime);
      continue;
    }
    const version = await run(runtime.path, [program, '--version'], { cwd: commandFolder, env });
    const isVersion = version.stdout.includes(commandLine.version);
    note({
      what: '`maitred --version`',
      where: name,
      outcome: (version.stdout || version.stderr).trim(),
      isGood: isVersion,
    });
    const venues = await run(runtime.path, [program, 'venues', '--json'], { cwd: commandFolder, env });
    const count = venues.stdout.match(/"id":/g)?.length ?? 0;
    const outcome = count > 0 ? `${count} venues` : (venues.stdout || venues.stderr).trim().slice(0, 300);
    note({ what: '`maitred venues --json`', where: name, outcome, isGood: venues.code === 0 && count > 0 });
  }
}

async function reportOf(): Promise<string> {
  const sizes = await Promise.all([client, commandLine].map(sizesOf));
  const rows = checks.map(({ what, where, outcome, isGood, isSkipped }) => {
    const result = isSkipped ? 'not tried' : isGood ? 'good' : '**failed**';
    return `| ${what} | ${where} | ${result} | ${outcome.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')} |`;
  });
  return `Both packages are packed with \`npm pack\`, which builds them, and installed into an empty folder with \`npm install --offline\` and an empty cache. The program that is compiled and run is [proof/packages/program/book.ts](packages/program/book.ts): it lists venues, finds a table, holds it, books it, is refused when it books the same hold again, and signs and verifies a webhook. Types are checked with \`strict\`, \`exactOptionalPropertyTypes\` and without \`skipLibCheck\`; a line with \`@ts-expect-error\` fails where the compiler does not see the types. In the browser the client has a token and no secret, and shares the origin of the service through a proxy, because the service sends no CORS headers.

| package | version | files | tarball | unpacked | code, compressed | minified, compressed |
| --- | --- | --- | --- | --- | --- | --- |
${sizes.join('\n')}

| what | where | result | |
| --- | --- | --- | --- |
${rows.join('\n')}`;
}

/** The code is what a program loads: the JavaScript of `dist` as it is, and in one file without what only people read. */
async function sizesOf({ name, version, size, unpackedSize, files }: Packed): Promise<string> {
  const home = join(name === client.name ? folder : commandFolder, 'node_modules', name);
  const code = globSync('dist/**/*.js', { cwd: home }).map((file) => join(home, file));
  const compressed = code.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  const entryPoints = [code.length === 1 ? String(code[0]) : join(home, 'dist', 'index.js')];
  const bundle = {
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    entryPoints,
  } as const;
  const [bundled] = (await build(bundle)).outputFiles;
  const minified = gzipSync(bundled?.contents ?? '').length;
  const cells = [size, unpackedSize, compressed, minified].map((bytes) => `${(bytes / 1000).toFixed(1)} kB`);
  return `| ${name} | ${version} | ${files.length} | ${cells.join(' | ')} |`;
}
