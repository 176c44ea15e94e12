import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Body, book, booked, bookingsApp, COPPER_ROOM, DINNER, freeDay, PRIVATE } from '../support.ts';
import { assertUnchanged, cancel, patch, read, replacing, rowsOf, type Step, taken } from './amending.ts';

const maitred = bookingsApp();

const change = (id: string, ...steps: Step[]) => taken(patch(maitred(), id, steps));

/** What changed between two states of a booking, besides the moment of the change. */
function changed(before: Body, after: Body): Body {
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => name !== 'lastUpdate' && JSON.stringify(value) !== JSON.stringify(before[name]),
    ),
  );
}

/** Field of the document, what it becomes, and what a read shows then. */
const REPLACED: [string, unknown, Body][] = [
  ['partySize', 4, { partySize: 4, duration: 105 }],
  ['children', 1, { children: 1, duration: 105 }],
  ['duration', 120, { duration: 120 }],
  ['firstName', 'Augusta', { firstName: 'Augusta' }],
  ['lastName', 'King', { lastName: 'King' }],
  ['email', 'king@example.org', { email: 'king@example.org' }],
  ['phone', '+1 212 555 0100', { phone: '+1 212 555 0100' }],
  ['company', 'Arden & Sons', { company: 'Arden & Sons' }],
  ['partnerBookingId', 'patched', { partnerBookingId: 'patched' }],
  ['notes', 'In the corner', { notes: 'In the corner' }],
  ['labels', ['press', 'vip'], { labels: ['press', 'vip'] }],
];

for (const [field, value, shown] of REPLACED) {
  test(`${field} is replaced and nothing else changes`, async () => {
    const booking = await booked(maitred());
    const after = await change(booking.id, replacing(`/${field}`, value));
    assert.deepEqual(changed(booking, after), shown);
    assert.deepEqual((await read(maitred(), booking.id)).json, after);
  });
}

test('add says the same as replace, since the document has every field', async () => {
  const booking = await booked(maitred());
  const steps = REPLACED.filter(([field]) => field !== 'partnerBookingId').map(([field, value]) => ({
    op: 'add',
    path: `/${field}`,
    value,
  }));
  const shown = Object.assign({}, ...REPLACED.map(([, , each]) => each));
  const { partnerBookingId: _, ...expected } = shown;
  const after = await change(booking.id, ...steps);
  assert.deepEqual(changed(booking, after), { ...expected, duration: 120 });
});

test('comments is another name of notes, and two that differ are refused', async () => {
  const { id } = await booked(maitred(), { notes: 'By the door' });
  assert.equal((await change(id, replacing('/comments', 'In the corner'))).notes, 'In the corner');
  assert.equal((await change(id, replacing('/notes', 'Upstairs'))).notes, 'Upstairs');
  const both = [replacing('/notes', 'Outside'), replacing('/comments', 'Outside')];
  assert.equal((await change(id, ...both)).notes, 'Outside');
  const differing = () =>
    patch(maitred(), id, [replacing('/notes', 'Inside'), replacing('/comments', 'Outside')]);
  const { errors } = await assertUnchanged(maitred(), id, differing, 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(errors), ['comments']);
  assert.equal((await change(id, { op: 'remove', path: '/comments' })).notes, null);
});

test('what may be left out of a body can be removed', async () => {
  const booking = await booked(maitred(), {
    children: 2,
    duration: 120,
    company: 'Arden & Sons',
    comments: 'In the corner',
    admin_notes: 'A regular',
    labels: ['press', 'vip'],
    partnerBookingId: 'removed',
    depositAmount: 100,
  });
  const names = ['children', 'duration', 'email', 'phone', 'company', 'partnerBookingId', 'notes'];
  const more = ['admin_notes', 'labels', 'depositAmount', 'preorders', 'spaceId'];
  const after = await change(
    booking.id,
    ...[...names, ...more].map((name) => ({ op: 'remove', path: `/${name}` })),
  );
  const { children, duration, email, phone, company, partnerBookingId, notes, labels } = after;
  assert.deepEqual(
    [children, duration, email, phone, company, partnerBookingId, notes, labels],
    [0, 90, null, null, null, null, null, []],
  );
  assert.equal((await read(maitred(), booking.id, 'demo-operator')).json.admin_notes, null);
});

test('what a body needs cannot be removed or made null', async () => {
  const { id } = await booked(maitred());
  for (const field of ['compositeId', 'type', 'partySize', 'firstName', 'lastName']) {
    for (const step of [{ op: 'remove', path: `/${field}` }, replacing(`/${field}`, null)]) {
      const attempt = () => patch(maitred(), id, [step]);
      const { errors } = await assertUnchanged(maitred(), id, attempt, 400, 'VALID-N-001');
      assert.deepEqual(Object.keys(errors), [field]);
    }
  }
  for (const field of ['date', 'time', 'dateTime']) {
    const attempt = () => patch(maitred(), id, [{ op: 'remove', path: `/${field}` }]);
    await assertUnchanged(maitred(), id, attempt, 400, 'BOOK-N-019');
  }
});

test('labels are added to and taken from by their place', async () => {
  const { id } = await booked(maitred(), { labels: ['a', 'b'] });
  const after = await change(
    id,
    { op: 'add', path: '/labels/-', value: 'c' },
    { op: 'add', path: '/labels/0', value: 'z' },
    { op: 'remove', path: '/labels/1' },
  );
  assert.deepEqual(after.labels, ['z', 'b', 'c']);
});

test('date and time move separately and together', async () => {
  const { id, date } = await booked(maitred());
  const next = freeDay();
  assert.deepEqual(await startAfter(id, replacing('/time', '20:15')), [date, '20:15']);
  assert.deepEqual(await startAfter(id, replacing('/date', next)), [next, '20:15']);
  const both = [replacing('/date', date), replacing('/time', '18:30')];
  assert.deepEqual(await startAfter(id, ...both), [date, '18:30']);
});

async function startAfter(id: string, ...steps: Step[]): Promise<[string, string]> {
  const { date, time, dateTime } = await change(id, ...steps);
  assert.equal(dateTime.slice(0, 16), `${date}T${time}`);
  return [date, time];
}

test('an operation on dateTime sets date and time', async () => {
  const { id } = await booked(maitred());
  const day = freeDay();
  const local = Temporal.PlainDateTime.from(`${day}T20:30`).toZonedDateTime('Europe/London');
  const dateTime = local.toString({ timeZoneName: 'never' });
  for (const op of ['add', 'replace']) {
    assert.deepEqual(await startAfter(id, { op, path: '/dateTime', value: dateTime }), [day, '20:30']);
  }
  const agreeing = [replacing('/dateTime', dateTime), replacing('/time', '20:30'), replacing('/date', day)];
  assert.deepEqual(await startAfter(id, ...agreeing), [day, '20:30']);
  for (const one of [replacing('/date', day), replacing('/time', '20:30')]) {
    await change(id, replacing('/date', freeDay()), replacing('/time', '19:00'));
    assert.deepEqual(await startAfter(id, replacing('/dateTime', dateTime), one), [day, '20:30']);
  }
  const attempt = () => patch(maitred(), id, [replacing('/dateTime', dateTime), replacing('/time', '21:00')]);
  await assertUnchanged(maitred(), id, attempt, 400, 'BOOK-N-018');
  const wrong = () => patch(maitred(), id, [replacing('/dateTime', `${day}T20:30`)]);
  await assertUnchanged(maitred(), id, wrong, 400, 'BOOK-N-020');
});

test('a booking moves to another product, which names its space', async () => {
  const { id } = await booked(maitred());
  const after = await change(
    id,
    replacing('/compositeId', PRIVATE),
    replacing('/type', 'request'),
    replacing('/partySize', 12),
    { op: 'add', path: '/spaceId', value: COPPER_ROOM },
  );
  assert.deepEqual([after.compositeId, after.status, after.spaceId], [PRIVATE, 'pending', COPPER_ROOM]);
  const back = [replacing('/compositeId', DINNER), replacing('/partySize', 2), replacing('/spaceId', null)];
  assert.equal((await change(id, ...back, replacing('/type', 'book'))).status, 'confirmed');
});

test('a space that is no longer offered stays with who stays where they are, and nobody moves into it', async () => {
  const { sql } = maitred();
  const room = { type: 'request', partySize: 12, spaceId: COPPER_ROOM };
  const { id } = await booked(maitred(), room, { productId: PRIVATE });
  await sql`delete from product_space where product_id = ${PRIVATE} and space_id = ${COPPER_ROOM}`;
  await eventually(async () => (await book(maitred(), room, { productId: PRIVATE })).status === 422);
  const { phone, spaceId } = await change(id, replacing('/phone', '+1 212 555 0100'));
  assert.deepEqual([phone, spaceId], ['+1 212 555 0100', COPPER_ROOM]);
  for (const step of [replacing('/time', '18:00'), replacing('/type', 'book')])
    await assertUnchanged(maitred(), id, () => patch(maitred(), id, [step]), 422, 'BOOK-N-017');
  assert.equal((await change(id, replacing('/spaceId', null))).spaceId, null);
  await sql`insert into product_space (product_id, space_id, venue_id) select ${PRIVATE}, id, venue_id from space
    where id = ${COPPER_ROOM}`;
});

test('deposit and notes for the operator are replaced too', async () => {
  const { id } = await booked(maitred(), { partnerBookingId: 'deposit' });
  await change(id, replacing('/depositAmount', 99.5), replacing('/admin_notes', 'Allergic to cats'));
  const { data } = (
    await maitred().call('/venues/bookings?partnerBookingId=deposit', { as: 'demo-operator' })
  ).json;
  assert.deepEqual([data[0].depositAmount, data[0].admin_notes], [99.5, 'Allergic to cats']);
});

test('the document as a whole can be replaced', async () => {
  const booking = await booked(maitred(), { comments: 'In the corner', partnerBookingId: 'whole' });
  const value = {
    compositeId: DINNER,
    type: 'book',
    partySize: 3,
    date: booking.date,
    time: '20:00',
    firstName: 'Mary',
    lastName: 'Somerville',
  };
  const after = await change(booking.id, replacing('', value));
  assert.deepEqual(
    [after.firstName, after.partySize, after.time, after.notes, after.partnerBookingId],
    ['Mary', 3, '20:00', null, null],
  );
});

test('a pointer outside the document is refused', async () => {
  const { id } = await booked(maitred());
  const outside = ['/status', '/id', '/tables', '/lastUpdate', '/payments/0', '/admin_notes/x'];
  for (const path of [
    ...outside,
    '/labels/x',
    '/labels/1',
    '/preorders/drinks',
    '/__proto__',
    '/__proto__/x',
    'comments',
  ]) {
    const attempt = () => patch(maitred(), id, [{ op: 'add', path, value: 'x' }]);
    await assertUnchanged(maitred(), id, attempt, 400, 'VALID-N-001');
  }
  for (const op of ['move', 'copy', 'test', 'ADD', '']) {
    const attempt = () => patch(maitred(), id, [{ op, path: '/comments', value: 'x' }]);
    await assertUnchanged(maitred(), id, attempt, 400, 'VALID-N-001');
  }
});

test('all operations are applied or none is', async () => {
  const { id } = await booked(maitred());
  const first = [replacing('/comments', 'Applied'), replacing('/time', '20:00')];
  for (const [last, status, code] of [
    [replacing('/partySize', 'four'), 400, 'VALID-N-001'],
    [{ op: 'remove', path: '/labels/0' }, 400, 'VALID-N-001'],
    [replacing('/partySize', 9), 409, 'AVAIL-N-005'],
    [replacing('/spaceId', COPPER_ROOM), 422, 'BOOK-N-017'],
    [replacing('/duration', 900), 422, 'AVAIL-N-006'],
    [replacing('/compositeId', '2|house|night-owl|booth'), 400, 'VALID-N-001'],
  ] as const) {
    await assertUnchanged(maitred(), id, () => patch(maitred(), id, [...first, last]), status, code);
  }
});

test('a patch that changes nothing answers with the booking, moves no lastUpdate and sends no event', async () => {
  const { sql } = maitred();
  const booking = await booked(maitred(), {
    children: 1,
    comments: 'In the corner',
    company: 'Arden & Sons',
    labels: ['press'],
    depositAmount: 500,
    admin_notes: 'A regular',
    partnerBookingId: 'unmoved',
  });
  const { date, time, dateTime, ...shown } = booking;
  const fields = ['partySize', 'children', 'duration', 'spaceId', 'firstName', 'email', 'phone', 'company'];
  const known = { ...shown, comments: booking.notes, depositAmount: 500, admin_notes: 'A regular' };
  const more = [
    'notes',
    'comments',
    'labels',
    'partnerBookingId',
    'depositAmount',
    'admin_notes',
    'compositeId',
    'type',
  ];
  const repeated = [...fields, ...more].map((field) => [replacing(`/${field}`, known[field])]);
  const starts = [
    [replacing('/date', date), replacing('/time', `${time}:00`)],
    [replacing('/dateTime', dateTime)],
    [replacing('/dateTime', Temporal.Instant.from(dateTime).toString()), replacing('/time', time)],
  ];
  const before = await rowsOf(sql, booking.id);
  for (const steps of [[], ...repeated, repeated.flat(), ...starts]) {
    assert.deepEqual(await change(booking.id, ...steps), booking, JSON.stringify(steps));
    assert.deepEqual(await rowsOf(sql, booking.id), before, JSON.stringify(steps));
  }
});

test('an enquiry that is asked for again stays as it is, and one that is to be booked is booked', async () => {
  const enquiry = await booked(maitred(), { type: 'request' });
  const before = await rowsOf(maitred().sql, enquiry.id);
  assert.deepEqual(await change(enquiry.id, replacing('/type', 'request')), enquiry);
  assert.deepEqual(await rowsOf(maitred().sql, enquiry.id), before);
  assert.equal((await change(enquiry.id, replacing('/type', 'book'))).status, 'confirmed');
});

test('a patch of nothing is refused where the booking can no longer be amended', async () => {
  const { id } = await booked(maitred());
  await cancel(maitred(), id);
  await assertUnchanged(maitred(), id, () => patch(maitred(), id, []), 409, 'BOOK-N-014');
});

test('the usual media type of patches is taken, and TOON is answered to who asks for it', async () => {
  const { id } = await booked(maitred());
  const answer = await maitred().call(`/venues/bookings/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json-patch+json', accept: 'text/toon' },
    body: JSON.stringify([replacing('/comments', 'Compact')]),
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal((decode(answer.text) as Body).notes, 'Compact');
});

test('an object in place of a patch is answered with what a patch is, and an example', async () => {
  const booking = await booked(maitred());
  const answer = await patch(maitred(), booking.id, { partySize: 4 } as never);
  const { errors } = assertProblem(answer, 400, 'VALID-N-001');
  assert.deepEqual(errors, {
    body: [
      'must be a JSON Patch (RFC 6902), a list of operations such as [{"op":"replace","path":"/partySize","value":4}]',
    ],
  });
  assert.deepEqual((await read(maitred(), booking.id)).json, booking);
});
