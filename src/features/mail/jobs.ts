import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Mailing } from './service.ts';

/** New mails are sent as soon as they are there; this finds those that have to be tried again. */
export function mailJobs(mailing: Mailing): JobDefinition[] {
  return [
    {
      name: 'mail.send-due',
      schedule: '* * * * *',
      handle: (signal) => mailing.sendDue(signal),
    },
  ];
}
