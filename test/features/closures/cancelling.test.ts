/** A closure that calls off what is inside it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { venueOfProduct } from '../../../src/kernel/ids.ts';
import { addRoom } from '../../race/venues.ts';
import { assertProblem } from '../../support/app.ts';
import { callNow, patch, read, replacing, standingClock } from '../bookings/amend/amending.ts';
import { auditLogOf, look } from '../bookings/operator/manage-support.ts';
import { type Body, booked, bookingsApp, freeDay, jazzDay, tablesOf, VIP } from '../bookings/support.ts';
import { paid, refundsOf } from '../payments/support.ts';
import { closingOf, ofTheHouse } from './support.ts';

const time = standingClock();
const maitred = bookingsApp({ deps: { clock: time.clock } });
const soho = closingOf(maitred, '1|house|soho-grill', 'demo-operator');
const jazz = closingOf(maitred, '2|tickets|jazz-night');
const MESSAGE = 'We are very sorry: a burst pipe has closed us tonight.';

const statusOf = async (id: string, operatorId = 1) =>
  (await look(maitred(), `/${id}`, { as: 'demo-admin', operatorId })).json.status;

test('bookings are cancelled, enquiries rejected, and both are told, written down and read as progress', async () => {
  const date = freeDay();
  const early = await booked(maitred(), { date, time: '17:00' });
  const late = await booked(maitred(), { date, time: '19:00', partySize: 4 });
  const enquiry = await booked(maitred(), { type: 'request', date, time: '20:00', partySize: 14 });
  const house = await booked(maitred(), { date, time: '19:30' });
  await ofTheHouse(maitred(), house.id);
  const over = await booked(maitred(), { date, time: '18:00' });
  await callNow(maitred(), `/venues/bookings/${over.id}`, { method: 'DELETE' });
  const next = await booked(maitred(), { date: freeDay(), time: '19:00' });
  const body = { from: date, to: date, reason: 'Flood', bookings: 'cancel', message: MESSAGE };

  const preview = await soho.preview(body);
  assert.equal(preview.isDryRun, true);
  assert.deepEqual(
    preview.bookings.map(({ id, partner, origin, status }: Body) => [id, partner, origin, status]),
    [
      [early.id, 'Demo Partner', null, 'confirmed'],
      [late.id, 'Demo Partner', null, 'confirmed'],
      [house.id, null, 'phone', 'confirmed'],
      [enquiry.id, 'Demo Partner', null, 'pending'],
    ],
  );
  assert.equal(preview.bookings[1].start.slice(0, 16), `${date}T19:00`);
  assert.deepEqual(preview.totals, { bookings: 4, guests: 22, paidPence: 0, refundPence: 0 });
  assert.deepEqual((await soho.list(`?from=${date}&to=${date}`)).data, []);
  assert.equal(await statusOf(early.id), 'confirmed');

  const closure = await soho.closed(body);
  assert.deepEqual([closure.state, closure.affected, closure.cancelled], ['running', 4, 0]);
  assert.equal(closure.message, MESSAGE);
  const done = await soho.work(closure.id);
  assert.deepEqual([done.state, done.affected, done.cancelled, done.failed], ['done', 4, 4, []]);
  assert.ok(done.finishedAt);

  for (const { id } of [early, late, house]) {
    assert.equal(await statusOf(id), 'cancelled');
    assert.deepEqual(await tablesOf(maitred().sql, id), []);
    const auditLog = await auditLogOf(maitred(), id);
    const cancelled = auditLog.filter(({ action }) => action === 'booking.cancel');
    assert.deepEqual(
      cancelled.map(({ actor, before, after }) => [actor.id, before.status, after.status]),
      [['demo-operator', 'confirmed', 'cancelled']],
    );
  }
  assert.equal(await statusOf(enquiry.id), 'rejected');
  assert.equal(await statusOf(next.id), 'confirmed');
  for (const { id } of [early, late, enquiry]) {
    const { data: messages } = (await look(maitred(), `/${id}/messages`)).json;
    assert.deepEqual(
      messages.map(({ text }: Body) => text),
      [MESSAGE],
    );
    const events = await maitred().services.events.listOfBooking(maitred().sql, id);
    const types = events.map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'message.received').length, 1);
    assert.equal(types.filter((type) => type === 'booking.updated').length, 2);
  }
  const path = `/manage/operators/1/audit?subject=${encodeURIComponent(`closure ${closure.id}`)}`;
  const { data } = (await callNow(maitred(), path, { as: 'demo-operator' })).json;
  assert.deepEqual([data.length, data[0].action, data[0].after.bookings], [1, 'closure.create', 'cancel']);
  assert.doesNotMatch(JSON.stringify(data), /burst pipe/);
  const [{ isSealed }] = await maitred().sql<[{ isSealed: boolean }]>`
    select position('burst' in encode(message, 'escape')) = 0 as "isSealed" from closure where id = ${closure.id}`;
  assert.ok(isSealed);
});

test('everything paid is refunded, whatever the terms, as the dry run has said', async () => {
  const night = { date: jazzDay(4), time: '20:00', partySize: 2 };
  const { id } = await booked(maitred(), night, { productId: VIP });
  const payment = await paid(maitred(), id);
  const body = { from: night.date, to: night.date, bookings: 'cancel' };
  const { totals } = await jazz.preview(body);
  assert.deepEqual(totals, {
    bookings: 1,
    guests: 2,
    paidPence: payment.amount,
    refundPence: payment.amount,
  });
  const kept = await jazz.preview({ ...body, bookings: 'keep' });
  assert.deepEqual([kept.totals.bookings, kept.totals.refundPence], [1, 0]);
  const closure = await jazz.closed(body);
  assert.equal((await jazz.work(closure.id)).cancelled, 1);
  const refunds = await refundsOf(maitred(), id);
  assert.deepEqual(
    refunds.map(({ reason, amountPence }) => [reason, amountPence]),
    [['cancelled', payment.amount]],
  );
});

test('sent again it is the same closure, and with other words another one', async () => {
  const date = freeDay();
  const body = { from: date, to: date, productKeys: ['private-dining', 'dinner'], bookings: 'cancel' };
  const answers = await Promise.all([body, body, body].map((each) => soho.close(each)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202],
  );
  const ids = new Set(answers.map(({ json }) => json.id));
  assert.equal(ids.size, 1);
  const [id = ''] = ids;
  await soho.work(id);
  const again = await soho.closed({ ...body, productKeys: ['dinner', 'private-dining'] });
  assert.deepEqual([again.id, again.state], [id, 'done']);
  assert.notEqual((await soho.closed({ ...body, reason: 'Flood' })).id, id);
  const { data, meta } = await soho.list(`?from=${date}&to=${date}`);
  assert.deepEqual([meta.totalItems, data[0].productKeys], [2, ['dinner', 'private-dining']]);
});

test('of part of a day the stays that reach into it are called off, and visits that have begun go on', async () => {
  const date = freeDay();
  const [lunch, seated, tonight, later] = [
    await booked(maitred(), { date, time: '17:00' }),
    await booked(maitred(), { date, time: '20:00' }),
    await booked(maitred(), { date, time: '20:30' }),
    await booked(maitred(), { date, time: '21:00' }),
  ];
  const before = time.clock();
  time.moveTo(Temporal.Instant.from(seated.dateTime).add({ minutes: 20 }));
  try {
    const body = { from: `${date}T21:00`, to: `${date}T23:59`, productKeys: ['dinner'], bookings: 'cancel' };
    const closure = await soho.closed(body);
    const done = await soho.work(closure.id);
    assert.deepEqual([done.state, done.cancelled], ['done', 2]);
    const statuses = await Promise.all([lunch, seated, tonight, later].map(({ id }) => statusOf(id)));
    assert.deepEqual(statuses, ['confirmed', 'confirmed', 'cancelled', 'cancelled']);
  } finally {
    time.moveTo(before);
  }
});

test('what was opened again is left alone, and what was cancelled by then stays cancelled', async () => {
  const date = freeDay();
  const ids: string[] = [];
  for (const at of ['17:00', '18:00', '19:00']) ids.push((await booked(maitred(), { date, time: at })).id);
  const body = { from: date, to: date, bookings: 'cancel' };
  const waiting = await soho.closed(body);
  assert.equal((await soho.reopen(waiting.id)).status, 204);
  await maitred().services.closures.workDue();
  assert.deepEqual(await Promise.all(ids.map((id) => statusOf(id))), ['confirmed', 'confirmed', 'confirmed']);
  const closure = await soho.closed(body);
  await soho.work(closure.id);
  await soho.reopen(closure.id);
  assert.deepEqual(await Promise.all(ids.map((id) => statusOf(id))), ['cancelled', 'cancelled', 'cancelled']);
  await booked(maitred(), { date, time: '19:00' });
});

test('a closure that was opened while its bookings are cancelled cancels no more of them', async () => {
  const date = freeDay();
  const ids: string[] = [];
  for (const at of ['17:00', '17:15', '17:30', '17:45', '19:00', '19:15', '19:30', '19:45'])
    ids.push((await booked(maitred(), { date, time: at })).id);
  const closure = await soho.closed({ from: date, to: date, bookings: 'cancel' });
  const [working, reopened] = await Promise.all([
    maitred().services.closures.workDue(),
    soho.reopen(closure.id),
  ]);
  assert.equal(reopened.status, 204, reopened.text);
  assert.equal(working, null);
  const statuses = await Promise.all(ids.map((id) => statusOf(id)));
  await maitred().services.closures.workDue();
  assert.deepEqual(await Promise.all(ids.map((id) => statusOf(id))), statuses);
});

test('what is read is what is opened, or nothing is', async () => {
  const date = freeDay();
  await booked(maitred(), { date, time: '19:00' });
  const { id } = await soho.closed({ from: date, to: date, bookings: 'cancel' });
  const url = `/manage/venues/${encodeURIComponent('1|house|soho-grill')}/closures/${id}`;
  const etag = String((await callNow(maitred(), url, { as: 'demo-operator' })).headers.etag);
  await soho.work(id);
  assertProblem(await soho.reopen(id, { 'if-match': etag }), 412, 'HTTP-N-412');
  const fresh = String((await callNow(maitred(), url, { as: 'demo-operator' })).headers.etag);
  assert.equal((await soho.reopen(id, { 'if-match': fresh })).status, 204);
});

test('two nodes share the work, and no booking is cancelled twice', async () => {
  const productId = await addRoom(maitred().sql, 20);
  const room = closingOf(maitred, venueOfProduct(productId));
  const date = freeDay();
  const ids: string[] = [];
  for (let each = 0; each < 20; each += 1)
    ids.push((await booked(maitred(), { date, time: '18:00' }, { productId })).id);
  const { id } = await room.closed({ from: date, to: date, bookings: 'cancel' });
  await Promise.all([1, 2, 3].map(() => maitred().services.closures.workDue()));
  const done = await room.read(id);
  assert.deepEqual([done.state, done.cancelled], ['done', 20]);
  const [counted] = await maitred().sql<[{ entries: number; events: number }]>`
    select (select count(*) from audit_entry where action = 'booking.cancel'
        and subject = any(${ids.map((each) => `booking ${each}`)})) as entries,
      (select count(*) from event where booking_id = any(${ids}::uuid[])) as events`;
  assert.deepEqual({ ...counted }, { entries: 20, events: 40 });
});

test('what has changed hands meanwhile counts as what it is', async () => {
  const date = freeDay();
  const [gone, moved] = [
    await booked(maitred(), { date, time: '19:00' }),
    await booked(maitred(), { date, time: '20:00' }),
  ];
  const { id } = await soho.closed({ from: date, to: date, bookings: 'cancel' });
  await callNow(maitred(), `/venues/bookings/${gone.id}`, { method: 'DELETE' });
  const other = freeDay();
  const away = await patch(maitred(), moved.id, [replacing('/date', other)]);
  assert.equal(away.status, 200, away.text);
  const done = await soho.work(id);
  assert.deepEqual([done.state, done.affected, done.cancelled, done.failed], ['done', 1, 1, []]);
  assert.equal((await read(maitred(), moved.id)).json.status, 'confirmed');
});
