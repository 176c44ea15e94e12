import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Tx } from '../../../src/db/database.ts';
import { addDays } from '../../../src/kernel/zone-time.ts';
import type { LocalConnector } from '../../../src/tms/contract.ts';
import { createConfigCache } from '../../../src/tms/house/config-cache.ts';
import { createHouse } from '../../../src/tms/house/connector.ts';
import { createTickets } from '../../../src/tms/tickets/connector.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { DINNER, day } from './soho-grill.ts';

/** How often the database is asked for what a batch wants to know. */

let statements: number;
/** Off only in the control: then no two questions stand on the same connection, so that none can share. */
let isShared = true;
let isBroken = false;
let maitred: TestApp;
let productIds: string[];

before(async () => {
  maitred = await startTestApp({
    deps: {
      builtIn: (notifications) => [
        counted(createHouse({ configs: createConfigCache(notifications) })),
        counted(createTickets()),
      ],
    },
  });
  const { data } = (await maitred.call('/venues?pageSize=12&fields=products(compositeId)&city=London')).json;
  productIds = data.map(({ products }: { products: { compositeId: string }[] }) => products[0]?.compositeId);
  productIds = productIds.filter((id) => id?.includes('|house|') && !id.includes('closed')).slice(0, 8);
  assert.equal(productIds.length, 8);
});
after(() => maitred.close());

function counted(connector: LocalConnector): LocalConnector {
  const counting = new WeakMap<Tx, Tx>();
  return {
    ...connector,
    async availability(tx, query) {
      if (isBroken) throw new TypeError('A mistake of ours');
      const shared = counting.getOrInsertComputed(tx, countingOn);
      return connector.availability(isShared ? shared : countingOn(tx), query);
    },
  };
}

function countingOn(tx: Tx): Tx {
  return new Proxy<Tx>(tx, {
    apply(target, self, parts) {
      const query = Reflect.apply(target as never, self, parts) as object;
      return new Proxy(query, {
        get(of, name) {
          // Pieces of a statement are never waited for by themselves.
          if (name === 'then') statements += 1;
          const member: unknown = Reflect.get(of, name);
          return typeof member === 'function' ? member.bind(of) : member;
        },
      });
    },
  });
}

interface Entry {
  compositeId: string;
  date?: string;
  quantity?: number;
  time?: string;
}

/** The number of statements that a batch took. */
async function cost(bookableProducts: Entry[], date = day): Promise<number> {
  statements = 0;
  const body = { date, quantity: 2, bookableProducts };
  const answer = await maitred.call('/v1/availabilities', { method: 'POST', body });
  assert.equal(answer.status, 200, answer.text);
  for (const result of answer.json.results) assert.ok(result.availability, JSON.stringify(result));
  return statements;
}

const inTwoSizes = () =>
  productIds.flatMap((compositeId) => [2, 4].map((quantity) => ({ compositeId, quantity })));

const inTwelveSizes = Array.from({ length: 12 }, (_, index) => ({
  compositeId: DINNER,
  quantity: index + 1,
}));

test('a venue that nobody has asked for yet is read once: what it has, and who comes', async () => {
  assert.equal(await cost(inTwelveSizes), 2);
});

test('one statement tells whether what is known of many venues still holds', async () => {
  await cost(inTwoSizes());
  assert.equal(await cost(inTwoSizes()), 1);
  isShared = false;
  assert.equal(await cost(inTwoSizes()), 16, 'the control');
  isShared = true;
});

test('parties of any size and for any time share what is read of a day', async () => {
  const times = ['18:00', '19:00', '20:00'].map((time) => ({ compositeId: DINNER, time }));
  const unseen = addDays(day, 7);
  assert.equal(await cost([...inTwelveSizes, ...times], unseen), 1, 'read for the first time');
  assert.equal(await cost([...inTwelveSizes, ...times], unseen), 1, 'read before');
});

test('so do parties whose last starts are not the same', async () => {
  await maitred.sql`update product set time_interval_minutes = 25 where id = ${DINNER}`;
  // The news of the change may still be on its way, and makes the node read the configuration once more.
  for (let weeks = 2; (await cost(inTwelveSizes, addDays(day, 7 * weeks))) > 1; weeks += 1) {
    assert.ok(weeks < 20, 'a day is never read once');
  }
});

test('tickets of one type and day are counted once', async () => {
  const compositeId = '2|tickets|jazz-night|standard';
  const sizes = [1, 2, 3, 4].map((quantity) => ({ compositeId, quantity }));
  assert.equal(await cost(sizes), 1);
  assert.equal(await cost([...sizes, { compositeId, date: addDays(day, 1) }]), 2);
});

test('what was booked a moment ago is missing from the next batch', async () => {
  const ask = async () => {
    const body = { date: day, quantity: 2, bookableProducts: inTwoSizes() };
    return (await maitred.call('/v1/availabilities', { method: 'POST', body })).json.results;
  };
  const [{ compositeId, availability }] = await ask();
  const { time } = availability.times.at(-1);
  const venueId = compositeId.slice(0, compositeId.lastIndexOf('|'));
  // Every table of the venue is taken for the whole day, behind the node's back.
  await maitred.sql`
    with reservation as (
      insert into house_reservation (id, reference, product_id, venue_id, trading_day, starts_at, duration_minutes, guests)
      values (uuidv7(), 'everybody', ${compositeId}, ${venueId}, ${day}, ${`${day}T00:00:00Z`}, 1440, 2)
      returning id, venue_id)
    insert into house_allocation (reservation_id, table_id, venue_id, during)
    select reservation.id, t.id, venue_id, tstzrange(${`${day}T00:00:00Z`}, ${`${day}T00:00:00Z`}::timestamptz + '1 day')
    from reservation join house_table t using (venue_id)`;
  const [after] = await ask();
  const slot = after.availability.times.find((each: { time: string }) => each.time === time);
  assert.notEqual(slot?.type, 'book');
});

test('a mistake of ours fails the call and hides in no entry', async () => {
  isBroken = true;
  const body = { date: day, quantity: 2, bookableProducts: [{ compositeId: DINNER }, { compositeId: 'x' }] };
  const answer = await maitred.call('/v1/availabilities', { method: 'POST', body });
  isBroken = false;
  assertProblem(answer, 500, 'HTTP-R-500');
});
