/**
 * `npm run abuse` fires a hundred thousand made-up requests at a node in a process of its own, looks at every answer,
 * and then searches logs, files and database for what should not be there. `--seed` and `--requests` make it another
 * run or a shorter one; it ends with 1 when anything was found.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeReport } from '../../bench/report.ts';
import { startServer } from '../../bench/server-process.ts';
import { openPool } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { fuzz } from './fuzz.ts';
import { lagOf } from './lag.ts';
import { abuseReport, hasFailed } from './report.ts';
import { searchEverywhere } from './search.ts';
import { connectTo } from './wire.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261115' },
    requests: { type: 'string', default: '100000' },
    'in-flight': { type: 'string', default: '8' },
  },
});
const inFlight = Number(options['in-flight']);
const progress = (line: string) => console.error(line);

await using started = new AsyncDisposableStack();
const dataDir = mkdtempSync(join(tmpdir(), 'maitred-abuse-'));
// Run by root, PostgreSQL is another user and has to get in.
chmodSync(dataDir, 0o711);
started.defer(() => rmSync(dataDir, { recursive: true, force: true }));
progress('Starting a database and a node …');
const database = await startEmbedded({ dataDir });
started.defer(() => database.stop());
const receiver = await startReceiver();
started.defer(() => receiver.close());
const encryptionKey = randomBytes(32).toString('base64');
const node = await startServer('our-server.ts', {
  logFile: join(dataDir, 'node.log'),
  env: {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    ENCRYPTION_KEY: encryptionKey,
    LOG_LEVEL: 'debug',
    RATE_LIMIT: '1000000',
    TRUST_PROXY: '1',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
  },
});
started.defer(() => node.stop());
const wire = connectTo(node.address.href, inFlight);
started.defer(() => wire.close());

await lagOf(wire.send);
const began = performance.now();
const outcome = await fuzz({
  send: wire.send,
  mailbox: { folder: join(dataDir, 'mail'), deliver: async () => {} },
  receiverUrl: receiver.url,
  seed: Number(options.seed),
  requests: Number(options.requests),
  inFlight,
  progress,
});
const seconds = (performance.now() - began) / 1000;
const lag = await lagOf(wire.send);

for (const line of errorsIn(join(dataDir, 'node.log')).slice(0, 5)) progress(line);
progress('Searching the database, the logs and the files …');
const sql = openPool(database.url, { max: 2 });
started.defer(() => sql.end({ timeout: 5 }));
const searched = await searchEverywhere({ sql, dataDir, encryptionKey, planted: outcome.planted });

const run = {
  outcome,
  seconds,
  lag,
  searched,
  inFlight,
  seed: options.seed,
  deliveries: receiver.received.length,
};
writeReport('proof/ABUSE.md', {
  title: 'Abuse',
  command: `npm run abuse -- --seed ${options.seed} --requests ${options.requests}`,
  body: abuseReport(run),
});
process.exitCode = hasFailed(run) ? 1 : 0;

/** What the node itself called an error; its log has no data in it. */
function errorsIn(log: string): string[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /^\{"level":[56]0/.test(line));
}
