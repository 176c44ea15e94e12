/** Two nodes, one place: one party gets it, the first, and a node that dies leaves both the hold and the offer or neither. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { openNotifications } from '../../../src/db/notifications.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { parseProductId } from '../../../src/kernel/ids.ts';
import { createServices, type Services } from '../../../src/services.ts';
import { demoPartner } from '../bookings/amend/amending.ts';
import { type Body, bookingsApp, DINNER } from '../bookings/support.ts';
import { cancel, dayWithTables, fullDay, joined, leave, read, statusOf, work } from './support.ts';

const maitred = bookingsApp();
let second: Services;
let stop: () => Promise<void>;
before(async () => {
  const notifications = await openNotifications(maitred().url);
  second = await createServices({
    config: readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0' }),
    sql: maitred().sql,
    notifications,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock: systemClock,
  });
  stop = async () => {
    await second.webhooks.close();
    await second.systems.calls.close();
    await second.connections.close();
    await notifications.close();
  };
});
after(() => stop());
beforeEach(() => maitred().sql`delete from waitlist_entry`);

const holds = async (date: string): Promise<number> => {
  const [counted] = await maitred().sql`
    select count(*)::int as open from house_hold where trading_day = ${date} and expires_at > now()`;
  return counted?.open;
};

test('two nodes that see the place at once offer it once, to the first', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { date, booking } = await fullDay(maitred());
    const entries: Body[] = [];
    for (let count = 0; count < 4; count += 1) entries.push(await joined(maitred(), { date }));
    await cancel(maitred(), booking);
    await Promise.all([
      work(maitred()),
      second.waitlist.workDue(),
      work(maitred()),
      second.waitlist.workDue(),
    ]);
    const statuses = await Promise.all(entries.map(({ id }) => statusOf(maitred(), id)));
    assert.deepEqual(statuses, ['offered', 'waiting', 'waiting', 'waiting']);
    assert.equal(await holds(date), 1);
    await maitred().sql`delete from waitlist_entry`;
  }
});

/** Both nodes work on one list at once. */
const withoutLease = async (work: () => Promise<unknown>): Promise<void> => {
  const { sql } = maitred();
  await sql`create function no_lease() returns trigger language plpgsql as
    'begin new.leased_until = ''-infinity''; return new; end'`;
  await sql`create trigger no_lease before update on waitlist_day for each row execute function no_lease()`;
  await work();
  await sql`drop trigger no_lease on waitlist_day`;
  await sql`drop function no_lease`;
};

test('two nodes on one list keep one of two free places for one party', async () => {
  await withoutLease(async () => {
    for (let round = 0; round < 5; round += 1) {
      const date = await dayWithTables(maitred(), 2);
      const { id } = await joined(maitred(), { date });
      await Promise.all([
        work(maitred()),
        second.waitlist.workDue(),
        work(maitred()),
        second.waitlist.workDue(),
      ]);
      assert.equal(await statusOf(maitred(), id), 'offered');
      assert.equal(await holds(date), 1);
    }
  });
});

test('the control: without asking in the transaction whether it still waits, they keep both', async () => {
  const date = await dayWithTables(maitred(), 2);
  const hold = {
    productId: parseProductId(DINNER),
    body: { date, time: '19:00', partySize: 2 },
    ttlSeconds: 900,
  };
  await Promise.all([
    maitred().services.bookings.makeHold(demoPartner, hold),
    second.bookings.makeHold(demoPartner, hold),
  ]);
  assert.equal(await holds(date), 2);
});

test('a party that leaves while it is offered a place keeps none', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { date, booking } = await fullDay(maitred());
    const { id } = await joined(maitred(), { date });
    await cancel(maitred(), booking);
    await Promise.all([work(maitred()), leave(maitred(), id)]);
    assert.equal(await statusOf(maitred(), id), 'removed');
    assert.equal(await holds(date), 0, 'the place is free again');
    await maitred().sql`delete from waitlist_entry`;
  }
});

test('what fails while an offer is written leaves neither a hold nor an offer', async () => {
  const { date, booking } = await fullDay(maitred());
  const { id } = await joined(maitred(), { date });
  await cancel(maitred(), booking);
  const { sql } = maitred();
  await sql`create function no_event() returns trigger language plpgsql as 'begin raise exception ''the disk is full''; end'`;
  await sql`create trigger no_event before insert on event for each row execute function no_event()`;
  await work(maitred());
  assert.equal(await statusOf(maitred(), id), 'waiting');
  assert.equal(await holds(date), 0);
  await sql`drop trigger no_event on event`;
  await work(maitred());
  assert.equal(await statusOf(maitred(), id), 'offered');
  assert.equal((await read(maitred(), id)).offer.slot.time, '19:00');
});

test('the lease of a node that has died ends, and another goes on', async () => {
  const { date, booking } = await fullDay(maitred());
  const { id } = await joined(maitred(), { date });
  await cancel(maitred(), booking);
  await maitred()
    .sql`update waitlist_day set leased_until = now() + interval '1 minute' where trading_day = ${date}`;
  const again = await work(maitred());
  assert.equal(await statusOf(maitred(), id), 'waiting', 'another node is at work');
  assert.ok(again && again.epochMilliseconds < Date.now() + 10_000, 'and it is tried again soon');
  await maitred().sql`update waitlist_day set leased_until = now() where trading_day = ${date}`;
  await work(maitred());
  assert.equal(await statusOf(maitred(), id), 'offered');
});
