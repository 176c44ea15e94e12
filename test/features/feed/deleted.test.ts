import assert from 'node:assert/strict';
import { test } from 'node:test';
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
