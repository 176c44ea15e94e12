import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Bookings } from './service.ts';

export function bookingJobs(
  bookings: Bookings,
  { guestDataDays }: { guestDataDays: number },
): JobDefinition[] {
  return [
    {
      name: 'bookings.resolve-intents',
      schedule: '* * * * *',
      handle: async () => void (await bookings.resolveIntents()),
    },
    {
      name: 'bookings.complete-visits',
      schedule: '7 * * * *',
      handle: async () => void (await bookings.completeVisits()),
    },
    {
      name: 'bookings.forget-guests',
      schedule: '37 2 * * *',
      handle: async () => void (await bookings.forgetOldGuests(guestDataDays)),
    },
  ];
}
