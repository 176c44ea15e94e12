import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampOf } from '../../../src/kernel/clock.ts';
import {
  assertThrows,
  assertThrowsUnchanged,
  cancel,
  demoPartner,
  operator,
  platform,
} from './amend/amending.ts';
import { booked, bookingsApp } from './support.ts';

const maitred = bookingsApp();
const bookings = () => maitred().services.bookings;
const ALL = { limit: 100, offset: 0 };
const MESSAGE = { text: 'Do you need a high chair? 🪑', replyTo: 'desk@soho-grill.example' };

test('messages are listed in the order in which they were sent, to the partner and to the operator', async () => {
  const { id } = await booked(maitred());
  const sent = [];
  for (const text of ['First', 'Second', 'Third'])
    sent.push((await bookings().sendMessage(operator(1), id, { text, replyTo: null })).id);
  sent.push((await bookings().sendMessage(platform, id, MESSAGE)).id);
  for (const caller of [demoPartner, operator(1), platform]) {
    const listed = await bookings().listMessages(caller, id, ALL);
    assert.deepEqual(
      listed.map((each) => each.id),
      sent,
    );
    assert.deepEqual(
      listed.map(({ message }) => message?.text),
      ['First', 'Second', 'Third', MESSAGE.text],
    );
    assert.deepEqual(listed[3]?.message, MESSAGE);
  }
});

test('a message is told to the partner with the fields of the interface, and the booking stays as it is', async () => {
  const booking = await booked(maitred());
  const { sql, services } = maitred();
  const { id: messageId } = await bookings().sendMessage(operator(1), booking.id, MESSAGE);
  const events = await services.events.listOfBooking(sql, booking.id);
  assert.equal(events.length, 2);
  const told = events.find(({ type }) => type === 'message.received');
  assert.deepEqual(JSON.parse(told?.body ?? ''), {
    eventType: 'message.received',
    timestamp: told && timestampOf(told.occurredAt),
    messages: [{ id: messageId, bookingId: booking.id, text: MESSAGE.text, replyTo: MESSAGE.replyTo }],
  });
  const [same] = await sql<[{ same: boolean }]>`
    select m.xmin::text = e.xmin::text as same from booking_message m, event e
    where m.id = ${messageId} and e.id = ${told?.id ?? ''}`;
  assert.ok(same.same, 'written in one transaction');
  assert.deepEqual(await bookings().get(demoPartner, booking.id), booking);
});

test('only the operator of the venue writes, and only who sees the booking reads', async () => {
  const { id } = await booked(maitred());
  for (const [caller, code] of [
    [operator(2), 'OPRTR-N-002'],
    [demoPartner, 'USER-N-009'],
  ] as const) {
    await assertThrowsUnchanged(maitred(), id, () => bookings().sendMessage(caller, id, MESSAGE), code);
  }
  const others = await booked(maitred(), {}, { as: 'other-partner' });
  await bookings().sendMessage(operator(1), others.id, MESSAGE);
  await assertThrows(bookings().listMessages(demoPartner, others.id, ALL), 'PMAP-N-003');
  await assertThrows(bookings().listMessages(operator(2), others.id, ALL), 'OPRTR-N-002');
  await assertThrows(bookings().listMessages(operator(1), 'x', ALL), 'BOOK-N-006');
  assert.deepEqual(await bookings().listMessages(demoPartner, id, ALL), []);
});

test('one can still write about a booking that was cancelled', async () => {
  const { id } = await booked(maitred());
  await cancel(maitred(), id);
  await bookings().sendMessage(operator(1), id, MESSAGE);
  assert.equal((await bookings().listMessages(demoPartner, id, ALL)).length, 1);
});

test('a message that was copied to another booking, or altered, does not open', async () => {
  const { sql } = maitred();
  const [first, second] = [await booked(maitred()), await booked(maitred())];
  for (const { id } of [first, second]) await bookings().sendMessage(operator(1), id, MESSAGE);
  await sql`update booking_message m set content = o.content from booking_message o
    where m.booking_id = ${first.id} and o.booking_id = ${second.id}`;
  await assert.rejects(bookings().listMessages(demoPartner, first.id, ALL));
  assert.equal((await bookings().listMessages(demoPartner, second.id, ALL)).length, 1);
});

test('about a guest who was forgotten nothing more can be written down', async () => {
  const { id } = await booked(maitred());
  await bookings().forgetGuest(operator(1), id);
  await assertThrowsUnchanged(
    maitred(),
    id,
    () => bookings().sendMessage(operator(1), id, MESSAGE),
    'BOOK-N-014',
  );
});
