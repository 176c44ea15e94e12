import type { JobDefinition } from '../../../jobs/jobs.ts';
import type { Bookings } from '../service.ts';

const GIVEN_UP = 'the visit has begun, and it is not known what the system of the venue holds';

export function bookingJobs(
  bookings: Bookings,
  { guestDataDays }: { guestDataDays: number },
): JobDefinition[] {
  return [
    {
      name: 'bookings.resolve-intents',
      schedule: '* * * * *',
      async handle(signal, log) {
        await bookings.resolveIntents({ signal, givenUp: (intent) => log.warn(intent, GIVEN_UP) });
      },
    },
    {
      name: 'bookings.sweep-holds',
      schedule: '* * * * *',
      handle: async (signal) => void (await bookings.sweepHolds(signal)),
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
    {
      name: 'bookings.add-up',
      schedule: '* * * * *',
      handle: async () => void (await bookings.addUpBookings()),
    },
    {
      name: 'bookings.hash-guests',
      schedule: '* * * * *',
      handle: async (signal) => void (await bookings.hashGuests(signal)),
    },
  ];
}
