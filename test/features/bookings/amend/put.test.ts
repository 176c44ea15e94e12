import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import {
  book,
  booked,
  bookingsApp,
  COPPER_ROOM,
  DINNER,
  freeDay,
  guest,
  jazzDay,
  PRIVATE,
  STANDARD,
  tablesOf,
  VIP,
} from '../support.ts';
import { asItIs, assertUnchanged, operator, patch, put, read, rowsOf, taken } from './amending.ts';

const maitred = bookingsApp();

const soldOf = async (productId: string, date: string) => {
  const [stock] = await maitred().sql`
    select coalesce(sum(s.sold), 0)::int as sold from ticket_stock s
      join ticket_occurrence o on o.id = s.occurrence_id
    where s.product_id = ${productId} and o.date = ${date}`;
  return stock?.sold;
};

test('a booking that is put as it is stays as it is, and nobody is told', async () => {
  const booking = await booked(maitred(), { comments: 'By the window', partnerBookingId: 'same' });
  const before = await rowsOf(maitred().sql, booking.id);
  for (const duration of [{}, { duration: booking.duration }]) {
    const body = { ...asItIs(booking), ...duration };
    assert.deepEqual(await taken(put(maitred(), booking.id, body)), booking);
    assert.deepEqual(await rowsOf(maitred().sql, booking.id), before);
  }
});

test('a new telephone number beside the duration that reads show leaves the stay to the venue', async () => {
  const booking = await booked(maitred());
  const body = { ...asItIs(booking), duration: booking.duration, phone: '+1 212 555 0100' };
  assert.equal((await taken(put(maitred(), booking.id, body))).phone, '+1 212 555 0100');
  const larger = [{ op: 'replace', path: '/partySize', value: 4 }];
  assert.equal((await taken(patch(maitred(), booking.id, larger))).duration, 105);
});

test('comments is another name of notes, and two that differ are refused', async () => {
  const booking = await booked(maitred(), { comments: 'By the window' });
  assert.equal(booking.notes, 'By the window');
  const { comments: _, ...body } = asItIs(booking);
  for (const names of [{ notes: 'Upstairs' }, { comments: 'Outside' }, { notes: 'In', comments: 'In' }]) {
    const [wanted] = Object.values(names);
    assert.equal((await taken(put(maitred(), booking.id, { ...body, ...names }))).notes, wanted);
  }
  const attempt = () => put(maitred(), booking.id, { ...body, notes: 'In', comments: 'Out' });
  const { errors } = await assertUnchanged(maitred(), booking.id, attempt, 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(errors), ['comments']);
});

test('what the body leaves out is cleared, except partnerBookingId and what is not shown', async () => {
  const { id, date } = await booked(maitred(), {
    children: 1,
    duration: 120,
    comments: 'By the window',
    admin_notes: 'A regular',
    labels: ['vip', 'press'],
    company: 'Arden & Sons',
    depositAmount: 500,
    partnerBookingId: 'kept',
  });
  const least = { compositeId: DINNER, type: 'book', partySize: 2, firstName: 'Ada', lastName: 'Byron' };
  const after = await taken(put(maitred(), id, { ...least, date, time: '19:00' }));
  assert.deepEqual(
    [after.children, after.email, after.phone, after.company, after.notes, after.labels, after.duration],
    [0, null, null, null, null, [], 90],
  );
  assert.deepEqual([after.partnerBookingId, after.lastName], ['kept', 'Byron']);
  assert.equal((await read(maitred(), id, 'demo-operator')).json.admin_notes, 'A regular');
  const { data } = (await maitred().call('/venues/bookings?partnerBookingId=kept')).json;
  assert.equal(data[0].depositAmount, null);
  assert.deepEqual((await read(maitred(), id)).json, after);
});

test('partnerBookingId is cleared by null, and can be given anew unless it is used', async () => {
  const first = await booked(maitred(), { partnerBookingId: 'first' });
  const second = await booked(maitred(), { partnerBookingId: 'second' });
  const draft = { ...asItIs(second), partnerBookingId: 'first' };
  const attempt = () => put(maitred(), second.id, draft);
  const { bookingId } = await assertUnchanged(maitred(), second.id, attempt, 409, 'BOOK-N-002');
  assert.equal(bookingId, first.id);
  const cleared = await taken(put(maitred(), first.id, { ...asItIs(first), partnerBookingId: null }));
  assert.equal(cleared.partnerBookingId, null);
  assert.equal((await taken(put(maitred(), second.id, draft))).partnerBookingId, 'first');
});

test('a booking moves to another time and size and takes other tables, under the same number', async () => {
  const { sql } = maitred();
  const booking = await booked(maitred());
  const draft = { ...asItIs(booking), time: '20:15', partySize: 5, children: 1, duration: 150 };
  const after = await taken(put(maitred(), booking.id, draft));
  assert.deepEqual(
    [after.time, after.partySize, after.children, after.duration, after.status],
    ['20:15', 5, 1, 150, 'confirmed'],
  );
  assert.equal(after.dateTime.slice(0, 16), `${booking.date}T20:15`);
  assert.equal(after.operatorBookingId, booking.operatorBookingId);
  assert.equal(after.tmsCreatedDate, booking.tmsCreatedDate);
  const [held] = await sql`
    select starts_at, duration_minutes, guests from house_reservation where id = ${booking.id}`;
  assert.deepEqual(held?.starts_at, Temporal.Instant.from(after.dateTime));
  assert.deepEqual([held?.duration_minutes, held?.guests], [150, 6]);
});

test('the start can be put as dateTime, with whichever offset', async () => {
  const booking = await booked(maitred());
  const { date: _, time: __, ...draft } = asItIs(booking);
  const day = freeDay();
  const after = await taken(put(maitred(), booking.id, { ...draft, dateTime: `${day}T22:00:00+02:00` }));
  const local = Temporal.Instant.from(`${day}T20:00:00Z`).toZonedDateTimeISO('Europe/London');
  assert.deepEqual([after.date, after.time], [day, local.toPlainTime().toString().slice(0, 5)]);
});

test('a booking moves to another product of the venue, as an enquiry where that takes nothing else', async () => {
  const booking = await booked(maitred());
  const draft = { ...asItIs(booking), compositeId: PRIVATE, partySize: 12, spaceId: COPPER_ROOM };
  await assertUnchanged(maitred(), booking.id, () => put(maitred(), booking.id, draft), 409, 'AVAIL-N-005');
  const after = await taken(put(maitred(), booking.id, { ...draft, type: 'request' }));
  assert.deepEqual(
    [after.compositeId, after.productName, after.status, after.spaceId, after.duration],
    [PRIVATE, 'Private dining', 'pending', COPPER_ROOM, 240],
  );
});

test('tickets move to another type at the price of that type', async () => {
  const date = jazzDay(3);
  const booking = await booked(maitred(), { date, time: '20:00' }, { productId: STANDARD });
  assert.deepEqual([await soldOf(STANDARD, date), await soldOf(VIP, date)], [2, 0]);
  const after = await taken(put(maitred(), booking.id, { ...asItIs(booking), compositeId: VIP }));
  assert.deepEqual([after.compositeId, after.status], [VIP, 'confirmed']);
  assert.deepEqual([await soldOf(STANDARD, date), await soldOf(VIP, date)], [0, 2]);
  const options = await maitred()
    .sql`select price_per_guest_pence as price from booking where id = ${after.id}`;
  assert.equal(options[0]?.price, 6000);
});

test('fewer tickets are given back, and more are refused', async () => {
  const date = jazzDay(4);
  const party = { date, time: '20:00', partySize: 3, children: 1 };
  const booking = await booked(maitred(), party, { productId: STANDARD });
  for (const more of [{ partySize: 4 }, { children: 2 }, { compositeId: VIP, partySize: 5 }]) {
    const attempt = () => put(maitred(), booking.id, { ...asItIs(booking), ...more });
    await assertUnchanged(maitred(), booking.id, attempt, 422, 'BOOK-N-013');
  }
  await taken(put(maitred(), booking.id, { ...asItIs(booking), children: 0, partySize: 2 }));
  assert.equal(await soldOf(STANDARD, date), 2);
  const back = () => put(maitred(), booking.id, asItIs(booking));
  await assertUnchanged(maitred(), booking.id, back, 422, 'BOOK-N-013');
});

/** Twenty-four guests may start at once; three parties of eight are all of them. */
async function fillUp(date: string) {
  const party = { date, time: '19:00', partySize: 8 };
  return [await booked(maitred(), party), await booked(maitred(), party), await booked(maitred(), party)];
}

test('type request makes a booking that moves an enquiry and gives its table to others', async () => {
  const date = freeDay();
  const [booking] = await fillUp(date);
  const waiting = { date, time: '19:00', partySize: 8 };
  assert.equal((await book(maitred(), waiting)).json.code, 'AVAIL-N-005');
  const draft = { ...asItIs(booking), type: 'request', partySize: 9 };
  const after = await taken(put(maitred(), booking.id, draft));
  assert.deepEqual([after.status, after.type, after.partySize], ['pending', 'request', 9]);
  assert.deepEqual([after.operatorBookingId, after.tmsCreatedDate], [null, null]);
  assert.deepEqual(await tablesOf(maitred().sql, booking.id), []);
  await booked(maitred(), waiting);
});

test('an enquiry that is put as a booking is confirmed where there is room, and refused where not', async () => {
  const date = freeDay();
  const enquiry = await booked(maitred(), { type: 'request', date, time: '19:00' });
  const after = await taken(put(maitred(), enquiry.id, { ...asItIs(enquiry), type: 'book' }));
  assert.deepEqual([after.status, after.type], ['confirmed', 'book']);
  assert.equal((await tablesOf(maitred().sql, enquiry.id)).length, 1);
  const full = freeDay();
  await fillUp(full);
  const late = await booked(maitred(), { type: 'request', date: full, time: '19:00' });
  const attempt = () => put(maitred(), late.id, { ...asItIs(late), type: 'book' });
  await assertUnchanged(maitred(), late.id, attempt, 409, 'AVAIL-N-005');
});

test('a confirmed enquiry whose telephone changes stays confirmed at its table', async () => {
  const enquiry = await booked(maitred(), { type: 'request', partySize: 10 });
  const confirmed = await maitred().services.bookings.accept(operator(1), enquiry.id);
  assert.equal(confirmed.status, 'confirmed');
  const tables = await tablesOf(maitred().sql, enquiry.id);
  const draft = { ...asItIs(enquiry), phone: '+44 20 7946 0999' };
  const after = await taken(put(maitred(), enquiry.id, draft));
  assert.deepEqual([after.status, after.type, after.phone], ['confirmed', 'request', '+44 20 7946 0999']);
  assert.deepEqual(await tablesOf(maitred().sql, enquiry.id), tables);
  const moved = await taken(put(maitred(), enquiry.id, { ...draft, time: '20:00' }));
  assert.equal(moved.status, 'pending', 'elsewhere the operator has not agreed to');
});

test('an enquiry that moves stays in the hands that have it', async () => {
  const enquiry = await booked(maitred(), { type: 'request' });
  await maitred().services.bookings.takeUp(operator(1), enquiry.id);
  const after = await taken(put(maitred(), enquiry.id, { ...asItIs(enquiry), time: '20:00' }));
  assert.deepEqual([after.status, after.time], ['in_progress', '20:00']);
});

test('the operator cannot amend for a partner, an agent can for its own', async () => {
  const booking = await booked(maitred());
  const byOperator = () => put(maitred(), booking.id, asItIs(booking), 'demo-operator');
  await assertUnchanged(maitred(), booking.id, byOperator, 403, 'USER-N-009');
  const answer = await maitred().call(`/venues/bookings/${booking.id}`, {
    method: 'PUT',
    as: 'demo-agent',
    headers: { 'x-partner-reference': 'demo-partner' },
    body: { ...asItIs(booking), comments: 'From the agent' },
  });
  assert.equal(answer.json.notes, 'From the agent');
});

test('the guest of a booking can be another person', async () => {
  const booking = await booked(maitred());
  const person = { firstName: 'Zoë 🦉', lastName: "O'Brien", email: 'zoe@example.org', phone: null };
  const after = await taken(put(maitred(), booking.id, { ...guest, ...asItIs(booking), ...person }));
  assert.deepEqual(
    [after.firstName, after.lastName, after.email, after.phone],
    ['Zoë 🦉', "O'Brien", 'zoe@example.org', null],
  );
  assert.ok((await rowsOf(maitred().sql, booking.id)).booking);
});

test('the answer comes as TOON to those who ask for it, and the body stays JSON', async () => {
  const booking = await booked(maitred());
  const answer = await maitred().call(`/venues/bookings/${booking.id}`, {
    method: 'PUT',
    headers: { accept: 'text/toon' },
    body: { ...asItIs(booking), comments: 'Compact' },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.match(String(answer.headers['content-type']), /^text\/toon/);
  assert.deepEqual(decode(answer.text), (await read(maitred(), booking.id)).json);
});
