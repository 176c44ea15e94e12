import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Body,
  book,
  booked,
  bookingsApp,
  DINNER,
  freeDay,
  guest,
  tablesOf,
} from '../features/bookings/support.ts';
import { bookTickets, optionsOf, pay, readBooking } from '../features/payments/support.ts';
import type { Answer } from '../support/app.ts';

/** Everybody at once on one booking: what was answered is what has happened, in some order. */

const app = bookingsApp();

const put = (id: string, body: Body) =>
  app().call(`/venues/bookings/${id}`, { method: 'PUT', body: { compositeId: DINNER, ...guest, ...body } });
const patch = (id: string, path: string, value: unknown) =>
  app().call(`/venues/bookings/${id}`, { method: 'PATCH', body: [{ op: 'replace', path, value }] });
const cancel = (id: string) => app().call(`/venues/bookings/${id}`, { method: 'DELETE' });

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
const countOf = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

async function countEvents(id: string) {
  const [counted] = await app().sql`
    select count(*) as events, count(distinct occurred_at) as moments from event where booking_id = ${id}`;
  assert.equal(counted?.events, counted?.moments, 'each has a moment of its own');
  return counted?.events;
}

test('a booking that is replaced, patched and cancelled at once ends cancelled, and each change was told once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, date } = await booked(app());
    const answers = await Promise.all([
      put(id, { date, time: '20:00' }),
      patch(id, '/partySize', 4),
      ...(round % 2 ? [] : [put(id, { date, time: '21:00', type: 'request' })]),
      cancel(id),
      cancel(id),
    ]);
    assert.equal(countOf(answers, 204), 2, `${statuses(answers)}`);
    assert.equal(countOf(answers, 200) + countOf(answers, 409), answers.length - 2, `${statuses(answers)}`);
    assert.equal((await readBooking(app(), id)).status, 'cancelled');
    assert.deepEqual(await tablesOf(app().sql, id), []);
    assert.equal(await countEvents(id), 2 + countOf(answers, 200));
  }
});

test('tickets that are paid for and given back at once are paid for once, and no more is kept than they cost', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await bookTickets(app(), 4);
    const key = `together-${round}`;
    const answers = await Promise.all([
      pay(app(), id, { option: 'full' }, { key }),
      patch(id, '/partySize', 3),
      pay(app(), id, { option: 'full' }, { key }),
      pay(app(), id, { option: 'deposit_25' }),
      patch(id, '/partySize', 1),
    ]);
    for (const { status, text } of answers) assert.ok(status < 500, text);
    const { partySize, payments } = await readBooking(app(), id);
    assert.equal(partySize, 1);
    const { finalBalance, paid, due } = await optionsOf(app(), id);
    assert.equal(paid + due, finalBalance);
    for (const { amount, refunded } of payments) assert.ok(refunded <= amount);
    assert.equal(await countEvents(id), 1 + countOf(answers, 200) + 2 * payments.length);
  }
});

test('what is paid for and cancelled at once is cancelled, and nothing of it is kept', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await bookTickets(app(), 2);
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => pay(app(), id, { option: 'full' })),
      cancel(id),
    ]);
    assert.equal(answers.at(-1)?.status, 204);
    const { status, payments } = await readBooking(app(), id);
    assert.equal(status, 'cancelled');
    assert.ok(payments.length <= 1, 'it was paid for once at most');
    assert.equal(countOf(answers, 201), payments.length, `${statuses(answers)}`);
    for (const { amount, refunded } of payments) assert.equal(refunded, amount);
  }
});

test('of bookings made and renamed at once one has the id, and the others are told that it is taken', async () => {
  const others = [await booked(app()), await booked(app())];
  const partnerBookingId = 'everybody-wants-it';
  const answers = await Promise.all([
    ...[1, 2, 3].map(() => book(app(), { date: freeDay(), time: '19:00', partnerBookingId })),
    ...others.map(({ id }) => patch(id, '/partnerBookingId', partnerBookingId)),
  ]);
  assert.equal(countOf(answers, 200) + countOf(answers, 201), 1, `${statuses(answers)}`);
  for (const answer of answers) if (answer.status >= 400) assert.equal(answer.json.code, 'BOOK-N-002');
  const { meta } = (await app().call(`/venues/bookings?partnerBookingId=${partnerBookingId}`)).json;
  assert.equal(meta.totalItems, 1);
});

test('one key for two bodies at once is one of them, and the other is refused', async () => {
  const date = freeDay();
  const headers = { 'idempotency-key': 'two-bodies' };
  const answers = await Promise.all(
    [1, 2, 1, 2, 1, 2].map((partySize) => book(app(), { date, time: '19:00', partySize }, { headers })),
  );
  assert.deepEqual(statuses(answers), [201, 201, 201, 400, 400, 400]);
  const made = answers.filter(({ status }) => status === 201).map(({ json }) => json.id);
  assert.equal(new Set(made).size, 1);
});
