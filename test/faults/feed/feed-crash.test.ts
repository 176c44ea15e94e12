import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  addBistro,
  type Bistro,
  createEventful,
  map,
  revise,
  unmap,
} from '../../features/feed/readers/readers-bistro.ts';
import { indexFirst } from '../../features/feed/readers/readers-following.ts';
import { filesInMemory, makerOf } from '../../features/feed/support.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { closeVenue, reopenVenue } from '../../support/closing.ts';
import { repeats } from '../../support/repeats.ts';
import { faultsOf, keepAll, keepAndDie, toldBy, type World } from './feed-life.ts';

const LIVES = repeats(300, 20);
const LONGEST_LIFE = 50;
const DAYS = 4;
/** A claim is somebody else's after that. */
const LEASE_SECONDS = 60;

let maitred: TestApp;
let now = Temporal.Now.instant();
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const worldOf = (): World => ({ sql: maitred.sql, files: filesInMemory(), clock: () => now });
const endLease = () => {
  now = now.add({ seconds: LEASE_SECONDS });
};

async function newBistro(): Promise<{ world: World; bistro: Bistro }> {
  const world = worldOf();
  // Nothing but this one is looked after.
  await maitred.sql`delete from feed_channel`;
  await maitred.sql`delete from feed_garbage`;
  await maitred.sql`delete from feed_venue`;
  const bistro = await addBistro(maitred.sql, DAYS);
  await keepAll(world);
  return { world, bistro };
}

/** What the feeds tell is what they tell after they were made from scratch. */
async function assertAsNew(world: World, { venueId }: Bistro): Promise<void> {
  const told = await toldBy(world, venueId);
  assert.ok(told.length > 0);
  await makerOf(maitred, world.files).make(venueId, { nowMs: now.epochMilliseconds, isFull: true });
  assert.deepEqual(told, await toldBy(world, venueId));
}

test(`${LIVES} makers die at some moment, and no index is ever without its shards, no file left over`, async (t) => {
  const { world, bistro } = await newBistro();
  const eventful = createEventful(maitred, bistro);
  let deaths = 0;
  for (let life = 0; life < LIVES; life += 1) {
    await eventful.next();
    if (await keepAndDie(world, Math.floor(Math.random() * LONGEST_LIFE))) deaths += 1;
    assert.deepEqual(await faultsOf(world), [], `after life ${life}`);
    endLease();
  }
  t.diagnostic(`${deaths} of ${LIVES} died`);
  assert.ok(deaths > LIVES / 5 && deaths < LIVES, 'some died, and some were done before');
  await eventful.reopen();
  await keepAll(world);
  assert.deepEqual(await faultsOf(world), []);
  await assertAsNew(world, bistro);
});

test('makers that write the index before its shards leave some missing when they die', async () => {
  const { world, bistro } = await newBistro();
  const found: string[] = [];
  for (let revision = 1; found.length === 0 && revision < LONGEST_LIFE; revision += 1) {
    await revise(maitred.sql, bistro, revision);
    await keepAndDie(world, revision, indexFirst);
    found.push(...(await faultsOf(world)));
    endLease();
  }
  assert.match(found.join('\n'), /is named and missing/);
});

/** What changes a feed, and what takes that back. */
const CHANGES: Record<string, [(bistro: Bistro) => Promise<unknown>, (bistro: Bistro) => Promise<unknown>]> =
  {
    'a name': [(bistro) => revise(maitred.sql, bistro, 1), (bistro) => revise(maitred.sql, bistro, 0)],
    'a closing': [
      ({ venueId }) => closeVenue(maitred, venueId),
      ({ venueId }) => reopenVenue(maitred, venueId),
    ],
    'a mapping': [(bistro) => unmap(maitred.sql, bistro, 2), (bistro) => map(maitred.sql, bistro, 2)],
  };

for (const [what, [change, takeBack]] of Object.entries(CHANGES))
  test(`${what} that was made known by one who died then, and is taken back, is not told any longer`, async () => {
    const { world, bistro } = await newBistro();
    const told = await toldBy(world, bistro.venueId);
    for (let step = 0, isDead = true; isDead; step += 1) {
      await change(bistro);
      isDead = await keepAndDie(world, step);
      endLease();
      await takeBack(bistro);
      await keepAll(world);
      assert.deepEqual(await toldBy(world, bistro.venueId), told, `after ${step} steps`);
      assert.deepEqual(await faultsOf(world), [], `after ${step} steps`);
    }
  });
