/** When a place becomes free, the first party that it fits gets it for a quarter of an hour. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { emptyEventLog } from '../../support/databases/empty-event-log.ts';
import { callNow, standingClock } from '../bookings/amend/amending.ts';
import { type Body, book, booked, bookingsApp, DINNER, freeDay } from '../bookings/support.ts';
import {
  added,
  cancel,
  dayWithTables,
  fullDay,
  joined,
  leave,
  manage,
  read,
  SOHO,
  statusOf,
  work,
} from './support.ts';

const time = standingClock(
  Temporal.Now.zonedDateTimeISO('Europe/London').with({ hour: 10, minute: 0 }).toInstant(),
);
const maitred = bookingsApp(
  { deps: { clock: time.clock } },
  ({ sql }) => sql`update house_product set notice_minutes = 0 where product_id = ${`${SOHO}|dinner`}`,
);
beforeEach(async () => {
  await maitred().sql`delete from waitlist_entry`;
  await maitred().sql`delete from hold`;
});

const guest = { firstName: 'Grace', lastName: 'Hopper', type: 'book', partySize: 2 };

test('nothing is offered while nothing is free, and the first gets what becomes free', async () => {
  const { date, booking } = await fullDay(maitred());
  const first = await joined(maitred(), { date, partnerBookingId: `wait-${date}` });
  const second = await joined(maitred(), { date });
  await work(maitred());
  assert.deepEqual(
    [await statusOf(maitred(), first.id), await statusOf(maitred(), second.id)],
    ['waiting', 'waiting'],
  );

  await cancel(maitred(), booking);
  const next = await work(maitred());
  const { status, position, offer } = await read(maitred(), first.id);
  assert.deepEqual([status, position], ['offered', null]);
  const { holdId, expiresAt, slot } = offer;
  assert.deepEqual([slot.date, slot.time], [date, '19:00']);
  const ends = time.clock().add({ minutes: 15 });
  assert.equal(Temporal.Instant.from(expiresAt).epochMilliseconds, ends.epochMilliseconds);
  assert.equal(next?.epochMilliseconds, ends.epochMilliseconds, 'the worker comes back when the offer ends');
  assert.equal((await read(maitred(), second.id)).position, 1, 'one party for one table');

  const hold = await callNow(maitred(), `/venues/holds/${holdId}`);
  assert.equal(hold.json.status, 'open', hold.text);
  assertProblem(await book(maitred(), { date, time: '19:00' }), 409, 'AVAIL-N-005');

  const made = await booked(maitred(), { ...guest, date, time: '19:00', holdId });
  assert.equal(made.id, holdId);
  const taken = await read(maitred(), first.id);
  assert.deepEqual([taken.status, taken.bookingId, taken.offer], ['booked', holdId, null]);
  await work(maitred());
  const [row] = await maitred().sql`select status from waitlist_entry where id = ${first.id}`;
  assert.equal(row?.status, 'booked');
  assert.equal(await statusOf(maitred(), second.id), 'waiting');
});

test('an offer that is not used goes to the next one, and its party does not wait any more', async () => {
  const { date, booking } = await fullDay(maitred());
  const [first, second] = [await joined(maitred(), { date }), await joined(maitred(), { date })];
  await cancel(maitred(), booking);
  await work(maitred());
  const { offer } = await read(maitred(), first.id);
  const before = time.clock();
  time.move({ minutes: 15 });
  assert.equal(await statusOf(maitred(), first.id), 'expired', 'by clock, before any job');
  await work(maitred());
  assert.equal(await statusOf(maitred(), second.id), 'offered');
  assert.equal(await statusOf(maitred(), first.id), 'expired');
  const late = await callNow(maitred(), `/venues/${encodeURIComponent(`${SOHO}|dinner`)}/booking`, {
    method: 'POST',
    body: { ...guest, date, time: '19:00', holdId: offer.holdId },
  });
  assertProblem(late, 410, 'HOLD-N-002');
  time.moveTo(before);
});

test('a party that the place does not fit is passed over, and keeps its place on the list', async () => {
  const { date, booking } = await fullDay(maitred());
  const large = await joined(maitred(), { date, partySize: 5 });
  const late = await joined(maitred(), { date, from: '20:30', to: '21:00', partySize: 6 });
  const small = await joined(maitred(), { date });
  await cancel(maitred(), booking);
  await work(maitred());
  assert.equal(await statusOf(maitred(), small.id), 'offered');
  assert.equal((await read(maitred(), large.id)).position, 1);
  assert.equal((await read(maitred(), late.id)).position, 2);
});

test('a party whose partner keeps as many places as it may is passed over, and waits on', async () => {
  const { date, booking } = await fullDay(maitred());
  const first = await joined(maitred(), { date });
  const second = await joined(maitred(), { date }, { as: 'other-partner' });
  const holds = `/venues/${encodeURIComponent(DINNER)}/holds`;
  for (let count = 0; count < 20; count += 1) {
    const body = { date: freeDay(), time: '19:00', partySize: 2 };
    const { status, text } = await callNow(maitred(), holds, { method: 'POST', body });
    assert.equal(status, 201, text);
  }
  await cancel(maitred(), booking);
  await work(maitred());
  assert.equal((await manage(maitred(), `/${second.id}`)).json.status, 'offered');
  const { status, position } = await read(maitred(), first.id);
  assert.deepEqual([status, position], ['waiting', 1]);
});

test('the first start of the window that is free is offered', async () => {
  const date = await dayWithTables(maitred(), 1);
  await booked(maitred(), { date, time: '18:00' });
  const { id } = await joined(maitred(), { date, from: '18:00', to: '21:00' });
  await work(maitred());
  const { offer } = await read(maitred(), id);
  const day = await callNow(
    maitred(),
    `/venues/${encodeURIComponent(`${SOHO}|dinner`)}/availability?date=${date}&partySize=2&includeUnavailable=true`,
  );
  const starts = day.json.times.map(({ time: start }: Body) => start);
  assert.ok(offer.slot.time > '18:00' && offer.slot.time <= '21:00', offer.slot.time);
  assert.ok(starts.includes(offer.slot.time));
});

test('a block that is lifted, an amendment and a hold that is released free places too', async () => {
  const lifted = await fullDay(maitred());
  const { id } = await joined(maitred(), { date: lifted.date });
  const blocks = `/manage/venues/${encodeURIComponent(SOHO)}/blocks`;
  const { json } = await callNow(maitred(), `${blocks}?from=${lifted.date}&to=${lifted.date}`, {
    as: 'demo-operator',
  });
  for (const block of json.data)
    await callNow(maitred(), `${blocks}/${block.id}`, { method: 'DELETE', as: 'demo-operator' });
  await work(maitred());
  assert.equal(await statusOf(maitred(), id), 'offered');

  const moved = await fullDay(maitred());
  const waiting = await joined(maitred(), { date: moved.date });
  const steps = [{ op: 'replace', path: '/time', value: '21:30' }];
  const answer = await callNow(maitred(), `/venues/bookings/${moved.booking.id}`, {
    method: 'PATCH',
    body: steps,
  });
  assert.equal(answer.status, 200, answer.text);
  await work(maitred());
  assert.equal(await statusOf(maitred(), waiting.id), 'offered');

  const date = await dayWithTables(maitred(), 1);
  const holds = `/venues/${encodeURIComponent(`${SOHO}|dinner`)}/holds`;
  const hold = await callNow(maitred(), holds, {
    method: 'POST',
    body: { date, time: '19:00', partySize: 2 },
  });
  assert.equal(hold.status, 201, hold.text);
  const last = await joined(maitred(), { date });
  await work(maitred());
  assert.equal(await statusOf(maitred(), last.id), 'waiting');
  await callNow(maitred(), `/venues/holds/${hold.json.id}`, { method: 'DELETE' });
  await work(maitred());
  assert.equal(await statusOf(maitred(), last.id), 'offered');
});

test('changes on days that are waited for wake the worker, and others do not', async () => {
  const heard: string[] = [];
  const { sql } = maitred();
  const subscription = await sql.listen('changed', (topic) => heard.push(topic));
  const { date, booking } = await fullDay(maitred());
  const other = await booked(maitred());
  const count = () => heard.filter((topic) => topic === 'waitlist').length;
  const settled = async () => {
    await sql`select pg_notify('changed', 'done')`;
    while (!heard.includes('done')) await new Promise((resolve) => setTimeout(resolve, 5));
    const found = count();
    heard.length = 0;
    return found;
  };
  assert.equal(await settled(), 0, 'nobody waits');
  await joined(maitred(), { date });
  assert.equal(await settled(), 1, 'a party came');
  await cancel(maitred(), other);
  assert.equal(await settled(), 0, 'another day');
  await cancel(maitred(), booking);
  assert.ok((await settled()) > 0, 'its day');
  await subscription.unlisten();
});

test('a party that is taken off the list gives back the place that is kept for it', async () => {
  const { date, booking } = await fullDay(maitred());
  const [first, second] = [await joined(maitred(), { date }), await joined(maitred(), { date })];
  await cancel(maitred(), booking);
  await work(maitred());
  await leave(maitred(), first.id);
  assert.equal(await statusOf(maitred(), first.id), 'removed');
  await work(maitred());
  assert.equal(await statusOf(maitred(), second.id), 'offered');
});

test('an offer follows its hold: released it has ended, extended it lasts longer', async () => {
  const { date, booking } = await fullDay(maitred());
  const { id } = await joined(maitred(), { date });
  await cancel(maitred(), booking);
  await work(maitred());
  const { offer } = await read(maitred(), id);
  const before = time.clock();
  time.move({ minutes: 14 });
  const extended = await callNow(maitred(), `/venues/holds/${offer.holdId}/extend`, {
    method: 'POST',
    body: {},
  });
  assert.equal(extended.status, 200, extended.text);
  assert.equal((await read(maitred(), id)).offer.expiresAt, extended.json.expiresAt);
  time.move({ minutes: 3 });
  await work(maitred());
  assert.equal(await statusOf(maitred(), id), 'offered');
  await callNow(maitred(), `/venues/holds/${offer.holdId}`, { method: 'DELETE' });
  assert.equal(await statusOf(maitred(), id), 'expired');
  time.moveTo(before);
});

test('parties of the house and of partners stand on one list, and each is told of its offer', async () => {
  const { date, booking } = await fullDay(maitred());
  const house = await added(maitred(), { date, phone: '+44 20 7946 0123' });
  const partners = await joined(maitred(), { date });
  assert.equal(partners.position, 2);
  await emptyEventLog(maitred().sql);
  await cancel(maitred(), booking);
  await work(maitred());
  const offered = (await manage(maitred(), `/${house.id}`)).json;
  assert.deepEqual([offered.status, offered.partner, offered.origin], ['offered', null, 'phone']);
  assertProblem(await callNow(maitred(), `/venues/waitlist/${house.id}`), 404, 'WAIT-N-001');
  assertProblem(await callNow(maitred(), `/venues/holds/${offered.offer.holdId}`), 404, 'HOLD-N-001');

  const answer = await manage(maitred(), `/${house.id}/book`, { method: 'POST' });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.json.status, answer.json.bookingId], ['booked', offered.offer.holdId]);
  const [row] = await maitred().sql`
    select partner_id as partner, origin, status from booking where id = ${offered.offer.holdId}`;
  assert.deepEqual({ ...row }, { partner: null, origin: 'phone', status: 'confirmed' });

  const events = await maitred().sql`
    select partner_id as "partnerId", operator_id as "operatorId" from event where type = 'waitlist.offered'`;
  assert.deepEqual(
    events.map((each) => ({ ...each })),
    [{ partnerId: null, operatorId: 1 }],
  );
});

test('the partner and the operator get the event, without the guest', async () => {
  const { date, booking } = await fullDay(maitred());
  const { id } = await joined(maitred(), {
    date,
    lastName: 'Quillfeather',
    partnerBookingId: `told-${date}`,
  });
  await cancel(maitred(), booking);
  await work(maitred());
  const { json } = await callNow(maitred(), '/webhooks/events?eventType=waitlist.offered');
  const [event] = json.data;
  assert.equal(event.eventType, 'waitlist.offered');
  const [told] = event.body.waitlist;
  const entry = await read(maitred(), id);
  assert.deepEqual([told.id, told.status, told.partnerBookingId], [id, 'offered', `told-${date}`]);
  assert.deepEqual(told.offer, entry.offer);
  assert.doesNotMatch(JSON.stringify(event), /Quillfeather|grace@/);
});

test('a partner that may no longer book there is passed over', async () => {
  const { date, booking } = await fullDay(maitred());
  const { id } = await joined(maitred(), { date });
  const house = await added(maitred(), { date });
  await maitred()
    .sql`update partner_operator set is_suspended = true where partner_id = 1 and operator_id = 1`;
  try {
    await maitred().sql`update booking set partner_id = null, origin = 'phone' where id = ${booking.id}`;
    const cancelled = await callNow(maitred(), `/manage/operators/1/bookings/${booking.id}/cancel`, {
      method: 'POST',
      as: 'demo-operator',
    });
    assert.equal(cancelled.status, 200, cancelled.text);
    await work(maitred());
    assert.equal((await manage(maitred(), `/${house.id}`)).json.status, 'offered');
    assert.equal((await manage(maitred(), `/${id}`)).json.status, 'waiting');
  } finally {
    await maitred()
      .sql`update partner_operator set is_suspended = false where partner_id = 1 and operator_id = 1`;
  }
});

test('a start that is too close is not offered, and no offer lasts longer than until its start', async () => {
  const { date, booking } = await fullDay(maitred());
  const start = Temporal.PlainDateTime.from(`${date}T19:00`).toZonedDateTime('Europe/London').toInstant();
  const { id } = await joined(maitred(), { date });
  const before = time.clock();
  time.moveTo(start.subtract({ minutes: 5 }));
  await cancel(maitred(), booking);
  time.moveTo(start.subtract({ seconds: 30 }));
  await work(maitred());
  assert.equal(await statusOf(maitred(), id), 'waiting');
  time.moveTo(start.subtract({ minutes: 5 }));
  await work(maitred());
  const { offer } = await read(maitred(), id);
  assert.equal(Temporal.Instant.from(offer.expiresAt).epochMilliseconds, start.epochMilliseconds);
  time.moveTo(before);
});
