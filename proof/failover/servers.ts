/** PostgreSQL as Debian packages it: a primary and two standbys, which fail and take over as they are told. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openPool } from '../../src/db/database.ts';
import { tryPort } from '../../src/kernel/network.ts';

export const PROGRAMS = '/usr/lib/postgresql/15/bin';
export const PASSWORD = 'failover';
const NAMES = ['n1', 'n2', 'n3'];

export interface Server {
  name: string;
  port: number;
  folder: string;
}

export interface Servers {
  folder: string;
  all: readonly Server[];
  /** What nodes are given. */
  url: string;
  drop(): void;
}

/** PostgreSQL refuses to run as root. */
export function postgresUser(): { uid: number; gid: number } {
  const number = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

export const urlOf = (servers: readonly { port: number }[]) =>
  `postgres://postgres:${PASSWORD}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`;

const run = async (program: string, ...args: string[]) =>
  promisify(execFile)(join(PROGRAMS, program), args, {
    ...postgresUser(),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', PGPASSWORD: PASSWORD },
  } as never);

export async function placeServers(): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'maitred-failover-'));
  chmodSync(folder, 0o755);
  const { uid, gid } = postgresUser();
  chownSync(folder, uid, gid);
  const all: Server[] = [];
  for (const name of NAMES)
    all.push({ name, port: await tryPort('127.0.0.1', 0), folder: join(folder, name) });
  const drop = () => {
    for (const server of all) kill(server, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', drop);
  return { folder, all, url: urlOf(all), drop };
}

/** A standby whose primary is gone tries its successor that often, and commits wait for it; the default is 5 s. */
const SOON = "wal_retrieve_retry_interval = '500ms'";

/** The first is the primary, the others follow it. */
export async function startServers({ all: [primary, ...standbys] }: Servers): Promise<void> {
  if (!primary) return;
  await run(
    'initdb',
    '-D',
    primary.folder,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  );
  appendFileSync(
    join(primary.folder, 'postgresql.conf'),
    [
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      'max_connections = 200',
      SOON,
      '',
    ].join('\n'),
  );
  await start(primary);
  for (const standby of standbys) await follow(standby, primary);
}

/** As a standby that is made anew from `primary`. */
export async function follow(standby: Server, primary: Server): Promise<void> {
  rmSync(standby.folder, { recursive: true, force: true });
  await run(
    'pg_basebackup',
    ...['-D', standby.folder, '-R', '-X', 'stream', '-c', 'fast'],
    ...['-d', conninfo(standby, primary)],
  );
  // Of its own standbys as a primary; the copy has those of the other.
  await start(standby);
}

const conninfo = (standby: Server, primary: Server) =>
  `host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD} application_name=${standby.name}`;

const start = ({ folder, port }: Server) =>
  run('pg_ctl', '-D', folder, '-l', `${folder}.log`, '-o', `-p ${port}`, '-w', '-t', '60', 'start');

/** All processes of a server; a standing postmaster alone leaves its children at work. */
export function kill({ folder }: Server, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  const postmaster = postmasterOf(folder);
  if (!postmaster) return;
  const children = spawnSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' }).stdout.split('\n');
  for (const pid of [postmaster, ...children.map(Number)])
    if (pid > 0)
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
}

function postmasterOf(folder: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
  } catch {
    return undefined;
  }
}

/** `work` on a server itself, whatever it is at the moment. */
export async function on<Result>(
  server: { port: number },
  work: (sql: ReturnType<typeof openPool>) => Promise<Result>,
): Promise<Result> {
  const sql = openPool(urlOf([server]), { max: 1, isForReading: true });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** As where the network to the standbys stalls: the primary goes on, and what it writes from now on stays with it. */
export async function stallReplication(primary: Server): Promise<void> {
  const senders = await on(primary, (sql) => sql<{ pid: number }[]>`select pid from pg_stat_replication`);
  for (const { pid } of senders) process.kill(pid, 'SIGSTOP');
}

/** With it a commit waits until one standby has it too. */
export async function replicateSynchronously(primary: Server, isSynchronous: boolean): Promise<void> {
  const others = NAMES.filter((name) => name !== primary.name).join(', ');
  await on(primary, async (sql) => {
    await sql.unsafe(
      `alter system set synchronous_standby_names = '${isSynchronous ? `ANY 1 (${others})` : ''}'`,
    );
    await sql`select pg_reload_conf()`;
  });
}

/** The standby that has received most takes over, and the other one follows it. */
export async function promote(standbys: readonly Server[], isSynchronous: boolean): Promise<Server> {
  const received = await Promise.all(
    standbys.map((server) =>
      on(server, async (sql) => {
        const [row] = await sql<{ position: number }[]>`
          select (coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0')::float8 as position`;
        return { server, position: row?.position ?? 0 };
      }),
    ),
  );
  const [best, ...others] = received
    .toSorted((left, right) => right.position - left.position)
    .map(({ server }) => server);
  if (!best) throw new Error('There is no standby.');
  await run('pg_ctl', '-D', best.folder, '-w', 'promote');
  await replicateSynchronously(best, isSynchronous);
  for (const other of others)
    await on(other, async (sql) => {
      await sql.unsafe(`alter system set primary_conninfo = '${conninfo(other, best)}'`);
      await sql`select pg_reload_conf()`;
    });
  return best;
}

/** Until the standbys have what the primary has. */
export async function untilFollowing(primary: Server, count: number): Promise<void> {
  for (;;) {
    const [row] = await on(
      primary,
      (sql) => sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_replication where state = 'streaming'`,
    );
    if ((row?.count ?? 0) >= count) return;
    await sleep(100);
  }
}
