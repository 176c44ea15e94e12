import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { callNow, operator } from '../bookings/amend/amending.ts';
import { type Body, booked, bookingsApp, jazzDay, STANDARD, VIP } from '../bookings/support.ts';
import { bookBrunch, cancel, paid, readBooking, refundsOf } from './support.ts';

const NIGHT = jazzDay(4);
const TWO_DAYS_BEFORE = Temporal.ZonedDateTime.from(`${NIGHT}T20:00[Europe/London]`)
  .toInstant()
  .subtract({ hours: 48 });

let now = TWO_DAYS_BEFORE;
const maitred = bookingsApp({ deps: { clock: () => now } });

/** VIP tickets of 6000 for the night whose terms the clock stands at. */
const bookVip = (quantity: number) =>
  booked(maitred(), { date: NIGHT, time: '20:00', partySize: quantity }, { productId: VIP });

const patch = (id: string, body: object[]) =>
  maitred().call(`/venues/bookings/${id}`, { method: 'PATCH', body });
const refundedOf = async (id: string) =>
  (await readBooking(maitred(), id)).payments.map(({ refunded }: Body) => refunded);

/** A week after the moment at which the clock stands, or the first day after the holidays. */
function brunchDay(): string {
  let day = TWO_DAYS_BEFORE.toZonedDateTimeISO('Europe/London').toPlainDate().add({ days: 7 });
  while (day.month === 12 && day.day >= 24) day = day.add({ days: 1 });
  return day.toString();
}

test('what was paid for an enquiry goes back when it is rejected', async () => {
  now = TWO_DAYS_BEFORE;
  const { id } = await bookBrunch(maitred(), 2, { type: 'request', date: brunchDay() });
  const payment = await paid(maitred(), id, { option: 'deposit' });
  const { bookings } = maitred().services;
  const rejected = await bookings.reject(operator(1), id);
  assert.equal(rejected.payments[0]?.refunded, 2000);
  const owed = { paymentId: payment.id, reason: 'rejected', status: 'due', amountPence: 2000 };
  assert.deepEqual(await refundsOf(maitred(), id), [owed]);
  const again = await maitred().call(`/venues/bookings/${id}`, { method: 'DELETE' });
  assertProblem(again, 409, 'BOOK-N-014');
});

test('an enquiry that is accepted keeps what was paid for it', async () => {
  now = TWO_DAYS_BEFORE;
  const { id } = await bookBrunch(maitred(), 2, { type: 'request', date: brunchDay() });
  await paid(maitred(), id, { option: 'deposit' });
  const accepted = await maitred().services.bookings.accept(operator(1), id);
  assert.deepEqual([accepted.status, accepted.payments[0]?.refunded], ['confirmed', 0]);
});

async function cancelAtTheLastMinute(id: string, startsAt: string): Promise<void> {
  now = Temporal.Instant.from(startsAt).subtract({ minutes: 1 });
  const cancelled = await callNow(maitred(), `/venues/bookings/${id}`, { method: 'DELETE' });
  now = TWO_DAYS_BEFORE;
  assert.equal(cancelled.status, 204, cancelled.text);
}

test('an enquiry that was never accepted and is withdrawn gives back all, whatever the terms', async () => {
  now = TWO_DAYS_BEFORE;
  const { id, dateTime } = await bookBrunch(maitred(), 2, { type: 'request', date: brunchDay() });
  const payment = await paid(maitred(), id);
  await cancelAtTheLastMinute(id, dateTime);
  const owed = { paymentId: payment.id, reason: 'cancelled', status: 'due', amountPence: 6200 };
  assert.deepEqual(await refundsOf(maitred(), id), [owed]);
});

test('an enquiry that was accepted is under the terms', async () => {
  now = TWO_DAYS_BEFORE;
  const { id, dateTime } = await bookBrunch(maitred(), 2, { type: 'request', date: brunchDay() });
  await paid(maitred(), id);
  await maitred().services.bookings.accept(operator(1), id);
  await cancelAtTheLastMinute(id, dateTime);
  assert.deepEqual(await refundsOf(maitred(), id), []);
});

/** A booking that was confirmed and is asked for anew, at another time. */
const askAnew = async (id: string, time: string) => {
  const asked = await patch(id, [
    { op: 'replace', path: '/type', value: 'request' },
    { op: 'replace', path: '/time', value: time },
  ]);
  assert.equal(asked.status, 200, asked.text);
  assert.equal(asked.json.status, 'pending');
};

test('nobody goes round the terms by turning a booking into an enquiry', async () => {
  now = TWO_DAYS_BEFORE;
  const { id, dateTime } = await bookBrunch(maitred(), 2, { date: brunchDay() });
  await paid(maitred(), id);
  await askAnew(id, '12:00');
  assert.deepEqual(await refundsOf(maitred(), id), []);
  await cancelAtTheLastMinute(id, dateTime);
  assert.deepEqual(await refundsOf(maitred(), id), []);
});

test('the terms are those of the day of booking, and after a move those of the new product', async (t) => {
  now = TWO_DAYS_BEFORE;
  const { sql } = maitred();
  const setTerms = (percent: number) =>
    sql`update product set refund_terms = ${sql.json([{ hoursBefore: 48, percent }] as never)}
      where id in ${sql([VIP, STANDARD])}`;
  t.after(() => setTerms(100));
  const [kept, moved] = [await bookVip(1), await bookVip(1)];
  for (const { id } of [kept, moved]) await paid(maitred(), id);
  await setTerms(50);
  for (const { id } of [kept, moved])
    assert.equal(
      (await patch(id, [{ op: 'replace', path: '/comments', value: 'By the stage' }])).status,
      200,
    );
  assert.equal(
    (await patch(moved.id, [{ op: 'replace', path: '/compositeId', value: STANDARD }])).status,
    200,
  );
  for (const { id } of [kept, moved]) await cancel(maitred(), id);
  assert.deepEqual(await refundedOf(kept.id), [6000]);
  assert.deepEqual(await refundedOf(moved.id), [3600 + 1200]);
});
