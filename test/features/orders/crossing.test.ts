/** Orders of all or nothing while bookings of the same days are moved the other way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from '../../../src/db/database.ts';
import { addDays } from '../../../src/kernel/zone-time.ts';
import { deadlocks, imbalances } from '../../race/balance.ts';
import { addGig, addRoom, FIRST_DAY, type Start } from '../../race/venues.ts';
import { bookingsApp } from '../bookings/support.ts';
import { change, done, ordered, wordsOf } from './support.ts';

const app = bookingsApp();
const PAIRS = 16;

const EVENING: [Start, Start] = [
  { date: FIRST_DAY, time: '16:00' },
  { date: FIRST_DAY, time: '20:00' },
];
const TWO_DAYS: [Start, Start] = [
  { date: FIRST_DAY, time: '20:00' },
  { date: addDays(FIRST_DAY, 1), time: '12:00' },
];

for (const [name, [early, late], add] of [
  ['tickets', EVENING, (sql: Sql) => addGig(sql, 1000, EVENING)],
  ['tables', TWO_DAYS, (sql: Sql) => addRoom(sql, 100)],
] as const)
  test(`neither is in the way of the other: ${name}`, async () => {
    const { sql } = app();
    const compositeId = await add(sql);
    const at = (start: Start) => ({ compositeId, quantity: 1, ...start });
    const standing = await Promise.all(
      Array.from({ length: PAIRS }, (_, pair) => ordered(app(), [at(pair % 2 ? early : late)])),
    );
    const before = await deadlocks(sql);
    await Promise.all(
      standing.flatMap(({ orderId, items: [{ bookingId }] }, pair) => [
        done(change(app(), orderId, [{ bookingId, ...(pair % 2 ? late : early) }])).then((moved) =>
          assert.deepEqual(wordsOf(moved), ['booked']),
        ),
        ordered(app(), [at(late), at(early)], { atomic: true }).then((made) =>
          assert.deepEqual(wordsOf(made), ['booked', 'booked']),
        ),
      ]),
    );
    assert.equal(await deadlocks(sql), before);
    assert.deepEqual(await imbalances(sql), []);
  });
