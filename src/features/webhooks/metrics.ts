import type { Registry } from 'prom-client';
import { databaseGauge } from '../../http/metrics.ts';
import type { Webhooks } from './service.ts';

export function webhookMetrics(registry: Registry, webhooks: Webhooks): void {
  databaseGauge(registry, {
    name: 'webhook_deliveries_waiting',
    help: 'Deliveries to subscriptions that are not paused, still to be made or to be retried, of all nodes.',
    read: () => webhooks.countWaiting(),
  });
  databaseGauge(registry, {
    name: 'webhook_deliveries_overdue_seconds',
    help: 'For how long the most belated of them has been due.',
    read: () => webhooks.overdueSeconds(),
  });
}
