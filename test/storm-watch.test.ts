/** What `npm run storm` sees while everybody calls: a place that is taken twice is seen, held or booked. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { oversoldNow } from '../proof/storm/watch.ts';
import { addGig, addRoom, startsApart } from './race/venues.ts';
import { startTestApp, type TestApp } from './support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

test('a table that two holds have, and tickets beyond what there are, are seen while the holds last', async () => {
  const { sql } = maitred;
  const [start] = startsApart(1);
  assert.ok(start);
  const room = await addRoom(sql, 1);
  const gig = await addGig(sql, 1, [start]);
  assert.deepEqual(await oversoldNow(sql), []);

  for (let count = 0; count < 2; count += 1) {
    await sql`
      insert into house_hold (id, product_id, venue_id, trading_day, lock_days, starts_at, duration_minutes, guests,
        table_ids, during, expires_at)
      select gen_random_uuid(), ${room}, t.venue_id, now(), array[now()::date], now(), 90, 2, array[t.id],
        tstzrange(now(), now() + interval '90 minutes'), now() + interval '1 hour'
      from house_table t where t.venue_id = (select venue_id from product where id = ${room})`;
    await sql`
      insert into ticket_hold (id, product_id, occurrence_id, starts_at, quantity, price_pence, capacity, expires_at)
      select gen_random_uuid(), ${gig}, id, now(), 1, 1500, 1, now() + interval '1 hour'
      from ticket_occurrence where venue_id = (select venue_id from product where id = ${gig})`;
  }
  const seen = (await oversoldNow(sql)).join('\n');
  assert.match(seen, /table \d+ was taken for .* and .* at once/);
  assert.match(seen, /2 of 1 tickets of .* were sold and held/);

  await sql`update house_hold set expires_at = now()`;
  await sql`update ticket_hold set expires_at = now()`;
  assert.deepEqual(await oversoldNow(sql), []);
});
