import { Counter, Gauge, type Registry } from 'prom-client';
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
  new Gauge({
    name: 'feed_oldest_index_seconds',
    help: 'Age of the oldest index that is served.',
    registers,
    async collect() {
      // Without the database the age is not known; everything else still is.
      await feed.oldestIndexSeconds().then(
        (seconds) => this.set(seconds),
        () => this.remove(),
      );
    },
  });
}
