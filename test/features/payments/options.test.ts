import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { optionsOf, type Payable } from '../../../src/features/bookings/money/payment-options.ts';
import type { PaymentRecord, PaymentState } from '../../../src/features/bookings/record.ts';
import type { PaymentRule } from '../../../src/features/venues/transfer/document.ts';
import type { Weekday } from '../../../src/kernel/zone-time.ts';

const SATURDAY = '2027-02-06';

function payment(status: PaymentState, amountPence: number, refundedPence = 0): PaymentRecord {
  return {
    id: crypto.randomUUID(),
    option: 'full',
    status,
    amountPence,
    currency: 'GBP',
    method: null,
    nextActionUrl: null,
    failureReason: null,
    createdAt: Temporal.Instant.from('2027-01-01T10:00:00Z'),
    refundedPence,
    returnedPence: 0,
  };
}

function bookingOf(changes: Partial<Payable>): Payable {
  return {
    status: 'confirmed',
    date: SATURDAY,
    adults: 2,
    children: 0,
    preorders: { packages: [], menus: [] },
    pricePerGuestPence: null,
    depositPence: null,
    depositDuePence: null,
    paymentUntil: null,
    ruledBalancePence: null,
    payments: [],
    venue: { paymentRules: [], isClosed: false },
    ...changes,
  };
}

const packageOf = (pricePence: number, quantity: number) => ({
  id: 1,
  slug: null,
  name: 'A package',
  quantity,
  pricePence,
  pricePer: 'guest' as const,
});
const costing = (pence: number) => bookingOf({ preorders: { packages: [packageOf(pence, 1)], menus: [] } });

const pence = fc.integer({ min: 0, max: 50_000 });
const quantity = fc.integer({ min: 1, max: 12 });

const item = fc
  .record({ pricePence: pence, quantity })
  .map((each) => ({ id: 1, name: '', options: [], ...each }));
const anyPayment = fc
  .record({
    status: fc.constantFrom('processing' as const, 'succeeded' as const, 'failed' as const),
    amount: fc.integer({ min: 1, max: 60_000 }),
    refundedShare: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ status, amount, refundedShare }) =>
    payment(status, amount, status === 'succeeded' ? Math.floor(amount * refundedShare) : 0),
  );
const rule = fc.record({
  amount: pence,
  currency: fc.constant('GBP'),
  per: fc.constantFrom('booking' as const, 'guest' as const, 'adult' as const, 'child' as const),
  minPartySize: fc.option(quantity),
  maxPartySize: fc.option(quantity),
  weekdays: fc.constantFrom<Weekday[] | null>(null, [6], [1, 2]),
});
const anyBooking = fc
  .record({
    adults: quantity,
    children: fc.integer({ min: 0, max: 5 }),
    packages: fc.array(fc.tuple(pence, quantity), { maxLength: 3 }),
    items: fc.array(item, { maxLength: 3 }),
    pricePerGuestPence: fc.option(pence),
    depositPence: fc.option(fc.double({ min: 0, max: 60_000, noNaN: true })),
    payments: fc.array(anyPayment, { maxLength: 3 }),
    rules: fc.array(rule, { maxLength: 2 }),
  })
  .map(({ packages, items, rules, ...rest }) =>
    bookingOf({
      ...rest,
      preorders: {
        packages: packages.map(([price, count]) => packageOf(price, count)),
        menus: [{ id: 1, slug: null, name: 'A menu', submitted: 'pre', items }],
      },
      venue: { paymentRules: rules, isClosed: false },
    }),
  );

const amountsOf = (booking: Payable) =>
  Object.fromEntries(optionsOf(booking).options.map(({ id, amount }) => [id, amount]));

test('the balance is what packages, dishes and tickets cost together', () => {
  fc.assert(
    fc.property(anyBooking, (booking) => {
      let sum = 0;
      for (const { pricePence, quantity: count } of booking.preorders.packages) sum += pricePence * count;
      for (const menu of booking.preorders.menus)
        for (const { pricePence, quantity: count } of menu.items) sum += pricePence * count;
      sum += (booking.pricePerGuestPence ?? 0) * (booking.adults + booking.children);
      assert.equal(optionsOf(booking).finalBalance, sum);
    }),
  );
});

test('what was paid, what is under way and what the partner took is paid; what failed or went back is not', () => {
  const payments = [payment('succeeded', 1000, 300), payment('processing', 200), payment('failed', 5000)];
  const { paid, due } = optionsOf({ ...costing(4000), payments, depositPence: 50.4 });
  assert.equal(paid, 700 + 200 + 50);
  assert.equal(due, 4000 - 950);
});

test('amounts are whole pence above nothing and, where there is a balance, never above what is due', () => {
  fc.assert(
    fc.property(anyBooking, (booking) => {
      const { finalBalance, paid, due, options } = optionsOf(booking);
      assert.equal(due, Math.max(0, finalBalance - paid));
      for (const { amount, label } of options) {
        assert.ok(Number.isInteger(amount) && amount > 0);
        assert.ok(finalBalance === 0 || amount <= due);
        assert.match(label, /£[\d,]+\.\d\d$/);
      }
      assert.equal(amountsOf(booking).full ?? 0, due);
    }),
  );
});

test('with what is paid already the deposit of 25 percent is a quarter of the balance, half a penny rounded up', () => {
  fc.assert(
    fc.property(anyBooking, (booking) => {
      const { finalBalance, paid } = optionsOf(booking);
      const remainder = finalBalance % 4;
      const quarter = (finalBalance - remainder) / 4 + (remainder >= 2 ? 1 : 0);
      assert.equal(amountsOf(booking).deposit_25, quarter > paid ? quarter - paid : undefined);
    }),
  );
  const quarters = [1, 2, 3, 4, 5, 6, 1001, 1002].map((balance) => amountsOf(costing(balance)).deposit_25);
  assert.deepEqual(quarters, [undefined, 1, 1, 1, 1, 2, 250, 251]);
});

test('whatever is paid of the options lowers what is due by just that, and after the whole nothing is offered', () => {
  fc.assert(
    fc.property(anyBooking, (booking) => {
      const before = optionsOf(booking);
      for (const { id, amount } of before.options) {
        const after = optionsOf({
          ...booking,
          payments: [...booking.payments, payment('succeeded', amount)],
        });
        assert.equal(after.paid, before.paid + amount);
        assert.equal(after.due, Math.max(0, before.due - amount));
        assert.ok(!after.options.some((option) => option.id === id));
        if (id === 'full') assert.deepEqual(after.options, []);
      }
    }),
  );
});

test('the deposit of the product is asked for by the party and the day, as a part of the balance', () => {
  const venue = (weekdays: [6] | [7]) => ({
    isClosed: false,
    paymentRules: [
      { amount: 1000, currency: 'GBP', per: 'adult' as const, minPartySize: 3, maxPartySize: null, weekdays },
    ],
  });
  const party = { adults: 3, children: 1 };
  assert.equal(amountsOf({ ...costing(9000), ...party, venue: venue([6]) }).deposit, 3000);
  assert.equal(amountsOf({ ...costing(9000), ...party, venue: venue([7]) }).deposit, undefined);
  assert.equal(amountsOf({ ...costing(9000), adults: 2, venue: venue([6]) }).deposit, undefined);
  assert.equal(amountsOf({ ...costing(2000), ...party, venue: venue([6]) }).deposit, 2000);
  assert.deepEqual(amountsOf(bookingOf({ ...party, venue: venue([6]) })), { deposit: 3000 });
  assert.deepEqual(amountsOf(bookingOf({ ...party, venue: venue([6]), depositPence: 2999.4 })), {
    deposit: 1,
  });
});

test('a deposit in another currency cannot be paid here', () => {
  const dollars: PaymentRule = {
    amount: 1000,
    currency: 'USD',
    per: 'booking',
    minPartySize: null,
    maxPartySize: null,
    weekdays: null,
  };
  assert.deepEqual(amountsOf(bookingOf({ venue: { paymentRules: [dollars], isClosed: false } })), {});
});

test('nothing is offered for a booking that is called off, and what was paid is still shown', () => {
  for (const status of ['cancelled', 'rejected'] as const) {
    const { finalBalance, paid, due, options } = optionsOf({
      ...costing(4000),
      status,
      payments: [payment('succeeded', 1000)],
    });
    assert.deepEqual(
      { finalBalance, paid, due, options },
      { finalBalance: 4000, paid: 1000, due: 0, options: [] },
    );
  }
});
