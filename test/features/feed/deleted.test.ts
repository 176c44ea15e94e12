import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlocks } from '../../race/balance.ts';
import { someoneWaits } from '../../support/databases/lock-waits.ts';
import { eventually } from '../../support/eventually.ts';
import { bookingsApp } from '../bookings/support.ts';
import { type Files, filesInMemory, makerOf } from './support.ts';

const app = bookingsApp();
const VENUE = '1|house|soho-grill';
const DELETED = `${VENUE}|private-dining`;

test('a product that is deleted while its feed is made costs the others nothing', async () => {
  const { sql } = app();
  await sql`delete from feed_channel where venue_id = ${VENUE}`;
  const memory = filesInMemory();
  let isDeleted = false;
  const storage: Files = {
    ...memory,
    async put(path, body) {
      if (!isDeleted) {
        isDeleted = true;
        assert.equal((await sql`delete from product where id = ${DELETED}`).count, 1);
      }
      await memory.put(path, body);
    },
  };
  const { files } = await makerOf(app(), storage).make(VENUE);
  assert.ok(isDeleted && files > 0);
  const channels = await sql<{ id: string }[]>`
    select distinct product_id as id from feed_channel where venue_id = ${VENUE}`;
  assert.deepEqual(
    channels.map(({ id }) => id),
    [`${VENUE}|dinner`],
  );
  // The deletion has marked the venue: it is made again.
  const [venue] = await sql`select mark > made_mark as "isDue" from feed_venue where venue_id = ${VENUE}`;
  assert.equal(venue?.isDue, true);
});

const at = (venue: string) => `/manage/venues/${encodeURIComponent(venue)}`;
/** What is deleted, and a venue with a feed of it. */
const deletions: Record<string, [path: string, venue: string]> = {
  product: [`${at(VENUE)}/products/dinner`, VENUE],
  venue: [at('4|house|saltmarsh'), '4|house|saltmarsh'],
  partner: ['/manage/partners/1', '4|house|canopy'],
};

for (const [name, [path, venue]] of Object.entries(deletions))
  test(`a ${name} that is deleted while its feed is finished and the feed do not deadlock`, async () => {
    const { sql, call } = app();
    const before = await deadlocks(sql);
    const memory = filesInMemory();
    let deleting: ReturnType<typeof call> | undefined;
    const storage: Files = {
      ...memory,
      async put(file, body) {
        // Indexes are written last, when the feed of the venue is held.
        if (file.endsWith('/index.json') && deleting === undefined) {
          deleting = call(path, { method: 'DELETE', as: 'demo-admin' });
          await eventually(() => someoneWaits(sql));
        }
        await memory.put(file, body);
      },
    };
    await makerOf(app(), storage).make(venue, { isFull: true });
    assert.equal((await deleting)?.status, 204);
    assert.equal(await deadlocks(sql), before);
  });
