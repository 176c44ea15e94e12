/** A base backup and archived WAL of a PostgreSQL of one's own, recovered to a moment between two writes. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';

const BIN = '/usr/lib/postgresql/15/bin';
const PORTS = { source: 4391, recovered: 4392 };

/** PostgreSQL does not run as root. */
const asPostgres = (program: string, ...args: string[]) =>
  execFileSync(
    'setpriv',
    ['--reuid=postgres', '--regid=postgres', '--clear-groups', join(BIN, program), ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      cwd: '/tmp',
    },
  );

/** What was found, as Markdown. */
export async function recoverToMinute(folder: string): Promise<string> {
  if (!existsSync(BIN)) return 'Not tried: there is no PostgreSQL 15 of Debian on this machine.';
  mkdirSync(folder, { recursive: true });
  execFileSync('chown', ['postgres', folder]);
  const [source, archive, base] = ['source', 'archive', 'base'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  asPostgres('initdb', '-D', source, '-A', 'trust', '-U', 'postgres');
  execFileSync('install', ['-d', '-o', 'postgres', archive]);
  configure(source, [
    `port = ${PORTS.source}`,
    'archive_mode = on',
    `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
  ]);
  start(source);
  try {
    const sql = postgres(`postgres://postgres@127.0.0.1:${PORTS.source}/postgres`, { max: 1 });
    await sql`create table letter (text text, at timestamptz default now())`;
    asPostgres('pg_basebackup', '-h', '127.0.0.1', '-p', String(PORTS.source), '-U', 'postgres', '-D', base);
    await sql`insert into letter (text) values ('wanted')`;
    await sleep(1500);
    const [moment] = await sql<[{ now: string }]>`select now()::text as now`;
    await sleep(1500);
    await sql`insert into letter (text) values ('a mistake')`;
    await sql`select pg_switch_wal()`;
    await sleep(3000);
    await sql.end();
    configure(base, [
      `port = ${PORTS.recovered}`,
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${moment?.now}'`,
      "recovery_target_action = 'promote'",
    ]);
    execFileSync('install', ['-o', 'postgres', '-m', '600', '/dev/null', join(base, 'recovery.signal')]);
    start(base);
    const recovered = postgres(`postgres://postgres@127.0.0.1:${PORTS.recovered}/postgres`, { max: 1 });
    const rows = await recovered<{ text: string }[]>`select text from letter order by at`;
    await recovered.end();
    asPostgres('pg_ctl', '-D', base, '-m', 'immediate', 'stop');
    return `\`pg_basebackup\`, archived WAL and \`recovery_target_time = '${moment?.now}'\`: the row written before that moment is there, the one after it is not. Rows found: ${rows.map(({ text }) => `«${text}»`).join(', ')}.`;
  } finally {
    asPostgres('pg_ctl', '-D', source, '-m', 'immediate', 'stop');
  }
}

const configure = (cluster: string, settings: readonly string[]) =>
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    `\n${settings.join('\n')}\nunix_socket_directories = ''\n`,
  );

const start = (cluster: string) =>
  execFileSync(
    'setpriv',
    [
      ...['--reuid=postgres', '--regid=postgres', '--clear-groups', join(BIN, 'pg_ctl')],
      ...['-D', cluster, '-w', '-t', '60', '-l', `${cluster}.log`, 'start'],
    ],
    { stdio: 'ignore', cwd: '/tmp' },
  );
