/**
 * `npm run feed -- --product ID`: makes the feeds of the product's venue now and from scratch, whatever they were made
 * from. `--all` does so for every venue. A node may be running meanwhile; whoever is at a venue is waited for.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../src/config.ts';
import { connectDatabase } from '../src/db/connect.ts';
import { openPool, type Sql } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { LEASE_SECONDS, whileExtending } from '../src/features/feed/keeper.ts';
import { createLocalMaker } from '../src/features/feed/local-maker.ts';
import type { Made } from '../src/features/feed/make.ts';
import { openStorage } from '../src/features/feed/open-storage.ts';
import { claimVenue, listVenues } from '../src/features/feed/store.ts';
import { hasProduct } from '../src/features/venues/store.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { parseProductId, type VenueId, venueOfProduct } from '../src/kernel/ids.ts';
import { Problem } from '../src/kernel/problem.ts';
import { StartError } from '../src/kernel/start-error.ts';

const USAGE = 'npm run feed -- --product 1|house|soho-grill|dinner, or npm run feed -- --all';
const POLL_MS = 500;

type Make = ReturnType<typeof createLocalMaker>;

async function makeVenue(sql: Sql, make: Make, venueId: VenueId): Promise<Made> {
  for (;;) {
    const lease = randomUUID();
    const now = Temporal.Now.instant();
    const times = { now, leasedUntil: now.add({ seconds: LEASE_SECONDS }) };
    if (await claimVenue(sql, venueId, lease, times))
      return whileExtending({ sql, clock: systemClock }, lease, () =>
        make({ venueId, lease, nowMs: now.epochMilliseconds, isFull: true }),
      );
    await sleep(POLL_MS);
  }
}

interface Wanted {
  product?: string | undefined;
  all?: boolean | undefined;
}

async function run(wanted: Wanted): Promise<void> {
  const config = readConfig(process.env);
  await using started = new AsyncDisposableStack();
  const database = await connectDatabase(config, console.log);
  started.defer(() => database.stop());
  const sql = openPool(database.url, { max: 2, applicationName: 'maitred feed' });
  started.defer(() => sql.end({ timeout: 5 }));
  await migrate(sql, { progress: console.log });
  const make = createLocalMaker({ sql, storage: openStorage(config), feedUrl: config.feedUrl });
  const known = await listVenues(sql);
  const asked = wanted.product === undefined ? known : [venueOfProduct(parseProductId(wanted.product))];
  const unknown = asked.find((venueId) => !known.includes(venueId));
  if (unknown) throw new StartError(`There is no venue ${unknown}.`);
  if (wanted.product !== undefined && !(await hasProduct(sql, parseProductId(wanted.product))))
    throw new StartError(`There is no product ${wanted.product}.`);
  console.log(`Addresses begin with ${config.feedUrl}.`);
  const beganAt = performance.now();
  for (const [index, venueId] of asked.entries()) {
    const { slots, daysMade, files } = await makeVenue(sql, make, venueId);
    const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
    console.log(
      `${index + 1} of ${asked.length}, ${seconds} s: ${venueId}, ${slots} slots on ${daysMade} days, ${files} files`,
    );
  }
}

/** Undefined: it was asked for something else. */
function wantedIn(args: string[]): Wanted | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: { product: { type: 'string' }, all: { type: 'boolean' } },
    });
    return !values.product === !values.all ? undefined : values;
  } catch {
    return undefined;
  }
}

const wanted = wantedIn(process.argv.slice(2));
if (!wanted) {
  console.error(USAGE);
  process.exit(1);
}
try {
  await run(wanted);
} catch (error) {
  const isPlain = error instanceof ConfigError || error instanceof StartError || error instanceof Problem;
  console.error(isPlain ? error.message : error);
  process.exit(1);
}
