import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  assertRefused,
  type Body,
  type Booking,
  book,
  booked,
  bookingsApp,
  freeDay,
  jazzDay,
  PRIVATE,
  traces,
  VIP,
} from '../support.ts';

const app = bookingsApp();
let keys = 0;
const newKey = () => `key-${++keys}`;
const keyed = (key: string, booking: Booking = {}): Booking => ({
  ...booking,
  headers: { 'Idempotency-Key': key, ...booking.headers },
});
const dinner = (): Body => ({ date: freeDay(), time: '19:00' });
const cancel = (id: string) => app().call(`/venues/bookings/${id}`, { method: 'DELETE' });

test('a partnerBookingId is used once, and stays used after cancellation', async () => {
  const id = { partnerBookingId: 'once' };
  const first = await booked(app(), id);
  for (const type of ['book', 'request'])
    await assertRefused(app(), () => book(app(), { ...id, type }), 409, 'BOOK-N-002');
  const agent = { as: 'demo-agent', headers: { 'X-Partner-Reference': 'demo-partner' } };
  await assertRefused(app(), () => book(app(), id, agent), 409, 'BOOK-N-002');
  assert.equal((await cancel(first.id)).status, 204);
  await assertRefused(app(), () => book(app(), id), 409, 'BOOK-N-002');
  const theirs = await booked(app(), id, { as: 'other-partner' });
  assert.equal(theirs.partnerBookingId, 'once');
});

test('who used a partnerBookingId is told which booking has it, and nobody else is', async () => {
  const used = { partnerBookingId: 'which-one' };
  const { id } = await booked(app(), used);
  const told = async (booking?: Booking) =>
    (await assertRefused(app(), () => book(app(), used, booking), 409, 'BOOK-N-002')).bookingId;
  assert.equal(await told(), id);
  assert.equal(await told({ as: 'demo-agent', headers: { 'X-Partner-Reference': 'demo-partner' } }), id);
  assert.equal(await told(keyed(newKey())), id);
  const theirs = await booked(app(), used, { as: 'other-partner' });
  assert.equal(await told({ as: 'other-partner' }), theirs.id);
  assert.equal((await cancel(id)).status, 204);
  assert.equal(await told(), id);
});

test('a booking sent again is told that it exists, not that its own place is taken', async () => {
  const last = { date: jazzDay(), time: '20:00', partySize: 4, partnerBookingId: 'last-four' };
  for (let party = 0; party < 2; party++)
    await booked(app(), { ...last, partnerBookingId: undefined }, { productId: VIP });
  await booked(app(), last, { productId: VIP });
  await assertRefused(app(), () => book(app(), last, { productId: VIP }), 409, 'BOOK-N-002');
});

test('a refused attempt does not use the partnerBookingId up', async () => {
  const id = { partnerBookingId: 'second-try' };
  await assertRefused(app(), () => book(app(), { ...id, partySize: 30 }), 409, 'AVAIL-N-005');
  assert.equal((await booked(app(), id)).partnerBookingId, 'second-try');
});

test('of equal partnerBookingIds at the same moment one wins', async () => {
  const before = await traces(app().sql);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      book(app(), { partnerBookingId: 'at-once', type: index % 3 === 0 ? 'request' : 'book' }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 201))
    assertProblem(answer, 409, 'BOOK-N-002');
  const after = await traces(app().sql);
  assert.equal(after.bookings, before.bookings + 1);
  assert.equal(after.events, before.events + 1);
  assert.ok(after.tables <= before.tables + 1);
});

test('with the same key the first answer is given again, word for word', async () => {
  const key = newKey();
  const body = { ...dinner(), labels: ['a'], comments: 'Quiet' };
  const first = await book(app(), body, keyed(key));
  assert.equal(first.status, 201, first.text);
  const before = await traces(app().sql);
  const turned = Object.fromEntries(Object.entries({ ...body }).reverse());
  for (const again of [body, body, turned]) {
    const answer = await book(app(), again, keyed(key));
    assert.equal(answer.status, 201);
    assert.equal(answer.text, first.text);
  }
  const toon = await book(app(), body, keyed(key, { headers: { accept: 'text/toon' } }));
  assert.equal(toon.status, 201);
  assert.match(toon.text, new RegExp(first.json.id), 'in another form it is still the same booking');
  assert.deepEqual(await traces(app().sql), before);
});

test('the answer is repeated as it was, whatever became of the booking', async () => {
  const key = newKey();
  const body = dinner();
  const first = await book(app(), body, keyed(key));
  assert.equal((await cancel(first.json.id)).status, 204);
  assert.equal((await book(app(), body, keyed(key))).text, first.text);
});

test('the same key for another request is refused', async () => {
  const key = newKey();
  const body = dinner();
  await booked(app(), body, keyed(key));
  const others: [Body, Booking][] = [
    [{ ...body, partySize: 3 }, {}],
    [{ ...body, comments: 'Quiet' }, {}],
    [{ ...body, type: 'request', partySize: 12 }, { productId: PRIVATE }],
    [body, { headers: { 'X-Booking-Source': 'phone' } }],
  ];
  for (const [other, booking] of others) {
    const attempt = () => book(app(), other, keyed(key, booking));
    const { errors } = await assertRefused(app(), attempt, 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), ['Idempotency-Key']);
  }
});

test('a key belongs to the client that sent it', async () => {
  const key = newKey();
  const body = dinner();
  const agent = { as: 'demo-agent', headers: { 'X-Partner-Reference': 'demo-partner' } };
  const own = await booked(app(), body, keyed(key));
  const agents = await booked(app(), body, keyed(key, agent));
  const theirs = await booked(app(), body, keyed(key, { as: 'other-partner' }));
  assert.equal(new Set([own.id, agents.id, theirs.id]).size, 3);
});

test('a refusal is repeated even when its reason is gone', async () => {
  const body = { date: jazzDay(3), time: '20:00', partySize: 4 };
  const tickets = { productId: VIP };
  const sold = [];
  for (let party = 0; party < 3; party++) sold.push(await booked(app(), body, tickets));
  const key = newKey();
  const refused = await book(app(), body, keyed(key, tickets));
  assertProblem(refused, 409, 'AVAIL-N-005');
  assert.equal((await cancel(sold[0].id)).status, 204);
  const before = await traces(app().sql);
  const again = await book(app(), body, keyed(key, tickets));
  assert.equal(again.status, 409);
  assert.equal(again.text, refused.text);
  assert.deepEqual(await traces(app().sql), before);
  assert.equal((await booked(app(), body, keyed(newKey(), tickets))).status, 'confirmed');
});

test('what a refusal said of fields is repeated too', async () => {
  const key = newKey();
  const body = { ...dinner(), preorders: { packages: [{ id: 1, quantity: 1 }] } };
  const first = await book(app(), body, keyed(key));
  assertProblem(first, 400, 'VALID-N-001');
  assert.equal((await book(app(), body, keyed(key))).text, first.text);
  assert.ok(first.json.errors['preorders.packages.0.id']);
});

/** Makes every write of a kind fail, as a full disk would; the promise is of how to mend it. */
async function breaking(table: string, when: string): Promise<() => Promise<unknown>> {
  const { sql } = app();
  await sql.unsafe(`
    create or replace function broken() returns trigger language plpgsql as $$
      begin raise exception 'the disk is full'; end $$;
    create trigger broken before ${when} execute function broken();`);
  return () => sql.unsafe(`drop trigger broken on ${table}`);
}

for (const [what, table, when] of [
  ['booking', 'booking', 'insert on booking for each row'],
  ['event', 'event', 'insert on event for each row'],
  ['answer', 'idempotency_key', 'update on idempotency_key for each row when (new.answer is not null)'],
] as const) {
  test(`when the ${what} cannot be written nothing is, and the same key may try again`, async () => {
    const key = newKey();
    const body = dinner();
    const mend = await breaking(table, when);
    await assertRefused(app(), () => book(app(), body, keyed(key)), 500, 'HTTP-R-500');
    await mend();
    const before = await traces(app().sql);
    const booking = await booked(app(), body, keyed(key));
    assert.equal(booking.status, 'confirmed');
    assert.equal((await booked(app(), body, keyed(key))).id, booking.id);
    assert.equal((await traces(app().sql)).bookings, before.bookings + 1);
  });
}

test('booking, table, event and answer come from one transaction', async () => {
  const key = newKey();
  const { id } = await booked(app(), dinner(), keyed(key));
  const rows = await app().sql`
    select xmin::text from booking where id = ${id}
    union all select xmin::text from house_reservation where id = ${id}
    union all select xmin::text from house_allocation where reservation_id = ${id}
    union all select xmin::text from event where booking_id = ${id}
    union all select xmin::text from idempotency_key where key = ${key}`;
  assert.equal(rows.length, 5);
  assert.equal(new Set(rows.map(({ xmin }) => xmin)).size, 1);
});

test('a request that died at work is taken over once its time is up', async () => {
  const { sql } = app();
  const key = newKey();
  const body = dinner();
  const first = await booked(app(), body, keyed(key));
  // As a crash leaves the key: claimed, and without an answer.
  await sql`update idempotency_key set answer = null, leased_until = now() - interval '1 second' where key = ${key}`;
  const second = await booked(app(), body, keyed(key));
  assert.notEqual(second.id, first.id);
  assert.equal((await booked(app(), body, keyed(key))).id, second.id);
});

test('a request whose key was taken over by another does not book as well', async () => {
  const { sql } = app();
  const key = newKey();
  const body = dinner();
  const before = await traces(sql);
  const slow = await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`house 1|house|soho-grill ${body.date}`}, 0))`;
    const answer = book(app(), body, keyed(key));
    await eventually(async () => (await sql`select from idempotency_key where key = ${key}`).length === 1);
    await sql`update idempotency_key set lease = gen_random_uuid() where key = ${key}`;
    return { answer };
  });
  assertProblem(await slow.answer, 503, 'HTTP-R-503');
  assert.deepEqual(await traces(sql), before);
});
