import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  assertThrows,
  assertThrowsUnchanged,
  cancel,
  demoPartner,
  operator,
  platform,
  read,
  rowsOf,
  standingClock,
} from './amend/amending.ts';
import {
  BOOTH,
  type Body,
  booked,
  bookingsApp,
  COPPER_ROOM,
  freeDay,
  jazzDay,
  PRIVATE,
  tablesOf,
  VIP,
} from './support.ts';

const time = standingClock();
const maitred = bookingsApp({ deps: { clock: time.clock } });
const bookings = () => maitred().services.bookings;
const enquire = (body: Body = {}, productId?: string) =>
  booked(maitred(), { type: 'request', ...body }, productId === undefined ? {} : { productId });

test('an accepted enquiry is confirmed, has a table and says what the operator knows of it', async () => {
  const enquiry = await enquire({ admin_notes: 'A regular' });
  assert.deepEqual(
    [enquiry.status, enquiry.operatorBookingId, enquiry.tmsCreatedDate],
    ['pending', null, null],
  );
  assert.deepEqual(await tablesOf(maitred().sql, enquiry.id), []);
  const accepted = await bookings().accept(operator(1), enquiry.id);
  assert.deepEqual(
    [accepted.status, accepted.type, accepted.admin_notes],
    ['confirmed', 'request', 'A regular'],
  );
  assert.equal((await tablesOf(maitred().sql, enquiry.id)).length, 1);
  const { operatorBookingId, tmsCreatedDate, reference, lastUpdate, ...after } = (
    await read(maitred(), enquiry.id)
  ).json;
  assert.ok(operatorBookingId && tmsCreatedDate && reference === operatorBookingId);
  assert.ok(Temporal.Instant.compare(lastUpdate, enquiry.lastUpdate) > 0);
  const { operatorBookingId: _, tmsCreatedDate: __, reference: ___, lastUpdate: ____, ...before } = enquiry;
  assert.deepEqual(after, { ...before, status: 'confirmed' });
  const path = `/venues/bookings?operatorBookingId=${operatorBookingId}`;
  const { data } = (await maitred().call(path, { as: 'demo-operator' })).json;
  assert.deepEqual([data[0].autoConfirmed, data[0].tmsTables.length], [false, 1]);
});

test('a party above the instant limit, and a room that is let by enquiry only, are accepted', async () => {
  const large = await bookings().accept(operator(1), (await enquire({ partySize: 14 })).id);
  assert.equal(large.status, 'confirmed');
  const room = await enquire({ partySize: 12, spaceId: COPPER_ROOM }, PRIVATE);
  assert.equal((await bookings().accept(operator(1), room.id)).status, 'confirmed');
  assert.equal((await tablesOf(maitred().sql, room.id)).length, 1);
});

test('an enquiry that finds no place left stays pending until there is one', async () => {
  const at = { date: freeDay(), time: '19:00', partySize: 8 };
  const [first] = [await booked(maitred(), at), await booked(maitred(), at), await booked(maitred(), at)];
  const { id } = await enquire(at);
  await assertThrowsUnchanged(maitred(), id, () => bookings().accept(operator(1), id), 'AVAIL-N-005');
  assert.equal((await read(maitred(), id)).json.status, 'pending');
  await cancel(maitred(), first.id);
  assert.equal((await bookings().accept(operator(1), id)).status, 'confirmed');
});

test('tickets that were asked for are accepted while there are any', async () => {
  const night = { date: jazzDay(), time: '20:00', partySize: 4 };
  const asked = [];
  for (const _ of [1, 2, 3, 4]) asked.push(await enquire(night, VIP));
  for (const { id } of asked.slice(0, 3)) {
    assert.equal((await bookings().accept(operator(2), id)).status, 'confirmed');
  }
  const [last] = asked.slice(3);
  const attempt = () => bookings().accept(operator(2), last.id);
  await assertThrowsUnchanged(maitred(), last.id, attempt, 'AVAIL-N-005');
});

test('of two enquiries for the last place one is accepted', async () => {
  const at = { date: freeDay(), time: '19:00', partySize: 8 };
  await booked(maitred(), at);
  await booked(maitred(), at);
  const asked = [await enquire(at), await enquire(at)];
  const outcomes = await Promise.allSettled(asked.map(({ id }) => bookings().accept(operator(1), id)));
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('an enquiry that is accepted ten times at once is accepted once', async () => {
  const { id } = await enquire();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => bookings().accept(operator(1), id)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(refused.length, 9);
  for (const { reason } of refused) assert.equal(reason.code, 'BOOK-N-014');
  assert.equal((await tablesOf(maitred().sql, id)).length, 1);
  const events = await maitred().services.events.listOfBooking(maitred().sql, id);
  assert.equal(events.length, 2);
});

test('an enquiry that is accepted and rejected, or withdrawn, at once ends as one of them', async () => {
  for (const [against, ends] of [
    [(id: string) => bookings().reject(operator(1), id), ['confirmed', 'rejected']],
    [(id: string) => bookings().cancel(demoPartner, id), ['cancelled']],
  ] as const) {
    for (const _ of [1, 2, 3, 4, 5]) {
      const { id } = await enquire();
      await Promise.allSettled([bookings().accept(operator(1), id), against(id)]);
      const { status } = (await read(maitred(), id)).json;
      assert.ok((ends as readonly string[]).includes(status), status);
      assert.equal((await tablesOf(maitred().sql, id)).length, status === 'confirmed' ? 1 : 0);
    }
  }
});

test('a rejected enquiry is rejected and takes no table', async () => {
  const { id } = await enquire();
  assert.equal((await bookings().reject(operator(1), id)).status, 'rejected');
  assert.equal((await read(maitred(), id)).json.status, 'rejected');
  assert.deepEqual(await tablesOf(maitred().sql, id), []);
});

test('only the operator of the venue answers, and the platform for it', async () => {
  const { id } = await enquire();
  for (const act of ['accept', 'reject', 'takeUp'] as const) {
    const [byOther, byPartner] = [
      () => bookings()[act](operator(2), id),
      () => bookings()[act](demoPartner, id),
    ];
    await assertThrowsUnchanged(maitred(), id, byOther, 'OPRTR-N-002');
    await assertThrowsUnchanged(maitred(), id, byPartner, 'USER-N-009');
    await assertThrows(bookings()[act](operator(1), '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60'), 'BOOK-N-006');
    await assertThrows(bookings()[act](operator(1), 'x'), 'BOOK-N-006');
  }
  assert.equal((await bookings().takeUp(platform, id)).status, 'in_progress');
  assert.equal((await bookings().accept(platform, id)).status, 'confirmed');
});

test('a closed venue rejects its enquiries and accepts none', async () => {
  const [first, second] = [await enquire({}, BOOTH), await enquire({}, BOOTH)];
  await maitred().sql`update venue set closed_at = now() where id = '2|house|night-owl'`;
  const attempt = () => bookings().accept(operator(2), first.id);
  await assertThrowsUnchanged(maitred(), first.id, attempt, 'VENUE-N-009');
  assert.equal((await bookings().reject(operator(2), second.id)).status, 'rejected');
});

/** Ways into each status, for the bookings of the last test. */
const WAYS: Record<string, (body: Body) => Promise<string>> = {
  pending: async (body) => (await enquire(body)).id,
  in_progress: async (body) => (await bookings().takeUp(operator(1), (await enquire(body)).id)).id,
  confirmed: async (body) => (await booked(maitred(), body)).id,
  rejected: async (body) => (await bookings().reject(operator(1), (await enquire(body)).id)).id,
  cancelled: async (body) => {
    const { id } = await booked(maitred(), body);
    await cancel(maitred(), id);
    return id;
  },
  completed: async (body) => (await booked(maitred(), body)).id,
  no_show: async (body) => (await booked(maitred(), body)).id,
};

/** What the operator can do, and in which statuses; in every other it is `BOOK-N-014`. */
const TABLE = {
  accept: { pending: 'confirmed', in_progress: 'confirmed' },
  reject: { pending: 'rejected', in_progress: 'rejected' },
  takeUp: { pending: 'in_progress', in_progress: 'in_progress' },
  complete: { confirmed: 'completed' },
  markNoShow: { confirmed: 'no_show' },
} as const;

test('every step of an operator is possible from its statuses and refused from all others', async () => {
  const acts = Object.keys(TABLE) as (keyof typeof TABLE)[];
  const evenings = acts.map(() => freeDay());
  const later = freeDay();
  const cases: { act: keyof typeof TABLE; status: string; id: string }[] = [];
  for (const [index, act] of acts.entries()) {
    for (const [status, enter] of Object.entries(WAYS)) {
      const isOpen = act in { accept: 1, reject: 1, takeUp: 1 } && status in { pending: 1, in_progress: 1 };
      const id = await enter({ date: isOpen ? later : evenings[index], time: '18:00' });
      cases.push({ act, status, id });
    }
  }
  time.moveTo(`${evenings.at(-1)}T20:00:00Z`);
  for (const { status, id } of cases) {
    if (status === 'completed') await bookings().complete(operator(1), id);
    if (status === 'no_show') await bookings().markNoShow(operator(1), id);
  }
  for (const { act, status, id } of cases) {
    const next = (TABLE[act] as Record<string, string>)[status];
    const attempt = () => bookings()[act](operator(1), id);
    if (next === undefined) {
      await assertThrowsUnchanged(maitred(), id, attempt, 'BOOK-N-014');
      continue;
    }
    const before = await rowsOf(maitred().sql, id);
    assert.equal((await attempt()).status, next, `${act} from ${status}`);
    // A step to where it is already is no change, and nobody is told of one.
    const isUnchanged = isDeepStrictEqual(await rowsOf(maitred().sql, id), before);
    assert.equal(isUnchanged, status === next, `${act} from ${status}`);
  }
});
