import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Tx } from '../../../src/db/database.ts';
import { type ProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { bookOne } from '../../../src/tms/contract.ts';
import { eventually } from '../../support/eventually.ts';
import { hour } from './books.ts';
import {
  DAY,
  granted,
  query,
  reasonOf,
  request,
  room,
  settle,
  startTestHouse,
  type TestHouse,
} from './venue.ts';

/** What a node keeps in memory never shows in its answers. */

let tested: TestHouse;
before(async () => {
  tested = await startTestHouse();
});
after(() => tested.close());

const open = async (productId: ProductId) =>
  granted(await tested.house.availability(tested.sql, query(productId)))
    .days.flatMap((day) => day.slots)
    .filter(({ type, obstacle }) => type === 'book' && !obstacle)
    .map(({ minute }) => minute);

test('a change of the configuration counts from the moment it is committed', async () => {
  const layout = room(2);
  const product = await tested.addVenue(layout);
  assert.equal((await open(product)).length, 8);
  // No notification can have arrived when the next question is asked on the connection of the change.
  await inTransaction(tested.sql, async (tx) => {
    await tx`update house_product set min_guests = 2, max_guests = 2, instant_limit = 1 where product_id = ${product}`;
    const inside = granted(await tested.house.availability(tx, query(product)));
    assert.equal(inside.days[0]?.slots[0]?.obstacle, 'party-never-fits');
    await tx`update house_product set instant_limit = null where product_id = ${product}`;
  });
  assert.equal((await open(product)).length, 8);
  await tested.sql`insert into product_exception (product_id, venue_id, date) values (${product}, ${venueOfProduct(product)}, ${DAY})`;
  assert.deepEqual(await open(product), []);
  assert.equal(reasonOf(await tested.book(request(product, hour(19)))), 'closed');
});

test('a configuration that was never committed is never used', async () => {
  const product = await tested.addVenue(room(2));
  const abandoned = inTransaction(tested.sql, async (tx) => {
    await tx`delete from product_hours where product_id = ${product}`;
    assert.equal(granted(await tested.house.availability(tx, query(product))).days[0]?.isClosed, true);
    throw new Error('taken back');
  });
  await assert.rejects(abandoned, /taken back/);
  assert.equal((await open(product)).length, 8);
});

test('availability is one statement once the configuration is known', async () => {
  const product = await tested.addVenue(room(2, 4));
  let statements = 0;
  const counting = new Proxy<Tx>(tested.sql, {
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
  const ask = async () => {
    statements = 0;
    granted(await tested.house.availability(counting, query(product, { dates: [DAY, '2030-07-03'] })));
    return statements;
  };
  assert.ok((await ask()) > 1, 'the first has to read the configuration');
  // The news that the venue was made may still be on its way, and makes the node forget it once more.
  for (let attempt = 0; (await ask()) > 1; attempt += 1) {
    assert.ok(attempt < 100, 'the configuration is never kept');
    await sleep(20);
  }
});

test('what another node books, moves, cancels or takes back is seen at once', async () => {
  const product = await tested.addVenue(room(2));
  const other = tested.createHouse({});
  const asked = request(product, hour(18));
  const free = (await open(product)).length;
  const abandoned = inTransaction(tested.sql, async (tx) => {
    granted(await bookOne(tested.house, tx, asked));
    const inside = granted(await tested.house.availability(tx, query(product)));
    assert.equal(inside.days[0]?.slots[0]?.obstacle, 'taken', 'by its own transaction');
    throw new Error('taken back');
  });
  await assert.rejects(abandoned, /taken back/);
  assert.equal((await open(product)).length, free);
  granted(await tested.book(asked, other));
  assert.deepEqual((await open(product))[0], hour(19, 30));
  const later = request(product, hour(21, 30), { bookingId: asked.bookingId });
  granted(await settle(tested.sql, (tx) => other.amend(tx, later)));
  assert.deepEqual((await open(product)).at(-1), hour(20));
  granted(await other.cancel(tested.sql, asked.bookingId));
  assert.equal((await open(product)).length, free);
});

test('what a database that took over has lost is not shown, although its marks are the same', async () => {
  const { sql } = tested;
  const product = await tested.addVenue(room(2));
  const free = (await open(product)).length;
  granted(await tested.book(request(product, hour(18))));
  const booked = (await open(product)).length;
  assert.ok(booked < free);
  await inTransaction(sql, async (tx) => {
    await tx`alter table house_allocation disable trigger user`;
    await tx`delete from house_allocation where venue_id = ${venueOfProduct(product)}`;
    await tx`alter table house_allocation enable trigger user`;
  });
  assert.equal((await open(product)).length, booked, 'it is cached, or this test shows nothing');
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'maitred notifications'`;
  await eventually(async () => (await open(product)).length === free);
});
