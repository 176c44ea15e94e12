import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolderStorage } from '../../../src/features/feed/folder-storage.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { type ProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { type Files, makerOf } from '../../features/feed/support.ts';
import { addRoom, startsApart } from '../../race/venues.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { patience } from '../../support/patience.ts';
import { repeats } from '../../support/repeats.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { startMortalNode, tokenFrom } from '../booking-clients.ts';
import { faultsOf, toldBy, type World } from './feed-life.ts';

const KILLS = repeats(12, 2);
const CLIENTS = 2;
const ASKED_BETWEEN_KILLS = 6;
const PATIENCE_MS = patience(60_000);
const FEED_URL = 'http://feed.example';

let database: TestDatabase;
let productIds: ProductId[];
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
  // Never full, so that there is always something new to tell.
  productIds = [await addRoom(database.sql, 200), await addRoom(database.sql, 200)];
  // The demo's own are looked after elsewhere; here it is about those that are booked.
  const venueIds = productIds.map(venueOfProduct);
  await database.sql`delete from feed_venue where venue_id <> all(${venueIds}::text[])`;
});
after(() => database.drop());

/** The folder as it lies there, and new files as a node would put them. */
function filesIn(folder: string): Files {
  const files = new Map<string, Buffer>();
  for (const token of readdirSync(folder).filter((name) => name !== 'aside'))
    for (const name of readdirSync(join(folder, token)))
      files.set(`${token}/${name}`, readFileSync(join(folder, token, name)));
  const { put } = createFolderStorage(folder);
  return {
    files,
    async put(path, body) {
      await put(path, body);
      files.set(path, body);
    },
    remove: async () => assert.fail('nothing is due yet'),
  };
}

async function untilFed(): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const waiting = () => database.sql`
    select from feed_venue f where mark > made_mark or lease is not null
      or exists (select from house_day d where d.venue_id = f.venue_id and not is_fed)`;
  while ((await waiting()).length > 0) {
    assert.ok(Date.now() < deadline, 'something was never made');
    await sleep(100);
  }
}

async function untilFinishedOne(): Promise<void> {
  const since = new Date().toISOString();
  const deadline = Date.now() + PATIENCE_MS;
  while ((await database.sql`select from feed_channel where made_at > ${since}`).length === 0) {
    assert.ok(Date.now() < deadline, 'nothing was made');
    await sleep(20);
  }
}

const guest = { type: 'book', partySize: 2, firstName: 'Ada', lastName: 'Lovelace' };

function* cycle<Item>(items: readonly Item[]): Generator<Item> {
  for (;;) yield* items;
}

/** As if the lease of the one that was killed had ended. */
const endLeases = () =>
  database.sql`update feed_venue set leased_until = '-infinity' where lease is not null`;

test(`after ${KILLS} kills while bookings are made, the feed is what it is when it is made from scratch`, async (t) => {
  const { sql, url } = database;
  const dataDir = scratchFolder(t);
  const start = (env: Record<string, string> = {}) =>
    startMortalNode(url, { DATA_DIR: dataDir, FEED_URL, ...env });
  let isOver = false;
  let node = start({ ROLE: 'api' });
  t.after(async () => {
    isOver = true;
    (await node).child.kill('SIGKILL');
  });
  const authorization = `Bearer ${await tokenFrom((await node).address)}`;
  let asked = 0;
  /** Books whatever can be had, and takes what becomes of it. */
  const keepBooking = async () => {
    for (const start of cycle(startsApart(40))) {
      if (isOver) return;
      asked += 1;
      const productId = productIds[asked % productIds.length] ?? '';
      const url = `${(await node).address}/venues/${encodeURIComponent(productId)}/booking`;
      const headers = { authorization, 'content-type': 'application/json' };
      const body = JSON.stringify({ ...guest, ...start });
      await fetch(url, { method: 'POST', headers, body }).then(
        (answer) => answer.text(),
        () => sleep(5),
      );
    }
  };
  const working = Promise.all(Array.from({ length: CLIENTS }, keepBooking));
  let inDoubt = 0;
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const { child, exit } = await node;
    const before = asked;
    while (asked < before + ASKED_BETWEEN_KILLS) await sleep(2);
    // Every third has finished something before, and is killed at what comes next.
    if (kill % 3 === 1) await untilFinishedOne();
    await sleep(Math.random() * 1000);
    child.kill('SIGKILL');
    await exit;
    const made = await sql`select from feed_channel`;
    if (kill === 0) assert.equal(made.length, 0, 'a node that only answers makes nothing');
    inDoubt += (await sql`select from feed_venue where lease is not null`).length;
    await endLeases();
    node = start();
  }
  isOver = true;
  await working;
  await untilFed();
  const last = await node;
  last.child.kill('SIGTERM');
  assert.equal(await last.exit, 0);
  t.diagnostic(`${asked} bookings asked for; ${inDoubt} venues were being made when a node was killed`);
  const world: World = { sql, files: filesIn(join(dataDir, 'feed')), clock: systemClock };
  assert.deepEqual(await faultsOf(world), []);
  for (const venueId of productIds.map(venueOfProduct)) {
    const told = await toldBy(world, venueId);
    assert.equal(told.length, 1);
    await makerOf(database, world.files).make(venueId, { isFull: true });
    assert.deepEqual(await toldBy(world, venueId), told);
  }
});
