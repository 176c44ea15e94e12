/** Runs that nodes die in, and those that begin by themselves at night. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createServices } from '../../../src/services.ts';
import { eventually } from '../../support/eventually.ts';
import {
  catalogueConnector,
  managed,
  product,
  type Said,
  startWorld,
  venue,
  venuePath,
  type World,
} from './support.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const venues = (count: number) => Array.from({ length: count }, (_, index) => venue(`v${index}`));

/** Another node on the same database. */
async function otherNode() {
  return createServices({
    config: readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0' }),
    sql: world.app.sql,
    notifications: { isConnected: () => false, subscribe: () => () => {}, close: async () => {} },
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock: () => Temporal.Now.instant().add({ seconds: 61 }),
    connectors: [catalogueConnector(world.system.url)],
  });
}

test('a node that goes on where another one stood still repeats nothing, and the first one writes no more', async () => {
  const { system, app } = world;
  const all = venues(6);
  const page = (from: number) => ({
    venues: all.slice(from, from + 2),
    next: from < 4 ? String(from + 2) : null,
  });
  system.answer = (cursor) => page(Number(cursor ?? 0));
  const { id: reviewedRunId } = await world.review();

  // The first node hangs at the second page. Its lease ends, and the second node reads from there.
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  system.asked = [];
  system.answer = async (cursor) => {
    if (cursor === '2' && !isHeld) {
      isHeld = true;
      await held.promise;
    }
    return page(Number(cursor ?? 0));
  };
  const { id } = await world.begun({ reviewedRunId });
  const hanging = app.services.systemCatalogue.workDue();
  await eventually(() => Promise.resolve(isHeld));
  const second = await otherNode();
  await second.systemCatalogue.workDue();
  held.resolve();
  await hanging;
  const run = await world.read(id);
  assert.deepEqual([run.state, run.pages, run.venuesRead, run.added], ['done', 3, 6, 12]);
  assert.equal(system.asked.filter((cursor) => cursor === null).length, 1);
  const found = await world.differences(id);
  assert.equal(new Set(found.map(({ position }) => position)).size, 12);
  assert.ok(found.every(({ isApplied }) => isApplied));
  await second.webhooks.close();
});

test('a node that is stopped in a page gives the run back, and what it has done counts once', async () => {
  const { system, app } = world;
  system.answer = undefined;
  system.venues = venues(6).map((each) => ({ ...each, name: `${each.name} again` }));
  system.pageSize = 3;
  const { id: reviewedRunId } = await world.review();
  const { id } = await world.begun({ reviewedRunId });
  const stopping = new AbortController();
  const working = app.services.systemCatalogue.workDue(stopping.signal);
  await eventually(async () => (await world.read(id)).venuesRead >= 1);
  stopping.abort();
  await working;
  const stopped = await world.read(id);
  if (stopped.state === 'running') assert.ok(stopped.venuesRead < 6);
  const run = await world.work(id);
  assert.deepEqual([run.state, run.venuesRead, run.changed, run.unchanged], ['done', 6, 6, 6]);
});

test('at night known venues follow their system, and new ones wait for a review', async () => {
  const { system } = world;
  const [first, second, ...others] = system.venues;
  first.name = 'Renamed';
  second.products = [product('new')];
  system.venues = [first, second, ...others.slice(1), venue('fresh')];
  const run = await world.nightly();
  assert.deepEqual([run.kind, run.state, run.startedBy], ['nightly', 'done', 'Nightly catalogue']);
  assert.deepEqual([run.added, run.changed, run.withdrawn], [3, 1, 3]);
  const found = await world.differences(run.id);
  for (const { kind, isApplied } of found) assert.equal(isApplied, kind !== 'added');
  assert.equal((await managed(world, venuePath('v0'))).name, 'Renamed');
  assert.equal((await managed(world, venuePath('fresh'))).status, 404);
  const { data } = await managed(world, `${venuePath('v1')}/products`);
  assert.deepEqual(
    data.map(({ key, isWithdrawn }: Said) => [key, isWithdrawn]),
    [['supper', true]],
  );
  assert.equal(await world.app.services.systemCatalogue.beginNightly(), 0);

  // The run of the night is as good as a dry run.
  const applied = await world.work((await world.begun({ reviewedRunId: run.id })).id);
  assert.deepEqual([applied.added, applied.changed, applied.withdrawn], [3, 0, 0]);
  assert.equal((await managed(world, venuePath('fresh'))).name, 'Venue fresh');
});

test('a catalogue that has lost most of its venues is not followed at night', async () => {
  const { system } = world;
  const all = system.venues;
  system.venues = all.slice(0, 1);
  const run = await world.nightly();
  assert.equal(run.state, 'failed');
  assert.match(run.failure, /of the 6 venues on sale here are not in the catalogue any more/);
  assert.equal(run.withdrawn, 0);
  system.venues = all;
  assert.equal((await world.nightly()).state, 'done');
});

test('of two that begin at the same moment one is refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => world.call('?dryRun=true', { method: 'POST' })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409, 409]);
  await world.app.services.systemCatalogue.workDue();
});
