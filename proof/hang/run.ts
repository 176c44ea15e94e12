/**
 * `npm run hang`: a node whose database stands still for 40 seconds while calls go on, at several rates. Prints a table
 * and writes it to `proof/HANG.md`. `--seconds` shortens the standstill, `--rates` names others; nothing is written then.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addBookableVenues } from '../../bench/bookings/bookings-venues.ts';
import { addPartner, tokenOf } from '../../bench/caller.ts';
import { writeReport } from '../../bench/report.ts';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startHangingDatabase } from '../../test/support/databases/hanging-database.ts';
import { type NodeProcess, startNodeProcess } from '../../test/support/node-process.ts';
import { type Call, callFor } from './calls.ts';
import { type Finding, reportOf, table } from './report.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    rates: { type: 'string', default: '50,150,400' },
    'no-report': { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const rates = values.rates.split(',').map(Number);
const WARM_UP_SECONDS = 5;
const PARTNER = 'caller';

const progress = (line: string) => console.error(line);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const findings: Finding[] = [];
for (const perSecond of rates) {
  progress(`${perSecond} requests a second, ${seconds} s without a database …`);
  findings.push(await standStill(perSecond));
  console.log(table(findings.slice(-1)));
}
const isWhole = seconds === 40 && values.rates === '50,150,400' && !values['no-report'];
if (isWhole)
  writeReport('proof/HANG.md', {
    title: 'A database that stands still',
    command: 'npm run hang',
    body: reportOf(findings, seconds),
  });
else console.log(reportOf(findings, seconds));

async function standStill(perSecond: number): Promise<Finding> {
  const database = await startHangingDatabase();
  const sql = openPool(database.url, { max: 2 });
  let node: NodeProcess | undefined;
  try {
    await migrate(sql);
    await inTransaction(sql, async (tx) => addBookableVenues(tx, await addPartner(tx, PARTNER)));
    node = await startNodeProcess({
      env: { DATABASE_URL: database.url, RATE_LIMIT: '0', ENVIRONMENT: 'staging' },
    });
    const caller = { address: node.address, token: await tokenOf(node, PARTNER) };
    progress('  warming up');
    await callFor(caller, { perSecond, seconds: WARM_UP_SECONDS, run: 'before' });
    const memory = watchMemory(node);
    progress('  standing still');
    database.hang();
    const calling = callFor(caller, { perSecond, seconds, run: 'hanging' });
    await sleep(seconds * 1000);
    database.wake();
    const wokenMs = performance.now();
    const calls = await calling;
    await untilReady(node.address);
    const readyMs = performance.now() - wokenMs;
    progress('  afterwards');
    const after = await callFor(caller, { perSecond, seconds: WARM_UP_SECONDS, run: 'after' });
    const { beforeMb, peakMb } = memory.stop();
    return {
      perSecond,
      readyMs,
      beforeMb,
      peakMb,
      ...summaryOf(calls),
      ...(await compare(sql, calls)),
      failedAfter: after.filter(({ hasGone, status }) => !hasGone && (status ?? 500) >= 500).length,
    };
  } finally {
    node?.child.kill('SIGKILL');
    await node?.exit;
    await sql.end({ timeout: 1 });
    await database.close();
  }
}

function summaryOf(calls: readonly Call[]) {
  const answered = calls.filter(({ status }) => status !== undefined);
  const refused = answered.filter(({ status }) => status === 503);
  return {
    calls: calls.length,
    gone: calls.filter(({ hasGone }) => hasGone).length,
    refused: refused.length,
    withoutRetryAfter: refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length,
    served: answered.filter(({ status = 0 }) => status < 500).length,
    failed: answered.filter(({ status = 0 }) => status >= 500 && status !== 503).length,
    longestMs: Math.max(0, ...answered.map(({ tookMs }) => tookMs)),
    beyondThreeSeconds: answered.filter(({ tookMs }) => tookMs > 3000).length,
  };
}

/** What the callers were told, held against what the database has. */
async function compare(sql: Sql, calls: readonly Call[]) {
  const rows = await sql<{ id: string }[]>`
    select partner_booking_id as id from booking where partner_booking_id is not null`;
  const made = new Set(rows.map(({ id }) => id));
  const isMade = ({ partnerBookingId: id }: Call) => id !== undefined && made.has(id);
  return {
    madeForGone: calls.filter((call) => call.hasGone && isMade(call)).length,
    inDoubt: calls.filter(({ isInDoubt }) => isInDoubt).length,
    madeThoughRefused: calls.filter((call) => call.status === 503 && !call.isInDoubt && isMade(call)).length,
    lost: calls.filter((call) => call.status === 201 && !isMade(call)).length,
  };
}

async function untilReady(address: string): Promise<void> {
  while (!(await fetch(new URL('/health/ready', address))).ok) await sleep(50);
}

function watchMemory({ child: { pid } }: NodeProcess) {
  const nowMb = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  const beforeMb = nowMb();
  let peakMb = beforeMb;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, nowMb());
  }, 100);
  return {
    stop() {
      clearInterval(timer);
      return { beforeMb, peakMb };
    },
  };
}
