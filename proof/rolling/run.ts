/**
 * `npm run rolling`: three nodes behind `deploy/haproxy.cfg` are stopped and started again one after the other, twice, while
 * partners call. Prints a table and writes it to `proof/ROLLING.md`. `--rate` and `--rounds` name others, `--ways 1`
 * leaves out those without draining; nothing is written then.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addBookableVenues } from '../../bench/bookings/bookings-venues.ts';
import { addPartner, tokenOf } from '../../bench/caller.ts';
import { writeReport } from '../../bench/report.ts';
import { inTransaction, openPool } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { tryPort } from '../../src/kernel/network.ts';
import { example } from '../../test/deploy/settings.ts';
import { startHangingDatabase } from '../../test/support/databases/hanging-database.ts';
import { nodesToKill, startNodeProcess } from '../../test/support/node-process.ts';
import { CERTIFICATE } from '../../test/support/peers/receiver-certificate.ts';
import { isInstalled, startProxy } from './haproxy.ts';
import { type Call, compare, hasFailed, type Kept, startLoad } from './load.ts';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '2' },
    ways: { type: 'string', default: '4' },
  },
});
const perSecond = Number(values.rate);
const rounds = Number(values.rounds);
const CLIENT = 'caller';
const DRAIN_SECONDS = Number(example().DRAIN_SECONDS);
/** Between the end of a node and its next start, and after it is back. */
const PAUSE_MS = 2000;

const progress = (line: string) => console.error(line);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
// Nodes start faster the second time.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'maitred-compiled');
if (!isInstalled()) {
  progress('haproxy is not installed (apt install haproxy); without it nothing is shown.');
  process.exit(1);
}

interface Way {
  drainSeconds: number;
  /** Of the proxy; undefined is what its file says. */
  retries: number | undefined;
}

interface Finding extends Way, Kept {
  seconds: number;
  calls: number;
  failed: Call[];
  refused: number;
  slowestMs: number;
  medianMs: number;
  /** How long a node took from the signal to its end. */
  longestStopMs: number;
  unclean: number;
}

const WAYS: Way[] = [
  { drainSeconds: DRAIN_SECONDS, retries: undefined },
  { drainSeconds: DRAIN_SECONDS, retries: 0 },
  { drainSeconds: 0, retries: undefined },
  { drainSeconds: 0, retries: 0 },
];
const findings: Finding[] = [];
for (const way of WAYS.slice(0, Number(values.ways))) {
  progress(`DRAIN_SECONDS=${way.drainSeconds}, ${retriesOf(way)} retries of the proxy …`);
  findings.push(await roll(way));
  console.log(table(findings.slice(-1)));
}
if (perSecond === 50 && rounds === 2 && findings.length === WAYS.length)
  writeReport('proof/ROLLING.md', {
    title: 'Nodes restarted one after the other',
    command: 'npm run rolling',
    body: reportOf(findings),
  });
else console.log(reportOf(findings));

async function roll({ drainSeconds, retries }: Way): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'maitred-rolling-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await startHangingDatabase();
  cleanup.defer(() => database.close());
  const sql = openPool(database.url, { max: 2 });
  cleanup.defer(() => sql.end({ timeout: 1 }));
  await migrate(sql);
  await inTransaction(sql, async (tx) => addBookableVenues(tx, await addPartner(tx, CLIENT)));

  const freePort = () => tryPort('127.0.0.1', 0);
  const [plainPort, port] = [await freePort(), await freePort()];
  const nodePorts = [await freePort(), await freePort(), await freePort()] as const;
  const address = `https://localhost:${port}`;
  const encryptionKey = randomBytes(32).toString('base64');
  const start = (nodePort: number) =>
    startNodeProcess({
      env: {
        HOST: '127.0.0.1',
        PORT: String(nodePort),
        PUBLIC_URL: address,
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: encryptionKey,
        ENVIRONMENT: 'staging',
        ROLE: 'api',
        RATE_LIMIT: '0',
        TRUST_PROXY: '1',
        DRAIN_SECONDS: String(drainSeconds),
      },
    });
  const nodes = nodesToKill(cleanup);
  for (const nodePort of nodePorts) nodes.push(await start(nodePort));
  const proxy = startProxy({ folder, plainPort, port, nodePorts, retries });
  cleanup.defer(() => proxy.stop());
  await proxy.untilAllUp();

  const token = await tokenOf({ address: `http://127.0.0.1:${nodePorts[0]}` }, CLIENT);
  const caller = { address, ca: CERTIFICATE, clientId: CLIENT, token };
  const load = startLoad(caller, perSecond);
  await sleep(PAUSE_MS);
  let [longestStopMs, unclean] = [0, 0];
  for (let round = 1; round <= rounds; round += 1)
    for (const [index, nodePort] of nodePorts.entries()) {
      progress(`  round ${round}, node ${index + 1}`);
      const node = nodes[index];
      const toldMs = performance.now();
      node?.child.kill('SIGTERM');
      if ((await node?.exit) !== 0) unclean += 1;
      longestStopMs = Math.max(longestStopMs, performance.now() - toldMs);
      await sleep(PAUSE_MS);
      nodes[index] = await start(nodePort);
      await proxy.untilAllUp();
      await sleep(PAUSE_MS);
    }
  const seconds = load.nowMs() / 1000;
  const calls = await load.stop();
  const times = calls.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return {
    drainSeconds,
    retries,
    seconds,
    calls: calls.length,
    failed: calls.filter(hasFailed),
    refused: calls.filter(({ status = 0 }) => status >= 400 && status < 500).length,
    slowestMs: times.at(-1) ?? 0,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    longestStopMs,
    unclean,
    ...(await compare(sql, calls)),
  };
}

function retriesOf({ retries }: Way): number | string {
  return retries ?? 'as in the file';
}

function table(rows: readonly Finding[]): string {
  const row = (f: Finding) =>
    [
      f.drainSeconds,
      retriesOf(f),
      f.calls,
      f.failed.length,
      f.acknowledged,
      f.lost,
      `${(f.slowestMs / 1000).toFixed(2)} s`,
      `${f.medianMs.toFixed(0)} ms`,
      `${(f.longestStopMs / 1000).toFixed(1)} s`,
    ].join(' | ');
  return [
    '| `DRAIN_SECONDS` | retries of the proxy | calls | failed | bookings acknowledged | of those lost | slowest call | median | longest stop |',
    `|${' ---: |'.repeat(9)}`,
    ...rows.map((finding) => `| ${row(finding)} |`),
  ].join('\n');
}

function reasonsOf({ failed }: Finding): string {
  const counts = new Map<string, number>();
  for (const { kind, status, error } of failed) {
    const reason = `${kind}: ${status ?? error}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${reason} (${count})`).join(', ');
}

function reportOf(all: readonly Finding[]): string {
  const [drained] = all;
  if (!drained) return '';
  const met = (is: boolean) => (is ? 'met' : '**missed**');
  const sum = (value: (finding: Finding) => number) => all.reduce((total, f) => total + value(f), 0);
  return [
    [
      `- Failed calls with the files as they are: ${drained.failed.length} of ${drained.calls} (goal: none; ${met(drained.failed.length === 0)}). Refused with 4xx: ${drained.refused}.`,
      `- Bookings acknowledged and not in the database, in all runs: ${sum(({ lost }) => lost)} (goal: none; ${met(sum(({ lost }) => lost) === 0)}). In the database although their call failed: ${sum(({ unacknowledged }) => unacknowledged)}.`,
      `- Nodes that did not exit with 0: ${sum(({ unclean }) => unclean)}.`,
      ...all
        .filter(({ failed }) => failed.length > 0)
        .map(
          (f) => `- Failed with ${f.drainSeconds} s of draining, retries ${retriesOf(f)}: ${reasonsOf(f)}.`,
        ),
    ].join('\n'),
    `Three nodes (\`ROLE=api\`) on one PostgreSQL behind haproxy with \`deploy/haproxy.cfg\`, TLS included, and one line more for the third node; \`DRAIN_SECONDS\` is that of \`deploy/maitred.env.example\`, or 0. ${perSecond} calls a second by a schedule, whether or not earlier ones were answered: of twenty, nine ask for live availability, five book with an \`Idempotency-Key\`, three list bookings or venues, two read a venue and one asks for a token. Each node gets \`SIGTERM\`, ends, is started again two seconds later and is in use again before the next one, ${rounds} times round. Failed is a status of 5xx or no answer. Retries are those of haproxy for connections that fail; with 0 every call into a closed port shows.`,
    table(all),
  ].join('\n\n');
}
