/**
 * `npm run feed -- --product ID`: makes the feeds of the product's venue now and from scratch, whatever they were made
 * from. `--all` does so for every venue. A node may be running meanwhile; a venue that it is making is waited for.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../src/db/database.ts';
import { openDatabaseClock } from '../src/db/database-clock.ts';
import { createLocalMaker } from '../src/features/feed/local-maker.ts';
import type { Made } from '../src/features/feed/make.ts';
import { LEASE_SECONDS, whileExtending } from '../src/features/feed/scheduler.ts';
import { openStorage } from '../src/features/feed/storage.ts';
import { claimVenue, listVenues } from '../src/features/feed/store.ts';
import { findOnSale } from '../src/features/venues/store.ts';
import { type Clock, nowOf } from '../src/kernel/clock.ts';
import { parseProductId, type VenueId, venueOfProduct } from '../src/kernel/ids.ts';
import { StartError } from '../src/kernel/problem.ts';
import { runCommand } from './command.ts';

const POLL_MS = 500;

type Make = ReturnType<typeof createLocalMaker>;

async function makeVenue(sql: Sql, clock: Clock, make: Make, venueId: VenueId): Promise<Made> {
  for (;;) {
    const lease = randomUUID();
    const now = nowOf(clock);
    const times = { now, leasedUntil: now.add({ seconds: LEASE_SECONDS }) };
    if (await claimVenue(sql, venueId, lease, times))
      return whileExtending({ sql, clock }, lease, () =>
        make({ venueId, lease, nowMs: now.epochMilliseconds, isFull: true }),
      );
    await sleep(POLL_MS);
  }
}

await runCommand({
  name: 'feed',
  usage: 'npm run feed -- --product 1|house|soho-grill|dinner, or npm run feed -- --all',
  options: { product: { type: 'string' }, all: { type: 'boolean' } },
  accepts: ({ product, all }) => !product !== !all,
  progress: console.log,
  async run({ product }, { config, sql }) {
    const { now: clock } = await openDatabaseClock(sql);
    const make = createLocalMaker({ sql, storage: openStorage(config), feedUrl: config.feedUrl });
    const known = await listVenues(sql);
    const asked = product === undefined ? known : [venueOfProduct(parseProductId(product))];
    const unknown = asked.find((venueId) => !known.includes(venueId));
    if (unknown) throw new StartError(`There is no venue ${unknown}.`);
    if (product !== undefined && (await findOnSale(sql, parseProductId(product))) === undefined)
      throw new StartError(`There is no product ${product}.`);
    console.log(`Addresses begin with ${config.feedUrl}.`);
    const beganAt = performance.now();
    for (const [index, venueId] of asked.entries()) {
      const { slots, daysMade, files } = await makeVenue(sql, clock, make, venueId);
      const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
      console.log(
        `${index + 1} of ${asked.length}, ${seconds} s: ${venueId}, ${slots} slots on ${daysMade} days, ${files} files`,
      );
    }
  },
});
