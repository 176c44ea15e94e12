/** The same three servers in the hands of Patroni, which notices by itself, with etcd, both as Debian packages them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryPort } from '../../src/kernel/network.ts';
import { kill, PASSWORD, PROGRAMS, placeServers, postgresUser, type Server } from './servers.ts';

export interface Patroni {
  url: string;
  primary(): Promise<string>;
  /** A server together with the Patroni that watches it, as when their machine is lost. */
  kill(name: string): void;
  start(name: string): void;
  untilReplaced(name: string): Promise<void>;
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

interface Watched extends Server {
  apiPort: number;
  child?: ChildProcess;
}

interface Member {
  name: string;
  role: string;
  state: string;
}

const PATRONI = '/usr/bin/patroni';
const ETCD = '/usr/bin/etcd';
const LONGEST_WAIT_MS = 120_000;

/** A sentence: why it does not run here. */
export async function startPatroni(progress: (line: string) => void): Promise<Patroni | string> {
  for (const program of [PATRONI, ETCD])
    if (!existsSync(program)) return `Not tried: there is no ${program} on this machine.`;
  const servers = await placeServers();
  const children: ChildProcess[] = [];
  const start = (program: string, args: string[], name: string) => {
    const log = openSync(join(servers.folder, `${name}.log`), 'a');
    const child = spawn(program, args, {
      ...postgresUser(),
      cwd: '/',
      stdio: ['ignore', log, log],
      // Its makers do not support every processor, and have it say so.
      env: { PATH: `${PROGRAMS}:/usr/bin:/bin`, ETCD_UNSUPPORTED_ARCH: process.arch, LC_ALL: 'C.UTF-8' },
    });
    children.push(child);
    return child;
  };
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });

  const etcd = `127.0.0.1:${await tryPort('127.0.0.1', 0)}`;
  const peers = `http://127.0.0.1:${await tryPort('127.0.0.1', 0)}`;
  start(
    ETCD,
    [
      ...['--data-dir', join(servers.folder, 'etcd'), '--name', 'etcd'],
      ...['--listen-client-urls', `http://${etcd}`, '--advertise-client-urls', `http://${etcd}`],
      ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
      ...['--initial-cluster', `etcd=${peers}`],
    ],
    'etcd',
  );
  const all: Watched[] = [];
  for (const server of servers.all) all.push({ ...server, apiPort: await tryPort('127.0.0.1', 0) });
  const get = (name: string) => {
    const found = all.find((each) => each.name === name);
    if (!found) throw new Error(`There is no ${name}.`);
    return found;
  };

  function watch(server: Watched): void {
    const file = join(servers.folder, `${server.name}.yml`);
    writeFileSync(file, settingsOf(server, etcd, servers.folder), { mode: 0o644 });
    server.child = start(PATRONI, [file], `${server.name}-patroni`);
  }

  /** As any of them sees it. */
  async function members(): Promise<Member[]> {
    for (const { apiPort } of all) {
      const seen = await fetch(`http://127.0.0.1:${apiPort}/cluster`, { signal: AbortSignal.timeout(2000) })
        .then((response) => response.json() as Promise<{ members?: Member[] }>)
        .catch(() => undefined);
      if (seen?.members) return seen.members;
    }
    return [];
  }

  async function until(what: string, holds: (seen: Member[]) => boolean): Promise<void> {
    const deadlineMs = performance.now() + LONGEST_WAIT_MS;
    while (!holds(await members())) {
      if (performance.now() > deadlineMs) throw new Error(`Patroni: no ${what} in two minutes.`);
      await sleep(100);
    }
  }

  const isLeader = ({ role, state }: Member) => role === 'leader' && state === 'running';
  const untilWhole = () =>
    until(
      'whole cluster',
      (seen) =>
        seen.some(isLeader) &&
        seen.some(({ role }) => role === 'sync_standby') &&
        seen.filter(({ state }) => ['running', 'streaming'].includes(state)).length === all.length,
    );
  async function stop(): Promise<void> {
    for (const child of children) child.kill('SIGKILL');
    servers.drop();
  }

  try {
    mkdirSync(servers.folder, { recursive: true });
    progress('Patroni and etcd are starting …');
    for (const server of all) watch(server);
    await untilWhole();
  } catch (error) {
    await stop();
    return `Patroni could not be made to run here: ${(error as Error).message}`;
  }
  return {
    url: servers.url,
    async primary() {
      return (await members()).find(isLeader)?.name ?? '';
    },
    kill(name) {
      get(name).child?.kill('SIGKILL');
      kill(get(name), 'SIGKILL');
    },
    start: (name) => watch(get(name)),
    untilReplaced: (name) =>
      until('successor', (seen) => seen.some((member) => isLeader(member) && member.name !== name)),
    untilWhole,
    stop,
  };
}

/** The time to live of the leader's key is the shortest that Patroni allows. */
function settingsOf({ name, port, apiPort, folder }: Watched, etcd: string, base: string): string {
  return `scope: maitred
name: ${name}
restapi: { listen: '127.0.0.1:${apiPort}', connect_address: '127.0.0.1:${apiPort}' }
etcd3: { host: '${etcd}' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    postgresql:
      use_pg_rewind: false
      parameters: { max_connections: 200, wal_retrieve_retry_interval: 500ms, unix_socket_directories: '' }
  initdb: [ encoding: UTF8, locale: C.UTF-8 ]
postgresql:
  listen: '127.0.0.1:${port}'
  connect_address: '127.0.0.1:${port}'
  data_dir: ${folder}
  bin_dir: ${PROGRAMS}
  pgpass: ${base}/${name}.pgpass
  remove_data_directory_on_diverged_timelines: true
  pg_hba: [ 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust' ]
  authentication:
    superuser: { username: postgres, password: ${PASSWORD} }
    replication: { username: replicator, password: ${PASSWORD} }
`;
}
