import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Orders } from './service.ts';

export function orderJobs(orders: Orders, { guestDataDays }: { guestDataDays: number }): JobDefinition[] {
  return [
    {
      name: 'orders.close-abandoned',
      schedule: '* * * * *',
      handle: async () => void (await orders.closeAbandoned()),
    },
    {
      name: 'orders.forget-contents',
      schedule: '47 2 * * *',
      handle: async () => void (await orders.forgetOld(guestDataDays)),
    },
  ];
}
