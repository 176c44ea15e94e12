import type { Registry } from 'prom-client';
import { databaseGauge } from '../../../http/observability/metrics.ts';
import type { Bookings } from '../service.ts';

export function bookingMetrics(registry: Registry, bookings: Bookings): void {
  bookings.holdCounts.register(registry);
  bookings.bookingCounts.register(registry);
  databaseGauge(registry, {
    name: 'holds_open',
    help: 'Places that partners keep at this moment, of all nodes.',
    read: () => bookings.countOpenHolds(),
  });
  databaseGauge(registry, {
    name: 'booking_intents_open',
    help: 'Calls to systems whose outcome is in doubt or is still watched, of all nodes.',
    read: async () => (await bookings.openIntents()).count,
  });
  databaseGauge(registry, {
    name: 'booking_intents_oldest_seconds',
    help: 'Age of the oldest of them.',
    read: async () => (await bookings.openIntents()).oldestSeconds,
  });
  databaseGauge(registry, {
    name: 'booking_guest_hashes_complete',
    help: '1 when all bookings can be found by their guests, 0 while old ones are still being hashed.',
    read: async () => ((await bookings.hashProgress())?.finishedAt ? 1 : 0),
  });
  databaseGauge(registry, {
    name: 'booking_guest_hashes_looked_at',
    help: 'Bookings that the job which hashes old guests has looked at.',
    read: async () => (await bookings.hashProgress())?.lookedAt ?? 0,
  });
}
