import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keepOnce } from '../../../src/features/feed/scheduler.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import {
  addBistro,
  type Bistro,
  bookAt,
  cancelAt,
  revise,
} from '../../features/feed/readers/readers-bistro.ts';
import { filesInMemory, makerOf } from '../../features/feed/support.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createLife } from '../orders/order-life.ts';
import { faultsOf, keepAll, keeperIn, toldBy, type World } from './feed-life.ts';

const DAYS = 3;
/** A claim is somebody else's after that. */
const LEASE_SECONDS = 60;

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
  await maitred.sql`delete from feed_venue`;
});
after(() => maitred.close());

const isHeld = async ({ venueId }: Bistro) => {
  const free = await maitred.sql`
    select from feed_venue where venue_id = ${venueId} for update skip locked`;
  return free.length === 0;
};

test('one that stands still anywhere until its lease has ended, and then goes on, undoes nothing of its successor', async (t) => {
  let now = Temporal.Now.instant();
  const { sql } = maitred;
  const world: World = { sql, files: filesInMemory(), clock: () => now };
  const bistro = await addBistro(sql, DAYS);
  await keepAll(world);
  const names = async () => (await toldBy(world, bistro.venueId)).map(({ index }) => index.product_name);
  let [overtaken, held] = [0, 0];
  for (let step = 0, isPaused = true; isPaused; step += 1) {
    await revise(sql, bistro, 2 * step + 1);
    const life = createLife({ pausesAfter: step });
    life.beBorn();
    const late = keepOnce(keeperIn(life, world));
    isPaused = await Promise.race([life.paused.then(() => true), late.then(() => false)]);
    if (isPaused && !(await isHeld(bistro))) {
      now = now.add({ seconds: LEASE_SECONDS });
      await revise(sql, bistro, 2 * step + 2);
      assert.equal(await keepOnce(keeperIn(createLife(), world)), 1);
      life.goOn();
      await late;
      assert.deepEqual(await names(), [String(2 * step + 2)], `after ${step} steps`);
      overtaken += 1;
    } else {
      life.goOn();
      await late;
      held += 1;
    }
    assert.deepEqual(await faultsOf(world), [], `after ${step} steps`);
    await keepAll(world);
  }
  t.diagnostic(`${overtaken} were overtaken, ${held} could not be`);
  assert.ok(overtaken > 10 && held > 1);
});

/** Done while somebody makes files; the ids of bookings that came of it. */
const CHANGES: Record<string, (bistro: Bistro, step: number) => Promise<string[]>> = {
  'a booking': async (bistro) => Promise.all(bistro.dates.map((date) => bookAt(maitred, bistro, date))),
  'a new name': async (bistro, step) => {
    await revise(maitred.sql, bistro, step + 1);
    return [];
  },
};

for (const [what, change] of Object.entries(CHANGES))
  test(`${what} at any moment while files are made is in them in the end`, async () => {
    const { sql } = maitred;
    const world: World = { sql, files: filesInMemory(), clock: systemClock };
    const bistro = await addBistro(sql, DAYS);
    await keepAll(world);
    for (let step = 0, isPaused = true; isPaused; step += 1) {
      const bookings = [await bookAt(maitred, bistro, bistro.dates[0] ?? '')];
      const life = createLife({ pausesAfter: step });
      life.beBorn();
      const working = keepOnce(keeperIn(life, world));
      isPaused = await Promise.race([life.paused.then(() => true), working.then(() => false)]);
      if (isPaused && !(await isHeld(bistro))) bookings.push(...(await change(bistro, step)));
      life.goOn();
      await working;
      await keepAll(world);
      const told = await toldBy(world, bistro.venueId);
      await makerOf(maitred, world.files).make(bistro.venueId, { isFull: true });
      assert.deepEqual(told, await toldBy(world, bistro.venueId), `after ${step} steps`);
      for (const each of bookings) await cancelAt(maitred, each);
      await keepAll(world);
    }
  });
