/** Two who want the last place in the same moment, by whichever way. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Caller } from '../../src/http/auth/caller.ts';
import type { ProductId } from '../../src/kernel/ids.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { type Answer, startTestApp, type TestApp } from '../support/app.ts';
import { repeats } from '../support/repeats.ts';
import { deadlocks, imbalances } from './balance.ts';
import { create, inParallel, patchStart, tally } from './storm.ts';
import { addGig, addRoom, operatorOf, type Start, startsApart } from './venues.ts';

const PAIRS = repeats(500, 40);
const MOVES = repeats(200, 60);
const AT_WORK = 8;

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(async () => {
  assert.deepEqual(await imbalances(maitred.sql), []);
  assert.equal(await deadlocks(maitred.sql), 0);
  await maitred.close();
});

async function made(productId: ProductId, body: object): Promise<string> {
  const answer = await create(maitred.call, productId, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
}

const statusOf = async (id: string) => (await maitred.call(`/venues/bookings/${id}`)).json.status;

/** The number of confirmations that succeed, of two at once. */
async function confirmBoth(productId: ProductId, start: Start): Promise<void> {
  const operatorId = operatorOf(productId);
  const caller: Caller = { kind: 'operator', clientId: 'races', scopes: new Set(), operatorId };
  const enquiry = { ...start, type: 'request', partySize: 2 };
  const ids = await Promise.all([made(productId, enquiry), made(productId, enquiry)]);
  const outcomes = await Promise.allSettled(ids.map((id) => maitred.services.bookings.accept(caller, id)));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  assert.equal(refusals.length, 1);
  assert.ok(refusals[0] instanceof Problem, String(refusals[0]));
  assert.equal(refusals[0].code, 'AVAIL-N-005');
  const statuses = await Promise.all(ids.map(statusOf));
  assert.deepEqual(statuses.toSorted(), ['confirmed', 'pending']);
}

test('of two enquiries for the last table that are confirmed at once, one wins, every time', async () => {
  const productId = await addRoom(maitred.sql, 1);
  await inParallel(startsApart(PAIRS), AT_WORK, (start) => confirmBoth(productId, start));
});

test('of two enquiries for the last tickets that are confirmed at once, one wins, every time', async () => {
  const starts = startsApart(PAIRS);
  const productId = await addGig(maitred.sql, 3, starts);
  await inParallel(starts, AT_WORK, (start) => confirmBoth(productId, start));
});

/** A booking elsewhere that is moved onto the last place, while somebody else books it. */
async function moveAgainstCreation(productId: ProductId, from: Start, to: Start): Promise<Answer[]> {
  const id = await made(productId, from);
  const [moved, created] = await Promise.all([
    patchStart(maitred.call, id, to),
    create(maitred.call, productId, to),
  ]);
  const hasMoved = moved.status === 200;
  assert.equal(created.status, hasMoved ? 409 : 201);
  const { json: now } = await maitred.call(`/venues/bookings/${id}`);
  assert.deepEqual([now.status, now.date, now.time], ['confirmed', ...Object.values(hasMoved ? to : from)]);
  return [moved, created];
}

async function raceMoves(productId: ProductId, starts: Start[]): Promise<Record<string, number>> {
  const half = starts.length / 2;
  const answers: Answer[] = [];
  await inParallel([...Array(half).keys()], AT_WORK, async (index) => {
    const [from, to] = [starts[index], starts[half + index]];
    assert.ok(from && to);
    answers.push(...(await moveAgainstCreation(productId, from, to)));
  });
  return tally(answers);
}

test('of an amendment and a creation that both want the last table one wins, and the other has what it had', async () => {
  const productId = await addRoom(maitred.sql, 1);
  const { 200: moved = 0, 201: created = 0, ...refused } = await raceMoves(productId, startsApart(2 * MOVES));
  assert.equal(moved + created, MOVES);
  assert.deepEqual(refused, { '409 AVAIL-N-005': MOVES });
});

test('of an amendment and a creation that both want the last ticket one wins, and the other has what it had', async () => {
  const starts = startsApart(2 * MOVES);
  const productId = await addGig(maitred.sql, 1, starts);
  const { 200: moved = 0, 201: created = 0, ...refused } = await raceMoves(productId, starts);
  assert.equal(moved + created, MOVES);
  assert.deepEqual(refused, { '409 AVAIL-N-005': MOVES });
});

/** Whoever comes first, the booking ends cancelled, and neither the place it had nor the one it was to have is kept. */
async function cancelAgainstMove(productId: ProductId, from: Start, to: Start): Promise<void> {
  const id = await made(productId, from);
  const [moved, cancelled] = await Promise.all([
    patchStart(maitred.call, id, to),
    maitred.call(`/venues/bookings/${id}`, { method: 'DELETE' }),
  ]);
  assert.equal(cancelled.status, 204, cancelled.text);
  assert.ok(moved.status === 200 || moved.json.code === 'BOOK-N-014', moved.text);
  assert.equal(await statusOf(id), 'cancelled');
  await Promise.all([made(productId, from), made(productId, to)]);
}

test('a booking that is cancelled while it is amended is cancelled, and both places can be had again', async () => {
  const cancelled = MOVES / 2;
  const starts = startsApart(2 * cancelled);
  const room = await addRoom(maitred.sql, 1);
  const gig = await addGig(maitred.sql, 1, starts);
  for (const productId of [room, gig]) {
    await inParallel([...Array(cancelled).keys()], AT_WORK, async (index) => {
      const [from, to] = [starts[index], starts[cancelled + index]];
      assert.ok(from && to);
      await cancelAgainstMove(productId, from, to);
    });
  }
});

test('bookings that are moved round in a circle at once neither wait for each other for ever nor meet', async () => {
  const starts = startsApart(8);
  const productId = await addRoom(maitred.sql, 2);
  const ids = await Promise.all(starts.map((start) => made(productId, start)));
  for (let round = 1; round <= 5; round += 1) {
    const answers = await Promise.all(
      ids.map((id, index) => patchStart(maitred.call, id, starts[(index + round) % 8] as Start)),
    );
    const { 200: moved = 0, '409 AVAIL-N-005': refused = 0 } = tally(answers);
    assert.equal(moved + refused, 8);
  }
});
