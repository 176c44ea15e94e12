import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Identity } from './service.ts';

export function identityJobs(identity: Identity): JobDefinition[] {
  return [
    {
      name: 'identity.rotate-signing-keys',
      schedule: '17 3 * * *',
      handle: () => identity.rotateSigningKeys(),
    },
  ];
}
