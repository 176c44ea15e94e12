import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Bistros, ordered, startBistros } from '../../../support/remote-tms/bistros.ts';
import { assertUnchanged } from '../amend/amending.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 1 });
});
after(() => bistros.close());

test('a place in a system that is not ours is not played with; what is ours can be changed', async () => {
  const { app } = bistros;
  const bistro = bistros.next();
  const bookingId = await ordered(bistros, bistro);
  const simulate = (changes: object) =>
    app.call('/webhooks/test', {
      method: 'POST',
      body: { eventType: 'booking.updated', bookingId, changes },
    });
  for (const changes of [{ status: 'cancelled' }, { partySize: 3 }, { time: '20:00' }])
    await assertUnchanged(app, bookingId, () => simulate(changes), 400, 'SBOX-N-004');
  assert.equal((await simulate({ notes: 'Ours' })).status, 200);
  assert.equal(bistro.system.book.bookings.size, 1);
});
