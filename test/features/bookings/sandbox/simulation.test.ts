import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIMULATED_STATUSES } from '../../../../src/features/bookings/sandbox/schema.ts';
import { operator, patch, replacing, taken } from '../amend/amending.ts';
import { BOOTH, booked, COPPER_ROOM, DINNER, freeDay, PRIVATE, tablesOf } from '../support.ts';
import { simulatingApp } from './simulating.ts';

const { maitred, simulated, assertImpossible, enquire } = simulatingApp();

test('every status leads to every other, and only a confirmed booking has a table', async () => {
  for (const from of SIMULATED_STATUSES) {
    for (const to of SIMULATED_STATUSES) {
      const { id } = await booked(maitred());
      assert.equal((await simulated(id, { status: from })).status, from);
      const after = await simulated(id, { status: to });
      assert.equal(after.status, to);
      assert.equal((await tablesOf(maitred().sql, id)).length, to === 'confirmed' ? 1 : 0, `${from} ${to}`);
      if (to !== 'cancelled')
        assert.equal(after.operatorBookingId !== null, to === 'confirmed', `${from} ${to}`);
    }
  }
});

test('an empty change changes nothing but lastUpdate, and that always grows, whatever the clock says', async () => {
  const before = await booked(maitred());
  let { lastUpdate: last } = before;
  for (const _ of [1, 2, 3]) {
    const { lastUpdate, ...after } = await simulated(before.id, {});
    assert.ok(Temporal.Instant.compare(lastUpdate, last) > 0);
    assert.deepEqual({ ...after, lastUpdate: before.lastUpdate }, before);
    last = lastUpdate;
  }
});

test('the same steps lead two bookings to the same place', async () => {
  const steps = [
    { status: 'pending' },
    { partySize: 4, notes: 'Four now' },
    { status: 'confirmed', time: '18:00' },
    { status: 'in_progress' },
    { status: 'confirmed', reference: 'R-1' },
    { duration: 120 },
  ];
  const outcomes = [];
  for (const date of [freeDay(2), freeDay(2)]) {
    const { id } = await booked(maitred(), { date, time: '19:00' });
    const seen = [];
    for (const step of steps) {
      const after = await simulated(id, step);
      const { status, partySize, time, duration, notes, operatorBookingId: reference } = after;
      const isOwn = reference === 'R-1';
      seen.push({
        status,
        partySize,
        time,
        duration,
        notes,
        isOwn,
        tables: await tablesOf(maitred().sql, id),
      });
    }
    outcomes.push(seen);
  }
  assert.deepEqual(outcomes[0], outcomes[1]);
});

test('confirming takes a real place: where there is none left it is refused and nothing changes', async () => {
  const at = { date: freeDay(), time: '19:00', partySize: 8 };
  const [first] = [await booked(maitred(), at), await booked(maitred(), at), await booked(maitred(), at)];
  const { id } = await enquire(at);
  await assertImpossible(id, { status: 'confirmed', notes: 'Please' });
  await simulated(first.id, { status: 'pending' });
  assert.equal((await simulated(id, { status: 'confirmed' })).status, 'confirmed');
  await assertImpossible(first.id, { status: 'confirmed' });
  await simulated(id, { status: 'cancelled' });
  assert.equal((await simulated(first.id, { status: 'confirmed' })).status, 'confirmed');
});

test('date, time, party, duration and product move the booking in the system of the venue', async () => {
  const [day, other] = [freeDay(3), freeDay(3)];
  const { id } = await booked(maitred(), { date: day, time: '19:00' });
  const held = async () => {
    const [row] = await maitred().sql`
      select product_id as product, trading_day as day, guests, duration_minutes as minutes
      from house_reservation where id = ${id}`;
    return { ...row };
  };
  const moved = await simulated(id, { date: other, time: '18:00', partySize: 6, duration: 120 });
  assert.deepEqual([moved.date, moved.time, moved.partySize, moved.duration], [other, '18:00', 6, 120]);
  assert.equal(moved.dateTime.slice(0, 16), `${other}T18:00`);
  assert.deepEqual(await held(), { product: DINNER, day: other, guests: 6, minutes: 120 });
  const private_ = await simulated(id, { compositeId: PRIVATE, partySize: 12, duration: null });
  assert.deepEqual([private_.compositeId, private_.productName], [PRIVATE, 'Private dining']);
  assert.equal((await held()).product, PRIVATE);
  assert.equal(private_.status, 'confirmed');
});

test('what binds partners does not bind the operator that is simulated', async () => {
  const { id } = await booked(maitred());
  assert.equal((await simulated(id, { partySize: 14 })).status, 'confirmed');
  const room = await enquire({ partySize: 12, spaceId: COPPER_ROOM }, PRIVATE);
  assert.equal((await simulated(room.id, { status: 'confirmed' })).status, 'confirmed');
  const far = Temporal.Now.plainDateISO().add({ days: 300 });
  const date = String(far.add({ days: (8 - far.dayOfWeek) % 7 }));
  assert.equal((await simulated(id, { date })).date, date);
});

test('an enquiry that is moved takes nothing, but there must be somewhere to sit', async () => {
  const { id } = await enquire({ spaceId: COPPER_ROOM, partySize: 12 }, PRIVATE);
  const moved = await simulated(id, { partySize: 14, time: '18:00', duration: 180 });
  assert.deepEqual(
    [moved.status, moved.time, moved.partySize, moved.duration],
    ['pending', '18:00', 14, 180],
  );
  assert.deepEqual(await tablesOf(maitred().sql, id), []);
  for (const changes of [{ partySize: 900 }, { time: '04:00' }, { duration: 7 }, { time: '18:01' }])
    await assertImpossible(id, changes);
  // Dinner has no such room, so there the party sits anywhere.
  assert.equal((await simulated(id, { compositeId: DINNER, partySize: 4, duration: null })).spaceId, null);
  await assertImpossible(id, { partySize: 900 });
});

test('what was put back to pending is an enquiry, which no later amendment confirms by itself', async () => {
  const { id } = await booked(maitred());
  await simulated(id, { status: 'pending' });
  const after = await taken(patch(maitred(), id, [replacing('/comments', 'Still hoping')]));
  assert.deepEqual([after.status, after.type], ['pending', 'request']);
  assert.equal((await maitred().services.bookings.accept(operator(1), id)).status, 'confirmed');
});

test('at a venue that has closed, bookings are called off and none is confirmed', async () => {
  const [placed, asked] = [await booked(maitred(), {}, { productId: BOOTH }), await enquire({}, BOOTH)];
  await maitred().sql`update venue set closed_at = now() where id = '2|house|night-owl'`;
  await assertImpossible(asked.id, { status: 'confirmed' });
  await assertImpossible(placed.id, { partySize: 3 });
  assert.equal((await simulated(placed.id, { status: 'cancelled', notes: 'Sorry' })).status, 'cancelled');
});
