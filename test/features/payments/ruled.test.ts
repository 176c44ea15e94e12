/** What is paid for bookings whose balance is decided by the operator's rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageOf } from '../../support/rule-storage.ts';
import { rulesApp } from '../booking-rules/support.ts';
import { operator } from '../bookings/amend/amending.ts';
import { type Body, jazzDay, STANDARD } from '../bookings/support.ts';
import { bookTickets, optionsOf, paid, refundsOf, TICKET_PENCE } from './support.ts';

const app = rulesApp();
const OPERATOR = 2;

/** The balance is what the expression gives while `work` runs. */
async function atBalance(value: unknown, work: () => Promise<void>): Promise<void> {
  const storage = storageOf(app());
  const then = [{ set: { fact: 'payment.finalBalance', value } }];
  const rule: Body = { name: 'Balance', effect: 'expression', hook: 'payment', when: true, then };
  const { id } = await storage.create(OPERATOR, rule);
  try {
    await work();
  } finally {
    await storage.retire(OPERATOR, id);
  }
}

test('a balance of tens of millions of pounds is asked for and paid like any other', () =>
  atBalance(3_000_000_000, async () => {
    const { id } = await bookTickets(app(), 1);
    assert.equal((await optionsOf(app(), id)).due, 3_000_000_000);
    assert.equal((await paid(app(), id)).amount, 3_000_000_000);
    assert.equal((await optionsOf(app(), id)).due, 0);
  }));

test('an enquiry that is accepted for less gives back what its rule no longer asks for', () =>
  atBalance({ '*': [{ var: 'payment.finalBalance' }, 2] }, async () => {
    const { id } = await bookTickets(app(), 3, { date: jazzDay(10) });
    const payment = await paid(app(), id);
    assert.equal(payment.amount, 2 * 3 * TICKET_PENCE);
    const body = [
      { op: 'replace', path: '/type', value: 'request' },
      { op: 'replace', path: '/date', value: jazzDay(11) },
    ];
    const asked = await app().call(`/venues/bookings/${id}`, { method: 'PATCH', body });
    assert.deepEqual([asked.status, asked.json.status], [200, 'pending'], asked.text);
    assert.deepEqual(await refundsOf(app(), id), []);
    await app().sql`update ticket_type set price_pence = 2000 where product_id = ${STANDARD}`;
    await app().services.bookings.accept(operator(OPERATOR), id);
    await app().sql`update ticket_type set price_pence = ${TICKET_PENCE} where product_id = ${STANDARD}`;
    const owed = { paymentId: payment.id, reason: 'cheaper', status: 'due', amountPence: 2400 };
    assert.deepEqual(await refundsOf(app(), id), [owed]);
  }));
