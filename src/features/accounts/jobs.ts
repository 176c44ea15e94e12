import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Accounts } from './service.ts';

export function accountJobs(accounts: Accounts): JobDefinition[] {
  return [{ name: 'accounts.forget-ended', schedule: '23 * * * *', handle: () => accounts.forgetEnded() }];
}
