/** Every limit of a mandate, on every way to make or change a booking. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, test } from 'node:test';
import { resellerOf, units } from '../../channels/octo-support.ts';
import { assertProblem } from '../../support/app.ts';
import { metricOf } from '../../support/metrics.ts';
import { assertUnchanged, cancel, patch, replacing } from '../bookings/amend/amending.ts';
import {
  assertRefused,
  BOOTH,
  type Body,
  BRUNCH,
  book,
  booked,
  bookingsApp,
  COMPANY,
  DINNER,
  freeDay,
  jazzDay,
  STANDARD,
  traces,
} from '../bookings/support.ts';
import { bookHeld, held, hold, release } from '../holds/support.ts';
import { change, ordered } from '../orders/support.ts';
import { optionsOf, paid, pay } from '../payments/support.ts';
import { dayWithTables, join, joined, manage } from '../waitlist/support.ts';
import { assertBeyond, limitTo, ownMandate, unlimited } from './support.ts';

const app = bookingsApp();
const reseller = resellerOf(app);
const at = (time = '19:00') => ({ date: freeDay(), time });
const item = (compositeId: string, quantity = 2) => ({ compositeId, quantity, ...at() });
const today = () => Temporal.Now.plainDateISO('Europe/London');

afterEach(async () => {
  await unlimited(app());
  // What one test has made must not count in the next.
  await app().sql`update booking set client_id = 'another', status = 'cancelled'`;
  await app().sql`delete from hold`;
  await app().sql`delete from octo_booking`;
});

/** What became of the items, as `failed maxPartySize` or a status. */
const outcomesOf = ({ items }: Body): string[] =>
  items.map(({ status, error }: Body) => [status, error?.limit].filter(Boolean).join(' '));

test('a party, children included, is at most as large as the mandate says, whichever way it comes', async () => {
  const waiting = { date: freeDay(), partySize: 4 };
  const own = await booked(app(), { partySize: 3 });
  await limitTo(app(), { maxPartySize: 3 });
  const past = await traces(app().sql);
  assertBeyond(await book(app(), { partySize: 4 }), 'maxPartySize', 3);
  assertBeyond(await book(app(), { partySize: 3, children: 1 }), 'maxPartySize', 3);
  assertBeyond(await book(app(), { partySize: 4, type: 'request' }), 'maxPartySize', 3);
  assertBeyond(await hold(app(), { ...at(), partySize: 4 }), 'maxPartySize', 3);
  assertBeyond(await join(app(), waiting), 'maxPartySize', 3);
  await reseller.refused('/bookings', 'UNPROCESSABLE_ENTITY', {
    method: 'POST',
    body: {
      ...{ productId: DINNER, optionId: 'DEFAULT', unitItems: units(DINNER, 4) },
      availabilityId: (await reseller.firstStart(DINNER, freeDay(), 4)).id,
    },
  });
  const larger = () => patch(app(), own.id, [replacing('/partySize', 4)]);
  await assertUnchanged(app(), own.id, larger, 403, 'MANDT-N-001');
  assert.deepEqual(await traces(app().sql), past);
  assert.deepEqual(outcomesOf(await ordered(app(), [item(DINNER, 4), item(DINNER, 3)])), [
    'failed maxPartySize',
    'booked',
  ]);
  const whole = await ordered(app(), [item(DINNER, 2), item(DINNER, 4)], { atomic: true });
  assert.deepEqual(outcomesOf(whole), ['failed', 'failed maxPartySize']);
  await joined(app(), { ...waiting, partySize: 3 });
  await booked(app(), { partySize: 2, children: 1 });
});

test('a booking is made for at most so many days ahead, and moved no further', async () => {
  const day = (days: number) => today().add({ days }).toString();
  await limitTo(app(), { maxDaysAhead: 10 });
  assertBeyond(await book(app(), { date: day(11), time: '19:00' }), 'maxDaysAhead', 10);
  const { id } = await booked(app(), { date: day(10), time: '19:00' });
  assertBeyond(await patch(app(), id, [replacing('/date', day(11))]), 'maxDaysAhead', 10);
  assertBeyond(await join(app(), { date: day(11) }), 'maxDaysAhead', 10);
  assertBeyond(await hold(app(), { date: day(11), time: '19:00' }), 'maxDaysAhead', 10);
  assert.equal((await patch(app(), id, [replacing('/date', day(9))])).status, 200);
});

test('only the venues of the mandate, and only its cities, in whichever case', async () => {
  const venueIds = ['1|house|soho-grill'];
  await limitTo(app(), { venueIds });
  assertBeyond(await book(app(), at('21:00'), { productId: BOOTH }), 'venueIds', venueIds);
  await booked(app(), at());
  await limitTo(app(), { cities: ['paris', 'LONDON'] });
  await booked(app(), at());
  await limitTo(app(), { cities: ['Paris'] });
  assertBeyond(await book(app(), at()), 'cities', ['Paris']);
  const { detail } = assertProblem(await book(app(), at()), 403, 'MANDT-N-001');
  assert.equal(detail, 'Your mandate covers Paris, and not London.');
});

test('what is open is counted: bookings, enquiries and held places, until they end', async () => {
  await limitTo(app(), { maxOpenBookings: 3 });
  const first = await booked(app());
  await booked(app(), { type: 'request' });
  const kept = await held(app(), at());
  await assertRefused(app(), () => book(app()), 403, 'MANDT-N-001');
  assertBeyond(await book(app()), 'maxOpenBookings', 3);
  assertBeyond(await hold(app(), at()), 'maxOpenBookings', 3);
  assert.deepEqual(outcomesOf(await ordered(app(), [item(DINNER)])), ['failed maxOpenBookings']);
  assert.deepEqual(await ownMandate(app()), {
    mandate: { maxOpenBookings: 3 },
    ...{ openBookings: 3, openBookingsLeft: 0, bookingsInLastDay: 2, bookingsLeft: null },
  });
  assert.equal((await bookHeld(app(), kept)).status, 201, 'a booking of a held place is not counted twice');
  assertBeyond(await book(app()), 'maxOpenBookings', 3);
  assert.equal((await cancel(app(), first.id)).status, 204, 'cancelling is always allowed');
  const again = await held(app(), at());
  assert.equal((await release(app(), again.id)).status, 204);
  await booked(app());
});

test('an atomic order that goes beyond what may be open is not made at all, and another one in part', async () => {
  await limitTo(app(), { maxOpenBookings: 2 });
  const items = () => [item(DINNER), item(DINNER), item(DINNER)];
  const whole = await ordered(app(), items(), { atomic: true });
  assert.equal(whole.status, 'failed');
  assert.ok(outcomesOf(whole).includes('failed maxOpenBookings'));
  assert.equal((await ownMandate(app())).openBookings, 0);
  const parts = outcomesOf(await ordered(app(), items()));
  assert.deepEqual(parts.toSorted(), ['booked', 'booked', 'failed maxOpenBookings']);
});

test('an atomic order that is too much for one of two limits names that one', async () => {
  await limitTo(app(), { maxOpenBookings: 3, maxBookingsPerDay: 4 });
  for (let made = 0; made < 3; made += 1) await cancel(app(), (await booked(app())).id);
  const whole = await ordered(app(), [item(DINNER), item(DINNER)], { atomic: true });
  assert.ok(outcomesOf(whole).includes('failed maxBookingsPerDay'), JSON.stringify(outcomesOf(whole)));
});

test('repeats of a reservation of OCTO at once do not count against each other', async () => {
  await limitTo(app(), { maxOpenBookings: 1 });
  const { id: availabilityId } = await reseller.firstStart(DINNER, freeDay());
  const body = {
    ...{ uuid: randomUUID(), productId: DINNER, optionId: 'DEFAULT', availabilityId },
    unitItems: units(DINNER, 2),
  };
  const made = await Promise.all(Array.from({ length: 8 }, () => reseller.post('/bookings', body)));
  assert.deepEqual(new Set(made.map(({ uuid }) => uuid)), new Set([body.uuid]));
});

test('reservations of OCTO count, and are counted', async () => {
  await limitTo(app(), { maxOpenBookings: 1 });
  const { uuid } = await reseller.reserve(DINNER, freeDay());
  assertBeyond(await book(app()), 'maxOpenBookings', 1);
  const start = await reseller.firstStart(DINNER, freeDay());
  const refusal = await reseller.refused('/bookings', 'UNPROCESSABLE_ENTITY', {
    method: 'POST',
    body: {
      ...{ productId: DINNER, optionId: 'DEFAULT', unitItems: units(DINNER, 2), availabilityId: start.id },
    },
  });
  assert.deepEqual([refusal.code, refusal.limit], ['MANDT-N-001', 'maxOpenBookings']);
  const contact = { firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' };
  await reseller.post(`/bookings/${uuid}/confirm`, { contact });
  assert.equal((await ownMandate(app())).openBookings, 1);
  await reseller.post(`/bookings/${uuid}/cancel`, {});
  await booked(app());
});

test('a reservation of another client is confirmed for more guests, or left as it was', async () => {
  const { uuid } = await reseller.reserve(DINNER, freeDay());
  await app().sql`update octo_booking set client_id = 'another'`;
  await limitTo(app(), { maxOpenBookings: 1 });
  const { id } = await booked(app());
  const contact = { firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' };
  const body = { contact, unitItems: units(DINNER, 3) };
  const confirming = { method: 'POST', body } as const;
  const refusal = await reseller.refused(`/bookings/${uuid}/confirm`, 'UNPROCESSABLE_ENTITY', confirming);
  assert.equal(refusal.limit, 'maxOpenBookings');
  assert.equal((await reseller.get(`/bookings/${uuid}`)).unitItems.length, 2);
  await cancel(app(), id);
  assert.equal((await reseller.post(`/bookings/${uuid}/confirm`, body)).unitItems.length, 3);
});

test('staff who offer a place read whose mandate does not allow it', async () => {
  const { id } = await joined(app(), { date: await dayWithTables(app(), 1), from: '18:00', to: '21:00' });
  const offer = () => manage(app(), `/${id}/offer`, { method: 'POST' });
  await limitTo(app(), { maxOpenBookings: 0 });
  const answer = await offer();
  assertBeyond(answer, 'maxOpenBookings', 0);
  assert.match(answer.json.detail, /^The client whose entry it is would be told: Your mandate /);
  await limitTo(app(), { maxOpenBookings: 1 });
  assert.equal((await offer()).status, 200);
  await limitTo(app(), { maxPartySize: 1 });
  assertBeyond(await manage(app(), `/${id}/book`, { method: 'POST' }), 'maxPartySize', 1);
});

test('so many bookings are made within 24 hours, also if they are cancelled', async () => {
  await limitTo(app(), { maxBookingsPerDay: 2 });
  const { id } = await booked(app());
  assert.equal((await cancel(app(), id)).status, 204);
  await booked(app());
  await assertRefused(app(), () => book(app()), 403, 'MANDT-N-001');
  assertBeyond(await book(app()), 'maxBookingsPerDay', 2);
  assertBeyond(await hold(app(), at()), 'maxBookingsPerDay', 2);
  await app().sql`update booking set created_at = created_at - interval '24 hours' where id = ${id}`;
  await booked(app());
  assert.equal((await ownMandate(app())).bookingsLeft, 0);
});

test('a deposit is at most what the mandate says, declared or asked for, and so is a payment', async () => {
  const tickets = { date: jazzDay(), time: '20:00', partySize: 2 };
  await limitTo(app(), { maxDepositPence: 3000 });
  assertBeyond(await book(app(), { depositAmount: 3001 }), 'maxDepositPence', 3000);
  const { id } = await booked(app(), { depositAmount: 3000 });
  assertBeyond(await patch(app(), id, [replacing('/depositAmount', 3001)]), 'maxDepositPence', 3000);
  const preorders = {
    packages: [{ id: 112, quantity: 4 }],
    menus: [{ id: 111, items: [{ id: 11106, quantity: 4 }] }],
  };
  const company = { company: COMPANY, ...at('11:00'), partySize: 4, preorders };
  assertBeyond(await book(app(), company, { productId: BRUNCH }), 'maxDepositPence', 3000);
  const sold = await booked(app(), tickets, { productId: STANDARD });
  const { options } = await optionsOf(app(), sold.id);
  assert.ok(options.some(({ id: option, amount }: Body) => option === 'full' && amount > 3000));
  assertBeyond(await pay(app(), sold.id, { option: 'full' }), 'maxDepositPence', 3000);
  await paid(app(), sold.id, { option: 'deposit_25' });
});

test('what is paid for one booking in parts is added up', async () => {
  const { id } = await booked(
    app(),
    { date: jazzDay(), time: '20:00', partySize: 2 },
    { productId: STANDARD },
  );
  const costs = async () => {
    const { options } = await optionsOf(app(), id);
    return options.find(({ id: option }: Body) => option === 'full').amount;
  };
  const all = await costs();
  await limitTo(app(), { maxDepositPence: all - 1 });
  await paid(app(), id, { option: 'deposit_25' });
  assert.ok((await costs()) < all);
  assertBeyond(await pay(app(), id, { option: 'full' }), 'maxDepositPence', all - 1);
  await limitTo(app(), { maxDepositPence: all });
  await paid(app(), id, { option: 'full' });
});

test('the order of a change names the limit, and refusals are counted by it', async () => {
  const made = await ordered(app(), [item(DINNER)]);
  await limitTo(app(), { maxPartySize: 2 });
  const before = (await metricOf(app(), 'mandate_refusals_total{limit="maxPartySize"}')) ?? 0;
  const answer = await change(app(), made.orderId, [{ bookingId: made.items[0].bookingId, quantity: 3 }]);
  assert.deepEqual(outcomesOf(answer.json), ['failed maxPartySize']);
  assert.equal(await metricOf(app(), 'mandate_refusals_total{limit="maxPartySize"}'), before + 1);
});
