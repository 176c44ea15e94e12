/** Items of an order use holds as bookings do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { type Body, bookingsApp, DINNER, freeDay, jazzDay, VIP } from '../bookings/support.ts';
import { ada, dinner, order, ordered, wordsOf } from '../orders/support.ts';
import { held, readHold, stoppedClock } from './support.ts';

const { clock, pass } = stoppedClock();
const app = bookingsApp({ deps: { clock } });

const at = () => ({ date: freeDay(), time: '19:00' });
const itemOf = ({ id, slot }: Body, overrides: Body = {}): Body => ({
  compositeId: slot.compositeId,
  quantity: slot.partySize,
  date: slot.date,
  time: slot.time,
  holdId: id,
  ...overrides,
});
const statusOf = async ({ id }: Body) => (await readHold(app(), id)).json.status;

for (const atomic of [false, true]) {
  const kind = atomic ? 'an atomic order' : 'an order';

  test(`${kind} takes held places and others`, async () => {
    const table = await held(app(), at());
    const seats = await held(app(), { date: jazzDay(), time: '20:00' }, { productId: VIP });
    const made = await ordered(app(), [itemOf(table), dinner(), itemOf(seats)], { atomic });
    assert.deepEqual(wordsOf(made), ['booked', 'booked', 'booked'], JSON.stringify(made));
    assert.deepEqual([made.items[0].bookingId, made.items[2].bookingId], [table.id, seats.id]);
    assert.deepEqual([await statusOf(table), await statusOf(seats)], ['used', 'used']);
    const again = await ordered(app(), [itemOf(table)], { atomic });
    assert.deepEqual(wordsOf(again), ['failed HOLD-N-002']);
    assert.equal(again.items[0].error.bookingId, table.id);
  });

  test(`${kind} says of each hold what is wrong with it`, async () => {
    const short = await held(app(), { ...at(), ttlSeconds: 1 });
    const other = await held(app(), at());
    const theirs = await held(app(), at(), { as: 'other-partner' });
    pass(1);
    const made = await ordered(
      app(),
      [itemOf(short), itemOf(other, { quantity: 3 }), itemOf(theirs), itemOf(other, { holdId: 'none' })],
      { atomic },
    );
    assert.deepEqual(wordsOf(made), [
      'failed HOLD-N-002',
      'failed HOLD-N-003',
      'failed HOLD-N-001',
      'failed HOLD-N-001',
    ]);
    assert.deepEqual([await statusOf(other), made.status], ['open', 'failed']);
  });
}

test('an atomic order that fails leaves the hold as it was', async () => {
  const kept = await held(app(), at());
  const impossible = dinner({ quantity: 1000 });
  const failed = await ordered(app(), [itemOf(kept), impossible], { atomic: true });
  assert.equal(failed.status, 'failed');
  assert.equal(await statusOf(kept), 'open');
  const made = await ordered(app(), [itemOf(kept)], { atomic: true });
  assert.deepEqual(wordsOf(made), ['booked']);
});

test('one hold is not for two items', async () => {
  const kept = await held(app(), at());
  const answer = await order(app(), { ...ada, items: [itemOf(kept), itemOf(kept)] });
  const refusal = assertProblem(answer, 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(refusal.errors), ['items.1.holdId']);
});

test('of an order and a booking with one hold at once one gets it', async () => {
  const kept = await held(app(), at());
  const { date, time } = kept.slot;
  const path = `/venues/${encodeURIComponent(DINNER)}/booking`;
  const body = { ...ada, type: 'book', partySize: 2, date, time, holdId: kept.id };
  const [made, booking] = await Promise.all([
    ordered(app(), [itemOf(kept)], { atomic: true }),
    app().call(path, { method: 'POST', body }),
  ]);
  assert.equal(Number(made.status === 'complete') + Number(booking.status === 201), 1);
});
