import { addDays } from '../../src/kernel/zone-time.ts';
import { createTickets } from '../../src/tms/tickets/connector.ts';
import { connectorConformance } from './conformance.ts';
import { inOwnTransactions, withRequestClock } from './conformance-harness.ts';
import { NOW_MS, STANDARD, startGig, VENUE, ZONE } from './tickets-fixture.ts';

const FIRST_DATE = '2031-03-10';
const MATINEE = 900;
const EVENING = 1200;

connectorConformance('tickets', async () => {
  const dates = Array.from({ length: 30 }, (_, day) => addDays(FIRST_DATE, day));
  const database = await startGig({
    occurrences: dates.flatMap((date) =>
      [MATINEE, EVENING].map((startsMinute) => ({ date, startsMinute, durationMinutes: 120 })),
    ),
    ticketTypes: [{ key: 'standard', pricePence: 2500, capacity: 13, maxPerBooking: 6 }],
  });
  return withRequestClock({
    system: inOwnTransactions(createTickets(), database.sql),
    productId: STANDARD,
    venueId: VENUE,
    zone: ZONE,
    nowMs: NOW_MS,
    firstDate: FIRST_DATE,
    party: 4,
    smallerParty: 3,
    capacity: 3,
    oversizedParty: 7,
    close: database.drop,
  });
});
