import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '../../src/kernel/clock.ts';
import { bookingsApp, DINNER, freeDay, jazzDay, STANDARD } from '../features/bookings/support.ts';
import { repeats } from '../support/repeats.ts';
import { ADA, resellerOf, units } from './octo-support.ts';

let ahead = { minutes: 0 };
const clock = () => systemClock().add(ahead);
const app = bookingsApp({ deps: { clock } });
const reseller = resellerOf(app);
const ROUNDS = repeats(40, 6);

const post = (path: string, body: object) => reseller.call(path, { method: 'POST', body });

test('several confirmations at once make one booking', async () => {
  const held = await reseller.reserve(DINNER, freeDay());
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => post(`/bookings/${held.uuid}/confirm`, { contact: ADA })),
  );
  for (const { status, json } of answers) {
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual(json, answers[0]?.json);
  }
  const [counted] = await app().sql<[{ events: number; seats: number }]>`
    select (select count(*) from event where booking_id = ${held.uuid})::int as events,
      (select count(*) from house_reservation where id = ${held.uuid})::int as seats`;
  assert.equal(counted.seats, 1);
  assert.equal(counted.events, 1);
});

test('a confirmation and a cancellation at once end in one of the two, with its place', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const held = await reseller.reserve(STANDARD, jazzDay(6));
    const [confirmed, cancelled] = await Promise.all([
      post(`/bookings/${held.uuid}/confirm`, { contact: ADA }),
      post(`/bookings/${held.uuid}/cancel`, {}),
    ]);
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.equal(cancelled.json.status, 'CANCELLED');
    if (confirmed.status !== 200) assert.equal(confirmed.json.error, 'UNPROCESSABLE_ENTITY');
    assert.equal((await reseller.get(`/bookings/${held.uuid}`)).status, 'CANCELLED');
    const [left] = await app().sql<[{ count: number }]>`
      select ((select count(*) from ticket_hold where id = ${held.uuid})
        + (select count(*) from ticket_reservation where id = ${held.uuid}))::int as count`;
    assert.equal(left.count, 0);
  }
});

test('more resellers than tickets hold what there is', async () => {
  const date = jazzDay(7);
  const question = { productId: STANDARD, optionId: 'DEFAULT', localDateStart: date, localDateEnd: date };
  const [start] = await reseller.post('/availability', question);
  await app()
    .sql`update ticket_type set capacity = ${start.capacity - start.vacancies + 5} where product_id = ${STANDARD}`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      post('/bookings', {
        uuid: randomUUID(),
        productId: STANDARD,
        optionId: 'DEFAULT',
        availabilityId: start.id,
        unitItems: units(STANDARD, 1),
      }),
    ),
  );
  const held = answers.filter(({ status }) => status === 200);
  assert.equal(held.length, 5);
  for (const { status, json } of answers)
    if (status !== 200) assert.equal(json.error, 'UNPROCESSABLE_ENTITY');
  const [after] = await reseller.post('/availability', question);
  assert.equal(after.status, 'SOLD_OUT');
  assert.equal(after.available, false);
  assert.equal(after.vacancies, 0);
  await app().sql`update ticket_type set capacity = ${start.capacity} where product_id = ${STANDARD}`;
});

test('a request that died on the way is taken up by its repetition', async () => {
  const start = await reseller.firstStart(DINNER, freeDay());
  const body = {
    uuid: randomUUID(),
    productId: DINNER,
    optionId: 'DEFAULT',
    availabilityId: start.id,
    unitItems: units(DINNER, 2),
  };
  const held = await reseller.post('/bookings', body);
  // As a node leaves it that dies after the system has held the place, before it is written down.
  await app().sql`update octo_booking set state = 'holding', lease = ${randomUUID()},
    leased_until = now() - interval '1 second' where id = ${body.uuid}`;
  await reseller.refused(`/bookings/${body.uuid}`, 'INVALID_BOOKING_UUID', {});
  const again = await reseller.post('/bookings', body);
  assert.equal(again.status, 'ON_HOLD');
  assert.equal(again.utcExpiresAt, held.utcExpiresAt);
  const confirmed = await reseller.post(`/bookings/${body.uuid}/confirm`, { contact: ADA });
  // And one that died after the booking was made.
  await app().sql`update octo_booking set lease = ${randomUUID()}, leased_until = now() - interval '1 second'
    where id = ${body.uuid}`;
  assert.deepEqual(await reseller.post(`/bookings/${body.uuid}/confirm`, { contact: ADA }), confirmed);
});

test('an expired reservation is shown as such, frees its place and is forgotten in the end', async () => {
  const date = jazzDay(8);
  const question = { productId: STANDARD, optionId: 'DEFAULT', localDateStart: date, localDateEnd: date };
  const [before] = await reseller.post('/availability', question);
  const held = await reseller.reserve(STANDARD, date, { contact: ADA });
  ahead = { minutes: 45 };
  try {
    assert.equal((await reseller.get(`/bookings/${held.uuid}`)).status, 'EXPIRED');
    const [after] = await reseller.post('/availability', question);
    assert.equal(after.vacancies, before.vacancies);
    for (const path of ['confirm', 'extend'])
      await reseller.refused(`/bookings/${held.uuid}/${path}`, 'INVALID_BOOKING_UUID', {
        method: 'POST',
        body: path === 'confirm' ? { contact: ADA } : {},
      });
    await reseller.refused(`/bookings/${held.uuid}`, 'INVALID_BOOKING_UUID', {
      method: 'PATCH',
      body: { notes: 'x' },
    });
    assert.equal((await reseller.post(`/bookings/${held.uuid}/cancel`, {})).status, 'CANCELLED');
    ahead = { minutes: 60 * 24 * 9 };
    assert.ok((await app().services.octo.forgetUnbooked()) > 0);
    const [row] = await app().sql`select from octo_booking where id = ${held.uuid}`;
    assert.equal(row, undefined);
  } finally {
    ahead = { minutes: 0 };
  }
});
