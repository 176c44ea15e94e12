/** Parties are put on the waiting list, read and taken off again, by the partner that put them there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { standingClock } from '../bookings/amend/amending.ts';
import { type Body, bookingsApp, CLOSED, DINNER, freeDay, HIDDEN } from '../bookings/support.ts';
import { fullDay, join, joined, leave, manage, read, work } from './support.ts';

const time = standingClock();
const maitred = bookingsApp({ deps: { clock: time.clock } });

test('parties wait in the order in which they came, and see their place', async () => {
  const { date } = await fullDay(maitred());
  const first = await joined(maitred(), { date, partnerBookingId: 'first' });
  const second = await joined(maitred(), { date, to: '20:00', children: 1 });
  assert.deepEqual([first.status, first.position, first.offer], ['waiting', 1, null]);
  assert.deepEqual([second.position, second.from, second.to, second.children], [2, '19:00', '20:00', 1]);
  assert.deepEqual(await read(maitred(), first.id), first);
  assert.equal(first.partnerBookingId, 'first');
  assert.equal(first.email, 'grace@example.com');

  assert.equal((await leave(maitred(), first.id)).status, 204);
  assert.equal((await leave(maitred(), first.id)).status, 204, 'done again, it answers the same');
  assert.equal((await read(maitred(), first.id)).status, 'removed');
  assert.equal((await read(maitred(), second.id)).position, 1);
});

test('a partner lists its own entries, by product, day and status', async () => {
  const { date } = await fullDay(maitred());
  const [one, two] = [await joined(maitred(), { date }), await joined(maitred(), { date })];
  await leave(maitred(), one.id);
  const list = async (query: string) =>
    (await maitred().call(`/venues/${encodeURIComponent(DINNER)}/waitlist?date=${date}${query}`)).json;
  const all = await list('');
  assert.deepEqual(
    all.data.map(({ id, status }: Body) => [id, status]),
    [
      [one.id, 'removed'],
      [two.id, 'waiting'],
    ],
  );
  assert.equal(all.meta.totalItems, 2);
  const waiting = await list('&status=waiting');
  assert.deepEqual(
    waiting.data.map(({ id }: Body) => id),
    [two.id],
  );
  assert.deepEqual((await list('&status=booked')).data, []);
});

test('what could never be had is refused, and nothing waits', async () => {
  const date = freeDay();
  const refused = async (body: Body, status: number, code: string, productId?: string) =>
    assertProblem(
      await join(maitred(), { date, ...body }, { ...(productId && { productId }) }),
      status,
      code,
    );
  await refused({ date: '2026-02-30' }, 400, 'BOOK-N-020');
  await refused({ from: '25:00' }, 400, 'BOOK-N-020');
  const backwards = await refused({ from: '20:00', to: '19:00' }, 400, 'VALID-N-001');
  assert.ok(backwards.errors.to);
  const large = await refused({ partySize: 60 }, 409, 'AVAIL-N-005');
  assert.equal(typeof large.largestPartySize, 'number');
  await refused({ from: '03:00', to: '03:30' }, 409, 'AVAIL-N-005');
  await refused({ date: '2020-01-15' }, 400, 'AVAIL-N-007');
  await refused({ spaceId: 987_654 }, 404, 'BOOK-N-010');
  await refused({}, 403, 'PMAP-N-001', HIDDEN);
  await refused({}, 409, 'VENUE-N-009', CLOSED);
  const [counted] = await maitred()
    .sql`select count(*)::int as entries from waitlist_entry where trading_day = ${date}`;
  assert.equal(counted?.entries, 0);
});

test('an entry of another partner, or of the house, is not there', async () => {
  const { date } = await fullDay(maitred());
  const { id } = await joined(maitred(), { date });
  for (const unknown of [id, '019a8b20-11c4-7d3e-8a52-6f0c1d2e3b4a', 'none']) {
    const options = { as: 'other-partner' };
    assertProblem(await maitred().call(`/venues/waitlist/${unknown}`, options), 404, 'WAIT-N-001');
    assertProblem(
      await maitred().call(`/venues/waitlist/${unknown}`, { ...options, method: 'DELETE' }),
      404,
      'WAIT-N-001',
    );
  }
  assert.equal((await read(maitred(), id)).status, 'waiting');
});

test('a request that is repeated with its key puts one party on the list', async () => {
  const { date } = await fullDay(maitred());
  const headers = { 'idempotency-key': `wait-${date}` };
  const [one, two] = [
    await join(maitred(), { date }, { headers }),
    await join(maitred(), { date }, { headers }),
  ];
  assert.equal(one.status, 201, one.text);
  assert.deepEqual(two.json, one.json);
  assertProblem(await join(maitred(), { date, partySize: 3 }, { headers }), 400, 'VALID-N-001');
  const [counted] = await maitred()
    .sql`select count(*)::int as entries from waitlist_entry where trading_day = ${date}`;
  assert.equal(counted?.entries, 1);
});

test('an id of the partner waits once, and not where it is booked', async () => {
  const { date, booking } = await fullDay(maitred());
  const partnerBookingId = `mine-${date}`;
  const { id } = await joined(maitred(), { date, partnerBookingId });
  assertProblem(await join(maitred(), { date, partnerBookingId }), 409, 'BOOK-N-002');
  await leave(maitred(), id);
  await joined(maitred(), { date, partnerBookingId });
  await maitred().sql`update booking set partner_booking_id = ${`booked-${date}`} where id = ${booking.id}`;
  const used = await join(maitred(), { date, partnerBookingId: `booked-${date}` });
  assert.equal(assertProblem(used, 409, 'BOOK-N-002').bookingId, booking.id);
});

test('a partner has at most 50 parties waiting at a venue, also when they come at once', async () => {
  await maitred().sql`delete from waitlist_entry`;
  const { date } = await fullDay(maitred());
  for (let count = 0; count < 46; count += 1) await joined(maitred(), { date });
  const answers = await Promise.all([...Array(8)].map(() => join(maitred(), { date })));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, 201, 201, 201, 409, 409, 409, 409]);
  const refusal = answers.find(({ status }) => status === 409);
  assert.ok(refusal);
  assertProblem(refusal, 409, 'WAIT-N-002');
  const [made] = answers.filter(({ status }) => status === 201);
  await leave(maitred(), made?.json.id);
  await joined(maitred(), { date });
  await maitred().sql`delete from waitlist_entry`;
});

test('a party whose last start is over waits no longer, also before any job has seen it', async () => {
  const { date } = await fullDay(maitred());
  const { id } = await joined(maitred(), { date });
  const before = time.clock();
  const end = Temporal.PlainDateTime.from(`${date}T19:00`).toZonedDateTime('Europe/London').toInstant();
  time.moveTo(end);
  assert.equal((await read(maitred(), id)).status, 'expired');
  await work(maitred());
  const [row] = await maitred().sql`select status from waitlist_entry where id = ${id}`;
  assert.equal(row?.status, 'expired');
  time.moveTo(before);
});

test('the guest is sealed in the database, and the entry deleted after a while', async () => {
  const { date } = await fullDay(maitred());
  const { id } = await joined(maitred(), { date, lastName: 'Quillfeather' });
  const [row] = await maitred().sql`select e::text as text, guest from waitlist_entry e where id = ${id}`;
  assert.doesNotMatch(row?.text, /Quillfeather|grace@/);
  assert.doesNotMatch(row?.guest.toString('latin1'), /Quillfeather|grace@/);
  const before = time.clock();
  time.moveTo(Temporal.Instant.from(`${date}T12:00:00Z`).add({ hours: 24 * 31 }));
  assert.ok((await maitred().services.waitlist.forgetOldGuests(30)) > 0);
  time.moveTo(before);
  assertProblem(await maitred().call(`/venues/waitlist/${id}`), 404, 'WAIT-N-001');
  assert.deepEqual((await manage(maitred(), `?date=${date}`)).json.data, []);
});
