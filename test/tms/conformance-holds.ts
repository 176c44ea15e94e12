import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { PlaceRequest, Slot } from '../../src/tms/contract.ts';
import { assertRefused, type BoundHolds, bookAtOnce, expectOk, type Harness } from './conformance-harness.ts';

const TTL_MS = 5 * 60_000;
const RACERS = 20;

interface Suite {
  harness(): Harness;
  requestFor(slot: Slot, changes?: Partial<PlaceRequest>): PlaceRequest;
  /** Of a day that no other test uses. */
  firstStart(): Promise<Slot>;
  isOffered(slot: Slot): Promise<boolean>;
}

/** What every connector must do whose system can hold. */
export function holdsConform({ harness, requestFor, firstStart, isOffered }: Suite): void {
  const testHolds = (name: string, run: (holds: BoundHolds) => Promise<void>) =>
    test(name, async (context: TestContext) => {
      const { holds } = harness().system;
      if (holds) await run(holds);
      else context.skip('The system cannot hold.');
    });

  const testTime = (name: string, run: (holds: BoundHolds, passTime: Timer) => Promise<void>) =>
    test(name, async (context: TestContext) => {
      const { system, passTime } = harness();
      if (system.holds && passTime) await run(system.holds, passTime);
      else context.skip('The system cannot hold, or its clock cannot be moved.');
    });
  type Timer = NonNullable<Harness['passTime']>;

  const untilMs = () => harness().nowMs + TTL_MS;
  const book = (slot: Slot) => harness().system.book(requestFor(slot));
  /** How many further parties find a place. */
  const placesLeft = async (slot: Slot) => {
    const { system, capacity } = harness();
    const outcomes = await bookAtOnce(system, requestFor(slot), capacity);
    return outcomes.filter(({ kind }) => kind === 'ok').length;
  };

  async function holdAll(holds: BoundHolds, slot: Slot): Promise<PlaceRequest[]> {
    const requests = Array.from({ length: harness().capacity }, () => requestFor(slot));
    for (const request of requests) expectOk(await holds.hold(request, untilMs()));
    return requests;
  }

  testHolds('a hold takes the place from all others until it is released', async (holds) => {
    const slot = await firstStart();
    const [one] = await holdAll(holds, slot);
    assert.ok(one);
    assertRefused(await book(slot), 'taken');
    assertRefused(await holds.hold(requestFor(slot), untilMs()), 'taken');
    assert.equal(await isOffered(slot), false);
    assert.equal(expectOk(await harness().system.find(one.bookingId)), undefined);
    assertRefused(await harness().system.amend(one), 'not-found');
    expectOk(await holds.release(one.bookingId));
    expectOk(await holds.release(one.bookingId));
    assert.equal(await isOffered(slot), true);
    assertRefused(await holds.confirm(one), 'hold-ended');
    assertRefused(await holds.extend(one.bookingId, untilMs(), harness().nowMs), 'hold-ended');
    assert.equal(await placesLeft(slot), 1);
  });

  testHolds('held again under the same id it is the same hold, also at the same time', async (holds) => {
    const slot = await firstStart();
    const request = requestFor(slot);
    const asked = untilMs();
    const hold = expectOk(await holds.hold(request, asked));
    assert.equal(hold.bookingId, request.bookingId);
    assert.deepEqual([hold.startMs, hold.durationMinutes], [slot.startMs, slot.durationMinutes]);
    assert.ok(hold.expiresMs > harness().nowMs && hold.expiresMs <= asked);
    const repeated = await Promise.all(Array.from({ length: 5 }, () => holds.hold(request, asked)));
    for (const outcome of repeated) assert.deepEqual(expectOk(outcome), hold);
    assert.equal(await placesLeft(slot), harness().capacity - 1);
  });

  testHolds('a hold becomes the booking at its place, however often it is confirmed', async (holds) => {
    const { system, capacity, party } = harness();
    const slot = await firstStart();
    const requests = await holdAll(holds, slot);
    const [one] = requests;
    assert.ok(one);
    const confirmed = await Promise.all([holds.confirm(one), holds.confirm(one)]);
    const booking = expectOk(confirmed[0]);
    assert.deepEqual(expectOk(confirmed[1]), booking);
    assert.deepEqual(
      [booking.bookingId, booking.startMs, booking.durationMinutes, booking.guests],
      [one.bookingId, slot.startMs, slot.durationMinutes, party],
    );
    assert.deepEqual(expectOk(await system.find(one.bookingId)), booking);
    assert.deepEqual(expectOk(await system.book(one)), booking);
    assertRefused(await holds.hold(one, untilMs()), 'hold-ended');
    expectOk(await holds.release(one.bookingId));
    assert.deepEqual(expectOk(await system.find(one.bookingId)), booking);
    for (const { bookingId } of requests.slice(1)) expectOk(await holds.release(bookingId));
    assert.equal(await placesLeft(slot), capacity - 1);
    expectOk(await system.cancel(one.bookingId));
    expectOk(await book(slot));
  });

  testHolds(
    'what was never held can be neither confirmed nor extended, and releasing it is no failure',
    async (holds) => {
      const slot = await firstStart();
      assertRefused(await holds.confirm(requestFor(slot)), 'hold-ended');
      assertRefused(await holds.extend(randomUUID(), untilMs(), harness().nowMs), 'hold-ended');
      expectOk(await holds.release(randomUUID()));
      assert.equal(await placesLeft(slot), harness().capacity);
    },
  );

  testHolds('cancelling what is held leaves nothing behind', async (holds) => {
    const slot = await firstStart();
    const request = requestFor(slot);
    expectOk(await holds.hold(request, untilMs()));
    expectOk(await harness().system.cancel(request.bookingId));
    assertRefused(await holds.confirm(request), 'hold-ended');
    assert.equal(await placesLeft(slot), harness().capacity);
  });

  testHolds('a place that cannot be booked cannot be held', async (holds) => {
    const slot = await firstStart();
    const oversized = requestFor(slot, { adults: harness().oversizedParty });
    assertRefused(await holds.hold(oversized, untilMs()), 'party-never-fits');
    const beside = requestFor({ ...slot, minute: slot.minute + 1, startMs: slot.startMs + 60_000 });
    assert.equal((await holds.hold(beside, untilMs())).kind, 'refused');
    assert.equal(await placesLeft(slot), harness().capacity);
  });

  testHolds('of twenty who hold and book at once as many win as there are places', async (holds) => {
    const { system, capacity } = harness();
    const slot = await firstStart();
    const outcomes = await Promise.all(
      Array.from({ length: RACERS }, (_, index) =>
        index % 2 === 0 ? holds.hold(requestFor(slot), untilMs()) : system.book(requestFor(slot)),
      ),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'ok').length, capacity);
    for (const outcome of outcomes) if (outcome.kind !== 'ok') assertRefused(outcome, 'taken');
  });

  testTime('a hold that has ended is in the way of none, and is not had back', async (holds, passTime) => {
    const { capacity } = harness();
    const slot = await firstStart();
    const [one, other] = await holdAll(holds, slot);
    assert.ok(one && other);
    await passTime(TTL_MS - 1000);
    assert.equal(await isOffered(slot), false);
    await passTime(1000);
    assert.equal(await isOffered(slot), true);
    const again = { ...one, nowMs: harness().nowMs };
    assertRefused(await holds.confirm(again), 'hold-ended');
    assertRefused(await holds.extend(one.bookingId, untilMs(), harness().nowMs), 'hold-ended');
    // What ended may be held anew, if it is free.
    expectOk(await holds.hold(again, untilMs()));
    assert.equal(await placesLeft(slot), capacity - 1);
    assertRefused(await holds.hold({ ...other, nowMs: harness().nowMs }, untilMs()), 'taken');
    expectOk(await holds.confirm(again));
  });

  testTime(
    'a hold that is extended lasts longer, and never ends earlier than was said',
    async (holds, passTime) => {
      const slot = await firstStart();
      const [one, ...others] = await holdAll(holds, slot);
      assert.ok(one);
      const { bookingId } = one;
      const { expiresMs } = expectOk(await holds.extend(bookingId, untilMs() + TTL_MS, harness().nowMs));
      assert.ok(expiresMs > untilMs());
      const shorter = expectOk(await holds.extend(bookingId, untilMs() - 1000, harness().nowMs));
      assert.equal(shorter.expiresMs, expiresMs);
      for (const other of others) expectOk(await holds.release(other.bookingId));
      await passTime(TTL_MS);
      assert.equal(await placesLeft(slot), harness().capacity - 1);
      expectOk(await holds.confirm({ ...one, nowMs: harness().nowMs }));
    },
  );
}
