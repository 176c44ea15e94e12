import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOOTH, booked, bookingsApp, guest } from '../support.ts';
import { patch, put, read, replacing, standingClock, taken } from './amending.ts';

/** In the night to 25 October 2026 clocks in London go back from 02:00 to 01:00: a bar that is open has 01:30 twice. */
const { clock } = standingClock(Temporal.Instant.from('2026-10-20T12:00:00Z'));
const maitred = bookingsApp({ deps: { clock } });

const [FIRST, SECOND] = ['2026-10-25T01:30:00+01:00', '2026-10-25T01:30:00+00:00'];
const late = (dateTime: string) =>
  booked(maitred(), { dateTime, date: undefined, duration: 60 }, { productId: BOOTH });

for (const dateTime of [FIRST, SECOND]) {
  test(`a booking at ${dateTime} stays there when its comments are patched`, async () => {
    const booking = await late(dateTime);
    assert.deepEqual([booking.date, booking.time, booking.dateTime], ['2026-10-24', '01:30', dateTime]);
    const after = await taken(patch(maitred(), booking.id, [replacing('/comments', 'We are late')]));
    assert.deepEqual({ ...after, notes: null, lastUpdate: booking.lastUpdate }, booking);
    assert.deepEqual((await read(maitred(), booking.id)).json, after);
  });
}

test('the second of two equal times survives a change of the party, too', async () => {
  const booking = await late(SECOND);
  const after = await taken(patch(maitred(), booking.id, [replacing('/partySize', 4)]));
  assert.deepEqual([after.dateTime, after.partySize], [SECOND, 4]);
  const [held] = await maitred().sql`select starts_at from house_reservation where id = ${booking.id}`;
  assert.deepEqual(held?.starts_at, Temporal.Instant.from(SECOND));
});

test('a patch moves between the two', async () => {
  const { id } = await late(FIRST);
  for (const dateTime of [SECOND, FIRST]) {
    const after = await taken(patch(maitred(), id, [replacing('/dateTime', dateTime)]));
    assert.equal(after.dateTime, dateTime);
  }
});

test('put with the same date and time leaves the second where it is', async () => {
  const { id } = await late(SECOND);
  const body = { ...guest, compositeId: BOOTH, date: '2026-10-24', time: '01:30', duration: 60 };
  assert.equal((await taken(put(maitred(), id, body))).dateTime, SECOND);
});
