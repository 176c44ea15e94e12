/**
 * `npm run abuse` fires two hundred thousand made-up requests at two nodes in processes of their own, looks at every
 * answer, and then searches logs, traces, files, mails, backups and database for what should not be there. `--seed` and
 * `--requests` make it another run or a shorter one, and `--minutes` ends it by the clock; its exit code is 1 when
 * anything was found.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeReport } from '../../bench/report.ts';
import { startServer } from '../../bench/servers/server-process.ts';
import { createConnectServer } from '../../examples/connect-server/server.ts';
import { connectSystem, OPERATOR, SLUG } from '../../scripts/demo-remote/manage.ts';
import { openPool } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { startReceiver } from '../../test/support/peers/receiver.ts';
import { SECRET_KEY, startStripe, WEBHOOK_SECRET } from '../../test/support/stripe/server.ts';
import { fuzz } from './fuzz.ts';
import { lagOf, watchIdle } from './lag.ts';
import { abuseReport, hasFailed } from './report.ts';
import { keepAnswers } from './search/answers.ts';
import { CONTROL, searchEverywhere } from './search/search.ts';
import { startTraceFile } from './search/trace-file.ts';
import { connectTo, type Send } from './wire.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261115' },
    requests: { type: 'string', default: '200000' },
    minutes: { type: 'string', default: 'Infinity' },
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
const collector = await startTraceFile(join(dataDir, 'traces.json'));
started.defer(() => collector.close());
const stripe = await startStripe();
started.defer(() => stripe.close());
const env = {
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  PORT: '0',
  // Tokens of one node are taken by the other.
  PUBLIC_URL: 'http://127.0.0.1:3000',
  ENCRYPTION_KEY: encryptionKey,
  LOG_LEVEL: 'debug',
  RATE_LIMIT: '1000000',
  TRUST_PROXY: '1',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};
const node = await startServer('our-server.ts', { logFile: join(dataDir, 'node.log'), env });
started.defer(() => node.stop());
const traced = await startServer('our-server.ts', {
  logFile: join(dataDir, 'traced-node.log'),
  env: {
    ...env,
    ROLE: 'api',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
  },
});
started.defer(() => traced.stop());
const wire = connectTo(node.address.href, inFlight);
started.defer(() => wire.close());
const tracedWire = connectTo(traced.address.href, inFlight);
started.defer(() => tracedWire.close());
const connect = await connectASystem(node.address.origin);

const idle = watchIdle();
await lagOf(wire.send);
const began = performance.now();
const outcome = await fuzz({
  send: shared(wire.send, tracedWire.send),
  open: wire.open,
  mailbox: { folder: join(dataDir, 'mail'), deliver: async () => {} },
  receiverUrl: receiver.url,
  surroundings: { connect, stripe: { send: tracedWire.send, secret: WEBHOOK_SECRET } },
  seed: Number(options.seed),
  requests: Number(options.requests),
  inFlight,
  progress,
  isOver: () => performance.now() - began > Number(options.minutes) * 60_000,
});
const seconds = (performance.now() - began) / 1000;
const lag = await lagOf(wire.send);
const idleLag = await idle.stop();

for (const name of ['node.log', 'traced-node.log'])
  for (const line of errorsIn(join(dataDir, name)).slice(0, 5)) progress(line);
progress('Searching the database, the logs and the files …');
const sql = openPool(database.url, { max: 2 });
started.defer(() => sql.end({ timeout: 5 }));
await keepAnswers({ send: wire.send, folder: join(dataDir, 'answers'), control: CONTROL });
await collector.flushed();
const { planted } = outcome;
const posts = receiver.received;
const searched = await searchEverywhere({ sql, dataDir, encryptionKey, planted, posts });

const run = {
  outcome,
  seconds,
  lag,
  idleLag,
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

/** Every tenth goes to the node that traces; money is taken by another provider there. */
function shared(most: Send, some: Send): Send {
  let sent = 0;
  return (request) => {
    sent += 1;
    return (sent % 10 === 0 && !/payment|refund|cancel/.test(request.path) ? some : most)(request);
  };
}

/** At operator 1, as the demo does it. */
async function connectASystem(address: string) {
  const token = randomBytes(12).toString('base64url');
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const server = createConnectServer({ token });
  const system = await server.listen();
  started.defer(() => server.close());
  await connectSystem({ node: address, system, token, webhookSecret: secret, say: () => {} });
  return { operatorId: OPERATOR, slug: SLUG, token, secret };
}

/** What the node itself called an error; its log has no data in it. */
function errorsIn(log: string): string[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /^\{"level":[56]0/.test(line));
}
