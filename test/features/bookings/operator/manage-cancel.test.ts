import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageOf } from '../../../support/rule-storage.ts';
import { paid, refundsOf } from '../../payments/support.ts';
import { addOperatorClient, callNow, standingClock } from '../amend/amending.ts';
import { booked, bookingsApp, freeDay, jazzDay, tablesOf, VIP } from '../support.ts';
import { act, assertLeft, auditLogOf, done } from './manage-support.ts';

/** Bookings that the venue calls off. */

const time = standingClock();
const maitred = bookingsApp({ deps: { clock: time.clock } }, ({ sql }) => addOperatorClient(sql, 2));
const OPERATOR_2 = { as: 'operator-2', operatorId: 2 };

test('a booking that the venue calls off gives its table back and is written down', async () => {
  const { id } = await booked(maitred());
  assert.equal((await done(maitred(), id, 'cancel')).status, 'cancelled');
  assert.deepEqual(await tablesOf(maitred().sql, id), []);
  assert.equal((await done(maitred(), id, 'cancel')).status, 'cancelled');
  const auditLog = await auditLogOf(maitred(), id);
  assert.deepEqual(
    auditLog.map(({ action, before, after }) => [action, before.status, after.status]),
    [['booking.cancel', 'confirmed', 'cancelled']],
  );
});

test('whatever the terms, all that was paid goes back when the venue calls off, and only then', async () => {
  const night = { date: jazzDay(), time: '20:00', partySize: 2 };
  const [byVenue, byPartner] = [
    await booked(maitred(), night, { productId: VIP }),
    await booked(maitred(), night, { productId: VIP }),
  ];
  for (const { id } of [byVenue, byPartner]) await paid(maitred(), id, { option: 'full' });
  const before = time.clock();
  time.moveTo(Temporal.Instant.from(byVenue.dateTime).subtract({ minutes: 30 }));
  try {
    const { payments } = await done(maitred(), byVenue.id, 'cancel', OPERATOR_2);
    assert.equal(payments[0].refunded, payments[0].amount);
    const [refund] = await refundsOf(maitred(), byVenue.id);
    assert.deepEqual([refund?.reason, refund?.amountPence], ['cancelled', payments[0].amount]);
    await callNow(maitred(), `/venues/bookings/${byPartner.id}`, { method: 'DELETE' });
    assert.deepEqual(await refundsOf(maitred(), byPartner.id), []);
  } finally {
    time.moveTo(before);
  }
});

test('a rule about late cancellations binds partners and not the venue', async () => {
  const storage = storageOf(maitred());
  const { id: ruleId } = await storage.create(1, {
    name: 'A year ahead',
    effect: 'booking_window',
    params: { action: 'cancel', minNoticeHours: 8760 },
  });
  try {
    const { id } = await booked(maitred());
    const byPartner = await callNow(maitred(), `/venues/bookings/${id}`, { method: 'DELETE' });
    assert.equal(byPartner.json.code, 'BKRUL-N-004');
    assert.equal((await done(maitred(), id, 'cancel')).status, 'cancelled');
  } finally {
    await storage.retire(1, ruleId);
  }
});

test('what has begun, is over or was rejected is not called off', async () => {
  const at = { date: freeDay(), time: '19:00' };
  const [begun, over] = [await booked(maitred(), at), await booked(maitred(), at)];
  const rejected = await booked(maitred(), { type: 'request' });
  await done(maitred(), rejected.id, 'reject');
  const before = time.clock();
  time.moveTo(Temporal.Instant.from(begun.dateTime).add({ minutes: 1 }));
  try {
    await done(maitred(), over.id, 'complete');
    for (const { id } of [begun, over, rejected])
      await assertLeft(maitred(), id, () => act(maitred(), id, 'cancel'), [409, 'BOOK-N-014']);
  } finally {
    time.moveTo(before);
  }
});
