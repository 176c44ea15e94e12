import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { parseVenueId } from '../../src/kernel/ids.ts';
import { saveTicketType } from '../../src/tms/tickets/catalogue-store.ts';
import { createTickets } from '../../src/tms/tickets/connector.ts';
import { withdrawOccurrence } from '../../src/tms/tickets/occurrence-store.ts';
import type { TestDatabase } from '../support/databases/database.ts';
import { assertRefused, type BoundSystem, expectOk, inOwnTransactions } from './conformance-harness.ts';
import { NOW_MS, queryFor, requestFor, STANDARD, soldOf, startGig, VENUE, VIP } from './tickets-fixture.ts';

const HOUR_MS = 3_600_000;
const EVENING = 1200;
const AFTER_MIDNIGHT = 1500;

const DOCUMENT = {
  occurrences: [
    { date: '2031-03-20', startsMinute: EVENING, durationMinutes: 120 },
    { date: '2031-03-20', startsMinute: AFTER_MIDNIGHT, durationMinutes: 60 },
    { date: '2031-03-21', startsMinute: EVENING, durationMinutes: 120 },
    { date: '2031-03-22', startsMinute: EVENING, durationMinutes: 120 },
    // The clocks of London skip half past one on the thirtieth.
    { date: '2031-03-29', startsMinute: 1440 + 90, durationMinutes: 120 },
    { date: '2031-04-20', startsMinute: EVENING, durationMinutes: 120 },
  ],
  ticketTypes: [
    {
      key: 'standard',
      pricePence: 2500,
      capacity: 10,
      minPerBooking: 2,
      maxPerBooking: 6,
      salesOpenDaysBefore: 30,
      salesCloseMinutesBefore: 60,
      policy: 'Doors open at seven.',
    },
    { key: 'vip', pricePence: 6000, capacity: 4, maxPerBooking: 4 },
  ],
};

let database: TestDatabase;
let system: BoundSystem;
before(async () => {
  database = await startGig(DOCUMENT);
  system = inOwnTransactions(createTickets(), database.sql);
});
after(() => database.drop());

async function obstacleAt(date: string, minute: number, changes = {}): Promise<string | undefined> {
  const { days } = expectOk(await system.availability(queryFor([date], changes)));
  const slot = days[0]?.slots.find((each) => each.minute === minute);
  assert.ok(slot);
  return slot.obstacle;
}

test('a day shows its occurrences, each with its own length, and a day without any is closed', async () => {
  const { days, bounds, policy } = expectOk(
    await system.availability(queryFor(['2031-03-20', '2031-03-23'])),
  );
  assert.deepEqual(
    days.map(({ isClosed, slots }) => [isClosed, slots.map((slot) => [slot.minute, slot.durationMinutes])]),
    [
      [
        false,
        [
          [EVENING, 120],
          [AFTER_MIDNIGHT, 60],
        ],
      ],
      [true, []],
    ],
  );
  assert.equal(days[0]?.slots[1]?.startMs, Date.parse('2031-03-21T01:00:00Z'));
  assert.deepEqual(bounds, { minMinutes: 60, maxMinutes: 120, stepMinutes: 1 });
  assert.equal(policy, 'Doors open at seven.');
});

test('a length narrows to the occurrences that have it, and one no occurrence can have is refused', async () => {
  const { days } = expectOk(await system.availability(queryFor(['2031-03-20'], { durationMinutes: 60 })));
  assert.deepEqual(
    days[0]?.slots.map(({ minute }) => minute),
    [AFTER_MIDNIGHT],
  );
  assertRefused(await system.availability(queryFor(['2031-03-20'], { durationMinutes: 240 })), 'duration');
  assertRefused(await system.book(requestFor('2031-03-20', EVENING, { durationMinutes: 60 })), 'duration');
});

test('an occurrence at a time that the clocks skip is neither offered nor sold', async () => {
  const { days } = expectOk(await system.availability(queryFor(['2031-03-29'])));
  assert.deepEqual(days[0]?.slots, []);
  const startMs = Date.parse('2031-03-30T01:30:00Z');
  assertRefused(await system.book(requestFor('2031-03-29', 1440 + 90, { startMs })), 'not-a-start');
});

test('sales begin on the local day the type says and close so many minutes before the start', async () => {
  const date = '2031-04-20';
  const opensMs = Date.parse('2031-03-21T00:00:00Z');
  const closesMs = Date.parse('2031-04-20T18:00:00Z');
  for (const [nowMs, obstacle] of [
    [opensMs - 1, 'too-far'],
    [opensMs, undefined],
    [closesMs, undefined],
    [closesMs + 1, 'too-soon'],
    [closesMs + 2 * HOUR_MS, 'too-soon'],
  ] as const) {
    assert.equal(await obstacleAt(date, EVENING, { nowMs }), obstacle);
    const request = requestFor(date, EVENING, { nowMs });
    const outcome = await system.book(request);
    if (obstacle) assertRefused(outcome, obstacle);
    else expectOk(outcome);
    await system.cancel(request.bookingId);
  }
});

test('children need tickets too, and both limits of a booking hold', async () => {
  const date = '2031-03-21';
  assert.equal(await obstacleAt(date, EVENING, { adults: 1 }), 'party-never-fits');
  assert.equal(await obstacleAt(date, EVENING, { adults: 1, children: 1 }), undefined);
  assert.equal(await obstacleAt(date, EVENING, { adults: 4, children: 3 }), 'party-never-fits');
  assertRefused(await system.book(requestFor(date, EVENING, { adults: 4, children: 3 })), 'party-never-fits');
});

test('what is left decides: five are not sold of four, four are', async () => {
  const date = '2031-03-21';
  expectOk(await system.book(requestFor(date, EVENING, { adults: 6 })));
  assert.equal(await obstacleAt(date, EVENING, { adults: 5 }), 'taken');
  assertRefused(await system.book(requestFor(date, EVENING, { adults: 5 })), 'taken');
  assert.equal(await obstacleAt(date, EVENING, { adults: 4 }), undefined);
  expectOk(await system.book(requestFor(date, EVENING, { adults: 2, children: 2 })));
  assert.deepEqual(await soldOf(database.sql, STANDARD, date, EVENING), { stock: 10, reserved: 10 });
});

test('an existing booking gives tickets back and is never sold more', async () => {
  const request = requestFor('2031-03-22', EVENING, { adults: 4 });
  const booked = expectOk(await system.book(request));
  const more = await system.amend({ ...request, adults: 5 });
  assert.deepEqual(more, { kind: 'refused', reason: 'rejected', detail: 'increase' });
  assertRefused(await system.amend({ ...request, adults: 1 }), 'party-never-fits');
  assert.deepEqual(await soldOf(database.sql, STANDARD, '2031-03-22', EVENING), { stock: 4, reserved: 4 });
  const amended = expectOk(await system.amend({ ...request, adults: 2, children: 1 }));
  assert.deepEqual(amended, { ...booked, guests: 3 });
  assert.deepEqual(await soldOf(database.sql, STANDARD, '2031-03-22', EVENING), { stock: 3, reserved: 3 });
});

test('tickets can be given back after sales have closed', async () => {
  const request = requestFor('2031-03-22', AFTER_MIDNIGHT - 300, { adults: 3 });
  expectOk(await system.book(request));
  const nowMs = request.startMs - HOUR_MS / 2;
  expectOk(await system.amend({ ...request, adults: 2, nowMs }));
  expectOk(await system.cancel(request.bookingId));
});

test('a booking moves to another ticket type of the same evening, and both counts follow', async () => {
  const request = requestFor('2031-03-20', EVENING, { adults: 3 });
  expectOk(await system.book(request));
  expectOk(await system.amend({ ...request, productId: VIP }));
  assert.deepEqual(await soldOf(database.sql, STANDARD, '2031-03-20', EVENING), { stock: 0, reserved: 0 });
  assert.deepEqual(await soldOf(database.sql, VIP, '2031-03-20', EVENING), { stock: 3, reserved: 3 });
  expectOk(await system.cancel(request.bookingId));
  assert.deepEqual(await soldOf(database.sql, VIP, '2031-03-20', EVENING), { stock: 0, reserved: 0 });
});

test('tickets are for no space', async () => {
  assertRefused(await system.book(requestFor('2031-03-20', EVENING, { spaceId: 1 })), 'rejected');
});

test('an occurrence that is withdrawn keeps the tickets people hold and sells no more', async () => {
  const own = await startGig(DOCUMENT);
  try {
    const gig = inOwnTransactions(createTickets(), own.sql);
    const request = requestFor('2031-03-21', EVENING);
    const booked = expectOk(await gig.book(request));
    const [occurrence] = await own.sql`select id from ticket_occurrence where date = '2031-03-21'`;
    await withdrawOccurrence(own.sql, occurrence?.id);
    assert.deepEqual(expectOk(await gig.find(request.bookingId)), booked);
    const { days } = expectOk(await gig.availability(queryFor(['2031-03-21', '2031-03-22'])));
    assert.deepEqual(
      days.map(({ isClosed }) => isClosed),
      [true, false],
    );
    assertRefused(await gig.book(requestFor('2031-03-21', EVENING)), 'closed');
    expectOk(await gig.cancel(request.bookingId));
  } finally {
    await own.drop();
  }
});

test('a capacity lowered below what is sold refuses the next one and still takes tickets back', async () => {
  const own = await startGig(DOCUMENT);
  try {
    const gig = inOwnTransactions(createTickets(), own.sql);
    const request = requestFor('2031-03-21', EVENING, { adults: 6 });
    expectOk(await gig.book(request));
    const [standard] = DOCUMENT.ticketTypes;
    assert.ok(standard);
    await saveTicketType(own.sql, VENUE, { ...standard, capacity: 4 });
    assertRefused(await gig.book(requestFor('2031-03-21', EVENING)), 'taken');
    expectOk(await gig.amend({ ...request, adults: 5 }));
    assert.deepEqual(await soldOf(own.sql, STANDARD, '2031-03-21', EVENING), { stock: 5, reserved: 5 });
  } finally {
    await own.drop();
  }
});

test('an event that is deleted takes its tickets along', async () => {
  const own = await startGig(DOCUMENT);
  try {
    const gig = inOwnTransactions(createTickets(), own.sql);
    const request = requestFor('2031-03-21', EVENING);
    expectOk(await gig.book(request));
    await own.sql`delete from venue`;
    assert.equal(expectOk(await gig.find(request.bookingId)), undefined);
  } finally {
    await own.drop();
  }
});

test('a booking of one event is not found when it is amended as one of another', async () => {
  const request = requestFor('2031-03-20', EVENING);
  expectOk(await system.book(request));
  const venueId = parseVenueId('1|tickets|other');
  assertRefused(await system.amend({ ...request, venueId }), 'not-found');
  expectOk(await system.cancel(request.bookingId));
});

test('a change of configuration is a change of the venue, a sale is not', async () => {
  const stamp = async () => {
    const [venue] = await database.sql`select updated_at from venue`;
    return String(venue?.updated_at);
  };
  const before = await stamp();
  const request = requestFor('2031-03-20', EVENING, { bookingId: randomUUID(), nowMs: NOW_MS });
  expectOk(await system.book(request));
  assert.equal(await stamp(), before);
  for (const type of DOCUMENT.ticketTypes) await saveTicketType(database.sql, VENUE, type);
  assert.notEqual(await stamp(), before);
});
