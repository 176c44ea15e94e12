import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { reasonOf, StartError } from '../../kernel/problem.ts';
import {
  createCluster,
  discardPostmaster,
  disownPostmaster,
  lastLine,
  launch,
  readPostmaster,
  type Server,
  stopServer,
  USER,
} from './cluster.ts';
import { withDataDirLock } from './data-dir.ts';
import { prepareInstallation } from './files.ts';

/** The database server of a node. */
export interface DatabaseServer {
  url: string;
  /** Stops a server of our own, unless others (nodes on the same `DATA_DIR`, a psql) are connected to it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  progress?: (line: string) => void;
}

const POLL_MS = 100;

/**
 * Starts a real PostgreSQL under `DATA_DIR`, for nodes that were given no other. It is a process of its own that
 * outlives a node killed hard; the next node finds it, or what it left, and carries on.
 */
export function startEmbedded({ dataDir, progress = () => {} }: EmbeddedOptions): Promise<DatabaseServer> {
  return withDataDirLock(dataDir, async () => {
    const installation = await prepareInstallation(dataDir);
    const cluster = join(installation.home, 'cluster');
    if (!existsSync(cluster)) {
      progress('Creating the database …');
      await createCluster(installation, cluster);
    }
    const password = readFileSync(join(installation.home, 'password'), 'utf8');
    const server = { ...installation, cluster, password, log: join(installation.home, 'server.log') };
    const port = (await findRunning(server)) ?? (await launch(server, progress));
    // Held as long as this node lives: the open connection shows other nodes that the server is in use.
    const presence = connect(server, port, 'postgres');
    try {
      const [known] = await presence`select 1 from pg_database where datname = ${USER}`;
      if (!known) await presence.unsafe(`create database ${USER}`);
    } catch (error) {
      await stopUnlessUsed(server, presence);
      throw new StartError(`PostgreSQL started and then failed (${reasonOf(error)}); see ${server.log}.`);
    }
    return {
      url: urlOf(server, port, USER),
      stop: () => withDataDirLock(dataDir, () => stopUnlessUsed(server, presence)),
    };
  });
}

/** The port of a server that a node before us, or beside us, left running; clears the way where none runs. */
async function findRunning(server: Server): Promise<number | undefined> {
  const deadline = Date.now() + DEADLINES.embeddedAnswer;
  let tornReads = 0;
  for (;;) {
    const postmaster = readPostmaster(server.cluster);
    if (postmaster.state === 'gone') return undefined;
    if (postmaster.state === 'ours' && (await answers(server, postmaster.port))) return postmaster.port;
    if (postmaster.state === 'taken') disownPostmaster(server.cluster);
    // A starting server writes its file within a moment; one that stays torn has lost its writer.
    if (postmaster.state === 'torn' && ++tornReads > 10) discardPostmaster(server.cluster);
    if (Date.now() > deadline) {
      throw new StartError(
        `The PostgreSQL of ${server.cluster} runs but does not answer; see ${server.log}.`,
      );
    }
    await sleep(POLL_MS);
  }
}

async function answers(server: Server, port: number): Promise<boolean> {
  if (port === 0) return false;
  const sql = connect(server, port, 'postgres');
  try {
    const [row] = await sql`select current_setting('data_directory') as directory`;
    return row?.directory === server.cluster;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Connections closed a moment ago take a moment to disappear; only one that stays belongs to another node. */
const FAREWELL_MS = 1500;

async function stopUnlessUsed(server: Server, presence: postgres.Sql): Promise<void> {
  try {
    const deadline = Date.now() + FAREWELL_MS;
    while (await isUsedByOthers(presence)) {
      if (Date.now() > deadline) return;
      await sleep(POLL_MS);
    }
  } catch {
    // The connection is lost: the server has died, is stopping, or is in use by other nodes.
    return;
  } finally {
    await presence.end({ timeout: 1 });
  }
  const { code, output } = await stopServer(server);
  if (code !== 0 && readPostmaster(server.cluster).state === 'ours') {
    throw new Error(`PostgreSQL did not stop (${lastLine(output)}); see ${server.log}.`);
  }
}

async function isUsedByOthers(presence: postgres.Sql): Promise<boolean> {
  const others = await presence`
    select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`;
  return others.length > 0;
}

function urlOf({ password }: Server, port: number, database: string): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
}

function connect(server: Server, port: number, database: string): postgres.Sql {
  return postgres(urlOf(server, port, database), {
    max: 1,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'maitred presence' },
  });
}
