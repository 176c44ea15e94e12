import type { JobDefinition } from '../../jobs/jobs.ts';
import { MANY_ATTEMPTS } from './payout.ts';
import type { Payments } from './service.ts';

const EVERY_MINUTE = '* * * * *';
const STUCK = `refunds could not be paid out, for the ${MANY_ATTEMPTS}th time or more`;

export function paymentJobs(payments: Payments): JobDefinition[] {
  return [
    {
      name: 'payments.settle-pending',
      schedule: EVERY_MINUTE,
      handle: async (signal) => void (await payments.settlePending(signal)),
    },
    {
      name: 'payments.settle-refunds',
      schedule: EVERY_MINUTE,
      async handle(signal, log) {
        const { stuck } = await payments.settleRefunds(signal);
        if (stuck > 0) log.warn({ stuck }, STUCK);
      },
    },
  ];
}
