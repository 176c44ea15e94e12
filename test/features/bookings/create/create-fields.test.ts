import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, type Body, book, booked, bookingsApp, DINNER, freeDay, guest } from '../support.ts';

const app = bookingsApp();
const when = { date: freeDay(), time: '19:00' };

/** Every attempt is wrong in one place, which the refusal must name, and in no other. */
const wrong: [what: string, body: Body, field: string][] = [
  ...['type', 'partySize', 'firstName', 'lastName'].flatMap((field): [string, Body, string][] => [
    [`without ${field}`, { [field]: undefined }, field],
    [`with ${field} null`, { [field]: null }, field],
    [`with ${field} as a list`, { [field]: [] }, field],
  ]),
  ['of an unknown type', { type: 'reserve' }, 'type'],
  ['for nobody', { partySize: 0 }, 'partySize'],
  ['for fewer than nobody', { partySize: -2 }, 'partySize'],
  ['for two and a half', { partySize: 2.5 }, 'partySize'],
  ['for too many', { partySize: 1001 }, 'partySize'],
  ['for a number in words', { partySize: '2' }, 'partySize'],
  ['with fewer children than none', { children: -1 }, 'children'],
  ['with half a child', { children: 0.5 }, 'children'],
  ['with too many children', { children: 1001 }, 'children'],
  ['with a number as dateTime', { dateTime: 1_800_000_000 }, 'dateTime'],
  ['with an endless dateTime', { dateTime: '2'.repeat(61) }, 'dateTime'],
  ['with a number as date', { date: 20_261_205 }, 'date'],
  ['with an object as time', { time: { hour: 19 } }, 'time'],
  ['without any length', { duration: 0 }, 'duration'],
  ['longer than a day', { duration: 1441 }, 'duration'],
  ['with a part of a minute', { duration: 90.5 }, 'duration'],
  ['in space 0', { spaceId: 0 }, 'spaceId'],
  ['in a space beyond all numbers', { spaceId: 2_147_483_648 }, 'spaceId'],
  ['in a space by name', { spaceId: '101' }, 'spaceId'],
  ['with a blank first name', { firstName: '  ' }, 'firstName'],
  ['with an empty last name', { lastName: '' }, 'lastName'],
  ['with an endless first name', { firstName: 'x'.repeat(101) }, 'firstName'],
  ['with an endless last name', { lastName: 'x'.repeat(101) }, 'lastName'],
  ['with a mail address that is none', { email: 'ada at example.com' }, 'email'],
  [
    'with an endless mail address',
    { email: `${'x'.repeat(60)}@${'y'.repeat(60)}.${'z'.repeat(200)}` },
    'email',
  ],
  ['with an empty mail address', { email: '' }, 'email'],
  ['with an endless telephone number', { phone: '1'.repeat(51) }, 'phone'],
  ['with words as telephone', { phone: 'ask Ada' }, 'phone'],
  ['with an empty telephone', { phone: '' }, 'phone'],
  ['with a number as telephone', { phone: 2079460018 }, 'phone'],
  ['with an endless company', { company: 'x'.repeat(151) }, 'company'],
  ['with an endless partnerBookingId', { partnerBookingId: 'x'.repeat(101) }, 'partnerBookingId'],
  ['with an empty partnerBookingId', { partnerBookingId: '' }, 'partnerBookingId'],
  ['with a number as partnerBookingId', { partnerBookingId: 4711 }, 'partnerBookingId'],
  ['with endless notes', { notes: 'x'.repeat(2001) }, 'notes'],
  ['with notes and comments that differ', { notes: 'In', comments: 'Out' }, 'comments'],
  ['with endless comments', { comments: 'x'.repeat(2001) }, 'comments'],
  ['with endless admin_notes', { admin_notes: 'x'.repeat(2001) }, 'admin_notes'],
  ['with NUL in the comments', { comments: 'a\0b' }, 'comments'],
  ['with half a character in a name', { firstName: 'A\uD800' }, 'firstName'],
  ['with one label', { labels: 'vip' }, 'labels'],
  ['with too many labels', { labels: Array(21).fill('x') }, 'labels'],
  ['with an endless label', { labels: ['ok', 'x'.repeat(51)] }, 'labels.1'],
  ['with a number as label', { labels: [7] }, 'labels.0'],
  ['with a deposit below nothing', { depositAmount: -1 }, 'depositAmount'],
  ['with a deposit beyond measure', { depositAmount: 1_000_000_001 }, 'depositAmount'],
  ['with a deposit in words', { depositAmount: '10' }, 'depositAmount'],
  ['with a list as preorders', { preorders: [] }, 'preorders'],
  ['with an unknown part of the preorder', { preorders: { drinks: [] } }, 'preorders.drinks'],
  [
    'with a package without quantity',
    { preorders: { packages: [{ id: 1 }] } },
    'preorders.packages.0.quantity',
  ],
  [
    'with no packages of a kind',
    { preorders: { packages: [{ id: 1, quantity: 0 }] } },
    'preorders.packages.0.quantity',
  ],
  ['with a menu without items', { preorders: { menus: [{ id: 1 }] } }, 'preorders.menus.0.items'],
  [
    'with an item without id',
    { preorders: { menus: [{ id: 1, items: [{ quantity: 1 }] }] } },
    'preorders.menus.0.items.0.id',
  ],
  ['with a field that we do not know', { tableNumber: 7 }, 'tableNumber'],
  ['with a field of older versions', { areaId: 7 }, 'areaId'],
  ['with a product in the body', { compositeId: DINNER }, 'compositeId'],
];

for (const [what, body, field] of wrong) {
  test(`a booking ${what} is refused and names ${field}`, async () => {
    const attempt = () => book(app(), { ...when, ...body });
    const { errors } = await assertRefused(app(), attempt, 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), [field]);
    assert.ok(errors[field].every((message: string) => message.length > 3));
  });
}

test('several faults are named together', async () => {
  const attempt = () => book(app(), { ...when, partySize: 0, firstName: undefined, email: 'x', wifi: true });
  const { errors } = await assertRefused(app(), attempt, 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(errors).sort(), ['email', 'firstName', 'partySize', 'wifi']);
});

test('what is exactly as long or as much as may be is taken', async () => {
  const longest = {
    firstName: '名'.repeat(100),
    lastName: 'L'.repeat(100),
    phone: `${'1  '.repeat(14)}1 x12345`,
    company: 'c'.repeat(150),
    partnerBookingId: 'p'.repeat(100),
    comments: '🍷'.repeat(1000),
    admin_notes: 'n'.repeat(2000),
    labels: Array(20).fill('l'.repeat(50)),
    depositAmount: 1_000_000_000,
  };
  const booking = await booked(app(), { date: freeDay(), time: '19:00', ...longest });
  const { comments, admin_notes: _, depositAmount: __, ...shown } = longest;
  for (const [field, value] of Object.entries(shown)) assert.deepEqual(booking[field], value, field);
  assert.equal(booking.notes, comments);
});

test('text of any script and shape comes back as it was sent', async () => {
  const odd = {
    firstName: "Zoë-Ángela O'Neill",
    lastName: 'د. محمد <b>&amp;',
    email: "o'neill+table@example.co.uk",
    comments: 'line\nline\t"quoted" \\ 👨‍👩‍👧 ; drop table booking;--',
  };
  const booking = await booked(app(), { date: freeDay(), time: '19:00', ...odd });
  assert.deepEqual(
    [booking.firstName, booking.lastName, booking.email, booking.notes],
    [odd.firstName, odd.lastName, odd.email, odd.comments],
  );
});

test('a body that reaches for the prototype is refused', async () => {
  const path = `/venues/${encodeURIComponent(DINNER)}/booking`;
  for (const name of ['__proto__', 'constructor']) {
    const body = JSON.stringify({ ...guest, ...when }).replace(
      '{',
      `{"${name}": {"prototype": {"type": "book"}}, `,
    );
    const headers = { 'content-type': 'application/json' };
    await assertRefused(app(), () => app().call(path, { method: 'POST', headers, body }), 400, 'VALID-N-001');
  }
});

test('a body that is no object, or no body, is refused', async () => {
  const path = `/venues/${encodeURIComponent(DINNER)}/booking`;
  const json = { 'content-type': 'application/json' };
  for (const body of ['[]', '"book"', 'null', '7'])
    await assertRefused(
      app(),
      () => app().call(path, { method: 'POST', headers: json, body }),
      400,
      'VALID-N-001',
    );
  await assertRefused(
    app(),
    () => app().call(path, { method: 'POST', headers: json, body: '{"type":' }),
    400,
    'VALID-N-001',
  );
  await assertRefused(app(), () => app().call(path, { method: 'POST' }), 400, 'VALID-N-001');
});

test('an Idempotency-Key that is empty or endless is refused', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    const attempt = () => book(app(), { ...when }, { headers: { 'Idempotency-Key': key } });
    const { errors } = await assertRefused(app(), attempt, 400, 'VALID-N-001');
    assert.ok(errors['idempotency-key'], JSON.stringify(errors));
  }
});
