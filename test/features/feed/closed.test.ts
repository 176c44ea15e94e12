import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampOf } from '../../../src/kernel/clock.ts';
import { closeVenue, reopenVenue } from '../../support/closing.ts';
import { bistroApp, FIRST, NOW, SECOND, VENUE } from './bistro.ts';

const bistro = bistroApp();

test('when a venue closes its index stays, inactive, with the moment and without days', async () => {
  const { make, feedUrl, read } = bistro();
  await make();
  const url = await feedUrl(FIRST);
  await closeVenue(bistro(), VENUE);
  await make();
  assert.equal(await feedUrl(FIRST), url);
  assert.equal(await feedUrl(SECOND), url);
  const { index } = await read(FIRST);
  assert.equal(index.active, false);
  assert.equal(index.shut_at, timestampOf(NOW));
  assert.deepEqual(index.shards, []);
  assert.equal(index.product_name, 'Dinner');
});

test('what the index named before stays for whoever has read that', async () => {
  const shards = [...bistro().maker.files.keys()].filter((path) => path.endsWith('.gz'));
  assert.ok(shards.length > 100);
});

test('nothing is made of a closed venue again and again', async () => {
  const { files } = await bistro().make({ days: 1 });
  assert.equal(files, 0);
});

test('a venue that closes, opens and closes again says when it closed last', async () => {
  const { sql, make, read } = bistro();
  await reopenVenue(bistro(), VENUE);
  await sql`update venue set closed_at = '2030-03-01T11:00:00.000Z' where id = ${VENUE}`;
  await make({ hours: 1 });
  const { index } = await read(FIRST);
  assert.equal(index.shut_at, '2030-03-01T11:00:00.000Z');
});

test('a venue that opens again has its days back at the same address', async () => {
  const { make, feedUrl, read } = bistro();
  const url = await feedUrl(FIRST);
  await reopenVenue(bistro(), VENUE);
  await make();
  assert.equal(await feedUrl(FIRST), url);
  const { index, shards } = await read(FIRST);
  assert.equal(index.active, true);
  assert.equal(index.shut_at, null);
  assert.ok(shards.size > 100);
});
