import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, booked, bookingsApp, tablesOf } from '../support.ts';
import { operator, patch, read, replacing } from './amending.ts';

const maitred = bookingsApp();

test('twenty changes of different fields at once all survive', async () => {
  const booking = await booked(maitred(), {
    labels: Array.from({ length: 9 }, (_, index) => `old-${index}`),
  });
  const fields: Body = {
    firstName: 'A',
    lastName: 'B',
    email: 'c@example.org',
    phone: '44444',
    company: 'E',
  };
  const more: Body = {
    comments: 'F',
    admin_notes: 'G',
    depositAmount: 8,
    partnerBookingId: 'I',
    children: 1,
  };
  const steps = [
    ...Object.entries({ ...fields, ...more, time: '20:00' }).map(([name, value]) =>
      replacing(`/${name}`, value),
    ),
    ...booking.labels.map((_: string, index: number) => replacing(`/labels/${index}`, `new-${index}`)),
  ];
  assert.equal(steps.length, 20);
  const answers = await Promise.all(steps.map((step) => patch(maitred(), booking.id, [step])));
  assert.deepEqual(
    answers.map(({ status }) => status),
    steps.map(() => 200),
  );
  const after = (await read(maitred(), booking.id, 'demo-operator')).json;
  const { comments, depositAmount: _, ...shown } = { ...fields, ...more } as Body;
  for (const [name, value] of Object.entries({ ...shown, notes: comments, time: '20:00' }))
    assert.equal(after[name], value, name);
  assert.deepEqual(
    after.labels,
    booking.labels.map((label: string) => label.replace('old', 'new')),
  );
  assert.equal((await tablesOf(maitred().sql, booking.id)).length, 1);
  const events = await maitred().services.events.listOfBooking(maitred().sql, booking.id);
  assert.equal(events.length, 21);
});

test('an enquiry that is patched while the operator accepts it ends as one of the two orders would', async () => {
  for (const _ of [1, 2, 3, 4, 5]) {
    const { id } = await booked(maitred(), { type: 'request' });
    const { bookings } = maitred().services;
    const [patched] = await Promise.all([
      patch(maitred(), id, [replacing('/time', '20:00')]),
      bookings.accept(operator(1), id),
    ]);
    assert.equal(patched.status, 200, patched.text);
    const { status, time } = (await read(maitred(), id)).json;
    const tables = await tablesOf(maitred().sql, id);
    assert.equal(time, '20:00');
    assert.equal(tables.length, status === 'confirmed' ? 1 : 0);
    const held = await maitred().sql`select starts_at from house_reservation where id = ${id}`;
    for (const { starts_at } of held)
      assert.equal(starts_at.toZonedDateTimeISO('Europe/London').hour, 20, 'where the booking says');
  }
});
