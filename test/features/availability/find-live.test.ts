/** What a search for tables promises of live systems: what is found can be booked, and one that is away costs little. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { inTransaction } from '../../../src/db/database.ts';
import type { FoundTable, FoundTables } from '../../../src/features/availability/find/schema.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import type { VenueDocument } from '../../../src/features/venues/transfer/document.ts';
import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { addDays } from '../../../src/kernel/zone-time.ts';
import { type Bistros, DAY, startBistros } from '../../support/remote-tms/bistros.ts';
import { club } from './club.ts';

const OPERATOR = 960;
/** More than one call asks. */
const PUBS = 70;

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 4 });
  await inTransaction(bistros.app.sql, async (tx) => {
    const venues = Array.from({ length: PUBS }, (_, index) => pub(index));
    await importOperator(tx, { id: OPERATOR, name: 'Pubs', systems: ['house'], venues });
    for (const { resourceId } of venues) {
      const productId = parseProductId(`${OPERATOR}|house|${resourceId}|table`);
      await mapVenue(tx, { partnerId: 1, venueId: venueOfProduct(productId), productIds: [productId] });
    }
  });
});
after(() => bistros.close());

/** All but the last are closed on the day. */
function pub(index: number): VenueDocument {
  const id = OPERATOR * 1000 + index;
  const weekday = Temporal.PlainDate.from(DAY).dayOfWeek as 1 | 2 | 3 | 4 | 5 | 6 | 7;
  const closedWeekday = ((weekday % 7) + 1) as typeof weekday;
  const weekdays = [index === PUBS - 1 ? weekday : closedWeekday];
  const hours = { weekly: [{ weekdays, periods: [{ opens: '18:00', closes: '23:00' }] }] };
  return {
    ...club,
    resourceId: `pub-${String(index).padStart(2, '0')}`,
    name: `Pub ${index}`,
    location: { lat: 53.8, lng: -1.55, area: 'Headingley', city: 'Leeds', countryCode: 'GB' },
    hours,
    spaces: [],
    products: [{ key: 'table', name: 'Table', timeIntervalMinutes: 30, hours }],
    house: {
      zones: [{ id, name: 'Zone', areas: [{ id, name: 'Bar', tables: [{ id, name: 'T', maxCovers: 4 }] }] }],
      spaceZones: [],
      products: [{ key: 'table' }],
    },
  };
}

async function find(question: object): Promise<FoundTables> {
  const body = { partySize: 2, date: DAY, ...question };
  const answer = await bistros.app.call('/venues/find-tables', { method: 'POST', body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const book = ({ compositeId, date, time, spaceId }: FoundTable, body: object) =>
  bistros.app.call(`/venues/${encodeURIComponent(compositeId)}/booking`, {
    method: 'POST',
    body: {
      ...{ type: 'book', date, time, firstName: 'Ada', lastName: 'Lovelace' },
      ...(spaceId !== undefined && { spaceId }),
      ...body,
    },
  });

test('a system that hangs is left out and named, and the others are found', async () => {
  const hanging = bistros.next();
  const sound = bistros.next();
  await bistros.app.sql`update venue set name = 'Hanging' where tms = ${hanging.slug}`;
  hanging.system.faults.plan({ kind: 'hang' }, { times: 100 });
  const { tables, unanswered } = await find({ areas: ['Marais'], time: '19:00', limit: 20 });
  assert.deepEqual(unanswered, ['Hanging']);
  assert.ok(tables.some(({ compositeId }) => compositeId === sound.productId));
  assert.ok(tables.every(({ compositeId }) => compositeId !== hanging.productId));
  hanging.system.faults.clear();
});

test('a table in a system over the network is found and booked', async () => {
  const { productId, held } = bistros.next();
  const { tables } = await find({ areas: ['Marais'], city: 'Paris', time: '20:00', limit: 20 });
  const table = tables.find(({ compositeId }) => compositeId === productId);
  assert.equal(table?.time, '20:00');
  const answer = await book(table, { partySize: 2 });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(held().length, 1);
});

test('one call asks sixty venues, and the cursor goes on with the others', async () => {
  const question = { city: 'Leeds', time: '20:00' };
  const first = await find(question);
  assert.deepEqual(first.tables, []);
  assert.ok(first.nextCursor);
  const second = await find({ ...question, cursor: first.nextCursor });
  assert.equal(second.tables[0]?.venue, `Pub ${PUBS - 1}`);
  assert.deepEqual(second.relaxed, []);
  assert.equal(second.nextCursor, undefined);
});

test('what is found as book can be booked at that moment', async () => {
  const questions = fc.record(
    {
      partySize: fc.integer({ min: 1, max: 8 }),
      children: fc.integer({ min: 0, max: 2 }),
      date: fc.integer({ min: 0, max: 50 }).map((days) => addDays(DAY, days)),
      time: fc.constantFrom('12:30', '17:45', '19:00', '20:15', '23:00', '00:30'),
      city: fc.constantFrom('London', 'Paris', 'Berlin', 'Manchester', 'Edinburgh'),
      text: fc.constantFrom('wine', 'date night', 'vegan', 'roast with the family'),
      types: fc.constantFrom(['bar'], ['restaurant'], ['dog-friendly']),
      accessibility: fc.boolean(),
      duration: fc.constantFrom(90, 120),
      maxPrice: fc.constantFrom(0, 5000),
    },
    { requiredKeys: ['partySize', 'date'] },
  );
  let booked = 0;
  await fc.assert(
    fc.asyncProperty(questions, async (question) => {
      const { tables } = await find({ ...question, limit: 20 });
      const ready = tables.filter(({ type, needs }) => type === 'book' && !needs);
      for (const table of [ready[0], ready.at(-1)].slice(0, ready.length)) {
        const { partySize, children, duration } = question;
        const body = { partySize, ...(children && { children }), ...(duration && { duration }) };
        if (!table) continue;
        const answer = await book(table, body);
        assert.equal(answer.status, 201, `${JSON.stringify({ question, table })} ${answer.text}`);
        booked += 1;
        const { tables: left } = await find({ ...question, limit: 20 });
        assert.ok(left.every(({ date }) => date === question.date));
      }
    }),
    { numRuns: 40 },
  );
  assert.ok(booked > 30, `${booked} were booked`);
});
