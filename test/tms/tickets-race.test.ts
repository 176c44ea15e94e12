import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Tx } from '../../src/db/database.ts';
import { addDays } from '../../src/kernel/zone-time.ts';
import { createTickets } from '../../src/tms/tickets/connector.ts';
import * as store from '../../src/tms/tickets/store.ts';
import type { TestDatabase } from '../support/databases/database.ts';
import { bookAtOnce, expectOk, inOwnTransactions } from './conformance-harness.ts';
import { queryFor, requestFor, STANDARD, soldOf, startGig } from './tickets-fixture.ts';

const FIRST_DATE = '2031-03-10';
const DAYS = 40;
const EVENING = 1200;
const LATE = 1380;
const CAPACITY = 9;

let database: TestDatabase;
before(async () => {
  const dates = Array.from({ length: DAYS }, (_, day) => addDays(FIRST_DATE, day));
  database = await startGig({
    occurrences: dates.flatMap((date) =>
      [EVENING, LATE].map((startsMinute) => ({ date, startsMinute, durationMinutes: 60 })),
    ),
    ticketTypes: [{ key: 'standard', pricePence: 1, capacity: CAPACITY, maxPerBooking: 5 }],
  });
});
after(() => database.drop());

/** Looks, then writes, as if nobody else were there. */
async function sellCarelessly(tx: Tx, productId: string, occurrenceId: number, quantity: number) {
  await tx`select pg_sleep(0.05)`;
  await tx`insert into ticket_stock as stock (product_id, occurrence_id, capacity, sold)
    values (${productId}, ${occurrenceId}, 1000, ${quantity})
    on conflict (occurrence_id, product_id) do update set sold = stock.sold + excluded.sold`;
  return true;
}

const soldAfterRushWith = async (careful: Partial<typeof store>, date: string) => {
  const system = inOwnTransactions(createTickets({ ...store, ...careful }), database.sql);
  await bookAtOnce(system, requestFor(date, EVENING, { adults: 3 }), 8);
  return (await soldOf(database.sql, STANDARD, date, EVENING)).stock;
};

test('either protection alone keeps a rush within the capacity, and without both it is oversold', async () => {
  const unlocked = { lock: async () => {} };
  const careless = { sell: sellCarelessly };
  assert.equal(await soldAfterRushWith(unlocked, '2031-03-10'), CAPACITY);
  assert.equal(await soldAfterRushWith(careless, '2031-03-11'), CAPACITY);
  assert.ok((await soldAfterRushWith({ ...unlocked, ...careless }, '2031-03-12')) > CAPACITY);
});

test('whatever is booked, moved, returned and cancelled at once, stock and reservations agree', async () => {
  let day = 3;
  const booking = fc.integer({ min: 0, max: 3 });
  const minute = fc.constantFrom(EVENING, LATE);
  const adults = fc.integer({ min: 1, max: 5 });
  const action = fc.oneof(
    fc.record({ kind: fc.constantFrom('book' as const, 'amend' as const), booking, minute, adults }),
    fc.record({ kind: fc.constant('cancel' as const), booking }),
  );
  const system = inOwnTransactions(createTickets(), database.sql);
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 12 }), async (actions) => {
      const date = addDays(FIRST_DATE, day);
      day += 1;
      const ids = Array.from({ length: 4 }, () => requestFor(date, EVENING).bookingId);
      await Promise.all(
        actions.map((step) => {
          const bookingId = ids[step.booking] ?? '';
          if (step.kind === 'cancel') return system.cancel(bookingId);
          return system[step.kind](requestFor(date, step.minute, { bookingId, adults: step.adults }));
        }),
      );
      const { days } = expectOk(await system.availability(queryFor([date], { adults: 1 })));
      for (const slot of days[0]?.slots ?? []) {
        const { stock, reserved } = await soldOf(database.sql, STANDARD, date, slot.minute);
        assert.equal(stock, reserved);
        assert.ok(stock <= CAPACITY);
        assert.equal(slot.obstacle, stock < CAPACITY ? undefined : 'taken');
      }
    }),
    { numRuns: 25 },
  );
});
