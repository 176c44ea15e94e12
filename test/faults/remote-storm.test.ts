import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Bistro,
  type Bistros,
  type BistrosOptions,
  bothSides,
  order,
  startBistros,
} from '../support/remote-tms/bistros.ts';
import type { Fault } from '../support/remote-tms/faults.ts';
import { repeats } from '../support/repeats.ts';

const GUESTS = repeats(200, 80);
const AT_A_TIME = 10;
const SOUND: Fault = { kind: 'slow', delayMs: 0 };

interface Story {
  bistro: Bistro;
  /** The partner's ids of bookings that the partner knows to exist, and of those it was told do not. */
  made: Set<string>;
  notMade: Set<string>;
}

async function openBistro(t: TestContext, options: Partial<BistrosOptions> = {}): Promise<Bistros> {
  const bistros = await startBistros({ count: 1, book: { partiesPerStart: 1000 }, ...options });
  t.after(() => bistros.close());
  return bistros;
}

/** Half of the bookings are made and the answer is dropped; one in ten comes late; one question in four fails. */
function misbehave({ system }: Bistro): void {
  for (let call = 0; call < 2 * GUESTS; call += 1) {
    const booking: Fault = call % 10 === 9 ? { kind: 'late' } : { kind: 'cut-after-commit' };
    system.faults.plan(call % 2 === 1 ? booking : SOUND, { operations: ['book'] });
    system.faults.plan(call % 4 === 1 ? { kind: 'cut-before-commit' } : SOUND, { operations: ['find'] });
  }
}

/** Every guest has a partnerBookingId; one in four does not try again when told that nothing was done. */
async function storm(bistros: Bistros, tries: number): Promise<Story> {
  const bistro = bistros.next();
  misbehave(bistro);
  const story: Story = { bistro, made: new Set(), notMade: new Set() };
  const guests = Array.from({ length: GUESTS }, (_, number) => number).values();
  const serve = async () => {
    for (const number of guests) {
      const partnerBookingId = `guest-${number}`;
      const isMade = await tryToBook(bistros, bistro, partnerBookingId, number % 4 === 3 ? 1 : tries);
      (isMade ? story.made : story.notMade).add(partnerBookingId);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, serve));
  bistro.system.applyLate();
  return story;
}

async function tryToBook(
  bistros: Bistros,
  bistro: Bistro,
  partnerBookingId: string,
  tries: number,
): Promise<boolean> {
  for (let count = 0; count < tries; count += 1) {
    if (count > 0) await sleep(100);
    const answer = await order(bistros, bistro, { partnerBookingId });
    if (answer.status === 201) return true;
    assert.equal(answer.status, 503, answer.text);
    assert.equal(answer.json.code, 'BOOK-R-002');
  }
  return false;
}

async function namesOf({ app }: Bistros): Promise<Set<string>> {
  const rows = await app.sql<{ name: string }[]>`select partner_booking_id as name from booking`;
  return new Set(rows.map(({ name }) => name));
}

test('many guests of a system that drops its answers are each booked once, or not at all', async (t) => {
  const bistros = await openBistro(t);
  const { bistro, made, notMade } = await storm(bistros, 100);
  assert.ok(notMade.size > 0, 'some were told that nothing was done and went away');
  await bistros.settle();
  const { ours, theirs } = await bothSides(bistros, bistro);
  assert.deepEqual(theirs, ours);
  assert.equal(ours.length, made.size);
  assert.deepEqual(await namesOf(bistros), made);
  assert.deepEqual(notMade.intersection(made), new Set());
});

test('the same storm without asking after a cut and without the resolver leaves bookings that nobody knows of', async (t) => {
  const bistros = await openBistro(t, {
    around: (connector) => ({ ...connector, find: async () => ({ kind: 'unavailable' }) }),
  });
  const { bistro } = await storm(bistros, 3);
  const { ours, theirs } = await bothSides(bistros, bistro);
  assert.ok(theirs.length > ours.length, `${theirs.length} there, ${ours.length} here`);
});
