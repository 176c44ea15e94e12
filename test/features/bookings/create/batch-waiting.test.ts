/** A booking that waits for the lock of its day: it leaves its batch, and what happens meanwhile counts. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Tx } from '../../../../src/db/database.ts';
import { lockName } from '../../../../src/tms/house/store.ts';
import { imbalances } from '../../../race/balance.ts';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import { book, booked, bookingsApp, freeDay, traces } from '../support.ts';

const app = bookingsApp({}, (maitred) => booked(maitred));
const SOHO = '1|house|soho-grill';

async function isWaiting(): Promise<boolean> {
  const [row] = await app().sql<[{ count: number }]>`
    select count(*) as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`;
  return row.count > 0;
}

const lockDay = (tx: Tx, date: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${lockName(SOHO as never, date)}, 0))`;

/** Books on a day that somebody else is deciding on, and does something while the booking waits for that. */
async function bookAndMeanwhile(
  meanwhile: (tx: Tx) => Promise<unknown>,
  { date = freeDay(), headers = {} }: { date?: string; headers?: Record<string, string> } = {},
) {
  const { answer } = await app().sql.begin(async (tx) => {
    await lockDay(tx, date);
    const answer = book(app(), { date, time: '19:00' }, { headers });
    await eventually(isWaiting);
    await meanwhile(tx);
    return { answer };
  });
  return answer;
}

/** What the node remembers of the tests before is forgotten a moment later. */
beforeEach(() => eventually(async () => (await book(app())).status === 201));

test('an arrangement that is suspended while a booking waits is suspended for it', async () => {
  const suspend = (isSuspended: boolean) => app().sql`
    update partner_operator set is_suspended = ${isSuspended} where partner_id = 1 and operator_id = 1`;
  const before = await traces(app().sql);
  const answer = await bookAndMeanwhile(() => suspend(true));
  await suspend(false);
  assertProblem(answer, 404, 'BOOK-N-005');
  assert.deepEqual(await traces(app().sql), before);
});

test('a booking rule that is made while a booking waits holds for it', async () => {
  const rules = '/manage/operators/1/booking-rules';
  const body = { effect: 'party_size_limit', name: 'No couples', params: { min: 3 } };
  let id = '';
  const answer = await bookAndMeanwhile(async () => {
    const made = await app().call(rules, { method: 'POST', as: 'demo-operator', body });
    assert.equal(made.status, 201, made.text);
    id = made.json.id;
  });
  await app().call(`${rules}/${id}`, { method: 'DELETE', as: 'demo-operator' });
  assert.equal(answer.json.code, 'BKRUL-N-005', answer.text);
});

test('a key whose time is prolonged while the booking waits still keeps the answer', async () => {
  const date = freeDay();
  const headers = { 'idempotency-key': 'prolonged' };
  const prolong = () => app().sql`
    update idempotency_key set leased_until = leased_until + interval '1 second' where key = 'prolonged'`;
  const answer = await bookAndMeanwhile(prolong, { date, headers });
  assert.equal(answer.status, 201, answer.text);
  const again = await book(app(), { date, time: '19:00' }, { headers });
  assert.deepEqual(again.json, answer.json);
  assert.deepEqual(await imbalances(app().sql), []);
});

test('a booking that gets into a deadlock is made all the same', async () => {
  const date = freeDay();
  const { answer } = await app().sql.begin(async (tx) => {
    // Deciding on the day, the booking waits for its product; who has that then wants the day.
    await tx`select from product where venue_id = ${SOHO} for update`;
    const answer = book(app(), { date, time: '19:00' });
    await eventually(isWaiting);
    await lockDay(tx, date);
    return { answer };
  });
  const { status, text } = await answer;
  assert.equal(status, 201, text);
  assert.deepEqual(await imbalances(app().sql), []);
});

test('who asks for something else does not wait behind a booking that waits', async () => {
  const answer = await bookAndMeanwhile(async () => {
    // More than there are connections.
    const reads = [...Array(50)].map(() => app().call('/venues/bookings?pageSize=100'));
    for (const { status } of await Promise.all(reads)) assert.equal(status, 200);
    assert.ok(await isWaiting(), 'the booking still waits');
  });
  assert.equal(answer.status, 201, answer.text);
});

test('bookings of other days that share a batch with one that waits do not wait for it', async () => {
  const date = freeDay();
  const { waiting } = await app().sql.begin(async (tx) => {
    await lockDay(tx, date);
    const waiting = book(app(), { date, time: '19:00' });
    const others = [...Array(20)].map(() => book(app(), { date: freeDay(), time: '19:00' }));
    for (const { status, text } of await Promise.all(others)) assert.equal(status, 201, text);
    assert.ok(await isWaiting(), 'the booking still waits');
    return { waiting };
  });
  const { status, text } = await waiting;
  assert.equal(status, 201, text);
  assert.deepEqual(await imbalances(app().sql), []);
});
