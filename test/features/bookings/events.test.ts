import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampOf } from '../../../src/kernel/clock.ts';
import type { Answer } from '../../support/app.ts';
import {
  asItIs,
  assertThrows,
  cancel,
  demoPartner,
  operator,
  patch,
  put,
  read,
  replacing,
  standingClock,
} from './amend/amending.ts';
import { type Body, book, booked, bookingsApp, freeDay, jazzDay, STANDARD } from './support.ts';

const time = standingClock();
const start = Temporal.Now.instant();
const maitred = bookingsApp({ deps: { clock: time.clock } });
const bookings = () => maitred().services.bookings;

const eventsOf = (id: string) => maitred().services.events.listOfBooking(maitred().sql, id);

/** The event that an action has appended: exactly one, in the transaction that wrote the booking. */
async function told(id: string, action: () => Promise<unknown>): Promise<Body> {
  const before = await eventsOf(id);
  await action();
  const after = await eventsOf(id);
  assert.equal(after.length, before.length + 1);
  assert.deepEqual(after.slice(0, -1), before, 'those of before stay as they were');
  const last = after.at(-1);
  const [written] = await maitred().sql`
    select b.xmin::text = e.xmin::text as together, e.partner_id, e.venue_id
    from booking b, event e where b.id = ${id} and e.id = ${last?.id ?? ''}`;
  assert.ok(written?.together, 'the booking and its event are written together or not at all');
  assert.equal(last?.type, 'booking.updated');
  return JSON.parse(last?.body ?? '');
}

async function statusTold(id: string, action: () => Promise<unknown>): Promise<string> {
  const { bookings: entries } = await told(id, action);
  return entries[0].status;
}

const FIELDS = [
  'id venueId date time partySize status reference firstName lastName email phone duration notes',
  'createdDate lastUpdate actualGuests actualSpend',
].flatMap((line) => line.split(' '));

test('an event has the fields of the interface and says what a read says', async () => {
  const booking = await booked(maitred(), {
    comments: 'By the window',
    children: 1,
    admin_notes: 'A regular',
  });
  const [event] = await eventsOf(booking.id);
  const body = JSON.parse(event?.body ?? '');
  assert.deepEqual(Object.keys(body), ['eventType', 'timestamp', 'bookings']);
  assert.equal(body.eventType, 'booking.updated');
  assert.equal(body.timestamp, booking.lastUpdate);
  assert.match(body.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(body.bookings.length, 1);
  const [entry] = body.bookings;
  assert.deepEqual(Object.keys(entry).sort(), FIELDS.toSorted());
  const { venueId, reference, ...same } = entry;
  for (const [name, value] of Object.entries(same)) assert.deepEqual(value, booking[name], name);
  assert.equal(venueId, '1|house|soho-grill');
  assert.equal(reference, booking.operatorBookingId);
  const [row] = await maitred()
    .sql`select partner_id, venue_id, type from event where id = ${event?.id ?? ''}`;
  assert.deepEqual({ ...row }, { partner_id: 1, venue_id: '1|house|soho-grill', type: 'booking.updated' });
});

test('every change of a booking is told once, with the status that partners know', async () => {
  const { id } = await booked(maitred(), { type: 'request' });
  const [created] = await eventsOf(id);
  assert.equal(JSON.parse(created?.body ?? '').bookings[0].status, 'pending');
  const enquiry = (await read(maitred(), id)).json;
  assert.equal(await statusTold(id, () => bookings().takeUp(operator(1), id)), 'pending');
  assert.equal(
    await statusTold(id, () => put(maitred(), id, { ...asItIs(enquiry), comments: 'x' })),
    'pending',
  );
  assert.equal(await statusTold(id, () => bookings().accept(operator(1), id)), 'confirmed');
  const steps = [replacing('/comments', 'y'), replacing('/phone', '12345')];
  assert.equal(await statusTold(id, () => patch(maitred(), id, steps)), 'confirmed');
  assert.equal(await statusTold(id, () => cancel(maitred(), id)), 'cancelled');
});

test('a rejected enquiry is told as cancelled', async () => {
  const { id } = await booked(maitred(), { type: 'request' });
  assert.equal(await statusTold(id, () => bookings().reject(operator(1), id)), 'cancelled');
});

test('what happens after the visit is told too', async () => {
  const date = freeDay();
  const at = { date, time: '18:00' };
  const [completed, missed, silent] = [
    await booked(maitred(), at),
    await booked(maitred(), at),
    await booked(maitred(), at),
  ];
  time.moveTo(completed.dateTime);
  const spent = { guests: 2, spendPence: 100 };
  assert.equal(await statusTold(missed.id, () => bookings().markNoShow(operator(1), missed.id)), 'no_show');
  const actuals = () => bookings().recordActuals(operator(1), completed.id, spent);
  const { bookings: entries } = await told(completed.id, actuals);
  const [{ status, actualGuests, actualSpend }] = entries;
  assert.deepEqual([status, actualGuests, actualSpend], ['confirmed', 2, 100]);
  assert.equal(
    await statusTold(completed.id, () => bookings().complete(operator(1), completed.id)),
    'completed',
  );
  time.move({ hours: 48 });
  assert.equal(await statusTold(silent.id, () => bookings().completeVisits()), 'completed');
  time.moveTo(start);
});

test('tickets are told of like tables', async () => {
  const night = { date: jazzDay(), time: '20:00', partySize: 3 };
  const booking = await booked(maitred(), night, { productId: STANDARD });
  const { bookings: entries } = await told(booking.id, () =>
    patch(maitred(), booking.id, [replacing('/partySize', 2)]),
  );
  assert.deepEqual([entries[0].venueId, entries[0].partySize], ['2|tickets|jazz-night', 2]);
});

test('the event of an agent belongs to the partner', async () => {
  const headers = { 'x-partner-reference': 'demo-partner' };
  const { id } = await booked(maitred(), {}, { as: 'demo-agent', headers });
  const [row] = await maitred().sql`select partner_id from event where booking_id = ${id}`;
  assert.equal(row?.partner_id, 1);
});

test('lastUpdate grows with every change, also while the clock stands still or steps back', async () => {
  const { id, lastUpdate } = await booked(maitred(), { type: 'request' });
  const moments = [lastUpdate];
  const changes: (() => Promise<unknown>)[] = [
    () => patch(maitred(), id, [replacing('/comments', 'a')]),
    () => patch(maitred(), id, [replacing('/comments', 'b')]),
    () => bookings().takeUp(operator(1), id),
    () => bookings().accept(operator(1), id),
    () => patch(maitred(), id, [replacing('/time', '20:00'), replacing('/type', 'book')]),
    () => cancel(maitred(), id),
  ];
  for (const [index, change] of changes.entries()) {
    if (index === 2) time.move({ minutes: -10 });
    const { timestamp, bookings: entries } = await told(id, change);
    const read = await bookings().get(demoPartner, id);
    assert.equal(entries[0].lastUpdate, read.lastUpdate);
    assert.equal(timestamp, read.lastUpdate);
    moments.push(read.lastUpdate);
  }
  time.moveTo(start);
  for (const [index, moment] of moments.slice(1).entries()) {
    assert.equal(Temporal.Instant.compare(moment, moments[index] ?? ''), 1, `${moments[index]} < ${moment}`);
  }
});

test('the moment of a change is that of the clock when it has gone on', async () => {
  const { id } = await booked(maitred());
  time.move({ minutes: 7 });
  const { timestamp } = await told(id, () => patch(maitred(), id, [replacing('/comments', 'later')]));
  const now = time.clock().round({ smallestUnit: 'millisecond', roundingMode: 'floor' });
  assert.equal(timestamp, timestampOf(now));
});

test('what is refused is not told', async () => {
  const count = async () => (await maitred().sql`select from event`).length;
  const booking = await booked(maitred());
  const enquiry = await booked(maitred(), { type: 'request' });
  await bookings().reject(operator(1), enquiry.id);
  const before = await count();
  const refusals: (() => Promise<Answer>)[] = [
    () => book(maitred(), { partySize: 9 }),
    () => book(maitred(), { partySize: 0 }),
    () => put(maitred(), booking.id, { ...asItIs(booking), partySize: 9 }),
    () => patch(maitred(), booking.id, [replacing('/time', '19:07')]),
    () => patch(maitred(), booking.id, [replacing('/nothing', 1)]),
    () => cancel(maitred(), enquiry.id),
    () => cancel(maitred(), booking.id, 'other-partner'),
  ];
  for (const refusal of refusals) {
    const { status, text } = await refusal();
    assert.ok(status >= 400 && status < 500, text);
  }
  for (const act of ['accept', 'reject', 'takeUp', 'complete', 'markNoShow'] as const)
    await assertThrows(bookings()[act](operator(1), enquiry.id), 'BOOK-N-014');
  await cancel(maitred(), booking.id);
  assert.equal(await count(), before + 1);
  await cancel(maitred(), booking.id);
  assert.equal(await count(), before + 1, 'cancelled again, it is not told again');
});

test('where the event cannot be written, the change is not made either', async () => {
  const { sql } = maitred();
  const booking = await booked(maitred());
  await sql`alter table event add constraint nothing_more check (booking_id <> ${sql.unsafe(`'${booking.id}'`)}) not valid`;
  try {
    const answer = await patch(maitred(), booking.id, [replacing('/comments', 'Never written')]);
    assert.equal(answer.status, 500);
    await assert.rejects(bookings().cancel(demoPartner, booking.id));
  } finally {
    await sql`alter table event drop constraint nothing_more`;
  }
  assert.deepEqual((await read(maitred(), booking.id)).json, booking);
});
