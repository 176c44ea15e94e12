/** The short version of `npm run storm`, and what its checker would say if something had been lost, doubled or made up. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { contradictions } from '../proof/storm/check.ts';
import { CREATE } from '../proof/storm/check-bookings.ts';
import type { Evidence } from '../proof/storm/evidence.ts';
import { KINDS, planFaults } from '../proof/storm/faults.ts';
import { type Entry, isDone } from '../proof/storm/journal.ts';
import { type Outcome, runStorm } from '../proof/storm/storm.ts';

const SEED = Number(process.env.STORM_SEED ?? 10);
/** So short that each kind of fault comes once. */
const GAP_MS = 1100;
const DURATION_MS = GAP_MS * KINDS.length;

let outcome: Outcome;
before(async () => {
  outcome = await runStorm({
    ...{ seed: SEED, durationMs: DURATION_MS, nodes: 2, gapMs: GAP_MS },
    ...{ bookers: 3, leastBookings: 40 },
  });
});

test('after a short storm nobody was told anything that is not so', (t) => {
  const { evidence, faults, folder } = outcome;
  const unanswered = evidence.entries.filter(({ status }) => status === null).length;
  t.diagnostic(`seed ${SEED}: ${evidence.entries.length} calls, ${unanswered} without an answer`);
  t.diagnostic(
    `${evidence.bookings.length} bookings, ${evidence.posts.length} posts; ${JSON.stringify(faults)}`,
  );
  assert.deepEqual(outcome.contradictions, [], `seed ${SEED}, the journal is in ${folder}`);
  assert.ok(evidence.bookings.length > 0 && evidence.posts.length > 0 && evidence.orders.length > 0);
  assert.deepEqual(new Set(Object.keys(faults)), new Set(KINDS));
});

test('the same seed plans the same faults, and another one others', () => {
  const plan = (seed: number) => planFaults(seed, 60_000, 2000);
  assert.deepEqual(plan(4), plan(4));
  assert.notDeepEqual(plan(4), plan(5));
  assert.deepEqual(new Set(plan(4).map(({ kind }) => kind)), new Set(KINDS));
});

/** What the checker says of the storm with something changed. */
const saidOf = (change: Partial<Evidence>) => contradictions({ ...outcome.evidence, ...change }).join('\n');

function getCreated(): Entry {
  const { entries, bookings } = outcome.evidence;
  const confirmed = new Set(bookings.filter(({ status }) => status === 'confirmed').map(({ id }) => id));
  const created = entries.find(
    (entry) => entry.route === CREATE && isDone(entry) && confirmed.has(entry.answer.id),
  );
  return created ?? assert.fail('nothing was booked');
}

test('a booking that was acknowledged and never made is noticed', () => {
  const { entries } = outcome.evidence;
  const created = getCreated();
  const invented = { ...created, mark: 999_999, key: null, answer: { ...created.answer, id: 'invented' } };
  assert.match(saidOf({ entries: [...entries, invented] }), /was acknowledged as invented and is not there/);
});

test('a booking that is gone, one that is there twice, and one that was refused are noticed', () => {
  const { bookings, entries } = outcome.evidence;
  const created = getCreated();
  const rows = bookings.filter(({ id }) => id === created.answer.id);
  assert.match(
    saidOf({ bookings: bookings.filter((row) => !rows.includes(row)) }),
    /acknowledged as .* not there/,
  );
  const second = rows.map((row) => ({ ...row, id: 'second', partnerBookingId: null }));
  assert.match(saidOf({ bookings: [...bookings, ...second] }), /is there twice/);
  const refused = entries.map((entry) =>
    entry.route === CREATE && entry.mark === created.mark
      ? { ...entry, status: 409, code: 'AVAIL-N-005', answer: {} }
      : entry,
  );
  assert.match(saidOf({ entries: refused }), /was refused \(AVAIL-N-005\) and is there/);
});

test('a booking that is not as the last change left it is noticed', () => {
  const { bookings } = outcome.evidence;
  const { id } = getCreated().answer;
  const moved = bookings.map((row) => (row.id === id ? { ...row, time: '03:00' } : row));
  assert.match(saidOf({ bookings: moved }), new RegExp(`booking ${id} is .*03:00.*, and the log ends with`));
});

test('a table that is taken twice, or held by nobody, is noticed', () => {
  const { seats } = outcome.evidence;
  const [seat] = seats;
  assert.ok(seat);
  const said = saidOf({
    seats: [...seats, { ...seat, bookingId: 'somebody', fromMs: seat.fromMs + 60_000 }],
  });
  assert.match(said, new RegExp(`table ${seat.tableId} has .* and .* at once`));
  assert.match(said, /is held for somebody, which is nobody/);
});

test('tickets beyond what there are, and a booking that only the remote system has, are noticed', () => {
  const { tickets, remote } = outcome.evidence;
  assert.match(
    saidOf({ tickets: tickets.map((row) => ({ ...row, capacity: 0 })) }),
    /of 0 tickets of .* are sold/,
  );
  const known = {
    id: 'theirs',
    reference: 'R',
    product: '',
    date: '',
    minute: 0,
    adults: 2,
    children: 0,
    guests: 2,
    name: '',
    table: null,
  };
  assert.match(saidOf({ remote: [...remote, known] }), /only the remote system has theirs/);
});

test('an event that never arrived, one that arrived altered, and one that is not in the log are noticed', () => {
  const { posts, logs } = outcome.evidence;
  const post = posts.find(({ path }) => path === '/good');
  const event = post?.headers['webhook-id'];
  const others = posts.filter(({ path, headers }) => path !== '/good' || headers['webhook-id'] !== event);
  assert.match(saidOf({ posts: others }), new RegExp(`event ${event} never arrived at /good`));
  assert.ok(post);
  const altered = { ...post, body: Buffer.from('{}') };
  const said = saidOf({ posts: [...posts, altered] });
  assert.match(said, /arrived with different bytes/);
  assert.match(said, /arrived at \/good with a wrong signature/);
  const shorter = new Map([...logs].map(([partnerId, events]) => [partnerId, events.slice(1)]));
  assert.match(saidOf({ logs: shorter }), /is missing from the log of partner/);
});

test('a change that nobody wrote down, money that is kept, and a failure of ours are noticed', () => {
  const { entries, audit, bookings } = outcome.evidence;
  assert.match(saidOf({ audit: audit.slice(0, 3) }), /changes of storm-.* are in the trail/);
  const [row] = bookings.filter(({ status }) => status === 'confirmed');
  const bookingId = row?.id ?? '';
  const payment = { id: 'p', bookingId, status: 'succeeded', amountPence: 1e9, refundedPence: 0 };
  assert.match(saidOf({ payments: [payment] }), /1000000000 pence of booking .* are kept/);
  const failed = { ...getCreated(), mark: null, route: 'GET /venues', status: 500, code: 'HTTP-R-500' };
  assert.match(saidOf({ entries: [...entries, failed] }), /was answered 500 HTTP-R-500/);
});
