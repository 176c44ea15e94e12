/** The short version of `npm run storm`, and what its checker would say if something had been lost, doubled or made up. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { CREATE } from '../proof/storm/checks/bookings.ts';
import { contradictions } from '../proof/storm/checks/check.ts';
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
    ...{ bookers: 3, leastBookings: 40, isWhole: true },
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
  for (const [product, held] of remote) {
    const known = { id: 'theirs', date: '', minute: 0, guests: 2 };
    const more = new Map([...remote, [product, [...held, known]]]);
    assert.match(saidOf({ remote: more }), /only the system of .* has theirs/);
  }
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
  assert.match(saidOf({ audit: audit.slice(0, 3) }), /changes of storm-.* are in the audit log/);
  const [row] = bookings.filter(({ status }) => status === 'confirmed');
  const bookingId = row?.id ?? '';
  const payment = { id: 'p', bookingId, status: 'succeeded', amountPence: 1e9, refundedPence: 0 };
  assert.match(saidOf({ payments: [payment] }), /1000000000 pence of booking .* are kept/);
  const failed = { ...getCreated(), mark: null, route: 'GET /venues', status: 500, code: 'HTTP-R-500' };
  assert.match(saidOf({ entries: [...entries, failed] }), /was answered 500 HTTP-R-500/);
});

test('a booking of the house that is gone, or that nobody was told of, is noticed', () => {
  const { bookings } = outcome.evidence;
  const house = bookings.find(({ partnerId }) => partnerId === null) ?? assert.fail('the house took none');
  assert.match(saidOf({ bookings: bookings.filter((row) => row !== house) }), /the booking is not there/);
  const others = [1, 2, 3, 4].map((count) => ({ ...house, id: `house-${count}`, clientId: 'nobody' }));
  assert.match(saidOf({ bookings: [...bookings, ...others] }), /4 bookings .* acknowledged to nobody/);
  const late = bookings.map((row) => ({ ...row, lastUpdateMs: 0 }));
  assert.match(saidOf({ bookings: late }), /storm-desk-room-.* is not stored/);
  const open = { id: 'closing', state: 'running', open: 2 };
  assert.match(saidOf({ closures: [open] }), /closure closing is running with 2 bookings/);
});

test('a screen that has missed a change is noticed', () => {
  const { screens } = outcome.evidence;
  const full = screens.find(({ diary }) => (diary?.booking.size ?? 0) > 0) ?? assert.fail('no screen');
  const { diary } = full;
  assert.ok(diary);
  const [id = ''] = diary.booking.keys();
  const without = new Map([...diary.booking].filter(([each]) => each !== id));
  const shown = (booking: typeof without) => ({ screens: [{ ...full, shown: { ...full.shown, booking } }] });
  assert.match(saidOf(shown(without)), new RegExp(`does not show booking ${id}`));
  assert.match(saidOf(shown(new Map([...without, [id, { id }]]))), new RegExp(`shows booking ${id} as`));
  assert.match(saidOf(shown(new Map([...diary.booking, ['gone', { id: 'gone' }]]))), /is not in the diary/);
});

test('a hold that is lost, used twice, or free while somebody waits is noticed', () => {
  const { holds, entries, waiting } = outcome.evidence;
  assert.match(saidOf({ holds: [] }), /hold .* was acknowledged and is not there/);
  const used = holds.find(({ state }) => state === 'used') ?? assert.fail('no hold was used');
  const open = holds.map((row) => (row === used ? { ...row, state: 'open' } : row));
  assert.match(saidOf({ holds: open }), new RegExp(`hold ${used.id} is open, and its booking is`));
  const held = { ...getCreated(), mark: 777_777, key: null, body: { holdId: used.id } };
  const twice = [held, { ...held, mark: 777_778 }].map((entry) => ({ ...entry, answer: { id: used.id } }));
  assert.match(saidOf({ entries: [...entries, ...twice] }), /was booked twice/);
  assert.match(saidOf({ waiting: [] }), /entry .* was acknowledged and is not there/);
  const party = waiting[0] ?? assert.fail('nobody waits');
  const freeFor = new Map([[party.id, ['2030-01-01 12:00']]]);
  assert.match(saidOf({ freeFor }), new RegExp(`entry ${party.id} waits, and 2030-01-01 12:00 is free`));
  const offered = [1, 2].map((count) => ({ ...party, id: `entry-${count}`, holdId: 'one' }));
  assert.match(saidOf({ waiting: [...waiting, ...offered] }), /hold one was offered to 2 entries/);
});

test('money that one of the books does not have, and a deposit that is missing, are noticed', () => {
  const { ledger, provider, bookings } = outcome.evidence;
  const first = ledger[0] ?? assert.fail('nobody has paid');
  assert.match(saidOf({ ledger: ledger.slice(1) }), /the provider has .*, and the ledger does not/);
  assert.match(saidOf({ provider: provider.slice(1) }), /the ledger has .*, and the provider does not/);
  assert.match(saidOf({ ledger: [...ledger, first] }), /the ledger has a movement twice/);
  const due = bookings.map((row) => ({ ...row, depositPence: null, depositDuePence: 1e9 }));
  assert.match(saidOf({ bookings: due }), /is confirmed without its deposit of 1000000000/);
  const payment = { id: 'p', bookingId: 'b', status: 'processing', amountPence: 1, refundedPence: 0 };
  assert.match(saidOf({ payments: [payment] }), /payment p stays processing/);
});

test('a sale after a mapping was withdrawn, and a reading that is not what was written, are noticed', () => {
  const { entries } = outcome.evidence;
  const created = getCreated();
  const [, , product = ''] = created.path.split('/');
  const venue = encodeURIComponent(decodeURIComponent(product).split('|').slice(0, 3).join('|'));
  const at = entries.length * 10;
  const ending: Entry = {
    ...{ ...created, client: 'storm-mapper', key: null, mark: null, body: null, answer: null, status: 204 },
    route: 'DELETE /manage/partners/{partnerId}/mappings/{venueId}',
    ...{ path: `/manage/partners/3/mappings/${venue}`, sent: at, told: at + 1 },
  };
  const mark = 888_888;
  const sale = { ...created, mark, key: null, client: 'storm-mapped-reader', sent: at + 2, told: at + 3 };
  assert.match(saidOf({ entries: [...entries, ending, sale] }), /888888 was sold .* mapping was withdrawn/);

  const written = { ...ending, actor: 'storm-curator', status: 200, answer: { name: 'Written' } };
  const path = '/manage/operators/1';
  const change = { ...written, route: 'PUT /manage/operators/{operatorId}', path };
  const reading = { ...change, route: 'GET /manage/operators/{operatorId}', answer: { name: 'Older' } };
  assert.match(saidOf({ entries: [...entries, change, reading] }), /was answered 200 .*Older.* after PUT/);
});
