import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  BRUNCH,
  bookingsApp,
  DINNER,
  freeDay,
  HIDDEN,
  jazzDay,
  STANDARD,
} from '../features/bookings/support.ts';
import { ADA, resellerOf, units } from './octo-support.ts';

const app = bookingsApp();
const reseller = resellerOf(app);

test('the supplier, and the products that can be reserved', async () => {
  const supplier = await reseller.get('/supplier');
  assert.equal(supplier.endpoint.endsWith('/octo'), true);
  const products: { id: string; options: { units: { id: string }[] }[] }[] = await reseller.get('/products');
  const ids = products.map(({ id }) => id);
  assert.ok(ids.includes(DINNER) && ids.includes(STANDARD));
  assert.ok(!ids.includes(HIDDEN), 'what is not mapped is not sold');
  assert.ok(!ids.includes(BRUNCH), 'a channel that wants companies is not for OCTO');
  const dinner = await reseller.get(`/products/${encodeURIComponent(DINNER)}`);
  assert.deepEqual(
    dinner,
    products.find(({ id }) => id === DINNER),
  );
  assert.deepEqual(
    products.find(({ id }) => id === STANDARD)?.options[0]?.units.map(({ id }) => id),
    ['ticket'],
  );
});

test('ids that are none, or not the caller’s, have their errors', async () => {
  for (const id of ['nonsense', '9|house|nowhere|dinner', HIDDEN, BRUNCH]) {
    const refusal = await reseller.refused(`/products/${encodeURIComponent(id)}`, 'INVALID_PRODUCT_ID', {});
    assert.equal(refusal.productId, id);
    assert.ok(refusal.code);
  }
  const date = freeDay();
  const question = { productId: DINNER, optionId: 'DEFAULT', localDateStart: date, localDateEnd: date };
  const ask = (body: object, error: string) =>
    reseller.refused('/availability', error, { method: 'POST', body: { ...question, ...body } });
  await ask({ productId: 'x' }, 'INVALID_PRODUCT_ID');
  await ask({ optionId: 'x' }, 'INVALID_OPTION_ID');
  await ask({ units: [{ id: 'x', quantity: 1 }] }, 'INVALID_UNIT_ID');
  await ask({ localDateEnd: null }, 'BAD_REQUEST');
  await ask({ localDateStart: '2026-13-01' }, 'BAD_REQUEST');
  await ask({ localDateEnd: '2020-01-01' }, 'BAD_REQUEST');
  await ask({ availabilityIds: ['x'] }, 'BAD_REQUEST');
  await reseller.refused('/bookings/nonsense', 'INVALID_BOOKING_UUID', {});
  await reseller.refused(`/bookings/${randomUUID()}`, 'INVALID_BOOKING_UUID', {});
  await reseller.refused('/bookings', 'BAD_REQUEST', {});
});

test('availability by day, by start and by id say the same', async () => {
  const date = jazzDay(1);
  const question = { productId: STANDARD, optionId: 'DEFAULT' };
  const range = { localDateStart: date, localDateEnd: date };
  const [start] = await reseller.post('/availability', { ...question, ...range });
  assert.equal(start.available, true);
  assert.equal(start.localDateTimeStart, start.id);
  assert.ok(start.vacancies > 0 && start.vacancies <= start.capacity);
  const [named] = await reseller.post('/availability', {
    ...question,
    availabilityIds: [start.id, 'nonsense'],
  });
  assert.deepEqual(named, start);
  const [day] = await reseller.post('/availability/calendar', { ...question, ...range });
  assert.equal(day.localDate, date);
  assert.equal(day.available, true);
  assert.equal(day.vacancies, start.vacancies);
  const held = await reseller.reserve(STANDARD, date);
  const [after] = await reseller.post('/availability', { ...question, availabilityIds: [start.id] });
  assert.equal(after.vacancies, start.vacancies - 2);
  await reseller.post(`/bookings/${held.uuid}/cancel`, {});
  const [released] = await reseller.post('/availability', { ...question, availabilityIds: [start.id] });
  assert.equal(released.vacancies, start.vacancies);
});

for (const product of [DINNER, STANDARD]) {
  const day = () => (product === DINNER ? freeDay() : jazzDay(3));

  test(`${product} is held, extended, confirmed and cancelled`, async () => {
    const held = await reseller.reserve(product, day(), {
      notes: 'A birthday',
      resellerReference: `r-${randomUUID()}`,
    });
    assert.equal(held.status, 'ON_HOLD');
    assert.equal(held.unitItems.length, 2);
    assert.equal(held.utcConfirmedAt, null);
    const extended = await reseller.post(`/bookings/${held.uuid}/extend`, { expirationMinutes: 55 });
    assert.ok(extended.utcExpiresAt > held.utcExpiresAt);
    const confirmed = await reseller.post(`/bookings/${held.uuid}/confirm`, { contact: ADA });
    assert.equal(confirmed.status, 'CONFIRMED');
    assert.equal(confirmed.utcExpiresAt, null);
    assert.equal(confirmed.notes, 'A birthday');
    assert.equal(confirmed.contact.notes, 'By the window');
    assert.equal(confirmed.contact.emailAddress, 'ada@example.com');
    assert.equal(confirmed.voucher.deliveryOptions[0].deliveryValue, confirmed.supplierReference);
    assert.deepEqual(await reseller.post(`/bookings/${held.uuid}/confirm`, { contact: ADA }), confirmed);
    assert.deepEqual(await reseller.get(`/bookings/${held.uuid}`), confirmed);
    const { json: own } = await app().call(`/venues/bookings/${held.uuid}`);
    assert.equal(own.partnerBookingId, held.resellerReference);
    assert.equal(own.notes, 'A birthday\nBy the window');
    assert.equal(own.partySize, 2);
    const byReference = await reseller.get(`/bookings?resellerReference=${held.resellerReference}`);
    assert.deepEqual(byReference, [confirmed]);
    const bySupplier = await reseller.get(`/bookings?supplierReference=${confirmed.supplierReference}`);
    assert.deepEqual(bySupplier, [confirmed]);
    const localDate = confirmed.availabilityId.slice(0, 10);
    const byDay = await reseller.get(`/bookings?localDate=${localDate}`);
    assert.ok(byDay.some(({ uuid }: { uuid: string }) => uuid === held.uuid));
    const cancelled = await reseller.post(`/bookings/${held.uuid}/cancel`, { reason: 'Plans changed' });
    assert.equal(cancelled.status, 'CANCELLED');
    assert.equal(cancelled.cancellation.refund, 'FULL');
    assert.equal(cancelled.cancellation.reason, 'Plans changed');
    assert.deepEqual(await reseller.post(`/bookings/${held.uuid}/cancel`, {}), cancelled);
    assert.equal((await app().call(`/venues/bookings/${held.uuid}`)).json.status, 'cancelled');
    await reseller.refused(`/bookings/${held.uuid}/confirm`, 'UNPROCESSABLE_ENTITY', {
      method: 'POST',
      body: { contact: ADA },
    });
  });
}

test('the same reservation again is answered alike, another one under its uuid is refused', async () => {
  const date = freeDay();
  const start = await reseller.firstStart(DINNER, date);
  const body = {
    uuid: randomUUID(),
    productId: DINNER,
    optionId: 'DEFAULT',
    availabilityId: start.id,
    unitItems: units(DINNER, 2),
  };
  const [first, second] = await Promise.all([
    reseller.post('/bookings', body),
    reseller.post('/bookings', body),
  ]);
  assert.deepEqual(first, second);
  const post = (changes: object, error: string, caller = reseller) =>
    caller.refused('/bookings', error, { method: 'POST', body: { ...body, ...changes } });
  await post({ unitItems: units(DINNER, 3) }, 'UNPROCESSABLE_ENTITY');
  const [{ uuid: confirmed }] = [await reseller.post(`/bookings/${body.uuid}/confirm`, { contact: ADA })];
  assert.equal((await reseller.post('/bookings', body)).status, 'CONFIRMED');
  assert.equal(confirmed, body.uuid);
  await post({ uuid: 'x' }, 'BAD_REQUEST');
  await post({ uuid: randomUUID(), unitItems: [] }, 'UNPROCESSABLE_ENTITY');
  await post({ uuid: randomUUID(), unitItems: undefined }, 'UNPROCESSABLE_ENTITY');
  await post({ uuid: randomUUID(), unitItems: [{ unitId: 'x' }] }, 'INVALID_UNIT_ID');
  await post({ uuid: randomUUID(), availabilityId: 'x' }, 'INVALID_AVAILABILITY_ID');
  await post({ uuid: randomUUID(), availabilityId: undefined }, 'INVALID_AVAILABILITY_ID');
  await post({ uuid: randomUUID(), contact: { emailAddress: 'x' } }, 'BAD_REQUEST');
  await post({ uuid: randomUUID(), unitItems: units(DINNER, 900) }, 'UNPROCESSABLE_ENTITY');
  const [rows] = await app().sql<
    [{ count: number }]
  >`select count(*)::int as count from octo_booking where state = 'holding'`;
  assert.equal(rows.count, 0, 'what is refused leaves nothing');
});

test('a reservation is changed before and after it is confirmed', async () => {
  const [date, later] = [freeDay(), freeDay()];
  const held = await reseller.reserve(DINNER, date);
  const more = await reseller.patch(`/bookings/${held.uuid}`, {
    unitItems: units(DINNER, 3),
    contact: ADA,
    notes: 'Late',
  });
  assert.equal(more.unitItems.length, 3);
  assert.equal(more.unitItems[0].uuid, held.unitItems[0].uuid);
  assert.equal(more.contact.firstName, 'Ada');
  assert.equal(more.notes, 'Late');
  const start = await reseller.firstStart(DINNER, later, 3);
  const moved = await reseller.patch(`/bookings/${held.uuid}`, { availabilityId: start.id });
  assert.equal(moved.availabilityId, start.id);
  assert.equal(moved.utcExpiresAt, held.utcExpiresAt);
  const refused = await reseller.refused(`/bookings/${held.uuid}`, 'UNPROCESSABLE_ENTITY', {
    method: 'PATCH',
    body: { unitItems: units(DINNER, 500) },
  });
  assert.ok(refused.errorMessage);
  assert.deepEqual(await reseller.get(`/bookings/${held.uuid}`), moved, 'refused, it stays as it was');
  const confirmed = await reseller.post(`/bookings/${held.uuid}/confirm`, { unitItems: units(DINNER, 2) });
  assert.equal(confirmed.unitItems.length, 2);
  assert.equal(confirmed.availabilityId, start.id);
  const back = await reseller.firstStart(DINNER, date, 2);
  const reference = `r-${randomUUID()}`;
  const amended = await reseller.patch(`/bookings/${held.uuid}`, {
    availabilityId: back.id,
    unitItems: units(DINNER, 4),
    resellerReference: reference,
    notes: 'Later still',
  });
  assert.equal(amended.availabilityId, back.id);
  assert.equal(amended.unitItems.length, 4);
  assert.equal(amended.resellerReference, reference);
  assert.equal(amended.notes, 'Later still');
  const { json: own } = await app().call(`/venues/bookings/${held.uuid}`);
  assert.equal(own.partySize, 4);
  assert.equal(own.dateTime, back.id);
  assert.equal(own.notes, 'Later still\nBy the window');
});

test('what is held becomes another product at another venue', async () => {
  const held = await reseller.reserve(DINNER, freeDay());
  const start = await reseller.firstStart(STANDARD, jazzDay(4));
  const moved = await reseller.patch(`/bookings/${held.uuid}`, {
    productId: STANDARD,
    optionId: 'DEFAULT',
    availabilityId: start.id,
    unitItems: units(STANDARD, 2),
  });
  assert.equal(moved.productId, STANDARD);
  const confirmed = await reseller.post(`/bookings/${held.uuid}/confirm`, {
    contact: { fullName: 'Ada Lovelace' },
  });
  assert.equal(confirmed.productId, STANDARD);
  assert.equal(confirmed.contact.lastName, 'Lovelace');
  const [left] = await app().sql<[{ count: number }]>`
    select (select count(*) from house_hold where id = ${held.uuid})::int as count`;
  assert.equal(left.count, 0);
});

test('a reservation without a name is not confirmed', async () => {
  const held = await reseller.reserve(DINNER, freeDay());
  await reseller.refused(`/bookings/${held.uuid}/confirm`, 'UNPROCESSABLE_ENTITY', {
    method: 'POST',
    body: { contact: {} },
  });
  assert.equal((await reseller.get(`/bookings/${held.uuid}`)).status, 'ON_HOLD');
});

test('another partner sees nothing of it, and cannot use its uuid', async () => {
  const other = resellerOf(app, 'other-partner');
  const held = await reseller.reserve(DINNER, freeDay());
  for (const [path, method] of [
    ['', 'GET'],
    ['', 'PATCH'],
    ['/confirm', 'POST'],
    ['/extend', 'POST'],
    ['/cancel', 'POST'],
  ] as const)
    await other.refused(`/bookings/${held.uuid}${path}`, 'INVALID_BOOKING_UUID', {
      method,
      ...(method !== 'GET' && { body: path === '/confirm' ? { contact: ADA } : {} }),
    });
  assert.deepEqual(await other.get('/bookings?localDate=2026-12-01'), []);
});

test('prices come with the capability that asks for them', async () => {
  const priced = { headers: { 'octo-capabilities': 'octo/pricing, octo/unknown' } };
  const answer = await reseller.call(`/products/${encodeURIComponent(STANDARD)}`, priced);
  assert.equal(answer.headers['octo-capabilities'], 'octo/pricing');
  const { defaultCurrency, options } = answer.json;
  assert.equal(defaultCurrency, 'GBP');
  assert.ok(options[0].units[0].pricing[0].retail > 0);
  const held = await reseller.reserve(STANDARD, jazzDay(5));
  const { json } = await reseller.call(`/bookings/${held.uuid}`, priced);
  assert.equal(json.pricing.retail, 2 * options[0].units[0].pricing[0].retail);
  assert.equal(held.pricing, undefined);
});

test('a forgotten guest is forgotten here too', async () => {
  const held = await reseller.reserve(DINNER, freeDay());
  await reseller.post(`/bookings/${held.uuid}/confirm`, { contact: ADA });
  await app().sql`update booking set guest = null where id = ${held.uuid}`;
  const { contact, notes } = await reseller.get(`/bookings/${held.uuid}`);
  assert.equal(contact.firstName, null);
  assert.equal(contact.notes, null);
  assert.equal(notes, null);
  const [row] = await app().sql`select details from octo_booking where id = ${held.uuid}`;
  assert.equal(row?.details, null);
});

test('errors of every kind have the form of OCTO', async () => {
  const anonymous = await app().call('/octo/products', { as: null });
  assert.equal(anonymous.status, 401);
  assert.equal(anonymous.json.error, 'UNAUTHORIZED');
  const wrongMethod = await app().call('/octo/products', { method: 'DELETE' });
  assert.equal(wrongMethod.status, 405);
  assert.ok(wrongMethod.json.errorMessage);
  const broken = await app().call('/octo/bookings', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  });
  assert.equal(broken.json.error, 'BAD_REQUEST');
  assert.equal(broken.status, 400);
});
