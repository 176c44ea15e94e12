/** What is read of the log while some of it is being written: whoever goes on from a cursor misses nothing. */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { inSnapshot, inTransaction, type Tx } from '../../../../src/db/database.ts';
import { getSettledPosition, listLog } from '../../../../src/features/webhooks/log/store.ts';
import { parseVenueId } from '../../../../src/kernel/ids.ts';
import { emptyEventLog } from '../../../support/databases/empty-event-log.ts';
import { bookingsApp } from '../../bookings/support.ts';
import { madeUpBooking } from '../made-up.ts';

const maitred = bookingsApp();
beforeEach(() => emptyEventLog(maitred().sql));

const VENUE = parseVenueId('1|house|soho-grill');

/** The mark stands where a guest's booking would. */
function append(tx: Tx, mark: string | number): Promise<void> {
  const occurredAt = Temporal.Now.instant().round('millisecond');
  const event = { type: 'booking.updated' as const, partnerId: 1, venueId: VENUE, occurredAt };
  return maitred().services.events.append(tx, { ...event, content: { bookings: [madeUpBooking({ mark })] } });
}

interface Page {
  marks: (string | number)[];
  lastId: string | undefined;
}

/** The next page of a reader that has come as far as that. */
async function readAfter(cursor: string | undefined, limit = 100): Promise<Page> {
  const after = cursor === undefined ? '' : `&cursor=${cursor}`;
  const { text, status, json } = await maitred().call(`/webhooks/events?limit=${limit}${after}`);
  assert.equal(status, 200, text);
  const marks = json.data.map(
    ({ body }: { body: { bookings: { mark: string }[] } }) => body.bookings[0]?.mark,
  );
  return { marks, lastId: json.data.at(-1)?.id ?? cursor };
}

/** Begins a transaction and leaves it open after `work`, until the test ends it. */
async function leftOpen(work: (tx: Tx) => Promise<unknown>) {
  const written = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<'commit' | 'rollback'>();
  const transaction = inTransaction(maitred().sql, async (tx) => {
    await work(tx);
    written.resolve();
    if ((await ended.promise) === 'rollback') throw new Error('Rolled back.');
  });
  await Promise.race([written.promise, transaction]);
  return {
    async commit() {
      ended.resolve('commit');
      await transaction;
    },
    async rollback() {
      ended.resolve('rollback');
      await assert.rejects(transaction, /Rolled back/);
    },
  };
}

test('an event that commits late is not behind those who read on, because what came after it waits for it', async () => {
  await append(maitred().sql, 'before');
  const late = await leftOpen((tx) => append(tx, 'late'));
  await append(maitred().sql, 'after');
  const first = await readAfter(undefined);
  assert.deepEqual(first.marks, ['before']);
  await late.commit();
  assert.deepEqual((await readAfter(first.lastId)).marks, ['late', 'after']);
});

test('read without regard to what is on its way, the same late event is missed', async () => {
  const late = await leftOpen((tx) => append(tx, 'late'));
  await append(maitred().sql, 'after');
  const everything = { id: undefined, type: undefined, since: undefined, until: undefined, limit: 100 };
  const read = (after: string | undefined) =>
    listLog(maitred().sql, { kind: 'partner', id: 1 }, Number.MAX_SAFE_INTEGER, { ...everything, after });
  const first = await read(undefined);
  assert.equal(first.length, 1);
  await late.commit();
  assert.deepEqual(await read(first[0]?.id), []);
});

test('asked in the snapshot that is then read, the log is said to be settled where it is not', async () => {
  const late = await leftOpen((tx) => append(tx, 'late'));
  await append(maitred().sql, 'after');
  const everything = {
    id: undefined,
    type: undefined,
    since: undefined,
    until: undefined,
    after: undefined,
    limit: 100,
  };
  const found = await inSnapshot(maitred().sql, async (tx) => {
    await tx`select`;
    await late.commit();
    return listLog(tx, { kind: 'partner', id: 1 }, await getSettledPosition(tx), everything);
  });
  assert.equal(found.length, 1, 'the later one alone');
  assert.deepEqual((await readAfter(undefined)).marks, ['late', 'after']);
});

test('an event that is rolled back holds nothing up any longer', async () => {
  const undone = await leftOpen((tx) => append(tx, 'undone'));
  await append(maitred().sql, 'after');
  assert.deepEqual((await readAfter(undefined)).marks, []);
  await undone.rollback();
  assert.deepEqual((await readAfter(undefined)).marks, ['after']);
});

test('an event that is written again after a part of its transaction was taken back is waited for as well', async () => {
  const late = await leftOpen(async (tx) => {
    await tx`savepoint first_try`;
    await append(tx, 'undone');
    await tx`rollback to first_try`;
    await append(tx, 'late');
  });
  await append(maitred().sql, 'after');
  assert.deepEqual((await readAfter(undefined)).marks, []);
  await late.commit();
  assert.deepEqual((await readAfter(undefined)).marks, ['late', 'after']);
});

test('a transaction that writes many events is waited for from its first one, and holds one lock for all', async () => {
  const late = await leftOpen(async (tx) => {
    for (const mark of [1, 2, 3]) await append(tx, mark);
  });
  await append(maitred().sql, 'between');
  const [{ count } = { count: 0 }] = await maitred().sql<{ count: number }[]>`
    select count(*) as count from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and l.mode = 'ShareLock'`;
  assert.equal(count, 1);
  assert.deepEqual((await readAfter(undefined)).marks, []);
  await late.commit();
  assert.deepEqual((await readAfter(undefined)).marks, [1, 2, 3, 'between']);
});

test('whoever begins to write while the log is being read does not hide what is there', async () => {
  await append(maitred().sql, 'there');
  // As it looks to a reader who asked for the last number just before.
  const ahead = await leftOpen(
    (tx) => tx`
      select pg_advisory_xact_lock_shared(8062, ((last_value + 3) & 2147483647)::integer) from event_position`,
  );
  assert.deepEqual((await readAfter(undefined)).marks, ['there']);
  await ahead.commit();
});

test('the order holds beyond the numbers that fit into a lock', async () => {
  const { sql } = maitred();
  for (const beginning of [2 ** 31 - 2, 2 ** 32 - 2]) {
    await emptyEventLog(sql);
    await sql`select setval('event_position', ${beginning})`;
    await append(sql, 'before');
    const late = await leftOpen((tx) => append(tx, 'late'));
    for (const mark of ['b', 'c', 'd']) await append(sql, mark);
    const first = await readAfter(undefined);
    assert.deepEqual(first.marks, ['before']);
    await late.commit();
    assert.deepEqual((await readAfter(first.lastId)).marks, ['late', 'b', 'c', 'd']);
  }
});

test('a reader that goes on from page to page, while many write, reads every event once and in one order', async () => {
  const WRITERS = 6;
  const EACH = 25;
  let writing = WRITERS;
  const write = async (writer: number) => {
    for (let turn = 0; turn < EACH; turn += 1) {
      const work = inTransaction(maitred().sql, async (tx) => {
        await append(tx, writer * EACH + turn);
        await tx`select pg_sleep(${((writer * 7 + turn * 3) % 10) / 1000})`;
        if (turn % 5 === writer % 5) throw new Error('Rolled back.');
      });
      await work.catch(() => {});
    }
    writing -= 1;
  };
  const read: (string | number)[] = [];
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  for (let cursor: string | undefined, isLast = false; ; ) {
    const page = await readAfter(cursor, 7);
    read.push(...page.marks);
    cursor = page.lastId;
    if (page.marks.length > 0) continue;
    if (isLast) break;
    isLast = writing === 0;
  }
  await Promise.all(writers);
  assert.equal(read.length, (WRITERS * EACH * 4) / 5);
  assert.equal(new Set(read).size, read.length, 'none twice');
  assert.deepEqual(
    (await readAfter(undefined)).marks,
    read.slice(0, 100),
    'the same order for whoever comes later',
  );
});
