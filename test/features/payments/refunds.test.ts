import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { refundOnCancelling } from '../../../src/features/bookings/money/refunds.ts';
import type { PaymentRecord } from '../../../src/features/bookings/record.ts';
import { type Body, booked, bookingsApp, jazzDay, VIP } from '../bookings/support.ts';
import { bookTickets, cancel, optionsOf, paid, readBooking, refundsOf } from './support.ts';

const NIGHT = jazzDay(4);
const startsAt = Temporal.ZonedDateTime.from(`${NIGHT}T20:00[Europe/London]`).toInstant();
const TWO_DAYS_BEFORE = startsAt.subtract({ hours: 48 });

let now = TWO_DAYS_BEFORE;
const maitred = bookingsApp({ deps: { clock: () => now } });

/** VIP tickets of 6000 for the night whose terms the clock stands at. */
const bookVip = (quantity: number, overrides: Body = {}) =>
  booked(maitred(), { date: NIGHT, time: '20:00', partySize: quantity, ...overrides }, { productId: VIP });

const patch = (id: string, body: object[]) =>
  maitred().call(`/venues/bookings/${id}`, { method: 'PATCH', body });
const setParty = (id: string, value: number) => patch(id, [{ op: 'replace', path: '/partySize', value }]);
const refundedOf = async (id: string) =>
  (await readBooking(maitred(), id)).payments.map(({ refunded }: Body) => refunded);

test('up to the last moment of the terms all of it goes back, and a millisecond later nothing', async () => {
  now = TWO_DAYS_BEFORE;
  const [early, late] = [await bookVip(1), await bookVip(1)];
  const payment = await paid(maitred(), early.id);
  await paid(maitred(), late.id);
  await cancel(maitred(), early.id);
  now = TWO_DAYS_BEFORE.add({ milliseconds: 1 });
  await cancel(maitred(), late.id);
  const owed = { paymentId: payment.id, reason: 'cancelled', status: 'due', amountPence: 6000 };
  assert.deepEqual(await refundsOf(maitred(), early.id), [owed]);
  assert.deepEqual(await refundedOf(early.id), [6000]);
  assert.deepEqual(await refundsOf(maitred(), late.id), []);
  assert.deepEqual(await refundedOf(late.id), [0]);
});

test('of several terms the best that still holds counts', async (t) => {
  now = TWO_DAYS_BEFORE;
  const { sql } = maitred();
  const setTerms = (terms: object[]) =>
    sql`update product set refund_terms = ${sql.json(terms as never)} where id = ${VIP}`;
  t.after(() => setTerms([{ hoursBefore: 48, percent: 100 }]));
  await setTerms([
    { hoursBefore: 24, percent: 10 },
    { hoursBefore: 49, percent: 100 },
    { hoursBefore: 48, percent: 50 },
  ]);
  const { id } = await bookVip(1);
  await paid(maitred(), id);
  await cancel(maitred(), id);
  assert.deepEqual(await refundedOf(id), [3000]);
});

test('only what we took goes back, not what the partner took', async () => {
  now = TWO_DAYS_BEFORE;
  const { id } = await bookVip(1, { depositAmount: 1000 });
  await paid(maitred(), id);
  await cancel(maitred(), id);
  assert.deepEqual(await refundedOf(id), [5000]);
});

test('a booking that is cancelled twice is refunded once, and one without payments not at all', async () => {
  now = TWO_DAYS_BEFORE;
  const [paidFor, free] = [await bookTickets(maitred(), 1, { date: jazzDay(6) }), await bookVip(1)];
  await paid(maitred(), paidFor.id);
  for (const { id } of [paidFor, paidFor, free]) await cancel(maitred(), id);
  assert.equal((await refundsOf(maitred(), paidFor.id)).length, 1);
  assert.deepEqual(await refundsOf(maitred(), free.id), []);
});

test('tickets that are given back are refunded, and the others stay paid', async () => {
  now = TWO_DAYS_BEFORE;
  const { id } = await bookTickets(maitred(), 4, { date: jazzDay(6) });
  const payment = await paid(maitred(), id);
  assert.equal(payment.amount, 9600);
  const patched = await setParty(id, 2);
  assert.equal(patched.status, 200, patched.text);
  assert.equal(patched.json.payments[0].refunded, 4800);
  const owed = { paymentId: payment.id, reason: 'fewer_tickets', status: 'due', amountPence: 4800 };
  assert.deepEqual(await refundsOf(maitred(), id), [owed]);
  const { finalBalance, paid: sum, due } = await optionsOf(maitred(), id);
  assert.deepEqual([finalBalance, sum, due], [4800, 4800, 0]);
  await cancel(maitred(), id);
  assert.deepEqual(await refundedOf(id), [9600]);
});

test('of a deposit nothing goes back while it still covers no more than the tickets that are left', async () => {
  now = TWO_DAYS_BEFORE;
  const { id } = await bookTickets(maitred(), 4, { date: jazzDay(7) });
  await paid(maitred(), id, { option: 'deposit_25' });
  assert.equal((await setParty(id, 2)).status, 200);
  assert.deepEqual(await refundsOf(maitred(), id), []);
  const { paid: sum, due } = await optionsOf(maitred(), id);
  assert.deepEqual([sum, due], [2400, 2400]);
});

test('tickets given back one by one are refunded from the newest payment on, never more than was taken', async () => {
  now = TWO_DAYS_BEFORE;
  const { id } = await bookTickets(maitred(), 4, { date: jazzDay(8) });
  await paid(maitred(), id, { option: 'deposit_25' });
  await paid(maitred(), id);
  const steps: number[][] = [];
  for (const quantity of [3, 2, 1]) {
    assert.equal((await setParty(id, quantity)).status, 200);
    steps.push(await refundedOf(id));
  }
  assert.deepEqual(steps, [
    [0, 2400],
    [0, 4800],
    [0, 7200],
  ]);
  await cancel(maitred(), id);
  assert.deepEqual(await refundedOf(id), [2400, 7200]);
});

test('a partner that says it took more than the tickets cost gets none of what we took beyond that', async () => {
  now = TWO_DAYS_BEFORE;
  const { id } = await bookTickets(maitred(), 4, { date: jazzDay(9), depositAmount: 8000 });
  const payment = await paid(maitred(), id);
  assert.equal(payment.amount, 1600);
  assert.equal((await setParty(id, 1)).status, 200);
  assert.deepEqual(await refundedOf(id), [1600]);
});

const payment = (amountPence: number, refundedPence: number, status: PaymentRecord['status']) =>
  ({ amountPence, refundedPence, status }) as PaymentRecord;

test('whatever the terms, a refund is whole pence, never above what was taken, and never grows with time', () => {
  const anyPayment = fc
    .record({
      amount: fc.integer({ min: 1, max: 100_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      status: fc.constantFrom('succeeded' as const, 'processing' as const, 'failed' as const),
    })
    .map(({ amount, share, status }) =>
      payment(amount, status === 'succeeded' ? Math.floor(amount * share) : 0, status),
    );
  const term = fc.record({
    hoursBefore: fc.integer({ min: 0, max: 100 }),
    percent: fc.integer({ min: 0, max: 100 }),
  });
  const hours = fc.integer({ min: 0, max: 120 });
  fc.assert(
    fc.property(fc.array(anyPayment), fc.array(term), hours, hours, (payments, refundTerms, one, other) => {
      const taken = payments
        .filter(({ status }) => status === 'succeeded')
        .reduce((sum, { amountPence, refundedPence }) => sum + amountPence - refundedPence, 0);
      const at = (hoursLeft: number) =>
        refundOnCancelling(
          { payments, startsAt, refundTerms, wasPlaced: true },
          startsAt.subtract({ hours: hoursLeft }),
        );
      const [earlier, later] = [at(Math.max(one, other)), at(Math.min(one, other))];
      assert.ok(Number.isInteger(later) && later >= 0);
      assert.ok(later <= earlier && earlier <= taken);
    }),
  );
});
