/** A closure while partners book. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { createClosures } from '../../../src/features/closures/service.ts';
import { listWriters } from '../../../src/features/closures/store.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { type ProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { create, tally } from '../../race/storm.ts';
import { addGig, addRoom, FIRST_DAY, startsApart } from '../../race/venues.ts';
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { repeats } from '../../support/repeats.ts';
import { type Closing, closingOf } from './support.ts';

const ROUNDS = repeats(20, 2);
const CLIENTS = 12;

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

/** The bookings of a product that are still expected on a day. */
async function standing(productId: ProductId, date: string): Promise<string[]> {
  const rows = await maitred.sql<{ id: string }[]>`
    select id from booking where product_id = ${productId} and trading_day = ${date}
      and status in ('confirmed', 'pending', 'in_progress') order by id`;
  return rows.map(({ id }) => id);
}

async function stormAndClose(productId: ProductId, closing: Closing, date: string): Promise<Answer[]> {
  let isOpen = true;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const answers: Answer[] = [];
    for (let turn = 0; isOpen || turn === 0; turn += 1) {
      const type = client % 3 === 0 ? 'request' : 'book';
      answers.push(await create(maitred.call, productId, { date, time: '18:00', type }));
    }
    answers.push(await create(maitred.call, productId, { date, time: '18:00', type: 'book' }));
    return answers;
  });
  await eventually(async () => (await standing(productId, date)).length > CLIENTS);
  const working = maitred.services.closures.start();
  const { id } = await closing.closed({ from: date, to: date, bookings: 'cancel' });
  await eventually(async () => (await closing.read(id)).state === 'done');
  isOpen = false;
  const answers = (await Promise.all(clients)).flat();
  await working.stop();
  const { affected, cancelled, failed } = await closing.read(id);
  assert.deepEqual([cancelled, failed], [affected, []]);
  return answers;
}

for (const [what, add] of [
  ['tables', () => addRoom(maitred.sql, 200)],
  ['tickets', () => addGig(maitred.sql, 2000, startsApart(500))],
] as const)
  test(`of ${what} that partners book while a venue closes, none is left, and none is sold afterwards`, async () => {
    const productId = await add();
    const closing = closingOf(() => maitred, venueOfProduct(productId));
    for (let round = 0; round < ROUNDS; round += 1) {
      const date = Temporal.PlainDate.from(FIRST_DAY).add({ days: round }).toString();
      const counts = tally(await stormAndClose(productId, closing, date));
      assert.deepEqual(await standing(productId, date), []);
      assert.ok((counts['201'] ?? 0) > CLIENTS, JSON.stringify(counts));
      assert.ok((counts['422 AVAIL-N-004'] ?? 0) >= CLIENTS, JSON.stringify(counts));
    }
  });

/** A booking that was decided on before the closure and is committed while that is worked on. */
async function bookDuringWork(waits: boolean): Promise<number> {
  const productId = await addRoom(maitred.sql, 1);
  const closing = closingOf(() => maitred, venueOfProduct(productId));
  const [{ date, time } = { date: '', time: '' }] = startsApart(1);
  const made = await create(maitred.call, productId, { date, time });
  assert.equal(made.status, 201, made.text);
  let looks = 0;
  const closures = createClosures({
    ...maitred.services,
    sql: maitred.sql,
    clock: () => Temporal.Now.instant(),
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    notifications: { isConnected: () => true, subscribe: () => () => {}, close: async () => {} },
    log: { warn() {} },
    async listWriters(tx) {
      looks += 1;
      return waits ? listWriters(tx) : [];
    },
  });
  let working: Promise<unknown> | undefined;
  await inTransaction(maitred.sql, async (tx) => {
    // As bookings are written: with the version of the venue compared, and not committed yet.
    await tx`
      insert into booking select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'guest', null))).*
      from booking b where id = ${made.json.id}`;
    await closing.closed({ from: date, to: date, bookings: 'cancel' });
    let isDone = false;
    working = closures.workDue().then(() => {
      isDone = true;
    });
    await eventually(async () => (waits ? looks > 2 : isDone));
    assert.equal(isDone, !waits);
  });
  await working;
  return (await standing(productId, date)).length;
}

test('a booking that is being written when the venue closes is waited for, and called off', async () => {
  assert.equal(await bookDuringWork(true), 0);
});

test('a closure that does not wait for it leaves it standing', async () => {
  assert.equal(await bookDuringWork(false), 1);
});
