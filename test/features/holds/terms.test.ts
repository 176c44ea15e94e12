/** What was offered with a hold is honoured, whatever changes before it is used. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { storageOf } from '../../support/rule-storage.ts';
import { draftOf, expression, OPERATOR, rulesApp, underRules } from '../booking-rules/support.ts';
import { assertRefused, BRUNCH, book, COMPANY, DINNER, freeDay } from '../bookings/support.ts';
import { bookHeld, held, hold, stoppedClock } from './support.ts';

const { clock, pass } = stoppedClock();
const app = rulesApp({ deps: { clock } });
const at = () => ({ date: freeDay(), time: '19:00' });
const guests = { var: 'booking.guests' };
const reject = { reject: { message: 'Not today.' } };

test('rules that come after the hold do not reach its booking', async () => {
  const kept = await held(app(), at());
  const rules = [
    { effect: 'require_deposit', params: { amount: 5000 } },
    { effect: 'party_size_limit', params: { min: 1, max: 1 } },
    { effect: 'require_preorder', params: {} },
    { effect: 'route_to_enquiry' },
    expression({ '>=': [guests, 1] }, reject),
  ];
  await underRules(app(), rules, async () => {
    assertProblem(await book(app(), at()), 400, 'BKRUL-N-001');
    const booking = await bookHeld(app(), kept);
    assert.equal(booking.status, 201, booking.text);
    assert.equal(booking.json.status, 'confirmed');
  });
});

test('rules that go after the hold still bind its booking', async () => {
  const kept = await underRules(
    app(),
    [{ effect: 'require_deposit', params: { amount: 1000, per: 'guest' } }],
    () => held(app(), at()),
  );
  assert.equal(kept.offer.deposit, 2000);
  await assertRefused(app(), () => bookHeld(app(), kept), 400, 'BKRUL-N-001');
  assert.equal((await bookHeld(app(), kept, { depositAmount: 2000 })).status, 201);
});

test('a rule that is changed binds as it was', async () => {
  const storage = storageOf(app());
  const draft = draftOf({ effect: 'require_deposit', params: { amount: 500 } });
  const { id } = await storage.create(OPERATOR, draft);
  const kept = await held(app(), at());
  await storage.change(OPERATOR, id, { ...draft, params: { amount: 9000 } });
  assert.equal((await bookHeld(app(), kept, { depositAmount: 500 })).status, 201);
  await storage.retire(OPERATOR, id);
});

test('rules that need no guest refuse the hold', async () => {
  await underRules(app(), [{ effect: 'party_size_limit', params: { min: 3 } }], async () => {
    assertProblem(await hold(app(), at()), 400, 'BKRUL-N-005');
  });
  await underRules(app(), [{ effect: 'route_to_enquiry' }], async () => {
    const refusal = assertProblem(await hold(app(), at()), 409, 'AVAIL-N-005');
    assert.equal(refusal.enquiryPossible, true);
  });
  await underRules(app(), [expression({ '==': [guests, 2] }, reject)], async () => {
    assertProblem(await hold(app(), at()), 400, 'BKRUL-N-100');
  });
});

test('what a rule makes of the source or the pre-order is decided with the booking, by the rule of the hold', async () => {
  const bySource = expression({ '==': [{ var: 'booking.source' }, 'chatbot'] }, reject, {
    flag: { name: 'watched' },
  });
  const kept = await underRules(app(), [bySource], () => held(app(), at()));
  const chatbot = { headers: { 'x-booking-source': 'chatbot' } };
  await assertRefused(app(), () => bookHeld(app(), kept, {}, chatbot), 400, 'BKRUL-N-100');
  assert.equal((await bookHeld(app(), kept)).status, 201);
});

test('a booking that its rule makes an enquiry cannot use a hold', async () => {
  const rule = expression(
    { '>': [{ var: 'booking.depositAmount' }, 100] },
    {
      set: { fact: 'booking.type', value: 'request' },
    },
  );
  await underRules(app(), [rule], async () => {
    const kept = await held(app(), at());
    await assertRefused(app(), () => bookHeld(app(), kept, { depositAmount: 200 }), 422, 'HOLD-N-003');
    assert.equal((await bookHeld(app(), kept)).status, 201);
  });
});

test('notice is that of the moment of the hold', async () => {
  const date = Temporal.PlainDate.from(freeDay()).toString();
  const start = Temporal.ZonedDateTime.from(`${date}T19:00[Europe/London]`);
  const hours = Math.floor(clock().until(start.toInstant()).total('hours'));
  const rule = { effect: 'booking_window', params: { action: 'book', minNoticeHours: hours } };
  await underRules(app(), [rule], async () => {
    const kept = await held(app(), { date, time: '19:00', ttlSeconds: 600 });
    const left = clock().until(start.toInstant()).total('seconds') - hours * 3600;
    if (left < 590) pass(Math.ceil(left) + 1);
    assert.equal((await bookHeld(app(), kept)).status, 201);
  });
});

test('refund terms are those of the offer', async () => {
  const { sql } = app();
  const [{ terms }] = await sql<
    [{ terms: never }]
  >`select refund_terms as terms from product where id = ${DINNER}`;
  const kept = await held(app(), at());
  assert.deepEqual(kept.offer.refundTerms, terms);
  await sql`update product set refund_terms = '[{"hoursBefore": 1000, "percent": 1}]' where id = ${DINNER}`;
  assert.equal((await bookHeld(app(), kept)).status, 201);
  const [row] = await sql`select refund_terms as terms from booking where id = ${kept.id}`;
  assert.deepEqual(row?.terms, terms);
  await sql`update product set refund_terms = ${sql.json(terms)} where id = ${DINNER}`;
});

test('the deposit of the product is that of the offer', async () => {
  const { sql } = app();
  const rule = (amount: number) =>
    sql.json([
      { amount, currency: 'GBP', per: 'guest', minPartySize: null, maxPartySize: null, weekdays: null },
    ] as never);
  const [{ rules }] = await sql<
    [{ rules: never }]
  >`select payment_rules as rules from product where id = ${DINNER}`;
  await sql`update product set payment_rules = ${rule(700)} where id = ${DINNER}`;
  const kept = await held(app(), at());
  assert.equal(kept.offer.deposit, 1400);
  await sql`update product set payment_rules = ${rule(9900)} where id = ${DINNER}`;
  assert.equal((await bookHeld(app(), kept)).status, 201);
  const { options } = (await app().call(`/venues/bookings/${kept.id}/payment-options`)).json;
  assert.deepEqual(
    options.map(({ id, amount }: { id: string; amount: number }) => [id, amount]),
    [['deposit', 1400]],
  );
  await sql`update product set payment_rules = ${sql.json(rules)} where id = ${DINNER}`;
});

test('what has to be ordered ahead, at which price and for which company, is that of the offer', async () => {
  const { sql } = app();
  const kept = await held(app(), { date: freeDay(), time: '11:00' }, { productId: BRUNCH });
  assert.deepEqual(kept.offer.preorder, { required: 'packageAndMenu', until: kept.expiresAt });
  assert.equal(kept.offer.companyRequired, true);
  const [{ price }] = await sql<[{ price: number }]>`select price_pence as price from package where id = 112`;
  await sql`update package set price_pence = price_pence + 5000 where id = 112`;
  await sql`update product set pre_order_required_type = 'none' where id = ${BRUNCH}`;
  await assertRefused(app(), () => bookHeld(app(), kept, { company: COMPANY }), 422, 'BOOK-N-007');
  const preorders = {
    packages: [{ id: 112, quantity: 2 }],
    menus: [{ id: 111, items: [{ id: 11106, quantity: 2 }] }],
  };
  await assertRefused(app(), () => bookHeld(app(), kept, { preorders }), 422, 'BOOK-N-016');
  const booking = await bookHeld(app(), kept, { preorders, company: COMPANY });
  assert.equal(booking.status, 201, booking.text);
  assert.equal(booking.json.preorders.packages[0].price, price);
});

test('a balance that rules set is that of the offer', async () => {
  const payment = (value: number) => ({
    ...expression({ '>': [guests, 0] }, { set: { fact: 'payment.finalBalance', value } }),
    hook: 'payment',
  });
  const kept = await underRules(app(), [payment(4200)], () => held(app(), at()));
  assert.equal(kept.offer.balance, 4200);
  assert.equal((await bookHeld(app(), kept)).status, 201);
  await underRules(app(), [payment(99_900)], async () => {
    const options = await app().call(`/venues/bookings/${kept.id}/payment-options`);
    assert.equal(options.json.finalBalance, 4200);
  });
});

test('a venue that closes takes no booking, held or not', async () => {
  const { date, time } = at();
  const kept = await held(app(), { date, time });
  const path = `/manage/venues/${encodeURIComponent('1|house|soho-grill')}/closures`;
  const body = { from: date, to: date, reason: 'Flood', bookings: 'keep' };
  const closed = await app().call(path, { method: 'POST', as: 'demo-admin', body });
  assert.equal(closed.status, 202, closed.text);
  await assertRefused(app(), () => bookHeld(app(), kept), 422, 'AVAIL-N-004');
});
