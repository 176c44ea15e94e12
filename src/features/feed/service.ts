/** The availability feed: files made ahead of what products offer, for half a year. */
import { Counter, type Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import type { Sql } from '../../db/database.ts';
import { primaryReads, type Reads, readTogether } from '../../db/reads.ts';
import { databaseGauge } from '../../http/observability/metrics.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { type Engine, startEngine } from './engine.ts';
import {
  createMeters,
  type FeedScheduler,
  type FeedSchedulerLog,
  type Meters,
  startFeedScheduler,
} from './scheduler.ts';
import type { FeedQuery, PartnerFeed } from './schema.ts';
import { openStorage } from './storage.ts';
import { findOldestIndex, indexPath, listFeedsOf } from './store.ts';

export interface Feed {
  meters: Meters;
  /** How old the oldest index is that is served, in seconds; 0 without any. */
  oldestIndexSeconds(): Promise<number>;
  /** The feeds that a partner reads, and how fresh they are. */
  listFor(partnerId: number, query: FeedQuery): Promise<PageOf<PartnerFeed>>;
  /** Files are made from here on, in a thread that has connections of its own. */
  startFeedScheduler(databaseUrl: string): FeedScheduler;
}

export interface FeedDeps {
  config: Config;
  sql: Sql;
  reads?: Reads;
  clock: Clock;
  log: FeedSchedulerLog;
}

export function createFeed({ config, sql, reads = primaryReads(sql), clock, log }: FeedDeps): Feed {
  const meters = createMeters();
  return {
    meters,

    async oldestIndexSeconds() {
      const madeAt = await findOldestIndex(sql);
      return madeAt ? nowOf(clock).since(madeAt).total('seconds') : 0;
    },

    listFor: (partnerId, { venueId, ...page }) =>
      readTogether(reads, async (tx) => {
        const { feeds, total } = await listFeedsOf(tx, partnerId, venueId, windowOf(page));
        const shown = feeds.map(({ token, ...feed }) => ({
          ...feed,
          url: token && `${config.feedUrl}/${indexPath(token)}`,
        }));
        return pageOf(shown, total, page);
      }),

    startFeedScheduler(databaseUrl) {
      const { dataDir, feedBucket, feedBucketEndpoint, feedUrl, databaseReadUrl } = config;
      const options = { dataDir, feedBucket, feedBucketEndpoint, feedUrl, databaseReadUrl };
      const engine: Engine = startEngine({ ...options, databaseUrl });
      const scheduler = startFeedScheduler({ sql, clock, engine, storage: openStorage(config), meters, log });
      return {
        async stop() {
          await scheduler.stop();
          await engine.stop();
        },
      };
    },
  };
}

/** What is counted is kept by the feed itself; here it gets its names. */
export function feedMetrics(registry: Registry, feed: Feed): void {
  const registers = [registry];
  new Counter({
    name: 'feed_slots_total',
    help: 'Slots that this node has worked out for feeds.',
    registers,
    collect() {
      this.reset();
      this.inc(feed.meters.slots);
    },
  });
  new Counter({
    name: 'feed_days_carried_total',
    help: 'Days of feeds that this node has carried forward unchanged.',
    registers,
    collect() {
      this.reset();
      this.inc(feed.meters.daysCarried);
    },
  });
  databaseGauge(registry, {
    name: 'feed_oldest_index_seconds',
    help: 'Age of the oldest index that is served.',
    read: () => feed.oldestIndexSeconds(),
  });
}
