import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../src/db/database.ts';
import { addDays, MS_PER_HOUR } from '../../src/kernel/zone-time.ts';
import type { PlaceRequest } from '../../src/tms/contract.ts';
import { createTickets } from '../../src/tms/tickets/connector.ts';
import { occurrences } from '../../src/tms/tickets/occurrence-store.ts';
import * as store from '../../src/tms/tickets/store.ts';
import type { TestDatabase } from '../support/databases/database.ts';
import { assertRefused, type BoundSystem, expectOk, inOwnTransactions } from './conformance-harness.ts';
import { NOW_MS, queryFor, requestFor, STANDARD, soldOf, startGig, VENUE, VIP } from './tickets-fixture.ts';

const FIRST_DATE = '2031-03-10';
const DAYS = 30;
const EVENING = 1200;
const CAPACITY = 10;
const PRICE = 2500;
const TTL_MS = 5 * 60_000;
const ENDS_MS = NOW_MS + TTL_MS;

let database: TestDatabase;
let system: BoundSystem;
before(async () => {
  const dates = Array.from({ length: DAYS }, (_, day) => addDays(FIRST_DATE, day));
  const type = { pricePence: PRICE, capacity: CAPACITY, maxPerBooking: 10 };
  database = await startGig({
    occurrences: dates.map((date) => ({ date, startsMinute: EVENING, durationMinutes: 60 })),
    ticketTypes: [
      { key: 'standard', ...type },
      { key: 'vip', ...type },
    ],
  });
  system = inOwnTransactions(createTickets(), database.sql);
});
after(() => database.drop());

let day = 0;
const freshDate = () => {
  day += 1;
  return addDays(FIRST_DATE, day - 1);
};
const holdsOf = ({ holds }: BoundSystem) => {
  assert.ok(holds);
  return holds;
};
const hold = async (request: PlaceRequest, by = system) =>
  expectOk(await holdsOf(by).hold(request, request.nowMs + TTL_MS));
const confirm = (request: PlaceRequest) => holdsOf(system).confirm(request);
const asked = (date: string, adults: number, changes: Partial<PlaceRequest> = {}) =>
  requestFor(date, EVENING, { adults, ...changes });

async function isOffered(date: string, adults: number, nowMs = NOW_MS) {
  const { days } = expectOk(await system.availability(queryFor([date], { adults, nowMs })));
  return days[0]?.slots[0]?.obstacle === undefined;
}

const setType = (values: Record<string, number>) =>
  database.sql`update ticket_type set ${database.sql(values)} where product_id = ${STANDARD}`;

test('held tickets cost what they cost when they were held, also when some are given back', async () => {
  const date = freshDate();
  const [held, moved] = [asked(date, 3), asked(date, 2)];
  await hold(held);
  await hold(moved);
  await setType({ price_pence: 9900 });
  try {
    const booking = expectOk(await confirm(held));
    assert.equal(booking.pricePerGuestPence, PRICE);
    assert.deepEqual(expectOk(await confirm(held)), booking);
    assert.deepEqual(expectOk(await system.find(held.bookingId)), booking);
    const fewer = expectOk(await system.amend({ ...held, adults: 2 }));
    assert.deepEqual([fewer.guests, fewer.pricePerGuestPence], [2, PRICE]);
    assert.deepEqual(expectOk(await system.find(held.bookingId)), fewer);
    // Tickets for another evening are bought anew.
    expectOk(await confirm(moved));
    const another = asked(freshDate(), 2, { bookingId: moved.bookingId });
    const later = expectOk(await system.amend(another));
    assert.equal(later.pricePerGuestPence, 9900);
    assert.deepEqual(expectOk(await system.find(moved.bookingId)), later);
  } finally {
    await setType({ price_pence: PRICE });
  }
});

test('held tickets are bought although the capacity is lower since, and no others are', async () => {
  const date = freshDate();
  const held = asked(date, 6);
  expectOk(await system.book(asked(date, 3)));
  await hold(held);
  await setType({ capacity: 4 });
  try {
    assertRefused(await system.book(asked(date, 1)), 'taken');
    expectOk(await confirm(held));
    assertRefused(await system.book(asked(date, 1)), 'taken');
    assert.deepEqual(await soldOf(database.sql, STANDARD, date, EVENING), { stock: 9, reserved: 9 });
  } finally {
    await setType({ capacity: CAPACITY });
  }
  expectOk(await system.book(asked(date, 1)));
});

test('tickets of another type and of another evening are not held', async () => {
  const date = freshDate();
  await hold(asked(date, CAPACITY));
  assert.equal(await isOffered(date, 1), false);
  assert.equal(await isOffered(freshDate(), CAPACITY), true);
  expectOk(await system.book(asked(date, CAPACITY, { productId: VIP })));
});

test('a hold counts for amendments and trials, and not for its own booking', async () => {
  const [date, other] = [freshDate(), freshDate()];
  const held = asked(date, 8);
  await hold(held);
  const booked = asked(other, 3);
  expectOk(await system.book(booked));
  assertRefused(await system.amend(asked(date, 3, { bookingId: booked.bookingId })), 'taken');
  const tickets = createTickets();
  const [own] = await tickets.wouldBook(database.sql, [held]);
  const [another] = await tickets.wouldBook(database.sql, [asked(date, 8)]);
  assert.deepEqual([own?.kind, another?.kind], ['ok', 'refused']);
  expectOk(await system.book(held));
  assert.equal(await isOffered(date, 2), true);
  assert.equal(await isOffered(date, 3), false);
});

test('when a request with a later clock has the tickets, the hold has ended for earlier clocks too', async () => {
  const date = freshDate();
  const held = asked(date, 8);
  await hold(held);
  expectOk(await system.book(asked(date, 8, { nowMs: ENDS_MS })));
  assertRefused(await confirm({ ...held, nowMs: ENDS_MS - 1 }), 'hold-ended');
  const extended = await holdsOf(system).extend(held.bookingId, ENDS_MS + TTL_MS, ENDS_MS - 1);
  assertRefused(extended, 'hold-ended');
  assert.deepEqual(await soldOf(database.sql, STANDARD, date, EVENING), { stock: 8, reserved: 8 });
});

test('a hold that was given tickets by a later clock has them for earlier clocks too', async () => {
  const date = freshDate();
  await hold(asked(date, 8));
  const later = asked(date, 8, { nowMs: ENDS_MS });
  const until = ENDS_MS + TTL_MS;
  expectOk(await holdsOf(system).hold(later, until));
  expectOk(await holdsOf(system).extend(later.bookingId, until, ENDS_MS - 1));
  expectOk(await confirm({ ...later, nowMs: ENDS_MS - 1 }));
  assert.deepEqual(await soldOf(database.sql, STANDARD, date, EVENING), { stock: 8, reserved: 8 });
});

test('an evening that is moved or removed ends its holds', async () => {
  const [moved, removed] = [freshDate(), freshDate()];
  const [one, other] = [asked(moved, 2), asked(removed, 2)];
  await hold(one);
  await hold(other);
  const { sql } = database;
  await sql`update ticket_occurrence set starts_minute = 600 where venue_id = ${VENUE} and date = ${moved}`;
  const [row] = await sql<[{ id: number }]>`
    select id from ticket_occurrence where venue_id = ${VENUE} and date = ${removed}`;
  await inTransaction(sql, (tx) => occurrences.delete(tx, row.id));
  assertRefused(await confirm(one), 'hold-ended');
  assertRefused(await confirm(other), 'hold-ended');
});

test('sweeping deletes what ended over an hour ago, and nothing else', async () => {
  const date = freshDate();
  const { sql } = database;
  await sql`delete from ticket_hold`;
  const [old, recent] = [asked(date, 2), asked(date, 2, { nowMs: ENDS_MS })];
  await hold(old);
  await hold(recent);
  const { sweepHolds } = createTickets();
  const sweep = (nowMs: number) => inTransaction(sql, async (tx) => sweepHolds?.(tx, nowMs));
  assert.equal(await sweep(ENDS_MS + MS_PER_HOUR - 1), 0);
  assert.equal(await sweep(ENDS_MS + MS_PER_HOUR), 1);
  expectOk(await confirm(recent));
});

const RACERS = 20;

/** Twenty who hold or book more than half of the tickets; how many get them. */
async function race(by: BoundSystem): Promise<number> {
  const date = freshDate();
  const outcomes = await Promise.all(
    Array.from({ length: RACERS }, (_, index) => {
      const request = asked(date, 6);
      return index % 2 === 0 ? holdsOf(by).hold(request, ENDS_MS) : by.book(request);
    }),
  );
  return outcomes.filter(({ kind }) => kind === 'ok').length;
}

test('of twenty who hold and book the last tickets at once one wins; without the lock several do', async () => {
  for (let round = 0; round < 3; round += 1) assert.equal(await race(system), 1);
  const unlocked = inOwnTransactions(createTickets({ ...store, lock: async () => {} }), database.sql);
  let most = 0;
  // A single race can go well by luck, five cannot.
  for (let round = 0; round < 5 && most < 2; round += 1) most = Math.max(most, await race(unlocked));
  assert.ok(most > 1, `${most} had the tickets`);
});

test('while a hold ends, of those who confirm it and buy its tickets one has them', async () => {
  for (let round = 0; round < 5; round += 1) {
    const date = freshDate();
    const held = asked(date, 6);
    await hold(held);
    const outcomes = await Promise.all([
      confirm({ ...held, nowMs: ENDS_MS - 1 }),
      system.book(asked(date, 6, { nowMs: ENDS_MS })),
      holdsOf(system).hold(asked(date, 6, { nowMs: ENDS_MS }), ENDS_MS + TTL_MS),
    ]);
    assert.equal(outcomes.filter(({ kind }) => kind === 'ok').length, 1);
    const { stock, reserved } = await soldOf(database.sql, STANDARD, date, EVENING);
    assert.equal(stock, reserved);
  }
});

test('a system that does not look at the clock is found out', async () => {
  const date = freshDate();
  const careless = createTickets({
    ...store,
    findOffers: (tx, query, dates) => store.findOffers(tx, { ...query, nowMs: 0 }, dates),
  });
  await hold(asked(date, CAPACITY));
  assert.equal(await isOffered(date, 1, ENDS_MS), true);
  const late = asked(date, 1, { nowMs: ENDS_MS });
  assertRefused(await inOwnTransactions(careless, database.sql).book(late), 'taken');
  expectOk(await system.book(late));
});
