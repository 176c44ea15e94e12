import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../src/db/database.ts';
import { createConfigCache } from '../../src/tms/house/config-cache.ts';
import { createHouse } from '../../src/tms/house/connector.ts';
import { createTickets } from '../../src/tms/tickets/connector.ts';
import * as ticketStore from '../../src/tms/tickets/store.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { imbalances } from './balance.ts';
import { contend, winnersOf } from './contenders.ts';
import { storm, tally } from './storm.ts';
import { addGig, addRoom, startsApart } from './venues.ts';

const PLACES = 20;
const starts = startsApart(10);
/** The pause between what is read and what is written on it is what makes the race likely, also on one processor. */
const nobodyWaits = () => sleep(Math.random() * 20);

/** Adds to what is sold, as if nobody else had since it was looked at. */
async function sellUnasked(tx: Tx, productId: string, occurrenceId: number, quantity: number) {
  await tx`insert into ticket_stock as stock (product_id, occurrence_id, capacity, sold)
    values (${productId}, ${occurrenceId}, 1000, ${quantity})
    on conflict (occurrence_id, product_id) do update set sold = stock.sold + excluded.sold`;
  return true;
}

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({
    deps: {
      builtIn: (notifications) => [
        createHouse({ configs: createConfigCache(notifications), lock: nobodyWaits }),
        createTickets({ ...ticketStore, lock: nobodyWaits, sell: sellUnasked }),
      ],
    },
  });
  await maitred.sql`alter table house_allocation drop constraint house_allocation_table_id_during_excl`;
});
after(() => maitred.close());

/** A single storm can go well by luck, ten cannot. */
async function mostSold(productId: Awaited<ReturnType<typeof addRoom>>): Promise<number> {
  let most = 0;
  for (const start of starts) {
    const { 201: sold = 0 } = tally(await storm([maitred.call], productId, start));
    most = Math.max(most, sold);
    if (most > PLACES) break;
  }
  return most;
}

test('without the lock on the day the same storm sells tables twice, and the count of the books shows it', async () => {
  const sold = await mostSold(await addRoom(maitred.sql, PLACES));
  assert.ok(sold > PLACES, `${sold} were sold`);
  assert.match((await imbalances(maitred.sql)).join('\n'), /table \d+ is taken twice/);
});

test('without the lock on the occurrence the same storm sells more tickets than there are', async () => {
  const sold = await mostSold(await addGig(maitred.sql, PLACES, starts));
  assert.ok(sold > PLACES, `${sold} were sold`);
  assert.match((await imbalances(maitred.sql)).join('\n'), /tickets for occurrence \d+ are sold/);
});

test('without locks the storm of holds and bookings gives the last table and the last ticket to several', async () => {
  for (const productId of [await addRoom(maitred.sql, 1), await addGig(maitred.sql, 1, starts)]) {
    let most = 0;
    for (const start of starts) {
      const wanted = { ...start, partySize: 1 };
      const told = await contend([maitred.call], productId, { wanted, callers: 40 });
      most = Math.max(most, winnersOf(told).length);
      if (most > 1) break;
    }
    assert.ok(most > 1, `${most} won`);
  }
});
