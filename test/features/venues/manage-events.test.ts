import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { type Answer, assertProblem } from '../../support/app.ts';
import { areWaiting } from '../../support/databases/lock-waits.ts';
import { eventually } from '../../support/eventually.ts';
import { book, booked, jazzDay, STANDARD } from '../bookings/support.ts';
import {
  assertGuarded,
  assertUnfit,
  at,
  type Body,
  DAILY,
  done,
  JAZZ,
  keepingApp,
  openVenue,
  productChange,
  read,
  SOHO,
  send,
  soon,
} from './keeping.ts';

const maitred = keepingApp();
const OCCURRENCES = at(JAZZ, '/occurrences');

const ticketType = (key: string, tickets: Body = {}): Body => ({
  key,
  name: 'Balcony',
  timeIntervalMinutes: 15,
  hours: DAILY,
  tickets: { pricePence: 2500, capacity: 20, maxPerBooking: 6, ...tickets },
});

const timesOf = async (productId: string, date: string) =>
  (await maitred().call(`/venues/${encodeURIComponent(productId)}/availability?partySize=1&date=${date}`))
    .json.times;

const occurrenceOn = async (date: string) =>
  (await read(maitred(), `${OCCURRENCES}?from=${date}&pageSize=1`)).data[0];

test('an event is made of ticket types and times, and can be bought once it is mapped', async () => {
  const event = await openVenue(
    maitred(),
    'cabaret',
    { tms: 'tickets', hostVenueId: '2|house|night-owl' },
    2,
  );
  const path = at(event.id, '/products');
  const type = await done(maitred(), 'POST', path, ticketType('balcony'));
  assert.deepEqual(type.tickets, {
    pricePence: 2500,
    capacity: 20,
    minPerBooking: 1,
    maxPerBooking: 6,
    salesOpenDaysBefore: null,
    salesCloseMinutesBefore: 0,
    policy: null,
    cancellationPolicy: null,
  });
  assert.equal(type.house, null);
  const date = soon(20);
  const times = at(event.id, '/occurrences');
  const made = await done(maitred(), 'POST', times, { date, startsMinute: 1200, durationMinutes: 120 });
  assert.deepEqual(made, {
    id: made.id,
    date,
    startsMinute: 1200,
    durationMinutes: 120,
    isWithdrawn: false,
    hasTickets: false,
  });
  const { sql } = maitred();
  await sql`insert into venue_mapping (partner_id, venue_id) values (1, ${event.id})`;
  await sql`insert into product_mapping (partner_id, product_id, venue_id) values (1, ${type.compositeId}, ${event.id})`;
  await eventually(async () => (await timesOf(type.compositeId, date))?.length === 1);
  await booked(maitred(), { date, time: '20:00', partySize: 3 }, { productId: type.compositeId });
  assert.equal((await read(maitred(), `${times}/${made.id}`)).hasTickets, true);
});

test('the price of a ticket and how many there are follow a change, also below what is sold', async () => {
  const date = jazzDay(3);
  await booked(maitred(), { date, time: '20:00', partySize: 4 }, { productId: STANDARD });
  const path = at(JAZZ, '/products/standard');
  const before = await read(maitred(), path);
  const tickets = { ...before.tickets, pricePence: 9900, capacity: 2 };
  const entry = await assertGuarded(maitred(), path, productChange(before, { tickets }));
  assert.equal(entry.after.tickets.pricePence, 9900);
  await eventually(async () => (await timesOf(STANDARD, date)).length === 0);
  await done(maitred(), 'PUT', path, productChange(before));
  await eventually(async () => (await timesOf(STANDARD, date)).length === 1);
  await assertUnfit(maitred(), 'PUT', path, productChange(before, { tickets: null }), 'tickets');
  await assertUnfit(maitred(), 'PUT', path, productChange(before, { house: {} }), 'house');
  const few = { ...before.tickets, minPerBooking: 5, maxPerBooking: 4 };
  await assertUnfit(maitred(), 'PUT', path, productChange(before, { tickets: few }), 'tickets.maxPerBooking');
});

test('a ticket type that an event does not have is said to be one', async () => {
  const path = at(JAZZ, '/products/royal');
  assertProblem(await maitred().call(path, { as: 'demo-admin' }), 404, 'EVENT-N-002');
  const { key: _, ...body } = ticketType('royal');
  assertProblem(await send(maitred(), 'PUT', path, body), 404, 'EVENT-N-002');
  assertProblem(await send(maitred(), 'DELETE', path), 404, 'EVENT-N-002');
});

test('a time without tickets can be moved, withdrawn, put back on sale and removed', async () => {
  const made = await done(maitred(), 'POST', OCCURRENCES, {
    date: soon(400),
    startsMinute: 60,
    durationMinutes: 60,
  });
  const path = `${OCCURRENCES}/${made.id}`;
  const entry = await assertGuarded(maitred(), path, {
    date: soon(401),
    startsMinute: 1500,
    durationMinutes: 90,
  });
  assert.equal(entry.action, 'occurrence.change');
  const body = { date: soon(401), startsMinute: 1500, durationMinutes: 90 };
  assert.equal((await done(maitred(), 'PUT', path, { ...body, isWithdrawn: true })).isWithdrawn, true);
  await assertUnfit(maitred(), 'POST', OCCURRENCES, body, 'startsMinute');
  const before = await done(maitred(), 'PUT', path, body);
  assert.equal(before.isWithdrawn, false);
  await done(maitred(), 'DELETE', path);
  const [removal] = (await read(maitred(), '/manage/audit?pageSize=1')).data;
  assert.deepEqual([removal.action, removal.before, removal.after], ['occurrence.remove', before, null]);
  assertProblem(await send(maitred(), 'DELETE', path), 404, 'HTTP-N-404');
  assertProblem(await send(maitred(), 'PUT', path, body), 404, 'HTTP-N-404');
});

test('a time that somebody has tickets for is withdrawn, and they keep them', async () => {
  const date = jazzDay(5);
  const booking = await booked(maitred(), { date, time: '20:00' }, { productId: STANDARD });
  const occurrence = await occurrenceOn(date);
  const path = `${OCCURRENCES}/${occurrence.id}`;
  const { startsMinute } = occurrence;
  await assertUnfit(
    maitred(),
    'PUT',
    path,
    { date, startsMinute: startsMinute + 30, durationMinutes: 100 },
    'date',
  );
  const longer = await done(maitred(), 'PUT', path, { date, startsMinute, durationMinutes: 200 });
  assert.equal(longer.durationMinutes, 200);
  await done(maitred(), 'DELETE', path);
  const withdrawn = { ...longer, isWithdrawn: true };
  assert.deepEqual(await read(maitred(), path), withdrawn);
  const [entry] = (await read(maitred(), '/manage/audit?pageSize=1')).data;
  assert.deepEqual([entry.action, entry.before, entry.after], ['occurrence.remove', longer, withdrawn]);
  await eventually(async () => (await timesOf(STANDARD, date)).length === 0);
  assert.equal((await maitred().call(`/venues/bookings/${booking.id}`)).json.status, 'confirmed');
  await done(maitred(), 'PUT', path, { date, startsMinute, durationMinutes: 150 });
  await eventually(async () => (await timesOf(STANDARD, date)).length === 1);
});

test('times that cannot be are refused', async () => {
  const date = jazzDay(4);
  const { startsMinute } = await occurrenceOn(date);
  const body = (changes: Body) => ({ date, startsMinute: 600, durationMinutes: 60, ...changes });
  const wrong: [string, Body][] = [
    ['startsMinute', body({ startsMinute })],
    ['startsMinute', body({ startsMinute: 2880 })],
    ['durationMinutes', body({ durationMinutes: 0 })],
    ['date', body({ date: '2027-13-01' })],
    ['date', body({ date: '9999-12-31' })],
    // On this night the clocks in Britain go from one to two.
    ['startsMinute', body({ date: '2027-03-28', startsMinute: 90 })],
  ];
  for (const [field, each] of wrong) await assertUnfit(maitred(), 'POST', OCCURRENCES, each, field);
  const made = await done(maitred(), 'POST', OCCURRENCES, body({ date: soon(500) }));
  await assertUnfit(maitred(), 'PUT', `${OCCURRENCES}/${made.id}`, body({ startsMinute }), 'startsMinute');
  const twice = await Promise.all(
    [1, 2].map(() => send(maitred(), 'POST', OCCURRENCES, body({ date: soon(501) }))),
  );
  assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 400]);
});

test('only events take place at times, and each has its own', async () => {
  await assertUnfit(
    maitred(),
    'POST',
    at(SOHO, '/occurrences'),
    { date: soon(9), startsMinute: 1, durationMinutes: 1 },
    'venueId',
  );
  assertProblem(await maitred().call(at(SOHO, '/occurrences'), { as: 'demo-admin' }), 400, 'VALID-N-001');
  const event = await openVenue(maitred(), 'recital', { tms: 'tickets' });
  const { id } = await occurrenceOn(jazzDay(4));
  const foreign = at(event.id, `/occurrences/${id}`);
  assertProblem(await send(maitred(), 'DELETE', foreign), 404, 'HTTP-N-404');
  const page = await read(maitred(), `${OCCURRENCES}?pageSize=2&pageNumber=2`);
  assert.equal(page.data.length, 2);
  const starts = (await read(maitred(), `${OCCURRENCES}?pageSize=100`)).data.map(
    (each: Body) => `${each.date} ${String(each.startsMinute).padStart(4, '0')}`,
  );
  assert.deepEqual(starts, starts.toSorted());
});

test('a ticket that is bought while its time is removed is either kept or not sold', async () => {
  for (const week of [6, 7, 8, 9]) {
    const date = jazzDay(week);
    const { id } = await occurrenceOn(date);
    const [purchase, removal] = await Promise.all([
      book(maitred(), { date, time: '20:00' }, { productId: STANDARD }),
      send(maitred(), 'DELETE', `${OCCURRENCES}/${id}`),
    ]);
    assert.equal(removal.status, 204, removal.text);
    const kept = await maitred()
      .sql`select is_withdrawn as "isWithdrawn" from ticket_occurrence where id = ${id}`;
    if (purchase.status === 201) assert.deepEqual([...kept], [{ isWithdrawn: true }]);
    else assert.deepEqual([purchase.status, [...kept]], [422, []], purchase.text);
  }
});

/** An enquiry is accepted when a change of its time is about to be committed. */
async function acceptBehind(week: number, change: (path: string, occurrence: Body) => Promise<Answer>) {
  const date = jazzDay(week);
  const enquiry = await booked(maitred(), { date, time: '20:00', type: 'request' }, { productId: STANDARD });
  const occurrence = await occurrenceOn(date);
  const [changed, accepted] = await inTransaction(maitred().sql, async (tx) => {
    await tx`lock table audit_entry in exclusive mode`;
    const first = change(`${OCCURRENCES}/${occurrence.id}`, occurrence);
    await eventually(() => areWaiting(maitred().sql, 1));
    const second = send(maitred(), 'POST', `/manage/operators/2/bookings/${enquiry.id}/accept`);
    await eventually(() => areWaiting(maitred().sql, 2));
    return [first, second] as const;
  });
  const held = await maitred().sql`select from ticket_reservation where id = ${enquiry.id}`;
  return { changed: await changed, accepted: await accepted, held: held.length };
}

test('an enquiry that is accepted while its time is moved gets no tickets for another one', async () => {
  const { changed, accepted, held } = await acceptBehind(
    10,
    (path, { date, startsMinute, durationMinutes }) =>
      send(maitred(), 'PUT', path, { date, startsMinute: startsMinute + 60, durationMinutes }),
  );
  assert.equal(changed.status, 200, changed.text);
  assertProblem(accepted, 409, 'AVAIL-N-005');
  assert.equal(held, 0);
});

test('an enquiry that is accepted while its time is removed is told that there is none', async () => {
  const { changed, accepted, held } = await acceptBehind(11, (path) => send(maitred(), 'DELETE', path));
  assert.equal(changed.status, 204, changed.text);
  assertProblem(accepted, 422, 'AVAIL-N-004');
  assert.equal(held, 0);
});
