import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Media } from './service.ts';

export function mediaJobs({ uploads }: Pick<Media, 'uploads'>): JobDefinition[] {
  return [{ name: 'media.forget-uploads', schedule: '41 * * * *', handle: () => uploads.forgetExpired() }];
}
