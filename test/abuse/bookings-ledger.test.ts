import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Body, bookingsApp, jazzDay, STANDARD, VIP } from '../features/bookings/support.ts';
import {
  bookBrunch,
  bookTickets,
  optionsOf,
  pay,
  readBooking,
  refundsOf,
} from '../features/payments/support.ts';
import type { Answer } from '../support/app.ts';

/** Partners change and pay in any order they like: after each step the books are right, and a refusal leaves no trace. */

const app = bookingsApp();

const patch = (path: string, value: unknown) => ({ op: 'replace', path, value });
const many = fc.integer({ min: 1, max: 6 });
const payment = fc.constantFrom('full', 'full', 'deposit_25', 'deposit').map((option) => ({ option }));
const common = [
  payment,
  many.map((guests) => [patch('/partySize', guests)]),
  fc.integer({ min: 0, max: 2 }).map((children) => [patch('/children', children)]),
  fc.constantFrom(null, 0.5, 2399.5, 5000, 1_000_000).map((taken) => [patch('/depositAmount', taken)]),
];
const ticketStep = fc.oneof(
  ...common,
  fc
    .record({ product: fc.constantFrom(STANDARD, VIP), week: many, type: fc.constantFrom('book', 'request') })
    .map(({ product, week, type }) => [
      patch('/compositeId', product),
      patch('/date', jazzDay(week + 3)),
      patch('/type', type),
    ]),
);
const brunchStep = fc.oneof(
  ...common,
  fc
    .record({
      id: fc.constantFrom(111, 112),
      packages: many,
      flowers: many,
      dish: fc.constantFrom(11101, 11102),
    })
    .map(({ id, packages, flowers, dish }) => [
      patch('/preorders', {
        packages: [
          { id, quantity: packages + 2 },
          { id: 113, quantity: flowers },
        ],
        menus: [{ id: 111, items: [{ id: dish, quantity: packages + 2 }] }],
      }),
    ]),
);
type Step = 'cancel' | { option: string } | Body[];

function take(id: string, step: Step): Promise<Answer> {
  if (step === 'cancel') return app().call(`/venues/bookings/${id}`, { method: 'DELETE' });
  if (!Array.isArray(step)) return pay(app(), id, step);
  return app().call(`/venues/bookings/${id}`, { method: 'PATCH', body: step });
}

async function look(id: string) {
  const [booking, options, [row]] = await Promise.all([
    readBooking(app(), id),
    optionsOf(app(), id),
    app().sql`select deposit_pence as deposit, price_per_guest_pence as price,
      (select count(*) from event where booking_id = ${id}) as events from booking where id = ${id}`,
  ]);
  return { booking, options, events: row?.events, deposit: row?.deposit ?? 0, price: row?.price ?? 0 };
}
type Look = Awaited<ReturnType<typeof look>>;

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

async function assertBalanced({ booking, options, deposit, price }: Look) {
  const { payments, preorders, partySize, children, status } = booking;
  for (const { amount, refunded } of payments) assert.ok(0 <= refunded && refunded <= amount);
  const refunded = sum(payments.map((each: Body) => each.refunded));
  assert.equal(sum((await refundsOf(app(), booking.id)).map((each) => each.amountPence)), refunded);
  const ordered = sum([...preorders.packages, ...preorders.menus].map(({ total }) => total));
  assert.equal(options.finalBalance, ordered + price * (partySize + children));
  const taken = sum(payments.map((each: Body) => each.amount)) - refunded;
  assert.equal(options.paid, taken + Math.round(deposit));
  const isOver = status === 'cancelled';
  assert.equal(options.due, isOver ? 0 : Math.max(0, options.finalBalance - options.paid));
  if (isOver) assert.equal(taken, 0, 'so early everything goes back');
}

/** What a change makes cheaper is given back as far as we have it, and no penny more. */
function assertSurplusReturned(before: Look, after: Look) {
  const { finalBalance, paid } = after.options;
  const taken = paid - Math.round(after.deposit);
  const refunded = ({ booking }: Look) => sum(booking.payments.map((each: Body) => each.refunded));
  if (finalBalance < before.options.finalBalance) assert.ok(Math.min(taken, paid - finalBalance) <= 0);
  if (refunded(after) > refunded(before)) assert.ok(paid >= finalBalance);
}

/** A payment is told of when it begins and when it ends, anything else if it changes the booking. */
const eventsOf = (step: Step, before: Look, after: Look) =>
  step === 'cancel' || Array.isArray(step)
    ? Number(!isDeepStrictEqual(contentOf(before), contentOf(after)))
    : 2;

const contentOf = ({ booking: { lastUpdate: _, ...booking }, deposit }: Look) => ({ booking, deposit });

async function follow(id: string, steps: Step[]) {
  let before = await look(id);
  for (const step of steps) {
    const answer = await take(id, step);
    const after = await look(id);
    const isRefused = answer.status >= 400;
    assert.ok(answer.status < 500, answer.text);
    const events = isRefused ? 0 : eventsOf(step, before, after);
    if (events === 0) assert.deepEqual(after, before, answer.text);
    else assert.ok(Temporal.Instant.compare(after.booking.lastUpdate, before.booking.lastUpdate) > 0);
    assert.equal(after.events - before.events, events);
    await assertBalanced(after);
    if (step !== 'cancel') assertSurplusReturned(before, after);
    before = after;
  }
}

const stepsOf = (step: fc.Arbitrary<Step>) =>
  fc
    .array(step, { minLength: 10, maxLength: 14 })
    .map((steps): Step[] => [...steps, 'cancel', 'cancel', { option: 'full' }, [patch('/phone', '12345')]]);

test('tickets that are changed, paid for and given back in any order cost what they cost, to the penny', async () => {
  await fc.assert(
    fc.asyncProperty(many, stepsOf(ticketStep), async (tickets, steps) =>
      follow((await bookTickets(app(), tickets)).id, steps),
    ),
    { numRuns: 8, seed: 11 },
  );
  const [counted] = await app().sql`select (select sum(sold) from ticket_stock) as sold,
    (select coalesce(sum(quantity), 0) from ticket_reservation) as held`;
  assert.equal(counted?.sold, counted?.held, 'what is sold is what somebody holds');
});

test('so does a brunch with all that is ordered ahead', async () => {
  await fc.assert(
    fc.asyncProperty(stepsOf(brunchStep), async (steps) => follow((await bookBrunch(app(), 2)).id, steps)),
    { numRuns: 8, seed: 12 },
  );
});
