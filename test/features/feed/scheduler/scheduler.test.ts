import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepOnce, startFeedScheduler } from '../../../../src/features/feed/scheduler.ts';
import type { Clock } from '../../../../src/kernel/clock.ts';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import { addBistro, type Bistro, bookAt } from '../readers/readers-bistro.ts';
import { filesInMemory } from '../support.ts';
import { forgetVenues, keeperWith, leases } from './scheduler-support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());
beforeEach(() => forgetVenues(maitred.sql));

async function addBistros(count: number): Promise<Bistro[]> {
  const bistros: Bistro[] = [];
  while (bistros.length < count) bistros.push(await addBistro(maitred.sql, 1));
  return bistros;
}

const unmade = async () =>
  (await maitred.sql`select from feed_venue where mark > made_mark or lease is not null`).length;

function movable(): { clock: Clock; move(duration: Temporal.DurationLike): void } {
  let now = Temporal.Instant.fromEpochMilliseconds(Date.now());
  return {
    clock: () => now,
    move(duration) {
      now = now.add(duration);
    },
  };
}

test('two keepers share the work, and are never at the same venue', async (t) => {
  const { sql } = maitred;
  await addBistros(16);
  const made: string[][] = [[], []];
  const underWay = new Set<string>();
  const twice: string[] = [];
  const keepers = made.map((mine) => {
    const scheduler = keeperWith(sql, {}, async ({ venueId }) => {
      if (underWay.has(venueId)) twice.push(venueId);
      underWay.add(venueId);
      mine.push(venueId);
      await sleep(20);
    });
    const { make } = scheduler.engine;
    const engine = {
      ...scheduler.engine,
      make: (request: Parameters<typeof make>[0]) =>
        make(request).finally(() => underWay.delete(request.venueId)),
    };
    return startFeedScheduler({ ...scheduler, engine });
  });
  t.after(() => Promise.all(keepers.map((scheduler) => scheduler.stop())));
  await eventually(async () => (await unmade()) === 0);
  assert.deepEqual(twice, []);
  assert.deepEqual(made.flat().length, 16, 'each was made once, though both came for it');
  assert.ok(made.every((mine) => mine.length > 0));
});

test('what was claimed together stays claimed however long the first of it takes', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { sql } = maitred;
  const time = movable();
  await addBistros(3);
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = keepOnce(
    keeperWith(sql, time, async () => {
      begun.resolve();
      await goOn.promise;
    }),
  );
  await begun.promise;
  const other = keeperWith(sql, time);
  for (let round = 0; round < 5; round += 1) {
    time.move({ seconds: 20 });
    t.mock.timers.tick(20_000);
    const until = time.clock().add({ seconds: 60 });
    await eventually(
      async () => (await sql`select from feed_venue where leased_until = ${until}`).length === 3,
    );
    assert.equal(await keepOnce(other), 0);
  }
  goOn.resolve();
  assert.equal(await slow, 3);
  assert.equal(await unmade(), 0);
});

test('a lease that has ended is taken over, and the late one writes nothing', async () => {
  const { sql } = maitred;
  const time = movable();
  await addBistros(1);
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const late = keeperWith(sql, time, async () => {
    begun.resolve();
    await goOn.promise;
  });
  const working = keepOnce(late);
  await begun.promise;
  assert.equal(await keepOnce(keeperWith(sql, time)), 0, 'it is not over yet');
  time.move({ seconds: 60 });
  const successor = keeperWith(sql, time);
  assert.equal(await keepOnce(successor), 1);
  const before = await sql`select * from feed_channel`;
  goOn.resolve();
  await working;
  assert.deepEqual(await sql`select * from feed_channel`, before);
  assert.equal([...late.files.files.keys()].filter((path) => path.endsWith('index.json')).length, 0);
  assert.equal([...successor.files.files.keys()].filter((path) => path.endsWith('index.json')).length, 1);
});

test('a venue that fails is put off longer each time, up to an hour, and holds nobody up', async () => {
  const { sql } = maitred;
  const time = movable();
  const [broken, ...others] = await addBistros(6);
  const tried: number[] = [];
  const scheduler = keeperWith(sql, time, async ({ venueId }) => {
    if (venueId !== broken?.venueId) return;
    tried.push(time.clock().epochMilliseconds / 1000);
    throw new Error('It cannot be made.');
  });
  while ((await keepOnce(scheduler)) > 0);
  const made =
    await sql`select from feed_channel where venue_id = any(${others.map(({ venueId }) => venueId)})`;
  assert.equal(made.length, others.length);
  for (let second = 0; tried.length < 15 && second < 20_000; second += 1) {
    const [row] =
      await sql`select leased_until as until from feed_venue where venue_id = ${broken?.venueId ?? ''}`;
    time.move(time.clock().until(row?.until));
    await keepOnce(scheduler);
  }
  const gaps = tried.slice(1).map((at, index) => at - (tried[index] ?? 0));
  assert.deepEqual(gaps.slice(0, 6), [1, 2, 4, 8, 16, 32]);
  assert.ok(gaps.every((gap, index) => gap >= (gaps[index - 1] ?? 0) && gap <= 3600));
  assert.ok((gaps.at(-1) ?? 0) > 1800);
});

test('a venue that can be made again is as before it failed', async () => {
  const { sql } = maitred;
  const time = movable();
  await addBistros(1);
  let isBroken = true;
  const scheduler = keeperWith(sql, time, async () => {
    if (isBroken) throw new Error('It cannot be made.');
  });
  await keepOnce(scheduler);
  assert.equal(await keepOnce(scheduler), 0);
  isBroken = false;
  time.move({ seconds: 1 });
  assert.equal(await keepOnce(scheduler), 1);
  assert.deepEqual([...(await sql`select attempts from feed_venue`)], [{ attempts: 0 }]);
});

test('one that is told to stop finishes the venue it is at, and leaves the others to anybody', async () => {
  const { sql } = maitred;
  await addBistros(3);
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const scheduler = startFeedScheduler(
    keeperWith(sql, {}, async () => {
      begun.resolve();
      await goOn.promise;
    }),
  );
  await begun.promise;
  assert.equal((await leases(sql)).length, 3);
  const stopped = scheduler.stop();
  goOn.resolve();
  await stopped;
  assert.deepEqual([...(await leases(sql))], []);
  assert.equal((await sql`select from feed_venue where made_mark = mark`).length, 1);
  assert.equal(await keepOnce(keeperWith(sql)), 2);
});

test('a booking does not wait while an index is written', async () => {
  const { sql } = maitred;
  const [bistro] = await addBistros(1);
  assert.ok(bistro);
  await bookAt(maitred, bistro, bistro.dates[0] ?? '');
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const files = filesInMemory();
  const slow = {
    ...files,
    async put(path: string, body: Buffer) {
      if (path.endsWith('/index.json')) {
        begun.resolve();
        await goOn.promise;
      }
      await files.put(path, body);
    },
  };
  const working = keepOnce(keeperWith(sql, { files: slow }));
  await begun.promise;
  await bookAt(maitred, bistro, bistro.dates[0] ?? '');
  goOn.resolve();
  assert.equal(await working, 1);
  assert.equal(await keepOnce(keeperWith(sql, { files })), 1, 'it came too late for the first');
});

test('feeds are looked over once a day, and made from scratch on Mondays', async () => {
  const { sql } = maitred;
  let now = Temporal.ZonedDateTime.from('2027-03-03T12:00[Europe/London]').toInstant();
  await addBistros(1);
  const fully: boolean[] = [];
  const days: number[] = [];
  const scheduler = keeperWith(sql, { clock: () => now }, async ({ isFull, nowMs }) => {
    const { dayOfWeek } = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO('Europe/London');
    if (isFull) fully.push(dayOfWeek === 1);
    days.push(dayOfWeek);
  });
  assert.equal(await keepOnce(scheduler), 1);
  assert.deepEqual(fully, [false], 'the first time there is nothing to carry');
  for (let hour = 0; hour < 28 * 24; hour += 1) {
    now = now.add({ hours: 1 });
    await keepOnce(scheduler);
  }
  assert.deepEqual(fully.slice(1), [true, true, true, true]);
  assert.deepEqual(
    days,
    Array.from({ length: 29 }, (_, index) => ((2 + index) % 7) + 1),
  );
});
