/** A storm from its first node to the last look at the books. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool, type Sql } from '../../src/db/database.ts';
import { differences, offeredByFeed, offeredLive } from '../../test/features/feed/agreement.ts';
import { octoKind } from '../../test/support/remote-tms/kinds.ts';
import { breachesNow, breachesOf } from '../agents/check.ts';
import type { Caller, Stage } from './actors/caller.ts';
import { assemble, type Cast } from './actors/cast.ts';
import { followFeed } from './actors/readers.ts';
import { shownOf } from './actors/screens.ts';
import { CREATE } from './checks/bookings.ts';
import { contradictions } from './checks/check.ts';
import { startCluster } from './cluster.ts';
import { startDatabase } from './database.ts';
import { type Evidence, readStored, type SeenScreen, type Stored } from './evidence.ts';
import { planFaults, unleash } from './faults.ts';
import { type Entry, isDone, openJournal } from './journal.ts';
import { KEY, settle } from './settle.ts';
import { startWatch } from './watch.ts';
import { openWorld, type World } from './world.ts';

export interface StormOptions {
  seed: number;
  durationMs: number;
  nodes: number;
  /** Between two faults, on average. */
  gapMs: number;
  /** How many partners book at a time, besides the others. */
  bookers: number;
  /** On a machine that is busy with something else it goes on until so many are made. */
  leastBookings?: number;
  /** Goes on until everything that is planned has gone wrong. */
  isWhole?: boolean;
  say?: (line: string) => void;
}

export interface Outcome {
  evidence: Evidence;
  /** Every call, those of agents included, of which nothing is kept but how they were answered. */
  calls: readonly Entry[];
  /** What venues did in their own systems, and what screens were told. */
  deeds: Record<string, number>;
  contradictions: string[];
  faults: Record<string, number>;
  /** How long the actors were at it, and how long it took until all was at rest. */
  stormMs: number;
  settleMs: number;
  /** Where the journal is; gone when there was nothing to complain of. */
  folder: string;
}

const NODE = join(import.meta.dirname, 'node.ts');
/** Whoever waits for an answer when the storm is over gives up then. */
const GRACE_MS = 8000;
const WAIT_MS = 200;
const NEXT_LOOK_MS = 130_000;
const MOST_WAITS = 200;

export async function runStorm(options: StormOptions): Promise<Outcome> {
  const {
    seed,
    durationMs,
    nodes,
    gapMs,
    bookers,
    leastBookings = 0,
    isWhole = false,
    say = () => {},
  } = options;
  const folder = mkdtempSync(join(tmpdir(), 'maitred-storm-'));
  // Passable for the user that PostgreSQL runs as when the storm is run by root.
  chmodSync(folder, 0o711);
  await using ending = new AsyncDisposableStack();
  const database = await startDatabase(folder);
  ending.defer(() => database.remove());
  const world = await openWorld(database.sql);
  ending.defer(() => world.close());
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const cluster = await startCluster(NODE, nodes, environmentOf(dataDir, database.url));
  ending.defer(() => cluster.stop());
  const journal = openJournal(join(folder, 'journal.jsonl'));
  ending.defer(() => journal.close());

  let isOver = false;
  const patience = new AbortController();
  const stage: Stage = { seed, cluster, journal, isOver: () => isOver, patience: patience.signal };
  const cast = await assemble(stage, world, { bookers, dataDir });
  const { agency } = cast;
  const watch = startWatch(database.sql, (sql) => breachesNow({ app: { sql }, clients: agency.clients }));
  say(`${nodes} nodes are up; the storm begins.`);

  const beganAt = performance.now();
  const playing = cast.play();
  const unleashed = unleash(planFaults(seed, durationMs, gapMs), {
    ...{ seed, cluster, database, world },
    isOver: () => isOver,
  });
  // Whatever goes wrong with it is thrown where it is awaited.
  unleashed.catch(() => {});
  await Promise.race([sleep(durationMs), playing]);
  if (isWhole) await unleashed;
  const booked = () => journal.entries.filter((entry) => entry.route === CREATE && isDone(entry)).length;
  for (let waits = 0; booked() < leastBookings && waits < MOST_WAITS; waits += 1) await sleep(WAIT_MS);
  isOver = true;
  setTimeout(() => patience.abort(), GRACE_MS).unref();
  await playing;
  const faults = await unleashed;
  const stormMs = performance.now() - beganAt;
  say(`The storm is over after ${journal.entries.length} calls; waiting until all is at rest.`);

  await watch.stop();
  // Connections that the faults have cut are of no more use.
  const sql = openPool(database.url, { max: 4 });
  ending.defer(() => sql.end({ timeout: 2 }));
  const restless = await settle(database.url, sql, world);
  const settleMs = performance.now() - beganAt - stormMs;
  const disagreements = restless.length > 0 ? [] : await compareFeeds(cast.witness, world, sql);
  const books = await compareReports(cast.auditor, sql);
  const freeFor = await findFreeInVain(cast, sql);
  // Last of all, because holds that expire are events too.
  const screens = await lookAtScreens(cast);
  for (const log of cast.logs.values()) await log.finish();
  await cluster.stop();
  const judged = { app: { sql }, clients: agency.clients };
  const { contradictions: breaches } = await breachesOf(judged, agency.told);
  const calls = journal.entries;
  const evidence = {
    ...(await readStored(sql)),
    ...evidenceOf(
      calls.filter(({ path }) => path !== ''),
      cast,
      world,
    ),
    ...{ screens, freeFor },
    witnessed: [
      ...[...restless, ...cast.faults, ...disagreements, ...books, ...cluster.badExits],
      ...[...watch.faults, ...breaches],
    ],
  };
  const { moved, cancelled, notified } = cast.systemDeeds;
  const deeds = {
    'bookings moved in the systems of others': moved,
    'bookings cancelled there': cancelled,
    'notifications of them that were taken': notified,
    'changes told to screens': cast.screens.reduce((sum, { told }) => sum + told, 0),
    'streams that screens began to follow': cast.screens.reduce((sum, { streams }) => sum + streams, 0),
    'looks at all places while they were fought over': watch.looks,
  };
  const found = contradictions(evidence);
  await ending.disposeAsync();
  if (found.length === 0) rmSync(folder, { recursive: true, force: true });
  return { evidence, calls, deeds, contradictions: found, faults, stormMs, settleMs, folder };
}

function environmentOf(dataDir: string, databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    // The issuer of tokens and the base of feeds, the same on all nodes.
    PUBLIC_URL: 'http://maitred.example',
    ENCRYPTION_KEY: KEY.toString('base64'),
    RATE_LIMIT: '0',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'compiled'),
  };
}

function evidenceOf(entries: Evidence['entries'], { orders, subscriptions, logs }: Cast, world: World) {
  const { remote, towers, receiver, spots } = world;
  const held = { bistro: [...remote.book.bookings.values()], towers: octoKind.held(towers) };
  return {
    entries,
    orders,
    subscriptions,
    posts: receiver.received,
    logs: new Map([...logs].map(([partnerId, { events }]) => [partnerId, events])),
    remote: new Map(
      spots.flatMap(({ kind, productId }) =>
        kind === 'bistro' || kind === 'towers' ? [[productId as string, held[kind]] as const] : [],
      ),
    ),
  };
}

/** Each follows to the end, and is then compared with the diary as it is. */
async function lookAtScreens({ screens }: Cast): Promise<SeenScreen[]> {
  return Promise.all(
    screens.map(async (screen) => {
      const diary = await screen.finish();
      const name = `the screen of ${screen.venueId} on ${screen.date}`;
      return { name, shown: screen.shown, diary: diary ? shownOf(diary) : null };
    }),
  );
}

/** The report of each operator adds up to its ledger, and leaves nothing open. */
async function compareReports(auditor: Caller, sql: Sql): Promise<string[]> {
  const today = Temporal.Now.plainDateISO('UTC');
  const query = { from: today.subtract({ days: 1 }).toString(), to: today.add({ days: 1 }).toString() };
  const sums = await sql<{ operatorId: number; net: number }[]>`
    select operator_id as "operatorId", sum(amount_pence)::float8 as net from ledger_entry group by 1`;
  const found: string[] = [];
  for (const { operatorId, net } of sums) {
    const route = 'GET /manage/operators/{operatorId}/reports/money';
    const { answer } = await auditor.ask({ route, params: { operatorId }, query });
    const total = answer?.totals?.[0]?.netPence ?? 0;
    const { refundsOwed, paymentsInDoubt } = answer?.open ?? {};
    if (total !== net) found.push(`the report of operator ${operatorId} has ${total}, its ledger ${net}`);
    if (refundsOwed !== 0 || paymentsInDoubt !== 0)
      found.push(`the report of operator ${operatorId} leaves ${JSON.stringify(answer?.open)} open`);
    if (answer?.differences?.length !== 0)
      found.push(`the report of operator ${operatorId} differs: ${JSON.stringify(answer?.differences)}`);
  }
  return found;
}

/** Holds still run out at this point. A node looks every minute, at systems over the network every other one. */
async function findFreeInVain(cast: Cast, sql: Sql) {
  const deadline = performance.now() + NEXT_LOOK_MS;
  for (;;) {
    const { waiting } = await readStored(sql);
    const freeFor = await findFree(cast, waiting);
    const isFree = freeFor.values().some((free) => free.length > 0);
    if (!isFree || performance.now() > deadline) return freeFor;
    await sleep(WAIT_MS * 10);
  }
}

/** What is free for each party that waits, as the partner that it waits with is told. */
async function findFree({ witness, logs, agency }: Cast, waiting: Stored['waiting']) {
  const found = new Map<string, readonly string[]>();
  for (const entry of waiting.filter(({ status }) => status === 'waiting')) {
    const { id, productId, date, from, to, guests, partnerId } = entry;
    const caller = partnerId === null ? witness : logs.get(partnerId)?.caller;
    // A party of a client with a mandate is passed over while its mandate is used up.
    if (!caller || partnerId === agency.id) continue;
    const { status, answer } = await caller.ask({
      ...{ route: 'GET /venues/{compositeId}/availability', params: { compositeId: productId } },
      query: { date, partySize: guests },
    });
    if (status !== 200) continue;
    const times: { time: string; type: string }[] = answer.times;
    const free = times.filter(({ type, time }) => type === 'book' && time >= from && time <= to);
    found.set(
      id,
      free.map(({ time }) => `${date} ${time}`),
    );
  }
  return found;
}

const PARTY_SIZE = 2;

/** At rest, the files and live availability say the same of every day that was fought over. */
async function compareFeeds(witness: Caller, { spots }: World, sql: Sql): Promise<string[]> {
  const faults: string[] = [];
  for (const spot of spots.filter(({ kind }) => kind === 'room')) {
    // The feed ignores holds, so days on which some are open are not compared.
    const held = await sql<{ date: string }[]>`
      select distinct trading_day as date from house_hold
      where venue_id = ${spot.venueId} and expires_at > now()`;
    const dates = new Set(spot.starts.map((start) => start.date)).difference(
      new Set(held.map(({ date }) => date)),
    );
    const shards = await followFeed(witness, spot, faults, (date) => dates.has(date));
    for (const date of dates) {
      const live = await witness.ask({
        route: 'GET /venues/{compositeId}/availability',
        params: { compositeId: spot.productId },
        query: { date, partySize: PARTY_SIZE },
      });
      if (live.status !== 200) {
        faults.push(
          `availability of ${spot.productId} on ${date} was answered ${live.status} after the storm`,
        );
        continue;
      }
      const shard = shards.find((each) => each.date === date)?.content;
      const found = differences(offeredByFeed(shard, PARTY_SIZE), offeredLive(live.answer));
      faults.push(...found.map((line) => `feed of ${spot.productId} on ${date}: ${line}`));
    }
  }
  return faults;
}
