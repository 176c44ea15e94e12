/** A block and a booking of the same moment. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { venueOfProduct } from '../../../src/kernel/ids.ts';
import { bookOne } from '../../../src/tms/contract.ts';
import { loadBook } from '../../../src/tms/house/book-store.ts';
import { createHouse } from '../../../src/tms/house/connector.ts';
import { lockDays } from '../../../src/tms/house/store.ts';
import { deadlocks } from '../../race/balance.ts';
import { create, inParallel, tally } from '../../race/storm.ts';
import { addRoom, startsApart } from '../../race/venues.ts';
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts';
import { someoneWaits } from '../../support/databases/lock-waits.ts';
import { eventually } from '../../support/eventually.ts';
import { repeats } from '../../support/repeats.ts';
import { granted, request } from '../../tms/house/venue.ts';
import type { Body } from '../bookings/support.ts';
import { blocksOf } from './support.ts';

const PAIRS = repeats(200, 40);

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

/** A block that is made while a booking of its only table has been looked for and is not written yet. */
async function blockWhileBooking(isLocked: boolean): Promise<Body> {
  const productId = await addRoom(maitred.sql, 1);
  const api = blocksOf(() => maitred, venueOfProduct(productId));
  const tableIds = (await api.layout('tables')).map(({ id }) => id);
  const wanted = request(productId, 19 * 60);
  const { date } = wanted;
  let answer: Promise<Answer> | undefined;
  const house = createHouse({
    configs: { kept: () => undefined, load: loadBook },
    // Stays are read meanwhile, and decided on when this settles.
    async lock(tx, days) {
      if (isLocked) await lockDays(tx, days);
      answer = api.block({ from: `${date}T12:00`, to: `${date}T22:00`, tableIds });
      await (isLocked ? eventually(() => someoneWaits(maitred.sql)) : answer);
    },
  });
  await inTransaction(maitred.sql, async (tx) => granted(await bookOne(house, tx, wanted)));
  assert.ok(answer);
  const { status, text, json } = await answer;
  assert.equal(status, 201, text);
  return json;
}

test('a block waits for a booking that is being made, and knows of it', async () => {
  assert.equal((await blockWhileBooking(true)).bookingCount, 1);
});

test('without the locks of bookings a table is given away that was blocked before, and the block does not know', async () => {
  assert.equal((await blockWhileBooking(false)).bookingCount, 0);
});

test('of a block and a booking of the same moment one comes first, and both know', async () => {
  const productId = await addRoom(maitred.sql, 1);
  const api = blocksOf(() => maitred, venueOfProduct(productId));
  const tableIds = (await api.layout('tables')).map(({ id }) => id);
  const answers: Answer[] = [];
  await inParallel(startsApart(PAIRS), 8, async ({ date, time }) => {
    const end = `${Number(time.slice(0, 2)) + 1}:30`;
    const [block, booking] = await Promise.all([
      api.block({ from: `${date}T${time}`, to: `${date}T${end}`, tableIds }),
      create(maitred.call, productId, { date, time }),
    ]);
    answers.push(booking);
    assert.equal(block.status, 201, block.text);
    const shown = block.json.bookings.map(({ id }: Body) => id);
    assert.deepEqual(shown, booking.status === 201 ? [booking.json.id] : []);
  });
  const { 201: made = 0, '409 AVAIL-N-005': refused = 0, ...others } = tally(answers);
  assert.deepEqual([made + refused, others], [PAIRS, {}]);
  assert.equal(await deadlocks(maitred.sql), 0);
});
