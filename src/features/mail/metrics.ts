import type { Registry } from 'prom-client';
import { databaseGauge } from '../../http/metrics.ts';
import type { Mailing } from './service.ts';

export function mailMetrics(registry: Registry, mailing: Mailing): void {
  databaseGauge(registry, {
    name: 'mails_waiting',
    help: 'Mails that are written and not sent, of all nodes.',
    read: () => mailing.countWaiting(),
  });
}
