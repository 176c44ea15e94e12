/** Mails to guests and to the people of an operator: what is told, to whom, in which words, and who decides it. */
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Mailing } from '../mail/service.ts';
import { type AccountNotificationSettings, createAccountNotifications } from './account-notifications.ts';
import { type BackgroundDeps, writeReminders, writeSummaries } from './background.ts';
import { createVenueMails, type VenueMailDeps, type VenueMailService } from './venue-mails.ts';

export { dayIn, type Language, languageOf, momentIn } from './languages.ts';
export { escapeHtml } from './layout.ts';
export { createNotices, type Notices } from './notices.ts';
export { saveNotificationChoices } from './people-store.ts';
export { findVenueMails, saveVenueMails } from './store.ts';

export interface NotificationService {
  account: AccountNotificationSettings;
  venueMails: VenueMailService;
  /** For jobs; each says how many mails it has written. */
  writeReminders(): Promise<number>;
  writeSummaries(signal?: AbortSignal): Promise<number>;
}

export function createNotificationService(
  deps: BackgroundDeps & Omit<VenueMailDeps, 'sender'> & { mailing: Mailing },
): NotificationService {
  return {
    account: createAccountNotifications(deps),
    venueMails: createVenueMails({ ...deps, sender: deps.mailing.senderAddress }),
    writeReminders: () => writeReminders(deps),
    writeSummaries: (signal) => writeSummaries(deps, signal),
  };
}

export function notificationJobs(service: NotificationService): JobDefinition[] {
  return [
    {
      name: 'notifications.write-reminders',
      schedule: '* * * * *',
      handle: async () => void (await service.writeReminders()),
    },
    {
      name: 'notifications.write-summaries',
      schedule: '* * * * *',
      handle: async (signal) => void (await service.writeSummaries(signal)),
    },
  ];
}
