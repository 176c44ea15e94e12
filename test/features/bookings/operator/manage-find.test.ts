import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { BOOTH, type Body, booked, freeDay } from '../support.ts';
import { deskApp, take, taken } from './desk-support.ts';
import { look } from './manage-support.ts';

/** How staff find a booking again. */

const { maitred, time } = deskApp();

async function ids(query: string): Promise<string[]> {
  const answer = await look(maitred(), `?${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.meta.totalItems, answer.json.data.length);
  return answer.json.data.map(({ id }: Body) => id);
}

test('a booking is found by its reference, its id, or what the partner calls it, at its own operator', async () => {
  const own = await booked(maitred(), { date: freeDay(), time: '19:00', partnerBookingId: 'Table-7' });
  const others = await booked(maitred(), { partySize: 4, partnerBookingId: 'Booth-7' }, { productId: BOOTH });
  for (const reference of [own.reference, own.reference.toLowerCase(), own.id, 'Table-7'])
    assert.deepEqual(await ids(`reference=${reference}`), [own.id], reference);
  for (const reference of [others.reference, others.id, 'Booth-7', 'Table', 'H-', '%'])
    assert.deepEqual(await ids(`reference=${encodeURIComponent(reference)}`), [], reference);
  assert.deepEqual(await ids(`reference=${own.reference}&status=cancelled`), []);
});

test('the earlier visits of a guest are found, the latest first, and their order can be turned', async () => {
  const guest = { lastName: 'Noether', email: 'emmy@example.com' };
  const visits: string[] = [];
  for (const _ of [1, 2, 3]) {
    visits.push((await taken(maitred(), { date: freeDay(), guest })).id);
    time.moveTo(time.clock().add({ seconds: 1 }));
  }
  const sorted = (by: string) => ids(`guest=emmy@example.com&${by}`);
  assert.deepEqual(await sorted('sortBy=start'), visits);
  assert.deepEqual(await sorted('sortBy=start&sortDirection=DESC'), visits.toReversed());
  assert.deepEqual(await sorted('sortBy=created'), visits.toReversed());
  assert.deepEqual(await sorted('sortBy=created&sortDirection=ASC'), visits);
  assertProblem(await look(maitred(), '?sortDirection=up'), 400, 'VALID-N-001');
});

test('bookings of the house are listed by how they came in', async () => {
  const date = freeDay();
  const [phone, mail] = [
    await taken(maitred(), { date }),
    await taken(maitred(), { date, time: '20:00', origin: 'email' }),
  ];
  await booked(maitred(), { date, time: '21:00' });
  assert.equal((await take(maitred(), { date, time: '21:00', origin: 'website' })).status, 201);
  assert.deepEqual(await ids(`origin=phone,email&from=${date}&to=${date}`), [phone.id, mail.id]);
});
