/**
 * `npm run failover`: three nodes on a primary with two standbys, whose primary is killed or frozen under load while
 * a standby takes its place, ten times with synchronous replication and three times without; then with Patroni.
 * Prints a table and writes it to `proof/FAILOVER.md`. `--rounds`, `--patroni` shorten it; nothing is written then.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addBookableVenues } from '../../bench/bookings/bookings-venues.ts';
import { addPartner, tokenOf } from '../../bench/caller.ts';
import { writeReport } from '../../bench/report.ts';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startMortalNode } from '../../test/faults/booking-clients.ts';
import type { NodeProcess } from '../../test/support/node-process.ts';
import { check, onlyThere } from './check.ts';
import { longestGapMs, startLoad } from './load.ts';
import { startPatroni } from './patroni.ts';
import { type Finding, reportOf, table } from './report.ts';
import {
  follow,
  kill,
  on,
  PROGRAMS,
  placeServers,
  promote,
  replicateSynchronously,
  type Server,
  stallReplication,
  startServers,
  untilFollowing,
} from './servers.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    asynchronous: { type: 'string', default: '3' },
    patroni: { type: 'string', default: '3' },
  },
});
const PARTNER = 'caller';
const BEFORE_MS = 3000;
/** How long it takes those who watch the primary to decide that it has failed. */
const NOTICED_AFTER_MS = 1000;
const AFTERWARDS_MS = 5000;
const FROZEN_ROUNDS = [3, 7];
/** How long the standbys of a primary that waits for none of them get nothing before it is killed. */
const STALLED_MS = 500;

let rounds = 0;
const progress = (line: string) => console.error(line);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (!existsSync(PROGRAMS)) throw new Error(`PostgreSQL 15 of Debian is needed; there is no ${PROGRAMS}.`);

const findings = [
  ...(await byHand(Number(values.rounds), true)),
  ...(await byHand(Number(values.asynchronous), false)),
];
const withPatroni = await byPatroni(Number(values.patroni));
const isWhole = values.rounds === '10' && values.asynchronous === '3' && values.patroni === '3';
const body = reportOf(findings, withPatroni);
if (isWhole)
  writeReport('proof/FAILOVER.md', {
    title: 'Failover of PostgreSQL under load',
    command: 'npm run failover',
    postgres: '15 of Debian',
    body,
  });
else console.log(body);
process.exit(0);

/** We promote, as an administrator or a script would. */
async function byHand(rounds: number, isSynchronous: boolean): Promise<Finding[]> {
  if (rounds === 0) return [];
  const found: Finding[] = [];
  const servers = await placeServers();
  await startServers(servers);
  let [primary, ...standbys] = servers.all as [Server, ...Server[]];
  await replicateSynchronously(primary, isSynchronous);
  const world = await openWorld(servers.url);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const isFrozen = FROZEN_ROUNDS.includes(round);
      const former = primary;
      const finding = await oneRound(world, {
        label: `${isSynchronous ? 'synchronous' : 'asynchronous'}, ${isFrozen ? 'frozen' : 'killed'}`,
        async prepare() {
          if (isSynchronous || isFrozen) return;
          await stallReplication(former);
          await sleep(STALLED_MS);
        },
        fail: () => kill(former, isFrozen ? 'SIGSTOP' : 'SIGKILL'),
        async replace() {
          await sleep(NOTICED_AFTER_MS);
          primary = await promote(standbys, isSynchronous);
        },
        // It does not know that it has been replaced.
        comeBack: () => isFrozen && kill(former, 'SIGCONT'),
        strays: () => (isFrozen ? on(former, (sql) => onlyThere(sql, world.sql)) : Promise.resolve([])),
      });
      found.push(finding);
      console.log(table([finding]));
      kill(former, 'SIGKILL');
      await sleep(500);
      await follow(former, primary);
      standbys = servers.all.filter((server) => server !== primary);
      await untilFollowing(primary, standbys.length);
    }
  } finally {
    await world.close();
    servers.drop();
  }
  return found;
}

/** Patroni notices and promotes. */
async function byPatroni(rounds: number): Promise<Finding[] | string> {
  if (rounds === 0) return [];
  const patroni = await startPatroni(progress);
  if (typeof patroni === 'string') return patroni;
  const found: Finding[] = [];
  const world = await openWorld(patroni.url);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const primary = await patroni.primary();
      const finding = await oneRound(world, {
        label: 'Patroni, killed with its watcher',
        prepare: async () => {},
        fail: () => patroni.kill(primary),
        replace: () => patroni.untilReplaced(primary),
        comeBack: () => patroni.start(primary),
        strays: async () => [],
      });
      found.push(finding);
      console.log(table([finding]));
      await patroni.untilWhole();
    }
  } finally {
    await world.close();
    await patroni.stop();
  }
  return found;
}

interface World {
  sql: Sql;
  nodes: NodeProcess[];
  token: string;
  close(): Promise<void>;
}

async function openWorld(url: string): Promise<World> {
  const sql = openPool(url, { max: 2 });
  await migrate(sql);
  await inTransaction(sql, async (tx) => addBookableVenues(tx, await addPartner(tx, PARTNER)));
  const nodes: NodeProcess[] = [];
  for (let number = 0; number < 3; number += 1)
    nodes.push(await startMortalNode(`${url}?target_session_attrs=read-write`, { ENVIRONMENT: 'staging' }));
  const [first] = nodes;
  return {
    sql,
    nodes,
    token: first ? await tokenOf(first, PARTNER) : '',
    async close() {
      for (const { child } of nodes) child.kill('SIGKILL');
      await Promise.all(nodes.map(({ exit }) => exit));
      await sql.end({ timeout: 1 });
    },
  };
}

interface Round {
  label: string;
  prepare(): Promise<void>;
  fail(): void;
  replace(): Promise<void>;
  comeBack(): void;
  /** Bookings that only the former primary has. */
  strays(): Promise<string[]>;
}

async function oneRound(world: World, round: Round): Promise<Finding> {
  rounds += 1;
  progress(`Round ${rounds}: ${round.label} …`);
  const addresses = world.nodes.map(({ address }) => address);
  const load = startLoad({ addresses, token: world.token, run: `r${rounds}` });
  await sleep(BEFORE_MS);
  await round.prepare();
  const failedAtMs = performance.now();
  round.fail();
  await round.replace();
  const replacedAfterMs = performance.now() - failedAtMs;
  await sleep(AFTERWARDS_MS / 2);
  round.comeBack();
  await sleep(AFTERWARDS_MS / 2);
  await load.stop();
  const strays = new Set(await round.strays());
  return {
    label: round.label,
    replacedAfterMs,
    writesDownMs: longestGapMs(load.writesAtMs, failedAtMs),
    readsDownMs: longestGapMs(load.readsAtMs, failedAtMs),
    refused: load.refused,
    failed: load.failed,
    slowestMs: load.slowestMs,
    unseen: load.unseen,
    strays: load.sent.filter(({ bookingId }) => bookingId && strays.has(bookingId)).length,
    ...(await check(world.sql, load)),
  };
}
