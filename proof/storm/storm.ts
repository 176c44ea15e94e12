/** A storm from its first node to the last look at the books. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { differences, offeredByFeed, offeredLive } from '../../test/features/feed/agreement.ts';
import type { Caller, Stage } from './caller.ts';
import { assemble, type Cast } from './cast.ts';
import { contradictions } from './check.ts';
import { CREATE } from './check-bookings.ts';
import { startCluster } from './cluster.ts';
import { startDatabase } from './database.ts';
import { type Evidence, readStored } from './evidence.ts';
import { planFaults, unleash } from './faults.ts';
import { isDone, openJournal } from './journal.ts';
import { followFeed } from './readers.ts';
import { KEY, settle } from './settle.ts';
import { openWorld, SLUG, type World } from './world.ts';

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
  say?: (line: string) => void;
}

export interface Outcome {
  evidence: Evidence;
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
const MOST_WAITS = 200;

export async function runStorm(options: StormOptions): Promise<Outcome> {
  const { seed, durationMs, nodes, gapMs, bookers, leastBookings = 0, say = () => {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'maitred-storm-'));
  // Passable for the user that PostgreSQL runs as when the storm is run by root.
  chmodSync(folder, 0o711);
  await using ending = new AsyncDisposableStack();
  const database = await startDatabase(folder);
  ending.defer(() => database.remove());
  const world = await openWorld(database.sql);
  ending.defer(() => world.close());
  const cluster = await startCluster(NODE, nodes, environmentOf(folder, database.url, world));
  ending.defer(() => cluster.stop());
  const journal = openJournal(join(folder, 'journal.jsonl'));
  ending.defer(() => journal.close());

  let isOver = false;
  const patience = new AbortController();
  const stage: Stage = { seed, cluster, journal, isOver: () => isOver, patience: patience.signal };
  const cast = await assemble(stage, world, bookers);
  say(`${nodes} nodes are up; the storm begins.`);

  const beganAt = performance.now();
  const playing = cast.play();
  const unleashed = unleash(planFaults(seed, durationMs, gapMs), { seed, cluster, database, world });
  // Whatever goes wrong with it is thrown where it is awaited.
  unleashed.catch(() => {});
  await Promise.race([sleep(durationMs), playing]);
  const booked = () => journal.entries.filter((entry) => entry.route === CREATE && isDone(entry)).length;
  for (let waits = 0; booked() < leastBookings && waits < MOST_WAITS; waits += 1) await sleep(WAIT_MS);
  isOver = true;
  setTimeout(() => patience.abort(), GRACE_MS).unref();
  await playing;
  const faults = await unleashed;
  const stormMs = performance.now() - beganAt;
  say(`The storm is over after ${journal.entries.length} calls; waiting until all is at rest.`);

  const restless = await settle(database.url, database.sql, world);
  const settleMs = performance.now() - beganAt - stormMs;
  for (const log of cast.logs.values()) await log.finish();
  const disagreements = restless.length > 0 ? [] : await compareFeeds(cast.witness, world);
  await cluster.stop();
  const evidence = {
    ...(await readStored(database.sql)),
    ...evidenceOf(journal.entries, cast, world),
    witnessed: [...restless, ...cast.feedFaults, ...disagreements, ...cluster.badExits],
  };
  const found = contradictions(evidence);
  await ending.disposeAsync();
  if (found.length === 0) rmSync(folder, { recursive: true, force: true });
  return { evidence, contradictions: found, faults, stormMs, settleMs, folder };
}

function environmentOf(folder: string, databaseUrl: string, { remote }: World): Record<string, string> {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    // The issuer of tokens and the base of feeds, the same on all nodes.
    PUBLIC_URL: 'http://maitred.example',
    ENCRYPTION_KEY: KEY.toString('base64'),
    RATE_LIMIT: '0',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'compiled'),
    STORM_REMOTE_URL: remote.url,
    STORM_REMOTE_SLUG: SLUG,
  };
}

function evidenceOf(entries: Evidence['entries'], { orders, subscriptions, logs }: Cast, world: World) {
  const { remote, receiver, spots } = world;
  return {
    entries,
    orders,
    subscriptions,
    posts: receiver.received,
    logs: new Map([...logs].map(([partnerId, { events }]) => [partnerId, events])),
    remote: [...remote.book.bookings.values()],
    remoteProduct: spots.find(({ kind }) => kind === 'bistro')?.productId ?? '',
  };
}

const PARTY_SIZE = 2;

/** At rest, the files and live availability say the same of every day that was fought over. */
async function compareFeeds(witness: Caller, { spots }: World): Promise<string[]> {
  const faults: string[] = [];
  for (const spot of spots.filter(({ kind }) => kind === 'room')) {
    const dates = new Set(spot.starts.map((start) => start.date));
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
