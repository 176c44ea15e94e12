/** A PostgreSQL with standbys that follow it. The embedded one comes without the programs that make them. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { startEmbedded } from '../../../src/db/embedded/embedded.ts';
import { killServer, serverProcesses } from '../server-processes.ts';

export interface TestHost {
  url: string;
  /** As a power cut would. */
  kill(): Promise<void>;
  /** Stops every process; connections stay open, and nothing is answered. */
  freeze(): void;
  wake(): void;
  /** A statement on this server, whatever it is. */
  ask<Row extends object>(statement: string): Promise<Row[]>;
}

export interface ReplicatedDatabase {
  primary: TestHost;
  standby: TestHost;
  close(): Promise<void>;
}

/** `prepare` fills the primary before the standby is made of it. */
export async function startReplicated(prepare: (url: string) => Promise<void>): Promise<ReplicatedDatabase> {
  const primary = await startHost(newFolder());
  await prepare(primary.url);
  const folder = newFolder();
  await copyCluster(primary, folder);
  const standby = await startHost(folder);
  const hosts = [primary, standby];
  const abandon = () => {
    for (const { folder } of hosts) rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  return {
    primary,
    standby,
    async close() {
      for (const host of hosts) await host.kill();
      process.off('exit', abandon);
      abandon();
    },
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'maitred-standby-'));
  // Run by root, PostgreSQL is another user.
  chmodSync(folder, 0o711);
  return folder;
}

interface Host extends TestHost {
  folder: string;
}

async function startHost(folder: string): Promise<Host> {
  const { url } = await startEmbedded({ dataDir: folder });
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of serverProcesses(folder)) process.kill(pid, name);
  };
  return {
    folder,
    url,
    kill: () => killServer(folder),
    freeze: () => signal('SIGSTOP'),
    wake: () => signal('SIGCONT'),
    async ask<Row extends object>(statement: string) {
      const sql = postgres(url, { max: 1, onnotice: () => {} });
      try {
        return [...(await sql.unsafe<Row[]>(statement))];
      } finally {
        await sql.end({ timeout: 1 });
      }
    },
  };
}

/** A backup by hand: what `pg_basebackup` does, with the functions that it calls. */
async function copyCluster(primary: Host, folder: string): Promise<void> {
  const { hostname, port, username, password } = new URL(primary.url);
  const sql = postgres(primary.url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_create_physical_replication_slot('standby', true)`;
    await sql`select pg_backup_start('standby', true)`;
    execFileSync('cp', ['-a', realpathSync(join(primary.folder, 'postgres')), join(folder, 'postgres')]);
    const [stopped] = await sql<[{ label: string }]>`
      select labelfile as label from pg_backup_stop(wait_for_archive => false)`;
    const cluster = join(folder, 'postgres', 'cluster');
    rmSync(join(cluster, 'postmaster.pid'));
    for (const name of readdirSync(join(cluster, 'pg_replslot')))
      rmSync(join(cluster, 'pg_replslot', name), { recursive: true });
    writeFileSync(join(cluster, 'backup_label'), stopped.label);
    writeFileSync(join(cluster, 'standby.signal'), '');
    const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
    appendFileSync(
      join(cluster, 'postgresql.auto.conf'),
      `primary_conninfo = '${conninfo}'\nprimary_slot_name = 'standby'\n`,
    );
    execFileSync('chown', ['-R', '--reference', cluster, cluster]);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
