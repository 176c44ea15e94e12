/**
 * Installs the packages that are missing, before `npm start`, `npm test` and the like, and runs the program that is
 * named. Runs on any Node from 20 on, with nothing installed yet:
 * `node scripts/setup.mjs production|development [file and arguments for the Node of the project]`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const [mode, ...program] = process.argv.slice(2);
const withDevelopment = mode === 'development';

if (!isComplete()) {
  await withLock(async () => {
    // Another command may have done it while this one waited.
    if (!isComplete()) install();
    if (!hasNode()) endWithoutNode();
  });
}
if (program.length > 0) run(program);

/** The Node that runs us is one package for each platform; npm installs the one that fits and leaves out the others. */
function isNode(path) {
  return /^node_modules\/node-(bin-)?(darwin|linux|win)-/.test(path);
}

function hasNode() {
  return (
    ['node', 'node.cmd'].some((name) => existsSync(join(modules, '.bin', name))) && findNode() !== undefined
  );
}

function findNode() {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const installed = packagesIn(join(modules, '.package-lock.json'));
  const [path, { bin } = {}] =
    Object.entries(wanted).find(
      ([path, { version, bin }]) =>
        isNode(path) && installed[path]?.version === version && existsSync(join(root, path, bin.node)),
    ) ?? [];
  return path && join(root, path, bin.node);
}

/** Stays until the program ends. A shell cannot start it after us: it remembers where it found the other Node. */
function run(args) {
  const child = spawn(findNode(), args, { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both, and the program decides what it does about it.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (signal) console.error(`It was ended by ${signal}.`);
  });
}

/** Where Node came from another package before, npm removes the link of that one after it has made the new one. */
function linkNode() {
  const installed = Object.keys(packagesIn(join(modules, '.package-lock.json'))).filter(isNode);
  npm(['rebuild', '--ignore-scripts', ...installed.map((path) => basename(path))]);
}

function endWithoutNode() {
  const platforms = Object.values(packagesIn(join(root, 'package-lock.json')))
    .filter(({ bin, os }) => bin?.node && os)
    .map(({ os, cpu }) => `${os} ${cpu}`);
  console.error(
    `There is no Node for ${process.platform} ${process.arch}; it comes for ${platforms.join(', ')}. ` +
      'If yours is among them, npm was told to leave optional packages out (--omit=optional).',
  );
  process.exit(1);
}

/** Compares what the lock file wants with npm's own record of what it has put into node_modules. */
function isComplete() {
  if (!hasNode()) return false;
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const installed = packagesIn(join(modules, '.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, dev, optional, devOptional }]) => {
    if (path === '' || ((dev || devOptional) && !withDevelopment)) return true;
    // Packages for other platforms are optional, and absent for good.
    if ((optional || devOptional) && !installed[path]) return true;
    return installed[path]?.version === version;
  });
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return {};
  }
}

function install() {
  const isFirst = !existsSync(modules);
  console.log(isFirst ? 'Installing packages (first time, up to a minute) …' : 'Updating packages …');
  const developers =
    existsSync(join(modules, 'typescript')) || withDevelopment ? '--include=dev' : '--omit=dev';
  // Not `ci`: it begins by deleting node_modules, which a node may be running from, and refuses a lock file made
  // where the registry has no packages for some other platform. `--no-save` leaves the lock file as it is.
  const args = ['install', '--no-save', developers];
  const { status, stdout, stderr, error } = npm([...args, '--no-audit', '--no-fund']);
  if (status === 0) return hasNode() || linkNode();
  console.error(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`);
  console.error(`The packages could not be installed (npm ${args.join(' ')}); npm says why above.`);
  process.exit(1);
}

function npm(args) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  return script
    ? spawnSync(node ?? process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Two commands started together must not install over each other. Not in node_modules, which may not exist. */
async function withLock(work) {
  const name = createHash('sha256').update(`${root}\n${userInfo().username}`).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `maitred-setup-${name}`);
  while (!take(lock)) {
    if (isAbandoned(lock)) discard(lock);
    else await sleep(200);
  }
  try {
    await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(lock) {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(lock, 'pid'), String(process.pid));
  // A failed installation exits inside.
  process.on('exit', () => rmSync(lock, { recursive: true, force: true }));
  return true;
}

function isAbandoned(lock) {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    if (error.code === 'ESRCH') return true;
    if (error.code === 'EPERM') return false;
    // Made a moment ago and the number is still to be written, or its maker died in that moment.
    const madeAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    return madeAt !== undefined && Date.now() - madeAt > 10_000;
  }
}

/** Only one of several who wait succeeds in renaming. */
function discard(lock) {
  try {
    const aside = `${lock}.${process.pid}`;
    renameSync(lock, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch {
    // Another process was faster.
  }
}
