import { Counter, type Registry } from 'prom-client';
import { databaseGauge } from '../../http/metrics.ts';
import type { Feed } from './service.ts';

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
