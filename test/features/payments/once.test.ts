import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSecondNode } from '../../abuse/support/second-node.ts';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { bookingsApp } from '../bookings/support.ts';
import { bookBrunch, bookTickets, paid, pay, readBooking, tracesOf } from './support.ts';

const maitred = bookingsApp();

test('of many who pay the whole at the same moment one is taken, and the others are told that nothing is left', async () => {
  const { id } = await bookTickets(maitred(), 2);
  const answers = await Promise.all([...Array(12)].map(() => pay(maitred(), id, { option: 'full' })));
  const taken = answers.filter(({ status }) => status === 201);
  assert.equal(taken.length, 1);
  for (const answer of answers) if (answer !== taken[0]) assertProblem(answer, 409, 'BOOK-N-014');
  assert.deepEqual((await readBooking(maitred(), id)).payments, [taken[0]?.json]);
});

test('a quarter and the whole at the same moment never come to more than the balance', async () => {
  const { id } = await bookBrunch(maitred(), 4);
  const options = ['full', 'deposit_25', 'deposit', 'full', 'deposit_25', 'deposit'];
  const answers = await Promise.all(options.map((option) => pay(maitred(), id, { option })));
  for (const answer of answers) assert.ok([201, 400, 409].includes(answer.status), answer.text);
  const { payments } = await readBooking(maitred(), id);
  const sum = payments.reduce((total: number, { amount }: { amount: number }) => total + amount, 0);
  assert.ok(sum > 0 && sum <= 12_400, `${sum}`);
  assert.equal(answers.filter(({ status }) => status === 201).length, payments.length);
});

test('a payment that is sent again with its key is made once and answered alike', async () => {
  const { id } = await bookTickets(maitred(), 2);
  const asking = { key: `again-${id}` };
  const first = await paid(maitred(), id, { option: 'deposit_25' }, asking);
  const before = await tracesOf(maitred(), id);
  assert.deepEqual(await paid(maitred(), id, { option: 'deposit_25' }, asking), first);
  assert.deepEqual(await tracesOf(maitred(), id), before);
});

test('twenty requests with one key, at two nodes at the same moment, are one payment', async () => {
  const second = await startSecondNode(maitred());
  try {
    const { id } = await bookTickets(maitred(), 2);
    const key = `together-${id}`;
    const authorization = `Bearer ${await maitred().token('demo-partner')}`;
    const answers = await Promise.all(
      [...Array(20).keys()].map(async (count) => {
        if (count % 2 === 0) return paid(maitred(), id, { option: 'full' }, { key });
        const answer = await second.app.inject({
          method: 'POST',
          url: `/venues/bookings/${id}/payments`,
          headers: { authorization, 'idempotency-key': key },
          payload: { option: 'full', token: 'tok_success' },
        });
        assert.equal(answer.statusCode, 201, answer.body);
        return answer.json();
      }),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.deepEqual((await readBooking(maitred(), id)).payments, [answers[0]]);
  } finally {
    await second.close();
  }
});

test('a key that was used for another body, or another booking, is refused', async () => {
  const { id } = await bookTickets(maitred(), 2);
  const other = await bookTickets(maitred(), 2);
  const asking = { key: `other-${id}` };
  await paid(maitred(), id, { option: 'deposit_25' }, asking);
  const refusals = [
    await pay(maitred(), id, { option: 'full' }, asking),
    await pay(maitred(), id, { option: 'deposit_25', method: 'card' }, asking),
    await pay(maitred(), other.id, { option: 'deposit_25' }, asking),
  ];
  for (const refusal of refusals) {
    const body = assertProblem(refusal, 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(body.errors), ['Idempotency-Key']);
  }
  assert.equal((await readBooking(maitred(), id)).payments.length, 1);
  assert.deepEqual((await readBooking(maitred(), other.id)).payments, []);
});

test('the key of one client is not that of another', async () => {
  const { id } = await bookTickets(maitred(), 2);
  const key = `mine-${id}`;
  const headers = { 'x-partner-reference': 'demo-partner' };
  const first = await paid(maitred(), id, { option: 'deposit_25' }, { key });
  const second = await paid(maitred(), id, { option: 'full' }, { key, as: 'demo-agent', headers });
  assert.notEqual(second.id, first.id);
  assert.deepEqual([first.amount, second.amount], [1200, 3600]);
});

test('an agent that acts for another partner is not shown what it did for the first', async () => {
  const { sql } = maitred();
  await sql`insert into agent_partner (client_id, partner_id)
    select 'demo-agent', id from partner where reference = 'other-partner'`;
  const { id } = await bookTickets(maitred(), 1);
  const payFor = (reference: string) =>
    pay(
      maitred(),
      id,
      { option: 'full' },
      { key: `agent-${id}`, as: 'demo-agent', headers: { 'x-partner-reference': reference } },
    );
  assert.equal((await payFor('demo-partner')).status, 201);
  await eventually(async () => (await payFor('other-partner')).status !== 403);
  assertProblem(await payFor('other-partner'), 400, 'VALID-N-001');
});

test('a refusal is repeated with its key even when its reason is gone', async () => {
  const { id } = await bookTickets(maitred(), 2, { depositAmount: 4800 });
  const asking = { key: `refused-${id}` };
  assertProblem(await pay(maitred(), id, { option: 'full' }, asking), 409, 'BOOK-N-014');
  const body = [{ op: 'remove', path: '/depositAmount' }];
  const patched = await maitred().call(`/venues/bookings/${id}`, { method: 'PATCH', body });
  assert.equal(patched.status, 200, patched.text);
  assertProblem(await pay(maitred(), id, { option: 'full' }, asking), 409, 'BOOK-N-014');
  assert.equal((await paid(maitred(), id, { option: 'full' })).amount, 4800);
});

test('the answer is kept with the payment: where it cannot be kept, the payment is not settled', async () => {
  const { id } = await bookTickets(maitred(), 1);
  const { sql } = maitred();
  await sql`create function refuse_answers() returns trigger language plpgsql as
    $$ begin if new.answer is not null then raise exception 'no answers'; end if; return new; end $$`;
  await sql`create trigger refuse_answers before update on idempotency_key
    for each row execute function refuse_answers()`;
  const before = await tracesOf(maitred(), id);
  const asking = { key: `kept-${id}` };
  assertProblem(await pay(maitred(), id, { option: 'full' }, asking), 500, 'HTTP-R-500');
  await sql`drop function refuse_answers() cascade`;
  const { events } = await tracesOf(maitred(), id);
  assert.equal(events, before.events + 1, 'it was begun');
  const [pending] = (await readBooking(maitred(), id)).payments;
  assert.equal(pending.status, 'processing');
  const payment = await paid(maitred(), id, { option: 'full' }, asking);
  assert.deepEqual([payment.id, payment.status], [pending.id, 'succeeded']);
});
