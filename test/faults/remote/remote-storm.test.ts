import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Bistro,
  type Bistros,
  type BistrosOptions,
  bothSides,
  order,
  startBistrosIn,
} from '../../support/remote-tms/bistros.ts';
import { type CommonFault, connectKind, octoKind, type SystemKind } from '../../support/remote-tms/kinds.ts';
import { repeats } from '../../support/repeats.ts';

const CUTS = repeats(1000, 100);
const AT_A_TIME = 10;
const SOUND: CommonFault = { kind: 'slow', delayMs: 0 };
const BEFORE: CommonFault = { kind: 'cut-before-commit' };
const FAILING: CommonFault = { kind: 'status', status: 500 };
const AFTER: CommonFault = { kind: 'cut-after-commit' };

/**
 * Half of the cuts come before the system has done its work and half after it. The odd length lets them fall on each
 * step of a booking. There are so few that the breaker seldom opens: a system that rests is not called, nor cut.
 */
const CALLS = [
  SOUND,
  SOUND,
  AFTER,
  ...Array.from({ length: 5 }, () => SOUND),
  BEFORE,
  SOUND,
  SOUND,
  SOUND,
  SOUND,
];
const CUTS_IN_A_ROUND = 2;

interface Story<System> {
  bistro: Bistro<System>;
  /** The partner's ids of bookings that the partner knows to exist, and of those it was told do not. */
  made: Set<string>;
  notMade: Set<string>;
}

async function openBistro<System>(
  t: TestContext,
  kind: SystemKind<System>,
  options: Partial<BistrosOptions> = {},
): Promise<Bistros<System>> {
  const bistros = await startBistrosIn(kind, { count: 1, book: { partiesPerStart: 10_000 }, ...options });
  t.after(() => bistros.close());
  return bistros;
}

function misbehave<System>(kind: SystemKind<System>, { system }: Bistro<System>, hasLate: boolean): void {
  for (let round = 0; round < CUTS / CUTS_IN_A_ROUND; round += 1) {
    for (const fault of CALLS) kind.spoil(system, 'book', fault);
    if (hasLate && round % 8 === 0) kind.spoil(system, 'book', { kind: 'late' });
    kind.spoil(system, 'find', FAILING);
    kind.spoil(system, 'find', SOUND, 8);
  }
}

const cutsAt = ({ system: { faults } }: Bistro<unknown>) => faults.met(BEFORE.kind) + faults.met(AFTER.kind);

/** Guests come until every cut has been met; one in four does not try again when told that nothing was done. */
async function storm<System>(
  kind: SystemKind<System>,
  bistros: Bistros<System>,
  { tries = 100, hasLate = true, most = Number.POSITIVE_INFINITY } = {},
): Promise<Story<System>> {
  const bistro = bistros.next();
  misbehave(kind, bistro, hasLate);
  const story: Story<System> = { bistro, made: new Set(), notMade: new Set() };
  let guests = 0;
  const serve = async () => {
    while (cutsAt(bistro) < CUTS && guests < most) {
      const number = guests++;
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
  bistros: Bistros<unknown>,
  bistro: Bistro<unknown>,
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

async function namesOf({ app }: Bistros<unknown>): Promise<Set<string>> {
  const rows = await app.sql<{ name: string }[]>`select partner_booking_id as name from booking`;
  return new Set(rows.map(({ name }) => name));
}

/** Each guest has one booking, or none and was told so; both sides agree. */
async function assertSettled<System>(
  t: TestContext,
  bistros: Bistros<System>,
  { bistro, made, notMade }: Story<System>,
): Promise<void> {
  assert.ok(notMade.size > 0, 'some were told that nothing was done and went away');
  await bistros.settle();
  const { ours, theirs } = await bothSides(bistros, bistro);
  assert.deepEqual(theirs, ours);
  assert.equal(ours.length, made.size);
  assert.deepEqual(await namesOf(bistros), made);
  assert.deepEqual(notMade.intersection(made), new Set());
  t.diagnostic(`${cutsAt(bistro)} cuts, ${made.size} guests booked, ${notMade.size} not`);
}

function testKind<System>(kind: SystemKind<System>): void {
  test(`${kind.name}: guests of a system that cuts its replies are each booked once, or not at all`, async (t) => {
    const bistros = await openBistro(t, kind);
    await assertSettled(t, bistros, await storm(kind, bistros));
  });

  test(`${kind.name}: a system that makes a second booking of a repeated request is not sent one`, async (t) => {
    const bistros = await openBistro(t, kind, { book: { partiesPerStart: 10_000, isLying: true } });
    await assertSettled(t, bistros, await storm(kind, bistros, { hasLate: false }));
  });

  test(`${kind.name}: without asking after a cut and without the resolver, bookings are left that are not known here`, async (t) => {
    const bistros = await openBistro(t, kind, {
      around: (connector) => ({ ...connector, find: async () => ({ kind: 'unavailable' }) }),
    });
    const { bistro } = await storm(kind, bistros, { tries: 1, most: 120 });
    const { ours, theirs } = await bothSides(bistros, bistro);
    assert.ok(theirs.length > ours.length, `${theirs.length} there, ${ours.length} here`);
  });
}

testKind(connectKind);
testKind(octoKind);
