import type { Registry } from 'prom-client';
import { databaseGauge } from '../../http/metrics.ts';
import type { Bookings } from './service.ts';

export function bookingMetrics(registry: Registry, bookings: Bookings): void {
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
}
