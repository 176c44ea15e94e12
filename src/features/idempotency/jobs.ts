import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Idempotency } from './service.ts';

export function idempotencyJobs(idempotency: Idempotency): JobDefinition[] {
  return [
    { name: 'idempotency.forget-old-keys', schedule: '27 * * * *', handle: () => idempotency.forgetOld() },
  ];
}
