/** Staff see the waiting list of their venue, order it, offer and book, with an entry in the audit log each. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { callNow, standingClock } from '../bookings/amend/amending.ts';
import { type Body, bookingsApp } from '../bookings/support.ts';
import {
  added,
  cancel,
  dayWithTables,
  fullDay,
  joined,
  MANAGED,
  manage,
  read,
  statusOf,
  work,
} from './support.ts';

const time = standingClock();
const maitred = bookingsApp({ deps: { clock: time.clock } });
beforeEach(() => maitred().sql`delete from waitlist_entry`);

const idsOf = async (date: string): Promise<string[]> =>
  (await manage(maitred(), `?date=${date}&status=waiting`)).json.data.map(({ id }: Body) => id);

const order = (id: string, before: string | null, headers: Record<string, string> = {}) =>
  manage(maitred(), `/${id}`, { method: 'PATCH', body: { before }, headers });

async function actions(id: string): Promise<string[]> {
  const rows = await maitred().sql`
    select action from audit_entry where subject = ${`waitlist entry ${id}`} order by at, id`;
  return rows.map(({ action }) => action);
}

test('staff put a party before another or last, and offers follow that order', async () => {
  const { date, booking } = await fullDay(maitred());
  const [a, b, c] = [
    await joined(maitred(), { date }),
    await joined(maitred(), { date }),
    await added(maitred(), { date }),
  ];
  assert.deepEqual(await idsOf(date), [a.id, b.id, c.id]);
  assert.equal((await order(c.id, a.id)).status, 200);
  assert.deepEqual(await idsOf(date), [c.id, a.id, b.id]);
  assert.equal((await order(a.id, null)).status, 200);
  assert.deepEqual(await idsOf(date), [c.id, b.id, a.id]);
  assert.equal((await order(b.id.toUpperCase(), a.id.toUpperCase())).status, 200, 'in either case');
  assert.deepEqual(await idsOf(date), [c.id, b.id, a.id]);
  const d = await joined(maitred(), { date });
  assert.deepEqual(await idsOf(date), [c.id, b.id, a.id, d.id], 'who comes later stands behind them');
  assert.equal(d.position, 4);
  assert.deepEqual(await actions(c.id), ['waitlist.add', 'waitlist.order']);

  await manage(maitred(), `/${c.id}`, { method: 'DELETE' });
  assert.deepEqual(await actions(c.id), ['waitlist.add', 'waitlist.order', 'waitlist.remove']);
  await cancel(maitred(), booking);
  await work(maitred());
  assert.equal(await statusOf(maitred(), b.id), 'offered');
  assert.equal(await statusOf(maitred(), a.id), 'waiting');
});

test('only parties that wait on the same day can be ordered', async () => {
  const [one, other] = [await fullDay(maitred()), await fullDay(maitred())];
  const a = await joined(maitred(), { date: one.date });
  const b = await joined(maitred(), { date: other.date });
  assert.ok(assertProblem(await order(a.id, b.id), 400, 'VALID-N-001').errors.before);
  assert.equal((await order(a.id, a.id)).status, 200, 'before itself is where it is');
  await callNow(maitred(), `/venues/waitlist/${a.id}`, { method: 'DELETE' });
  assertProblem(await order(a.id, null), 409, 'WAIT-N-003');
  assertProblem(await order('019a8b20-11c4-7d3e-8a52-6f0c1d2e3b4a', null), 404, 'WAIT-N-001');
});

test('a place is offered to whom staff choose, at the time that they choose', async () => {
  const date = await dayWithTables(maitred(), 1);
  const first = await joined(maitred(), { date, from: '18:00', to: '21:00' });
  const second = await joined(maitred(), { date, from: '18:00', to: '21:00' });
  const offered = await manage(maitred(), `/${second.id}/offer`, { method: 'POST', body: { time: '19:30' } });
  assert.equal(offered.status, 200, offered.text);
  assert.deepEqual([offered.json.status, offered.json.offer.slot.time], ['offered', '19:30']);
  assert.deepEqual(await read(maitred(), second.id).then(({ offer }) => offer), offered.json.offer);
  assertProblem(await manage(maitred(), `/${second.id}/offer`, { method: 'POST' }), 409, 'WAIT-N-003');
  assertProblem(
    await manage(maitred(), `/${first.id}/offer`, { method: 'POST', body: { time: '19:30' } }),
    409,
    'AVAIL-N-005',
  );
  assert.deepEqual(await actions(second.id), ['waitlist.offer']);
  assert.equal((await manage(maitred(), `/${first.id}/offer`, { method: 'POST' })).status, 200);
});

test('staff book what is offered, and the booking is the partner’s where the entry is', async () => {
  const { date, booking } = await fullDay(maitred());
  const { id } = await joined(maitred(), { date, partnerBookingId: `taken-${date}` });
  assertProblem(await manage(maitred(), `/${id}/book`, { method: 'POST' }), 409, 'WAIT-N-003');
  await cancel(maitred(), booking);
  await work(maitred());
  const [one, two] = await Promise.all([
    manage(maitred(), `/${id}/book`, { method: 'POST' }),
    manage(maitred(), `/${id}/book`, { method: 'POST' }),
  ]);
  assert.deepEqual([one.status, two.status], [200, 200], one.text + two.text);
  assert.deepEqual([one.json.status, one.json.bookingId], ['booked', two.json.bookingId]);
  const made = await callNow(maitred(), `/venues/bookings/${one.json.bookingId}`);
  assert.equal(made.status, 200, made.text);
  assert.deepEqual([made.json.partnerBookingId, made.json.lastName], [`taken-${date}`, 'Hopper']);
  assert.deepEqual(await actions(id), ['waitlist.book']);
});

test('a version that has changed since it was read is not acted on', async () => {
  const { date } = await fullDay(maitred());
  const { id } = await added(maitred(), { date });
  const { headers } = await manage(maitred(), `/${id}`);
  const match = { 'if-match': String(headers.etag) };
  const wrong = { 'if-match': '"doc-something-else"' };
  assertProblem(await manage(maitred(), `/${id}`, { method: 'DELETE', headers: wrong }), 412, 'HTTP-N-412');
  assertProblem(await order(id, null, wrong), 412, 'HTTP-N-412');
  assert.equal((await manage(maitred(), `/${id}`, { method: 'DELETE', headers: match })).status, 204);
  assertProblem(await manage(maitred(), `/${id}`, { method: 'DELETE', headers: match }), 412, 'HTTP-N-412');
  assert.equal((await manage(maitred(), `/${id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await manage(maitred(), `/${id}`)).json.status, 'removed');
});

test('a request of staff that is repeated with its key adds one party', async () => {
  const { date } = await fullDay(maitred());
  const body = { productKey: 'dinner', date, from: '19:00', to: '20:00', partySize: 2, lastName: 'Johnson' };
  const options = { method: 'POST', body, headers: { 'idempotency-key': `house-${date}` } } as const;
  const [one, two] = [await manage(maitred(), '', options), await manage(maitred(), '', options)];
  assert.equal(one.status, 201, one.text);
  assert.deepEqual(two.json, one.json);
  assert.equal((await manage(maitred(), `?date=${date}`)).json.meta.totalItems, 1);
});

test('the audit log has no guests, and other venues have no such entry', async () => {
  const { date } = await fullDay(maitred());
  const { id } = await added(maitred(), { date, lastName: 'Quillfeather', email: 'quill@example.com' });
  const [row] = await maitred().sql`
    select a::text as text from audit_entry a where subject = ${`waitlist entry ${id}`}`;
  assert.match(row?.text, /waitlist\.add/);
  assert.doesNotMatch(row?.text, /Quillfeather|quill@/);
  const elsewhere = MANAGED.replace('soho-grill', 'garden-room');
  assertProblem(await callNow(maitred(), `${elsewhere}/${id}`, { as: 'demo-operator' }), 404, 'WAIT-N-001');
});
