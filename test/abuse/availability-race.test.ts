import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { type Notifications, openNotifications } from '../../src/db/notifications.ts';
import { importOperator } from '../../src/features/venues/service.ts';
import type { VenueDocument } from '../../src/features/venues/transfer/document.ts';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { bookOne, type LocalConnector } from '../../src/tms/contract.ts';
import { createConfigCache } from '../../src/tms/house/config-cache.ts';
import { createHouse } from '../../src/tms/house/connector.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { repeats } from '../support/repeats.ts';
import { type SecondNode, startSecondNode } from './support/second-node.ts';

/**
 * What was committed before a request began is never offered to it: nodes keep stays in memory, and here somebody
 * else takes and frees the only table in every way there is, between one request and the next.
 */

const ROUNDS = repeats(500, 120);
const OPERATOR = 901;
const TABLE = parseProductId(`${OPERATOR}|house|one-table|dinner`);
const PACED = parseProductId(`${OPERATOR}|house|paced|dinner`);
const START_MINUTE = 18 * 60;

let maitred: TestApp;
let second: SecondNode;
let elsewhere: Sql;
let notifications: Notifications;
let house: LocalConnector;

before(async () => {
  maitred = await startTestApp();
  await inTransaction(maitred.sql, (tx) =>
    importOperator(tx, {
      id: OPERATOR,
      name: 'Narrow',
      systems: ['house'],
      venues: [venue('one-table', 901_000, 1), venue('paced', 902_000, 6, { coversPerStart: 2 })],
    }),
  );
  second = await startSecondNode(maitred);
  elsewhere = openPool(maitred.url);
  notifications = await openNotifications(maitred.url);
  house = createHouse({ configs: createConfigCache(notifications) });
});
after(async () => {
  await notifications.close();
  await elsewhere.end({ timeout: 5 });
  await second.close();
  await maitred.close();
});

function venue(
  resourceId: string,
  firstId: number,
  tables: number,
  limits: { coversPerStart?: number } = {},
): VenueDocument {
  const made = Array.from({ length: tables }, (_, index) => ({
    id: firstId + index,
    name: `T${index}`,
    maxCovers: 2,
  }));
  return {
    tms: 'house',
    resourceId,
    name: resourceId,
    timeZone: 'Europe/London',
    content: { summary: '', description: '', highlights: [] },
    location: { lat: 0, lng: 0, area: 'A', city: 'C', countryCode: 'GB' },
    types: [],
    photos: [],
    hours: { weekly: [] },
    products: [
      {
        key: 'dinner',
        name: 'Dinner',
        timeIntervalMinutes: 60,
        hours: {
          weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [{ opens: '18:00', closes: '23:00' }] }],
        },
      },
    ],
    house: {
      zones: [{ id: firstId, name: 'Z', areas: [{ id: firstId, name: 'A', tables: made }] }],
      products: [
        {
          key: 'dinner',
          duration: { minMinutes: 60, maxMinutes: 60, stepMinutes: 60 },
          turnTimes: [{ upTo: 2, minutes: 60 }],
          ...limits,
        },
      ],
    },
  };
}

const today = Temporal.Now.plainDateISO('Europe/London');
const dayAhead = (days: number) => today.add({ days }).toString();
const startMsOf = (date: string, minute: number) =>
  Temporal.PlainDate.from(date).toZonedDateTime('Europe/London').add({ minutes: minute }).epochMilliseconds;

/** The times that each node offers as `book`, asked at once. */
async function offered(productId: string, date: string): Promise<Set<string>[]> {
  const authorization = `Bearer ${await maitred.token('demo-admin')}`;
  const url = `/venues/${encodeURIComponent(productId)}/availability?date=${date}&partySize=2`;
  const answers = await Promise.all(
    [maitred.app, second.app].map((app) => app.inject({ url, headers: { authorization } })),
  );
  return answers.map((answer) => {
    assert.equal(answer.statusCode, 200, answer.body);
    const { times } = answer.json() as { times: { time: string; type: string }[] };
    return new Set(times.filter(({ type }) => type === 'book').map(({ time }) => time));
  });
}

interface Stay {
  id: string;
  productId: typeof TABLE;
  date: string;
  minute: number;
}

async function bookElsewhere({ id, productId, date, minute }: Stay): Promise<void> {
  const outcome = await inTransaction(elsewhere, (tx) =>
    bookOne(house, tx, {
      bookingId: id,
      productId,
      venueId: venueOfProduct(productId),
      zone: 'Europe/London',
      date,
      minute,
      startMs: startMsOf(date, minute),
      adults: 2,
      children: 0,
      durationMinutes: null,
      spaceId: null,
      nowMs: Date.now(),
    }),
  );
  assert.equal(outcome.kind, 'ok', JSON.stringify(outcome));
}

/** As a migration or a person at a prompt would. */
async function insertByHand({ id, productId, date, minute }: Stay): Promise<void> {
  const from = new Date(startMsOf(date, minute)).toISOString();
  const to = new Date(startMsOf(date, minute + 60)).toISOString();
  const venueId = venueOfProduct(productId);
  await elsewhere.begin(async (tx) => {
    await tx`insert into house_reservation (id, reference, product_id, venue_id, trading_day, starts_at, duration_minutes, guests)
      values (${id}, ${id}, ${productId}, ${venueId}, ${date}, ${from}, 60, 2)`;
    await tx`insert into house_allocation (reservation_id, table_id, venue_id, during)
      select ${id}, min(id), ${venueId}, tstzrange(${from}, ${to}) from house_table where venue_id = ${venueId}`;
  });
}

const removals = {
  connector: (id: string) => inTransaction(elsewhere, (tx) => house.cancel(tx, id)),
  reservation: (id: string) => elsewhere`delete from house_reservation where id = ${id}`,
  allocation: (id: string) => elsewhere`delete from house_allocation where reservation_id = ${id}`,
};

for (const [name, productId] of [
  ['the last table', TABLE],
  ['the last guests of a start', PACED],
] as const) {
  test(`${name}, once taken, is offered by no node to the very next request, and once freed by both`, async () => {
    for (let round = 0; round < ROUNDS / 2; round += 1) {
      const stay = { id: randomUUID(), productId, date: dayAhead(10 + (round % 3)), minute: START_MINUTE };
      for (const times of await offered(productId, stay.date))
        assert.ok(times.has('18:00'), `round ${round}: free`);
      await (round % 2 === 0 ? bookElsewhere(stay) : insertByHand(stay));
      for (const times of await offered(productId, stay.date)) {
        assert.ok(!times.has('18:00'), `round ${round}: offered after it was taken`);
        assert.ok(times.has('19:00'), `round ${round}: the next hour is free`);
      }
      // A start that is paced stays full as long as its reservation is there, whatever tables it has.
      const ways = productId === TABLE ? Object.values(removals) : [removals.connector, removals.reservation];
      await ways[round % ways.length]?.(stay.id);
    }
  });
}

test('a booking that is taken back leaves everything as it was offered', async () => {
  const date = dayAhead(20);
  for (let round = 0; round < ROUNDS / 10; round += 1) {
    await offered(TABLE, date);
    const undone = new Error('taken back');
    const attempt = inTransaction(elsewhere, async (tx) => {
      const outcome = await bookOne(house, tx, {
        bookingId: randomUUID(),
        productId: TABLE,
        venueId: venueOfProduct(TABLE),
        zone: 'Europe/London',
        date,
        minute: START_MINUTE,
        startMs: startMsOf(date, START_MINUTE),
        adults: 2,
        children: 0,
        durationMinutes: null,
        spaceId: null,
        nowMs: Date.now(),
      });
      assert.equal(outcome.kind, 'ok');
      for (const times of await offered(TABLE, date)) assert.ok(times.has('18:00'), 'not committed yet');
      throw undone;
    });
    await assert.rejects(attempt, undone);
    for (const times of await offered(TABLE, date)) assert.ok(times.has('18:00'), `round ${round}`);
  }
});

test('while others book, no request is offered what was committed before it began', async () => {
  const taken = new Set<string>();
  const requested = Array.from({ length: 60 }, (_, day) => day).flatMap((day) =>
    [18, 19, 20, 21, 22].map((hour) => ({
      id: randomUUID(),
      productId: TABLE,
      date: dayAhead(30 + day),
      minute: hour * 60,
    })),
  );
  let isBooking = true;
  const writer = async (part: number) => {
    for (const [index, draft] of requested.entries()) {
      if (index % 2 !== part) continue;
      await bookElsewhere(draft);
      taken.add(`${draft.date} ${draft.minute / 60}:00`);
    }
  };
  let asked = 0;
  const reader = async () => {
    while (isBooking) {
      const draft = requested[Math.min(taken.size + (asked % 3), requested.length - 1)];
      assert.ok(draft);
      const before = [...taken]
        .filter((start) => start.startsWith(draft.date))
        .map((start) => start.slice(-'00:00'.length));
      for (const times of await offered(TABLE, draft.date)) {
        for (const time of before)
          assert.ok(!times.has(time), `${draft.date} ${time} was taken before the request began`);
      }
      asked += 1;
    }
  };
  const readers = [reader(), reader()];
  await Promise.all([writer(0), writer(1)]).finally(() => {
    isBooking = false;
  });
  await Promise.all(readers);
  assert.equal(taken.size, requested.length);
  assert.ok(asked > 20, `only ${asked} requests were made meanwhile`);
});
