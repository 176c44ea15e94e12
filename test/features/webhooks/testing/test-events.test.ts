import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { type Body, booked } from '../../bookings/support.ts';
import { SOHO, testingApp, UNKNOWN_ID } from '../testing.ts';

const { maitred, receiver, allowCalls, send, sent, received, subscribe } = testingApp();

const HIDDEN = '3|house|hidden-kitchen';

test('a booking is told of with the fields of every other notification', async () => {
  await subscribe('/hook');
  const { id } = await booked(maitred(), { comments: 'By the window' });
  const [logged] = await maitred().services.events.listOfBooking(maitred().sql, id);
  const { bookings } = JSON.parse(logged?.body ?? '');
  const event = await received({ eventType: 'booking.updated', bookingId: id });
  assert.deepEqual(event.bookings, bookings);
  assert.deepEqual(Object.keys(event), ['eventType', 'timestamp', 'bookings']);
  const example = await received({ eventType: 'booking.updated' });
  assert.deepEqual(Object.keys(example.bookings[0]), Object.keys(bookings[0]));
});

test('changes are told as they came out, later than anything before, and the booking has them', async () => {
  await subscribe('/hook');
  const booking = await booked(maitred());
  let last = booking.lastUpdate;
  for (const changes of [{}, { notes: 'Late' }, { status: 'cancelled', productName: 'Feast' }, {}]) {
    const { timestamp, bookings } = await received({
      eventType: 'booking.updated',
      bookingId: booking.id,
      changes,
    });
    assert.ok(Temporal.Instant.compare(bookings[0].lastUpdate, last) > 0);
    assert.equal(timestamp, bookings[0].lastUpdate);
    assert.equal('productName' in bookings[0], false);
    last = bookings[0].lastUpdate;
  }
  const { status, notes, lastUpdate, productName } = (await maitred().call(`/venues/bookings/${booking.id}`))
    .json;
  assert.deepEqual([status, notes, lastUpdate], ['cancelled', 'Late', last]);
  assert.equal(productName, booking.productName);
});

test('changes are made even where nobody wants to hear of them', async () => {
  const { id } = await booked(maitred());
  assert.deepEqual(
    await sent({ eventType: 'booking.updated', bookingId: id, changes: { status: 'cancelled' } }),
    [],
  );
  assert.equal((await maitred().call(`/venues/bookings/${id}`)).json.status, 'cancelled');
});

test('messages and venues are told as asked, in the shape of the real ones, and not stored', async () => {
  await subscribe('/hook');
  const { id } = await booked(maitred());
  const told = async (body: Body) => {
    const { messages, venues } = await received(body);
    return messages?.[0] ?? venues[0];
  };
  const message = await told({ eventType: 'message.received', bookingId: id });
  assert.deepEqual(Object.keys(message).sort(), ['bookingId', 'id', 'replyTo', 'text']);
  assert.equal(message.bookingId, id);
  const mine = { id: 'm-1', text: 'Hello', replyTo: null };
  assert.deepEqual(await told({ eventType: 'message.received', message: mine }), {
    ...mine,
    bookingId: '00000000-0000-7000-8000-000000000000',
  });
  assert.equal((await maitred().sql`select from booking_message`).length, 0);
  assert.deepEqual(await told({ eventType: 'venue.updated', venueId: SOHO }), {
    compositeId: SOHO,
    active: false,
  });
  const venue = { compositeId: '9|x|y', active: true };
  assert.deepEqual(await told({ eventType: 'venue.updated', venueId: SOHO, venue }), venue);
  assert.deepEqual(Object.keys(await told({ eventType: 'venue.updated' })), ['compositeId', 'active']);
  const [row] = await maitred().sql`select closed_at from venue where id = ${SOHO}`;
  assert.equal(row?.closed_at, null);
});

test("somebody else's booking and one that does not exist are refused in the same words", async () => {
  await subscribe('/hook');
  const { id: theirs } = await booked(maitred(), {}, { as: 'other-partner' });
  for (const [eventType, more] of [
    ['booking.updated', {}],
    ['booking.updated', { changes: { status: 'cancelled' } }],
    ['message.received', {}],
  ] as const) {
    const details = new Set<string>();
    for (const bookingId of [theirs, UNKNOWN_ID, 'x'])
      details.add(assertProblem(await send({ eventType, bookingId, ...more }), 403, 'PMAP-N-003').detail);
    assert.equal(details.size, 1);
  }
  assert.equal(
    (await maitred().call(`/venues/bookings/${theirs}`, { as: 'other-partner' })).json.status,
    'confirmed',
  );
  assert.deepEqual(receiver().received, []);
});

test('a venue that the caller does not distribute, or that does not exist, is refused in the same words', async () => {
  const details = new Set<string>();
  for (const venueId of [HIDDEN, '1|house|nowhere', '1|house|example'])
    details.add(assertProblem(await send({ eventType: 'venue.updated', venueId }), 403, 'PMAP-N-001').detail);
  assert.equal(details.size, 1);
  for (const venueId of ['x', `${SOHO}|dinner`])
    assertProblem(await send({ eventType: 'venue.updated', venueId }), 400, 'VALID-N-001');
});

const FIELDS: Record<string, Body> = {
  bookingId: { bookingId: UNKNOWN_ID },
  venueId: { venueId: SOHO },
  changes: { changes: {} },
  venue: { venue: {} },
  message: { message: {} },
};
const TAKES: Record<string, string[]> = {
  'webhook.ping': [],
  'booking.updated': ['bookingId', 'changes'],
  'message.received': ['bookingId', 'message'],
  'venue.updated': ['venueId', 'venue'],
};

test('a field that means nothing for the event is WHK-N-007, and so are changes of no booking', async () => {
  await subscribe('/hook');
  for (const [eventType, taken] of Object.entries(TAKES)) {
    await allowCalls();
    for (const [name, field] of Object.entries(FIELDS).filter(([each]) => !taken.includes(each))) {
      const { detail } = assertProblem(await send({ eventType, ...field }), 422, 'WHK-N-007');
      assert.match(detail, new RegExp(`\\b${name}\\b`));
    }
  }
  assertProblem(await send({ eventType: 'booking.updated', changes: {} }), 422, 'WHK-N-007');
  assert.deepEqual(receiver().received, []);
});

test('a type that is never sent is WHK-N-005', async () => {
  for (const eventType of ['', 'booking.created', 'WEBHOOK.PING', 'toString'])
    assertProblem(await send({ eventType }), 400, 'WHK-N-005');
});

test('what is not of the right shape is VALID-N-001 and names the field', async () => {
  const { id: bookingId } = await booked(maitred());
  const cases: [Body, string][] = [
    [{}, 'eventType'],
    [{ eventType: 1 }, 'eventType'],
    [{ eventType: 'webhook.ping', webhookId: UNKNOWN_ID }, 'webhookId'],
    [{ eventType: 'venue.updated', venue: { name: 'x' } }, 'venue.name'],
    [{ eventType: 'message.received', message: { text: '' } }, 'message.text'],
    ...(
      [
        ['status', null],
        ['status', 1],
        ['date', 20260231],
        ['time', null],
        ['partySize', '2'],
        ['duration', '90'],
        ['compositeId', 7],
        ['productName', false],
        ['notes', []],
        ['reference', {}],
        ['source', null],
        ['firstName', 1],
        ['lastName', null],
        ['email', true],
        ['phone', 442079460018],
        ['actualGuests', '3'],
        ['actualSpend', '1.5'],
        ['preorders', []],
        ['preorderMenus', {}],
        ['children', 1],
      ] as const
    ).map(([field, value]): [Body, string] => [
      { eventType: 'booking.updated', bookingId, changes: { [field]: value } },
      `changes.${field}`,
    ]),
  ];
  for (const [body, field] of cases) {
    await allowCalls();
    const { errors } = assertProblem(await send(body), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), [field], JSON.stringify(body));
  }
});

test('a value of the right type that no booking could have is SBOX-N-004 and names the field', async () => {
  const { id: bookingId } = await booked(maitred());
  const read = () => maitred().call(`/venues/bookings/${bookingId}`);
  const before = await read();
  const cases: [field: string, value: unknown][] = [
    ...['no_show', 'completed', 'rejected', 'Confirmed', ''].map((status): [string, unknown] => [
      'status',
      status,
    ]),
    ['date', '2026-02-30'],
    ['date', 'tomorrow'],
    ['time', '25:00'],
    ['partySize', 0],
    ['partySize', 2.5],
    ['partySize', 1e9],
    ['duration', 1441],
    ['compositeId', SOHO],
    ['compositeId', 'dinner'],
    ['productName', ''],
    ['notes', 'x'.repeat(2001)],
    ['reference', ''],
    ['source', 'pigeon'],
    ['firstName', ' '],
    ['lastName', ''],
    ['email', 'ada'],
    ['phone', 'x'.repeat(51)],
    ['phone', '1'],
    ['actualGuests', -1],
    ['actualGuests', 40_000],
    ['actualSpend', 1.5],
    ['preorders.packages.0.quantity', 0],
    ['preorderMenus.0.items.0.id', 1.5],
  ];
  for (const [field, value] of cases) {
    await allowCalls();
    const changes = nested(field.split('.'), value);
    const { detail } = assertProblem(
      await send({ eventType: 'booking.updated', bookingId, changes }),
      400,
      'SBOX-N-004',
    );
    assert.ok(detail.startsWith(field), `${field}: ${detail}`);
  }
  assert.deepEqual((await read()).json, before.json);
});

/** A number in a path is the first entry of a list; what else the entry needs is filled in. */
function nested([name = '', ...rest]: string[], value: unknown): Body {
  if (rest.length === 0) return { [name]: value };
  const [next, ...others] = rest;
  if (next !== '0') return { [name]: nested(rest, value) };
  const complete = name === 'packages' || name === 'items' ? { id: 1, quantity: 1 } : { id: 1, items: [] };
  return { [name]: [{ ...complete, ...nested(others, value) }] };
}

test('a simulation is judged after everything about the test itself', async () => {
  const impossible = { changes: { status: 'no_show' } };
  await allowCalls();
  assertProblem(await send({ eventType: 'booking.updated', ...impossible }), 422, 'WHK-N-007');
  assertProblem(await send({ eventType: 'webhook.ping', ...impossible }), 422, 'WHK-N-007');
  const foreign = await booked(maitred(), {}, { as: 'other-partner' });
  const about = { eventType: 'booking.updated', bookingId: foreign.id, ...impossible };
  assertProblem(await send(about), 403, 'PMAP-N-003');
});
