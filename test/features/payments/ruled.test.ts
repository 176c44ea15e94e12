/** What is paid for bookings whose balance is decided by the operator's rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Body } from '../bookings/support.ts';
import { rulesApp } from '../rules/support.ts';
import { bookTickets, optionsOf, paid } from './support.ts';

const app = rulesApp();
const OPERATOR = 2;

/** The balance is what the expression gives while `work` runs. */
async function atBalance(value: unknown, work: () => Promise<void>): Promise<void> {
  const { storage } = app().services.rules;
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
