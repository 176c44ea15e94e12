import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Payments } from './service.ts';

const EVERY_MINUTE = '* * * * *';

export function paymentJobs(payments: Payments): JobDefinition[] {
  return [
    {
      name: 'payments.settle-pending',
      schedule: EVERY_MINUTE,
      handle: async () => void (await payments.settlePending()),
    },
    {
      name: 'payments.settle-refunds',
      schedule: EVERY_MINUTE,
      handle: async () => void (await payments.settleRefunds()),
    },
  ];
}
