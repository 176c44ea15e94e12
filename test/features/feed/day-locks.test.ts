import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction, type Tx } from '../../../src/db/database.ts';
import { someoneWaits } from '../../support/databases/lock-waits.ts';
import { eventually } from '../../support/eventually.ts';
import { bistroApp, VENUE } from './bistro.ts';

const bistro = bistroApp();

/** The last day that is over for the feed, and the first whose stays it looks at. */
const [PAST, COVERED] = ['2030-02-27', '2030-02-28'];

const mark = (tx: Tx, day: string) => tx`
  insert into house_day (venue_id, day, mark) values (${VENUE}, ${day}, nextval('house_mark'))
  on conflict (venue_id, day) do update set mark = excluded.mark, is_fed = false`;

test('a stay that is marked from a past day to a covered one and a feed that is finished do not wait for each other', async () => {
  const { sql, make } = bistro();
  for (const day of [PAST, COVERED]) await mark(sql, day);
  let making: Promise<unknown> | undefined;
  await inTransaction(sql, async (tx) => {
    await mark(tx, PAST);
    making = make();
    await eventually(() => someoneWaits(sql));
    await mark(tx, COVERED);
  });
  await making;
  const days = await sql`select day, is_fed as "isFed" from house_day where venue_id = ${VENUE} order by day`;
  assert.deepEqual(
    [...days],
    [
      { day: PAST, isFed: true },
      { day: COVERED, isFed: false },
    ],
  );
});
