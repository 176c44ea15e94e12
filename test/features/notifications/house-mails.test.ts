import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { DEMO_PASSWORD } from '../../support/people.ts';
import { edit, move, ok, taken, visit } from '../bookings/operator/desk-support.ts';
import { freeDay } from '../bookings/support.ts';
import { closingOf } from '../closures/support.ts';
import { entryOf, mailedApp, partOf, SOHO, subjectOf } from './mailed.ts';

/** Mails about bookings of the house, as the desk makes and changes them. */

const { maitred, server, time, sent } = mailedApp();
const guest = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };

afterEach(async () => {
  await maitred().sql`delete from mail`;
  await maitred().sql`delete from account_notification`;
  server().received.length = 0;
});

test('the guest is told of the booking and of a new time, not of tables and of the visit', async () => {
  const booking = await taken(maitred(), { date: freeDay(), guest });
  const [confirmation, ...none] = await sent();
  assert.deepEqual(none, []);
  assert.ok(confirmation);
  assert.deepEqual(confirmation.to, ['grace@example.com']);
  assert.match(subjectOf(confirmation), /^Your booking at Soho Grill/);
  const tables = await maitred().sql<{ id: number }[]>`
    select t.id from house_table t where t.venue_id = ${SOHO} and t.max_covers >= 2
      and t.id not in (select table_id from house_allocation where reservation_id = ${booking.id}) limit 1`;
  await ok(move(maitred(), booking.id, { tableIds: tables.map(({ id }) => id) }));
  await ok(edit(maitred(), booking.id, { notes: 'A regular' }));
  assert.deepEqual(await sent(), []);
  const moved = await ok(edit(maitred(), booking.id, { time: '20:00' }));
  const [change] = await sent();
  assert.ok(change);
  assert.match(subjectOf(change), /^Changed: .*, 20:00$/);
  assert.equal(entryOf(change)?.sequence, 1);
  const before = time.clock();
  time.moveTo(Temporal.Instant.from(moved.dateTime).add({ minutes: 10 }));
  for (const state of ['arrived', 'seated', 'no_show', 'expected'])
    await ok(visit(maitred(), booking.id, { state }));
  assert.deepEqual(await sent(), []);
  time.moveTo(before);
});

test('without an address there is no mail', async () => {
  await taken(maitred(), { date: freeDay() });
  assert.deepEqual(await sent(), []);
});

test('colleagues are told of a telephone booking, the one that took it is not', async () => {
  const { sql } = maitred();
  await sql`
    insert into account_notification
    select id, 1, true, true, true, false from account where email like '%@lamp.example'`;
  const signedIn = await maitred().call('/manage/sessions', {
    method: 'POST',
    as: null,
    body: { email: 'staff@lamp.example', password: DEMO_PASSWORD },
  });
  const { token } = signedIn.json;
  let mails: Awaited<ReturnType<typeof sent>> = [];
  // The node may hear a moment later that somebody wants to know.
  await eventually(async () => {
    await taken(maitred(), { date: freeDay() }, { token });
    mails = await sent();
    return mails.length > 0;
  });
  assert.deepEqual(
    mails.map(({ to }) => to),
    [['owner@lamp.example']],
  );
  const [mail] = mails;
  assert.ok(mail);
  assert.match(subjectOf(mail), /^New booking: Soho Grill/);
  assert.match(partOf(mail, 'text/plain'), /Name: +Grace Hopper\n/);
});

test('a closure that cancels tells the guest why', async () => {
  const date = freeDay();
  await taken(maitred(), { date, guest });
  await sent();
  const closing = closingOf(maitred, SOHO);
  const { id } = await closing.closed({
    from: date,
    to: date,
    reason: 'Flood',
    bookings: 'cancel',
    message: 'The cellar is under water.',
  });
  await eventually(async () => (await closing.work(id)).state === 'done');
  const [mail, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.ok(mail);
  assert.match(subjectOf(mail), /^Cancelled/);
  assert.match(partOf(mail, 'text/plain'), /Soho Grill writes:\nThe cellar is under water\./);
  assert.equal(entryOf(mail)?.method, 'CANCEL');
});
