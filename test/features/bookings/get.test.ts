import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem } from '../../support/app.ts';
import { addOperatorClient, read } from './amend/amending.ts';
import { BOOTH, type Body, BRUNCH, booked, bookingsApp, COMPANY, jazzDay, VIP } from './support.ts';

const NOBODYS = '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60';

let dinner: Body;
const maitred = bookingsApp({}, async (app) => {
  dinner = await booked(app, { comments: 'By the window', admin_notes: 'A regular', labels: ['vip'] });
  await addOperatorClient(app.sql, 2);
});

test('reading a booking gives what creation answered', async () => {
  const preorders = {
    packages: [{ slug: 'garden-brunch', quantity: 2 }],
    menus: [{ id: 112, items: [{ id: 11201, quantity: 2, options: [{ id: 'milk', value: 'Oat drink' }] }] }],
  };
  const brunch = { time: '11:00', date: dinner.date, company: COMPANY, preorders };
  const made = [
    dinner,
    await booked(maitred(), { type: 'request', partySize: 12, children: 2 }),
    await booked(maitred(), { time: '00:30', date: dinner.date }, { productId: BOOTH }),
    await booked(maitred(), { date: jazzDay(), time: '20:00' }, { productId: VIP }),
    await booked(maitred(), brunch, { productId: BRUNCH }),
  ];
  for (const booking of made) {
    const answer = await read(maitred(), booking.id);
    assert.deepEqual(answer.json, booking);
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});

test('a booking has every field of the interface, null where there is nothing', async () => {
  const { json } = await read(maitred(), (await booked(maitred(), { email: undefined })).id);
  for (const name of ['id', 'compositeId', 'date', 'time', 'dateTime', 'partySize', 'status', 'duration'])
    assert.notEqual(json[name] ?? null, null, name);
  for (const name of ['firstName', 'lastName', 'phone', 'venueGroupName', 'venueName', 'productName'])
    assert.equal(typeof json[name], 'string', name);
  for (const name of ['createdDate', 'tmsCreatedDate', 'lastUpdate'])
    assert.ok(Temporal.Instant.from(json[name]), name);
  assert.deepEqual([json.email, json.notes, json.partnerBookingId], [null, null, null]);
  assert.deepEqual([json.payments, json.preorders], [[], { packages: [], menus: [] }]);
  assert.equal(json.reference, json.operatorBookingId);
  assert.deepEqual(
    [json.location.city, json.location.area, json.location.lat, json.location.lng],
    ['London', 'Soho', 51.5136, -0.1319],
  );
});

test('what does not exist is not found, whatever the id looks like', async () => {
  for (const id of [NOBODYS, 'x', '1', `${dinner.id}0`, "'%20or%20true"]) {
    for (const as of ['demo-partner', 'demo-operator', 'demo-admin'])
      assertProblem(await read(maitred(), id, as), 404, 'BOOK-N-006');
  }
});

test('an id in capital letters is the same id', async () => {
  assert.equal((await read(maitred(), dinner.id.toUpperCase())).json.id, dinner.id);
});

test("another partner's booking is not shown, nor is that of another operator", async () => {
  assertProblem(await read(maitred(), dinner.id, 'other-partner'), 403, 'PMAP-N-003');
  assertProblem(await read(maitred(), dinner.id, 'operator-2'), 403, 'OPRTR-N-002');
  const others = await booked(maitred(), {}, { as: 'other-partner' });
  assertProblem(await read(maitred(), others.id), 403, 'PMAP-N-003');
});

test('an agent reads the bookings of the partner that it acts for, and only those', async () => {
  const headers = { 'x-partner-reference': 'demo-partner' };
  const call = (id: string) => maitred().call(`/venues/bookings/${id}`, { as: 'demo-agent', headers });
  assert.deepEqual((await call(dinner.id)).json, dinner);
  const others = await booked(maitred(), {}, { as: 'other-partner' });
  assertProblem(await call(others.id), 403, 'PMAP-N-003');
});

test('the operator and the platform see what is for the operator alone', async () => {
  const theirs = { admin_notes: 'A regular', flags: [], skipsPreorderEmail: false };
  for (const as of ['demo-operator', 'demo-admin']) {
    assert.deepEqual((await read(maitred(), dinner.id, as)).json, { ...dinner, ...theirs });
  }
});

test('fields select, and an unknown one is refused before anything is looked up', async () => {
  const call = (fields: string, id = dinner.id) =>
    maitred().call(`/venues/bookings/${id}?fields=${encodeURIComponent(fields)}`);
  assert.deepEqual((await call('status,location(city),preorders(menus(submitted))')).json, {
    status: 'confirmed',
    location: { city: 'London' },
    preorders: { menus: [] },
  });
  assert.deepEqual((await call('admin_notes')).json, {});
  for (const fields of ['tmsTables', 'area', 'status(x)', 'location(', '']) {
    assertProblem(await call(fields), 400, 'FSEL-N-001');
  }
  assertProblem(await call('nothing', NOBODYS), 400, 'FSEL-N-001');
});

test('TOON says the same as JSON', async () => {
  const headers = { accept: 'text/toon' };
  const toon = await maitred().call(`/venues/bookings/${dinner.id}`, { headers });
  assert.deepEqual(decode(toon.text), dinner);
});

test('a booking can be read after its venue was withdrawn from the partner, and after it closed', async () => {
  const { sql } = maitred();
  const booth = await booked(maitred(), {}, { productId: BOOTH });
  await sql`delete from product_mapping where partner_id = 1 and venue_id = '2|house|night-owl'`;
  await sql`delete from venue_mapping where partner_id = 1 and venue_id = '2|house|night-owl'`;
  await sql`update venue set closed_at = now() where id = '2|house|night-owl'`;
  assert.deepEqual((await read(maitred(), booth.id)).json, booth);
});
